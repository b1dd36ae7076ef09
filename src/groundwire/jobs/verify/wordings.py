"""What verify says in its own words, in the signal's language."""

from __future__ import annotations

from groundwire.words import words

_CODES = {
    "notes": "verify.notes",
    "joint": "list.phrases",
    "gap_no_evidence": "verify.gap.no_evidence",
    "gap_search_failed": "verify.gap.search_failed",
    "gap_single_source": "verify.gap.single_source",
    "gap_not_searched": "verify.gap.not_searched",
}
_PARAMS = {"gated": ("why",), "duplicate": ("run",)}


def word(code: str, language: str, *parts: str, **named: object) -> str:
    """A text of ours; a code that has none is itself the text."""
    say = words(language)
    full = _CODES.get(code, f"verify.why.{code}")
    if not say.has(full):
        return code  # others' words: no pattern, whatever braces they have
    return say(full, **dict(zip(_PARAMS.get(code, ()), parts, strict=True)), **named)
