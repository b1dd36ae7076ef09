"""Into which words a Chinese topic falls: those that its pages write, where a dictionary knows only its characters; pure."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cached_property

from groundwire.language.names.glossary import known_names
from groundwire.language.text.characters import HAN, simplify

_RUN = re.compile(f"[{HAN}]{{2,}}")
_LONGEST = 4  # characters of a word that nobody knows
_READ = 2_000  # characters of a page
_FEWEST = 2  # pages that write a word, before it is one
_MOST = 0.7  # of the pages with two characters of a longer word have all of it


def words_by_use(topic: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a Chinese topic as its pages write them: 职场, 霸凌, not 场霸; (): nothing is known better."""
    used = _Used(topic, texts)
    if not used.is_needed:
        return ()
    return tuple(dict.fromkeys(word for run in used.runs for word in used.cut(run)))


class _Used:
    """A topic and how many pages write each piece of it."""

    def __init__(self, topic: str, texts: Sequence[str]) -> None:
        self._normal = simplify(topic)
        self._names = {self._normal[start:end] for start, end in known_names(self._normal)}
        self._given = texts
        self.runs: list[str] = _RUN.findall(self._normal)
        self.is_needed = len(texts) >= _FEWEST and not self._names.issuperset(self.runs)
        self._counts: dict[str, int] = {}

    @cached_property
    def _texts(self) -> list[str]:
        return [simplify(each[:_READ]) for each in self._given]

    def cut(self, run: str) -> list[str]:
        """Cut a run of characters so that its words are long and written by many."""
        best: list[tuple[float, list[str]]] = [(0.0, [])]
        for end in range(1, len(run) + 1):
            ways = [best[end - 1]]  # a character by itself names nothing
            for start in range(end - 1):
                if self._is_word(run, start, end):
                    word = run[start:end]
                    count = len(self._given) if word in self._names else self._count(word)
                    value, words = best[start]
                    ways.append((value + len(word) * math.log(count), [*words, word]))
            best.append(max(ways))
        return best[-1][1]

    def _is_word(self, run: str, start: int, end: int) -> bool:
        """Tell whether more pages write a piece than the characters at either end of it with those beside them."""
        word = run[start:end]
        if word in self._names:
            return True
        if len(word) > _LONGEST or self._count(word) < _FEWEST:
            return False
        inside = [self._count(run[at : at + 2]) for at in range(start, end - 1)]
        beside = [run[at : at + 2] for at in (start - 1, end - 1) if at >= 0]
        across = max(self._count(pair) if len(pair) == 2 else 0 for pair in beside)
        return min(inside) > across and (len(word) == 2 or self._count(word) >= _MOST * max(inside))

    def _count(self, piece: str) -> int:
        found = self._counts.get(piece)
        if found is None:
            found = self._counts[piece] = sum(piece in text for text in self._texts)
        return found
