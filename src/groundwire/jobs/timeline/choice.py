"""The sentences that tell best what happened on a day: salient, whole without what stands around them, each new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

from groundwire.evidence.questions.quotable import completeness
from groundwire.jobs.timeline.acts import has_act
from groundwire.jobs.timeline.collection import Collection, Vector, added, cosine, unit
from groundwire.jobs.timeline.days import Day
from groundwire.jobs.timeline.pages import LEAD, Account
from groundwire.jobs.timeline.wholes import begins, is_own_word, is_told_beside

_DAY = timedelta(days=1)
_SAME = 0.6  # from this likeness on a sentence says nothing new
_NAMED = 1.1  # a sentence that names the day beside one published on it
_FIRST = 60  # of a day's sentences, best first, from which some are chosen
_OWN_WORDS = 0.5
_BESIDE = 0.5  # of a sentence that names the day only of a thing that it tells of
_LOOKS_BACK = frozenset(
    {"opinion", "retrospective"}
)  # flags of pages that are no news of their day
_OPENING = 2  # sentences of a page that tell its news
_GOES_ON = (
    0.5  # of what a headline bears on the topic, for a sentence under it that names nothing of it
)
_MOST = 200  # sentences of a day that are compared


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that tells of a day, and how well."""

    account: Account
    named: bool  # whether it names the day; else it was published on it
    score: float


def candidates(collection: Collection, day: Day, after: Day | None) -> list[Told]:
    """Rank the sentences that tell of a day, the best first."""
    named = day.named[:_MOST]
    published = list(_published(day, after))[:_MOST]
    centre = _centre(collection, named, published)
    found = [_told(collection, each, centre, day) for each in named]
    # What stands further below, or is told the day after, says what most tell, and dates nothing.
    found += [
        _told(collection, each, centre)
        for each in published
        if each.order == 0 and each.page.day == day.day
    ]
    return sorted((each for each in found if each.score > 0), key=_order)


def _order(told: Told) -> tuple[float, str, int]:
    return -told.score, told.account.page.evidence.id, told.account.order


def _published(day: Day, after: Day | None) -> Iterator[Account]:
    """Yield the news of pages of the day and the day after, unless it names another day."""
    for page in (*day.pages, *(after.pages if after else ())):
        if not _LOOKS_BACK.isdisjoint(page.evidence.flags):
            continue
        for account in page.accounts[:LEAD]:
            if all(each.day is None for each in account.times):
                yield account


def _centre(
    collection: Collection, named: Sequence[Account], published: Sequence[Account]
) -> Vector:
    """Return what is said of the day most, by those who name it and those who wrote on it."""
    groups = [
        unit(added(collection.vector(each) for each in group))
        for group in (named, published)
        if group
    ]
    if len(groups) < 2:
        return groups[0] if groups else {}
    one, other = groups
    return unit({word: value + other[word] for word, value in one.items() if word in other}) or one


def _told(
    collection: Collection, account: Account, centre: Vector, named: Day | None = None
) -> Told:
    bearing = collection.bearing(account) or _carried(collection, account)
    likeness = cosine(collection.vector(account), centre)
    whole = _whole(account.text) if bearing and likeness else 0.0
    score = likeness * whole * (0.5 + 0.5 * bearing if bearing else 0.0)
    if named is not None:
        score *= _NAMED * (_BESIDE if is_told_beside(account, named.day) else 1.0)
    return Told(account, named is not None, score)


def _carried(collection: Collection, account: Account) -> float:
    """Rate a dated sentence that goes on about the topic of its page: the app was back in the stores.

    Its headline names the topic, and it tells of an act or is the news itself; what it speaks of can be told.
    """
    fits = account.order < _OPENING or has_act(account.words)
    if not account.times or not fits or begins(account) is None or is_own_word(account.text):
        return 0.0
    return _GOES_ON * collection.above(account)


@lru_cache(maxsize=8192)
def _whole(text: str) -> float:
    """Rate how well a sentence stands alone; what somebody says of themselves tells no history."""
    return completeness(text) * (_OWN_WORDS if is_own_word(text) else 1.0)


def chosen(collection: Collection, ranked: Sequence[Told], count: int) -> list[Told]:
    """Choose that many sentences, best first, none of which repeats another."""
    kept: list[Told] = []
    for told in ranked[:_FIRST]:
        vector = collection.vector(told.account)
        if all(cosine(vector, collection.vector(each.account)) < _SAME for each in kept):
            kept.append(told)
        if len(kept) >= count:
            break
    return kept
