"""Which pages say that an event happened, and when they say it: the reader decides; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import TypeVar

from groundwire.evidence.reading.analysis import Analysis, analyse
from groundwire.evidence.reading.reader import Reading, claim_of, read
from groundwire.jobs.timeline.likeness import FAR, distance, is_one, is_said, telling_of
from groundwire.jobs.timeline.mentions import is_told_beside as is_beside_news
from groundwire.jobs.timeline.pages import LEAD, Account, Page, words_of
from groundwire.jobs.timeline.stated import Stated
from groundwire.jobs.timeline.wholes import is_told_beside
from groundwire.language.text.script import language_distance

_DAY = timedelta(days=1)
_When = TypeVar("_When", Stated, "Stated | None")
_SAME = 0.55  # of the same matter, before a sentence that says a part of it may be its source
_SHARED = 2  # words besides those of most pages, before two sentences of one language are read for another date
_READ = 40  # sentences of one language that are read for an event
_MOST = 0.5  # of the pages have a word, before it is such a one
# What says otherwise tells of no part of it.
_AGAINST = frozenset(
    {"negated", "opposite", "named_otherwise", "ended", "other_figure", "other_date"}
)


@dataclass(frozen=True, slots=True)
class Claimed:
    """An event as one sentence tells it, and the days that it is put on."""

    account: Account
    first: date
    last: date

    @property
    def text(self) -> str:
        return self.account.text

    @property
    def page(self) -> Page:
        return self.account.page

    @property
    def named(self) -> frozenset[date]:
        """Every day in the sentence: none of them is another date."""
        return frozenset(each.day for each in self.account.times if each.day is not None)

    @property
    def is_beside(self) -> bool:
        """Whether the sentence names the day only of something else that it speaks of."""
        times = self.account.times
        return any(each.first == self.first and is_beside(self.account, each) for each in times)

    def is_now(self, account: Account, when: Stated) -> bool:
        """Tell whether another day is this one where the other is told, by the zone that one of them states."""
        own, other = (
            telling_of(self.account, self.first, self.last),
            telling_of(account, when.first, when.last),
        )
        return distance(own, other) == 0

    def is_dated_by(self, account: Account, first: date, last: date) -> bool:
        """Tell whether a sentence that tells it puts it on these days: on its own, or on others in words."""
        if first <= self.last and self.first <= last:
            return True
        when = next((each for each in account.times if each.first == first), None)
        return when is not None and not self.is_now(account, when)

    def is_kept(self, account: Account) -> bool:
        """Tell whether a sentence that was joined with it tells it, on its date or without one."""
        times = account.times
        agrees = any(each.first <= self.last and self.first <= each.last for each in times)
        if not agrees and times:
            return False
        own = telling_of(self.account, self.first, self.last)
        return is_said(own, telling_of(account, self.first, self.last))

    def is_told_elsewhen(self, account: Account) -> bool:
        """Tell whether a sentence that was joined with it puts it on another day."""
        times = (each for each in account.times if not is_beside(account, each))
        return not self.is_beside and any(self.is_told_by(account, each) for each in times)

    def is_told_by(self, account: Account, when: Stated | None) -> bool:
        """Tell whether a sentence tells the same event; where it names no time, it is of the same date."""
        first, last = (when.first, when.last) if when else (self.first, self.last)
        own = telling_of(self.account, self.first, self.last)
        return is_one(own, telling_of(account, first, last))


def is_beside(account: Account, when: Stated) -> bool:
    """Tell whether a sentence names a time only of something else that it speaks of."""
    beside = is_beside_news(account.text, when.start - account.start)
    return beside or is_told_beside(account, when.first)


@dataclass(frozen=True, slots=True)
class Supporter:
    """A sentence of another page that tells of the event; `when` is None where it names no time."""

    account: Account
    when: Stated | None
    reading: Reading
    is_whole: bool = True  # whether it tells the event, not only mentions it


@lru_cache(maxsize=8)
def shelf_of(pages: tuple[Page, ...]) -> Shelf:
    """Sort pages once for all nodes that ask for the same."""
    return Shelf(pages)


class Shelf:
    """Pages by the days that their sentences name and on which they were published."""

    def __init__(self, pages: Sequence[Page]) -> None:
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
        self._common = _common_words(pages)

    def supporters(self, claimed: Claimed) -> tuple[Supporter, ...]:
        """Return who else tells of the event at an agreeing date, one sentence a page, the surest first."""
        best: dict[str, Supporter] = {}
        agreeing = (
            (account, when)
            for account, when in self.agreeing(claimed.first, claimed.last)
            if account.page is not claimed.page and account.text != claimed.text
        )
        for account, when in self._likest(claimed, agreeing):
            reading = _read(claimed, account)
            if not _bears(reading):
                continue
            whole = claimed.is_told_by(account, None)
            if not whole and reading.label != "supports":
                continue
            found = Supporter(account, when, reading, whole)
            name = account.page.evidence.id
            if name not in best or _order(found) < _order(best[name]):
                best[name] = found
        return tuple(sorted(best.values(), key=_order))

    def otherwise(self, claimed: Claimed) -> tuple[Supporter, ...]:
        """Return who tells of the same event on another day, one sentence a page."""
        if claimed.is_beside:
            return ()  # it names its day of something else that it speaks of
        best: dict[str, Supporter] = {}
        for account, when in self._likest(claimed, self._around(claimed), _SHARED):
            reading = _read(claimed, account)
            if reading.same >= _SAME and claimed.is_told_by(account, when):
                best.setdefault(account.page.evidence.id, Supporter(account, when, reading))
        return tuple(sorted(best.values(), key=_order))

    def _around(self, claimed: Claimed) -> Iterator[tuple[Account, Stated]]:
        """Yield the sentences that name one day near an event's, and none of those that it names."""
        for step in range(-FAR, (claimed.last - claimed.first).days + FAR + 1):
            day = claimed.first + step * _DAY
            if claimed.first <= day <= claimed.last or day in claimed.named:
                continue
            for account, when in self._named.get(day, ()):
                one = len(account.times) == 1 and account.page is not claimed.page
                if one and not is_beside(account, when) and not claimed.is_now(account, when):
                    yield account, when

    def _likest(
        self, claimed: Claimed, pairs: Iterable[tuple[Account, _When]], least: int = 0
    ) -> list[tuple[Account, _When]]:
        """Return those that share the most words, in their order; hundreds may name a day, and few need to be read."""
        own = self._telling(words_of(claimed.text))
        kept: list[tuple[Account, _When]] = []
        shared: list[tuple[int, int]] = []
        for account, when in pairs:
            count = len(own & self._telling(account.words))
            if _is_foreign(claimed, account) or count >= least:
                if not _is_foreign(claimed, account):
                    shared.append((-count, len(kept)))
                kept.append((account, when))
        aside = {place for _, place in sorted(shared)[_READ:]}
        return [each for place, each in enumerate(kept) if place not in aside]

    def _telling(self, words: Sequence[str]) -> frozenset[str]:
        """Return the words that tell something besides figures and what most pages have."""
        return frozenset(each for each in words if not each.isdigit()) - self._common

    def agreeing(self, first: date, last: date) -> Iterator[tuple[Account, Stated | None]]:
        """Yield the sentences at dates that agree, and those of pages of these days that name none."""
        days = (last - first).days
        exact = days <= 31
        for step in range(days + 1 if exact else 0):
            yield from self._named.get(first + step * _DAY, ())
        for step in range(days + 2 if exact else 0):
            yield from ((each, None) for each in self._undated.get(first + step * _DAY, ()))
        if not exact or days > 0:
            for account, when in self._long:
                if when.first <= last and first <= when.last:
                    yield account, when


def _common_words(pages: Sequence[Page]) -> frozenset[str]:
    """Return the words that most pages have: those of the topic, which tell no event from another."""
    held = Counter(
        word for page in pages for word in {word for each in page.accounts for word in each.words}
    )
    return frozenset(word for word, count in held.items() if count > _MOST * len(pages))


def _is_foreign(claimed: Claimed, account: Account) -> bool:
    """Tell whether a sentence is in another language, in which no word is the same."""
    one, other = (each.evidence.document.language for each in (claimed.page, account.page))
    return language_distance(one, other) > 1


def _bears(reading: Reading) -> bool:
    """Tell whether a sentence says some of a claim, and nothing against it."""
    some = reading.label == "qualifies" and reading.same >= _SAME and reading.sign not in _AGAINST
    return reading.label == "supports" or some


def _read(claimed: Claimed, account: Account) -> Reading:
    title = account.page.evidence.document.title
    return _reading(claimed.text, claimed.page.day, account.text, title, account.page.day)


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
