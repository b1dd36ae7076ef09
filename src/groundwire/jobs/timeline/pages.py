"""Pages as sentences with the times that they name, each resolved against the day of publication.

Reading a page needs nothing but the page, so that parse workers can do it, side by side, and keep what they read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from groundwire.evidence.pages.presence import appeared, published
from groundwire.jobs.timeline.acts import has_act
from groundwire.jobs.timeline.asides import (
    is_compared,
    is_deadline,
    is_hearsay,
    is_of_name,
    is_of_report,
    is_of_thing,
    is_to_hold,
)
from groundwire.jobs.timeline.moves import moved_from
from groundwire.jobs.timeline.stated import Precision, Stated
from groundwire.language.text.datelines import after_dateline
from groundwire.language.text.sentences import sentences
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens
from groundwire.language.time.ancient import ancient
from groundwire.language.time.calendars import months_from
from groundwire.language.time.expressions import Expression, expressions
from groundwire.language.time.resolution import Precision as Finest
from groundwire.model.source import Evidence

# What a calendar says more finely or otherwise is folded; a range is its ends.
_FOLDED: dict[Finest, Precision] = {
    "minute": "day", "hour": "day", "part_of_day": "day", "day": "day", "week": "month",
    "ten_days": "month", "month": "month", "quarter": "quarter", "half": "year", "year": "year",
    "fiscal_year": "year", "decade": "decade",
}  # fmt: skip
_SCENE = 3  # words of content besides the day, of a sentence that only says when
_NEWS = 7  # days before a page of which it tells as news
LEAD = 5  # sentences that tell the news of a page
_LONGEST = 600  # characters of a sentence: lists and tables are no sentences
_STAMP = re.compile(r"\s*\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?(?: \d{1,2}:\d{2})?\s")
_WORD = re.compile(r"\w")
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Account:
    """A sentence of a page, with its words and the times that it names."""

    page: Page
    order: int
    start: int
    end: int
    words: tuple[str, ...]  # stems, without those that carry no content
    times: tuple[Stated, ...]
    moved_from: Stated | None = None  # the day that it was planned for before, as it says itself

    @property
    def text(self) -> str:
        return self.page.text[self.start : self.end]


class Page:
    """A page that was read; `day` is that of its publication, None where it has none."""

    __slots__ = ("accounts", "day", "evidence", "seen", "text", "title")

    def __init__(self, evidence: Evidence) -> None:
        document = evidence.document
        at = published(document)
        self.evidence = evidence
        self.text = document.text
        self.day = None if at is None else at.date()
        self.seen = appeared(document).date()
        self.title = words_of(document.title)
        self.accounts = tuple(self._accounts(at or document.fetched_at))

    def _accounts(self, base: datetime) -> Iterator[Account]:
        found = list(self._stated(base))
        at = 0
        scene: Account | None = None
        body = self._body()
        for order, (first, last) in enumerate(sentences(self.text[body:])):
            start, end = body + first, body + last
            start = after_dateline(self.text, start, end)
            if not 0 < end - start <= _LONGEST:
                continue
            while at < len(found) and found[at].start < start:
                at += 1
            inside: list[Stated] = []
            while at < len(found) and found[at].start < end:
                if not self._is_aside(found[at], start):
                    inside.append(found[at])
                at += 1
            if order and self._is_no_news(inside) and is_hearsay(self.text[start:end]):
                inside = []  # in a page that tells other news, what others had heard dates nothing
            inside = self._without_reports(inside, start)
            if scene is not None and not inside and self._goes_on(scene, start, end):
                start, inside = scene.start, list(scene.times)
            elif scene is not None:
                yield scene
            scene = None
            text = self.text[start:end]
            words = words_of(text)
            if words and (inside or not any(ancient(text))):
                before = moved_from(text, start, inside)
                times = tuple(each for each in inside if each is not before)
                account = Account(self, order, start, end, words, times, before)
                if _sets_scene(account):
                    scene = account
                else:
                    yield account
        if scene is not None:
            yield scene

    def _is_aside(self, when: Stated, opens: int) -> bool:
        """Tell whether a time is not that of what its sentence tells."""
        place = (self.text, opens, when.start, when.end)
        ahead = self.day is not None and when.first >= self.day
        if when.relative and when.day is not None and when.day == self.day and is_of_thing(*place):
            return True  # the model that it sells today
        if is_deadline(*place):
            return True
        whole = when.precision in ("year", "decade")
        return (
            is_compared(*place) or (whole and is_of_name(*place)) or (ahead and is_to_hold(*place))
        )

    def _is_no_news(self, inside: list[Stated]) -> bool:
        """Tell whether a sentence names a day ahead, or none of the days before its page."""
        day = self.day
        if day is None or not inside:
            return False
        return any(each.first > day for each in inside) or all(
            each.last < day - _NEWS * _DAY for each in inside
        )

    def _without_reports(self, inside: list[Stated], opens: int) -> list[Stated]:
        """Leave out when somebody reported what is planned, where the day of the plan stands beside it."""
        if not any(self.day is not None and each.first > self.day for each in inside):
            return inside
        return [
            each
            for each in inside
            if self.day is None
            or each.first > self.day
            or not is_of_report(self.text, opens, each.start, each.end)
        ]

    def _goes_on(self, scene: Account, start: int, end: int) -> bool:
        """Tell whether a sentence follows in the paragraph of one that only says when."""
        return "\n" not in self.text[scene.end : start].strip(" ") and any(
            each.start <= scene.start and end <= each.end for each in self.evidence.passages
        )

    def _body(self) -> int:
        """Return where the text begins after a headline and a day that extraction left above it."""
        title = self.evidence.document.title
        if not title or not self.text.startswith(title):
            return 0
        stamp = _STAMP.match(self.text, len(title))
        return stamp.end() if stamp else len(title)

    def _stated(self, base: datetime) -> Iterator[Stated]:
        """Yield the times that are sure; without a day of publication nothing is counted from it."""
        for each in expressions(self.text, base):
            if each.resolved and not (each.relative and self.day is None):
                yield from _ends(each, base.date())


_read = lru_cache(maxsize=512)(Page)


def page_of(evidence: Evidence) -> Page:
    """Read a page, once for all that is made of it."""
    # Values are frozen, so they can be hashed, which their type does not say.
    return _read(evidence)  # pyright: ignore[reportArgumentType]


def _sets_scene(account: Account) -> bool:
    """Tell whether a sentence says little but the day of what the next one tells: 转折点出现在3月12日。"""
    if len(account.times) != 1 or account.times[0].day is None or has_act(account.words):
        return False
    when, text = account.times[0], account.text
    rest = text[: when.start - account.start] + text[when.end - account.start :]
    return len(words_of(rest)) <= _SCENE


def _ends(each: Expression, today: date) -> Iterator[Stated]:
    """Yield what is named; of a stretch, its first and its last day, month or year."""
    first, last = each.first_day, each.last_day
    if first is None or last is None:
        return
    if each.relative and each.text.startswith(("刚", "剛")):
        return  # just now: a page says so of anything that is news to it
    precision = _FOLDED.get(each.precision)
    if precision is not None:
        # A night goes on after midnight.
        last = first if precision == "day" else last
        yield Stated(first, last, precision, each.text, each.start, each.end, each.relative)
        return
    if each.relative and today in (first, last, first - _DAY, last + _DAY):
        return  # the past two weeks: nothing happened where they begin
    for begin, end, size in _edges(first, last):
        yield Stated(begin, end, size, each.text, each.start, each.end, each.relative)


def _edges(first: date, last: date) -> Iterator[tuple[date, date, Precision]]:
    """Yield both ends of a stretch, as exactly as it is given: 2004 to 2008 are years."""
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        yield first, date(first.year, 12, 31), "year"
        yield date(last.year, 1, 1), last, "year"
    elif first.day == 1 and (last + _DAY).day == 1:
        yield first, months_from(first.year, first.month, 1)[1] - _DAY, "month"
        yield date(last.year, last.month, 1), last, "month"
    else:
        yield first, first, "day"
        yield last, last, "day"


def words_of(text: str) -> tuple[str, ...]:
    """Return the stems of the words that carry content, in order."""
    return tuple(stem(token) for token in content_tokens(text) if _WORD.match(token))
