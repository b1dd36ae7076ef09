"""Which pages say that an event happened, and when they say it: the reader decides; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from groundwire.evidence.reading.analysis import Analysis, analyse
from groundwire.evidence.reading.reader import Reading, claim_of, read
from groundwire.jobs.timeline.pages import LEAD, Account, Page, words_of
from groundwire.jobs.timeline.stated import Stated
from groundwire.language.text.script import language_distance

_DAY = timedelta(days=1)
_SAME = 0.55  # of the same matter, before a sentence that says a part of it counts as its source
_COVERED = 0.6  # of what the event's sentence says, where the two are in different languages
_SHARED, _PART = 2, 0.3  # words besides the topic's that two tellings share, and of the shorter one
# What says otherwise tells of no part of it.
_AGAINST = frozenset(
    {"negated", "opposite", "named_otherwise", "ended", "other_figure", "other_date"}
)
_FAR = 45  # days within which another date can be another date of the same event
_TWIN = 0.8  # of the same matter, before another day is another date of it


@dataclass(frozen=True, slots=True)
class Claimed:
    """An event as one sentence tells it, and the days that it is put on."""

    text: str
    page: Page
    first: date
    last: date
    named: frozenset[date] = frozenset()  # every day in the sentence: none of them is another date


@dataclass(frozen=True, slots=True)
class Supporter:
    """A sentence of another page that tells of the event; `when` is None where it names no time."""

    account: Account
    when: Stated | None
    reading: Reading

    @property
    def is_whole(self) -> bool:
        """Whether it tells the event, not only a part of it."""
        return self.reading.label == "supports" or self.reading.same >= _TWIN


@lru_cache(maxsize=8)
def shelf_of(pages: tuple[Page, ...], common: frozenset[str]) -> Shelf:
    """Sort pages once for all nodes that ask for the same."""
    return Shelf(pages, common)


class Shelf:
    """Pages by the days that their sentences name and on which they were published."""

    def __init__(self, pages: Sequence[Page], common: frozenset[str] = frozenset()) -> None:
        self._common = common  # words of the topic, which every telling has
        self._named: dict[date, list[tuple[Account, Stated]]] = {}
        self._undated: dict[date, list[Account]] = {}
        self._long: list[tuple[Account, Stated]] = []
        for page in pages:
            for account in page.accounts:
                for when in account.times:
                    if when.day is None:
                        self._long.append((account, when))
                    else:
                        self._named.setdefault(when.day, []).append((account, when))
                if page.day and account.order < LEAD and not any(t.day for t in account.times):
                    self._undated.setdefault(page.day, []).append(account)

    def supporters(self, claimed: Claimed) -> tuple[Supporter, ...]:
        """Return who else tells of the event at an agreeing date, one sentence a page, the surest first."""
        best: dict[str, Supporter] = {}
        for account, when in self._agreeing(claimed):
            if account.page is claimed.page or account.text == claimed.text:
                continue
            found = Supporter(account, when, _read(claimed, account))
            if not self._tells(claimed, found):
                continue
            name = account.page.evidence.id
            if name not in best or _order(found) < _order(best[name]):
                best[name] = found
        return tuple(sorted(best.values(), key=_order))

    def _tells(self, claimed: Claimed, found: Supporter) -> bool:
        """Tell whether a sentence tells of the event itself, not only of its day and its topic."""
        reading, account = found.reading, found.account
        if reading.label == "supports":
            return True
        if reading.label != "qualifies" or reading.same < _SAME or reading.sign in _AGAINST:
            return False
        if _is_foreign(claimed, account):
            return reading.seen["covered_content"] >= _COVERED
        own = set(words_of(claimed.text)) - self._common
        theirs = set(account.words) - self._common
        shared = len(own & theirs)
        return shared >= _SHARED and shared >= _PART * min(len(own), len(theirs))

    def otherwise(self, claimed: Claimed) -> tuple[Supporter, ...]:
        """Return who tells of the same event on another day, one sentence a page."""
        best: dict[str, Supporter] = {}
        own = self._telling(words_of(claimed.text))
        for step in range(-_FAR, (claimed.last - claimed.first).days + _FAR + 1):
            day = claimed.first + step * _DAY
            if claimed.first <= day <= claimed.last or day in claimed.named:
                continue
            for account, when in self._named.get(day, ()):
                if account.page is claimed.page or len(account.times) > 1:
                    continue
                # Hundreds of sentences name a day near by: few need to be read.
                if not _is_foreign(claimed, account) and (
                    len(own & self._telling(account.words)) < _SHARED
                ):
                    continue
                for reading in (_read(claimed, account), _read_back(claimed, account)):
                    if reading.same >= _TWIN and reading.sign == "other_date":
                        best.setdefault(account.page.evidence.id, Supporter(account, when, reading))
        return tuple(sorted(best.values(), key=_order))

    def _telling(self, words: Sequence[str]) -> frozenset[str]:
        """Return the words that tell something besides the topic and figures."""
        return frozenset(each for each in words if not each.isdigit()) - self._common

    def _agreeing(self, claimed: Claimed) -> Iterator[tuple[Account, Stated | None]]:
        days = (claimed.last - claimed.first).days
        exact = days <= 31
        for step in range(days + 1 if exact else 0):
            yield from self._named.get(claimed.first + step * _DAY, ())
        for step in range(days + 2 if exact else 0):
            yield from ((each, None) for each in self._undated.get(claimed.first + step * _DAY, ()))
        if not exact or days > 0:
            for account, when in self._long:
                if when.first <= claimed.last and claimed.first <= when.last:
                    yield account, when


def _is_foreign(claimed: Claimed, account: Account) -> bool:
    """Tell whether a sentence is in another language, in which no word is the same."""
    one, other = (each.evidence.document.language for each in (claimed.page, account.page))
    return language_distance(one, other) > 1


def _read(claimed: Claimed, account: Account) -> Reading:
    title = account.page.evidence.document.title
    return _reading(claimed.text, claimed.page.day, account.text, title, account.page.day)


def _read_back(claimed: Claimed, account: Account) -> Reading:
    """Read the other way round: what says more than its counterpart is no part of it."""
    title = claimed.page.evidence.document.title
    return _reading(account.text, account.page.day, claimed.text, title, claimed.page.day)


# Rounds and nodes ask for the same pairs again, with the pages that came in between.
@lru_cache(maxsize=16_384)
def _reading(said: str, on: date | None, text: str, title: str, published: date | None) -> Reading:
    return read(claim_of(said, on), _analysis(text, title, published))


@lru_cache(maxsize=2_048)
def _analysis(text: str, title: str, published: date | None) -> Analysis:
    return analyse(text, title=title, published=published)


def _order(each: Supporter) -> tuple[bool, float, str, int]:
    label = each.reading.label != "supports"
    return label, -each.reading.same, each.account.page.evidence.id, each.account.order
