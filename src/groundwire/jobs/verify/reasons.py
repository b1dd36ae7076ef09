"""Why a confidence is what it is: the texts for the rows of a waterfall."""

from __future__ import annotations

from groundwire.words import words

# The parameters of each text, in the order in which they are handed in.
_PARAMS: dict[str, tuple[str, ...]] = {
    "not_searched_because": ("why",),
    "search_failed_because": ("why",),
    "contested": ("supporting", "contradicting"),
    "only_contradicting": ("n",),
    "multi_source_official": ("n", "relevance"),
    "multi_source": ("n", "relevance"),
    "numbers_confirm_because": ("why",),
    "only_qualifying": ("n",),
    "under_threshold": ("n", "threshold"),
    "own_page": ("reason",),
    "cap": ("limit",),
    "cap_preliminary": ("limit",),
    "memory": ("similarity", "score"),
    "memory_about": ("similarity", "score", "what"),
    "retrospective": ("mark",),
    "opinion": ("mark",),
    "planned": ("mark",),
    "hours_old": ("n",),
    "days_old": ("n",),
    "by_message": ("reason", "mark"),
    "by_evidence": ("reason", "mark"),
    "data_conflict_because": ("why",),
    "calibration": ("n", "version"),
    "calibration_capped": ("n", "version", "limit"),
}


def reason(code: str, language: str, *parts: str | int) -> str:
    """Return the text of a code in the desk's language: zh, zh-Hant, or English for all others."""
    params = dict(zip(_PARAMS.get(code, ()), parts, strict=True))
    return words(language)(f"verify.reason.{code}", **params)


def reason_codes() -> tuple[str, ...]:
    """Every code that has a text."""
    prefix = "verify.reason."
    return tuple(
        code.removeprefix(prefix) for code in words("en").codes() if code.startswith(prefix)
    )
