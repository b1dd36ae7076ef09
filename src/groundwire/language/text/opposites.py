"""Words that cannot both be true of a thing: rise and fall, 上调 and 下调."""

from __future__ import annotations

from functools import cache

from groundwire.language.data import data_lines
from groundwire.language.text.wording import stemmed

Sides = tuple[tuple[str, ...], ...]


def opposites(word: str) -> Sides:
    """Return the groups of words that contradict this one: any of them means the opposite."""
    return _index("opposites.tsv").get(stemmed(word), ())


def antonyms(word: str) -> Sides:
    """Return more groups of words that speak against this one, but prove nothing alone."""
    key = stemmed(word)
    return _index("opposites.tsv").get(key, ()) + _index("antonyms.tsv").get(key, ())


@cache
def _index(name: str) -> dict[str, Sides]:
    """Map each stemmed word to the groups opposite to it."""
    index: dict[str, list[tuple[str, ...]]] = {}
    for line in data_lines(name):
        sides = [
            tuple(dict.fromkeys(stemmed(w) for w in side.split("|"))) for side in line.split("\t")
        ]
        for side, other in ((sides[0], sides[1]), (sides[1], sides[0])):
            for word in side:
                index.setdefault(word, []).append(tuple(w for w in other if w not in side))
    return {word: tuple(groups) for word, groups in index.items()}
