"""Chinese text: how to recognise it, and its words with their parts of speech."""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.language.text.characters import HAN

_HAN = re.compile(f"[{HAN}]")


@lru_cache(maxsize=256)
def tagged(flat: str) -> tuple[tuple[str, str], ...]:
    """Return all words of a text in order, each with its part of speech."""
    # Deferred: loading the dictionary takes longer than most commands, which never need it.
    import rjieba

    return tuple(rjieba.tag(flat))


def cut(run: str, *, for_search: bool = False) -> list[str]:
    """Split a run into words; for search with the shorter words inside them."""
    import rjieba

    return rjieba.cut_for_search(run) if for_search else rjieba.cut(run)


def is_chinese(flat: str) -> bool:
    """Tell whether a text is Chinese, whatever else stands in it."""
    opening = flat[:400]
    return len(_HAN.findall(opening)) * 4 > len(opening)
