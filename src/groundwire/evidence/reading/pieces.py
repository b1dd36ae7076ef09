"""The pieces of words that an encoder knows: its vocabulary, and how it cuts a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from groundwire.language.text.characters import HAN

_LONGEST = 60  # characters of a word, before it is no word
# Letters and digits together, a Chinese character by itself, every other sign by itself.
_PART = re.compile(rf"[{HAN}]|[^\W_{HAN}]+|[^\w\s]|_")


class Pieces:
    """A vocabulary that cuts words into their longest pieces; those inside a word are marked by `##`."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._unknown = self._numbers["[UNK]"]
        self.start, self.end = self._numbers["[CLS]"], self._numbers["[SEP]"]
        self._word = lru_cache(maxsize=32_768)(self._cut)

    def cut(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield each piece of a text: its number, and where its word begins."""
        for part in _PART.finditer(text):
            for number in self._word(part.group()):
                yield number, part.start()

    def count(self, text: str) -> int:
        """Count the pieces of a text."""
        return sum(len(self._word(part)) for part in _PART.findall(text))

    def _cut(self, written: str) -> tuple[int, ...]:
        bare = unicodedata.normalize("NFD", written.lower())
        word = "".join(char for char in bare if unicodedata.category(char) != "Mn")
        if len(word) > _LONGEST:
            return (self._unknown,)
        found: list[int] = []
        begin = 0
        while begin < len(word):
            mark = "##" if begin else ""
            for end in range(len(word), begin, -1):
                number = self._numbers.get(mark + word[begin:end])
                if number is not None:
                    break
            else:
                return (self._unknown,)
            found.append(number)
            begin = end
        return tuple(found)
