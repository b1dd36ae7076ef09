"""Words that cannot both be true of a thing: rise and fall, 上调 and 下调."""

from __future__ import annotations

from functools import cache

from groundwire.language.data import data_lines
from groundwire.language.text.wording import stemmed

Sides = tuple[tuple[str, ...], ...]


def opposites(word: str) -> Sides:
    """The sides that this word cannot stand for; one of them says that a text means the opposite."""
    return _index("opposites.tsv").get(stemmed(word), ())


def antonyms(word: str) -> Sides:
    """Wider: sides that speak against the word, but prove nothing alone."""
    key = stemmed(word)
    return _index("opposites.tsv").get(key, ()) + _index("antonyms.tsv").get(key, ())


@cache
def _index(name: str) -> dict[str, Sides]:
    """Each word to the sides opposite to it, stemmed."""
    index: dict[str, list[tuple[str, ...]]] = {}
    for line in data_lines(name):
        sides = [
            tuple(dict.fromkeys(stemmed(w) for w in side.split("|"))) for side in line.split("\t")
        ]
        for side, other in ((sides[0], sides[1]), (sides[1], sides[0])):
            for word in side:
                index.setdefault(word, []).append(tuple(w for w in other if w not in side))
    return {word: tuple(found) for word, found in index.items()}
