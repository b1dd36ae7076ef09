"""A page as the sentences that are read one by one: its title first, then its text."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from groundwire.language.text.characters import normalise
from groundwire.language.text.sentences import sentences
from groundwire.language.text.wording import Wording

# A sentence that is only a day says nothing, and opens nothing.
_DATELINE = re.compile(
    r"\W*(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:\d{1,2} )?[A-Z][a-z]{2,8}\.?(?: \d{1,2})?,? \d{4}\W*"
)
_DAY = re.compile(r"\s+(?:\d{4}-\d\d-\d\d\s+)?")
_MOST = 60  # sentences of a page; what comes later is other news


class PageLine:
    """A sentence in its normal form, with its place in the text; the title has none."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.flat = normalise(text).text
        self.low = self.flat.lower()
        self._says: dict[int, bool] = {}

    @property
    def is_title(self) -> bool:
        return self.end < 0

    def says(self, kind: re.Pattern[str]) -> bool:
        """Whether one of the patterns that a module keeps stands in it; asked by every claim."""
        found = self._says.get(id(kind))
        if found is None:
            found = self._says[id(kind)] = kind.search(self.low) is not None
        return found

    @cached_property
    def wording(self) -> Wording:
        """Its words, to be asked for in any inflection."""
        return Wording(self.flat)


@lru_cache(maxsize=64)
def lines_of(title: str, text: str) -> tuple[PageLine, ...]:
    """Title and sentences; remembered, for a page is read once for every claim of a message."""
    found = [PageLine(title, -1, -1)]
    for start, end in sentences(text)[:_MOST]:
        start = _behind(title, text, start, end)
        if _DATELINE.fullmatch(text, start, end):
            continue
        line = PageLine(text[start:end], start, end)
        # Texts that begin with their title say it once.
        if line.flat != found[0].flat or len(found) > 1:
            found.append(line)
    return tuple(found if len(found) > 1 else [*found, *_whole(title, text)])


def _behind(title: str, text: str, start: int, end: int) -> int:
    """Where a first sentence begins that a page wrote on behind its title and its day."""
    if start > len(title) or not title or not text.startswith(title, start):
        return start
    match = _DAY.match(text, start + len(title), end)
    return match.end() if match and match.end() < end else start


def _whole(title: str, text: str) -> list[PageLine]:
    """A text that is nothing but its title."""
    return [PageLine(text[a:b], a, b) for a, b in sentences(text)[:1]] if title else []
