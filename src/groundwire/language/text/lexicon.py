"""Many names searched for at once, as words: the longest at each place, none inside another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from groundwire.language.text.characters import folded, normalise

# Latin, Greek and Cyrillic separate words; digits and the underscore belong to a word.
# Listed, since a negated class costs several times as much at every Chinese character.
_LETTERS = "[0-9A-Za-z_\u00c0-\u024f\u0370-\u03ff\u0400-\u052f]"
_RUN = re.compile(f"{_LETTERS}+")
# Other names are found by their first two characters, Latin ones by two more than their first word.
_PAIR = 2


def low_form(text: str) -> str:
    """Return text as a lexicon reads it: in its normal form and in lower case."""
    return folded(normalise(text).text)


def normal_forms(texts: Iterable[str]) -> list[str]:
    """Return the normal form of each of many short texts, computed in one go."""
    return normalise("\0".join(texts)).text.split("\0")


def low_forms(texts: Iterable[str]) -> list[str]:
    return [folded(text) for text in normal_forms(texts)]


class Lexicon:
    """Names indexed by how they begin; searching for all of them takes one pass over the text.

    A Latin name matches only where no letter or digit follows; Chinese words have no borders,
    so a longer word that means something else is simply one more name ("稳定币", "stable coin").
    """

    def __init__(self, names: Iterable[str]) -> None:
        index: dict[str, list[str]] = {}
        unique = dict.fromkeys(name for name in low_forms(names) if name)
        for name in sorted(unique, key=lambda name: (-len(name), name)):
            index.setdefault(_key(name), []).append(name)
        self._names = {key: tuple(names) for key, names in sorted(index.items())}
        # Most Chinese characters begin no name, or not with what follows: C code drops them.
        pairs = [key for key in index if not _RUN.match(key)]
        starts = f"({_LETTERS}+)"
        if pairs:
            starts += f"|{_any(key[0] for key in pairs)}(?={_any(key[1] for key in pairs)})"
        self._starts = re.compile(starts)

    def find(
        self, low: str, first: int = 0, last: int | None = None
    ) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and name of each that begins within the bounds, in order.

        The text comes from `low_form`.
        """
        known = self._names
        done = _word_start(low, first)
        for start in self._starts.finditer(low, done, len(low) if last is None else last):
            at = start.start()
            if at < done:
                continue
            if start.lastindex:
                names = known.get(start.group(), ())
                if longer := known.get(low[at : start.end() + _PAIR]):  # "the" alone begins dozens
                    names = longer + names
            else:
                names = known.get(low[at : at + _PAIR], ())
            for name in names:
                if not low.startswith(name, at):
                    continue
                end = at + len(name)
                if not (_RUN.match(low, end) and _RUN.match(name[-1])):
                    yield at, end, name
                    done = end
                    break


def _word_start(low: str, at: int) -> int:
    """Return this place, or the end of the word that it lies in."""
    inside = at > 0 and _RUN.match(low, at - 1)
    return inside.end() if inside else at


def _any(characters: Iterable[str]) -> str:
    return f"[{re.escape(''.join(sorted(set(characters))))}]"


def _key(name: str) -> str:
    run = _RUN.match(name)
    if run is None:
        return name[:_PAIR]
    longer = name[: run.end() + _PAIR]
    return longer if len(longer) == run.end() + _PAIR else run.group()
