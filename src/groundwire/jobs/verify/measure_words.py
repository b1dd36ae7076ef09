"""What measured numbers say of a claim, in a sentence."""

from __future__ import annotations

from groundwire.words import words

# The parameters of each text, in the order in which they are handed in.
_PARAMS: dict[str, tuple[str, ...]] = {
    "unknown": ("what",),
    "peg_lost": ("what", "price", "off"),
    "peg_kept": ("what", "price", "off"),
    "peg_between": ("what", "price", "off"),
    "peg_not_so_far": ("what", "price", "off"),
    "peg_passing": ("what", "price"),
    "no_peg": ("what",),
    "beyond": ("what", "price", "level"),
    "not_beyond": ("what", "price", "level"),
    "near_level": ("what", "price", "level"),
    "at_level": ("what", "price", "level"),
    "not_at": ("what", "price", "level"),
    "touched": ("what", "price", "level"),
    "long_beyond": ("what", "price", "level"),
    "moved": ("what", "change"),
    "moved_other": ("what", "change", "stated"),
    "no_change": ("what",),
    "theft_listed": ("what", "day", "amount"),
    "theft_amount": ("amount",),
    "theft_other": ("what", "day", "amount", "stated"),
    "theft_uncounted": ("what", "day"),
    "drained": ("what", "change"),
    "not_drained": ("what", "change"),
    "series_same": ("what", "value", "period"),
    "series_other": ("what", "value", "period", "stated"),
    "series_elsewhen": ("what", "value", "period"),
}


def measured(code: str, language: str, *parts: str | int) -> str:
    """Return the text of a code in the desk's language: zh, zh-Hant, or English for all others."""
    params = dict(zip(_PARAMS.get(code, ()), parts, strict=True))
    return words(language)(f"verify.measured.{code}", **params)
