"""Chinese text cut into words, with what a dictionary knows each to be."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=256)
def tagged(flat: str) -> tuple[tuple[str, str], ...]:
    """The words of a text in order, all of its characters among them, each with its part of speech."""
    # Deferred: loading the dictionary takes longer than most commands that never need it.
    import rjieba

    return tuple(rjieba.tag(flat))


def cut(run: str, *, for_search: bool = False) -> list[str]:
    """The words of a run; for search with the shorter words inside them."""
    import rjieba

    return rjieba.cut_for_search(run) if for_search else rjieba.cut(run)
