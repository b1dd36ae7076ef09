"""Dates that slipped: an event that was planned for one day, moved to another, and came on a third is one event; pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from groundwire.jobs.timeline.entries import Entry, reduced
from groundwire.jobs.timeline.likeness import Telling, likelihood, telling_of
from groundwire.jobs.timeline.pages import words_of
from groundwire.jobs.timeline.plans import is_plan
from groundwire.jobs.timeline.result import EarlierDate

# How likely two tellings would be of one event, were they of one day: where one says which date it was moved from,
# where one says that a date was moved, and where only the words tell.
_NAMED, _MOVED, _ALIKE = 0.3, 0.5, 0.85
_LATE = 60  # days between a date that was moved and what came of it
_MOST = 365  # days between what was planned and what came of it
_SHARED = 0.5  # of the shorter telling's words besides the topic's, where nobody says that a date was moved


def joined_slips(entries: Sequence[Entry], topic: Sequence[str]) -> list[Entry]:
    """Tell what was planned under what came of it, its denial, or the date that holds now; the rest stays."""
    common = frozenset(word for each in topic for word in words_of(each))
    kept = list(entries)
    plans = (each for each in entries if is_plan(each.lead, each.first))
    for plan in sorted(plans, key=_said):
        heirs = [(each, _least(plan, each, common)) for each in kept if _may_follow(plan, each)]
        likely = [(each, least) for each, least in heirs if least < math.inf]
        rated = [(_matter(plan, each, least) - least, each) for each, least in likely]
        best = max(rated, key=lambda pair: (pair[0], pair[1].milestone.id), default=None)
        if best is not None and best[0] >= 0:
            _follow(best[1], plan)
            kept.remove(plan)
    return kept


def _least(plan: Entry, other: Entry, common: frozenset[str]) -> float:
    """Return how likely two must be of one matter: the less, the more their words say of a slipped date."""
    if _denies(other, plan):
        return _ALIKE
    if any(each.date == reduced(plan.first, plan.precision) for each in other.history):
        return _NAMED
    apart = abs((other.first - plan.first).days)
    if plan.lead.moved_from is not None and apart <= _LATE:
        return _MOVED
    a, b = (
        {word for word in each.lead.words if not word.isdigit()} - common for each in (plan, other)
    )
    alike = len(a & b) >= max(1.0, _SHARED * min(len(a), len(b)))
    # Nothing comes sooner than it was planned unless somebody says so.
    later = other.first > plan.first and apart <= _LATE
    return _ALIKE if alike and later else math.inf


def _said(entry: Entry) -> tuple[str, str]:
    return (entry.lead.page.day or entry.lead.page.seen).isoformat(), entry.milestone.id


def _may_follow(plan: Entry, other: Entry) -> bool:
    """Tell whether an event may be what came of a plan: told later, of another time, and not over by then."""
    if _denies(other, plan):
        return True
    said, later = plan.lead.page.day, other.lead.page.day
    if said is None or later is None or not said < plan.first or later <= said:
        return False
    apart = other.first > plan.last or plan.first > other.last
    return apart and other.first > said and abs((other.first - plan.first).days) <= _MOST


def _denies(other: Entry, plan: Entry) -> bool:
    """Tell whether one denies, before the day of a plan, what is told of that day only to deny it."""
    if is_plan(other.lead, other.first) or not 0 < (plan.first - other.last).days <= _LATE:
        return False
    return all(telling_of(each.lead, each.first, each.last).denied for each in (plan, other))


def _matter(plan: Entry, other: Entry, least: float) -> float:
    """Return how likely two would be one event if both were on one day, whether it came or not; see `likelihood`."""
    a, b = (_telling(each, plan) for each in (plan, other))
    return likelihood(a, b, aside=frozenset({"planned"}), least=least)


def _telling(entry: Entry, plan: Entry) -> Telling:
    return replace(telling_of(entry.lead, plan.first, plan.last), named=frozenset())


def _follow(entry: Entry, plan: Entry) -> None:
    step = EarlierDate(
        date=reduced(plan.first, plan.precision), precision=plan.precision, said=plan.sentences[0]
    )
    steps = {each.date: each for each in (*entry.history, step, *plan.history)}
    entry.history = tuple(sorted(steps.values(), key=_first_said))
    entry.told_by |= plan.told_by


def _first_said(step: EarlierDate) -> tuple[str, str]:
    days = [c.published_at.isoformat() for c in step.said.citations if c.published_at is not None]
    return min(days, default=""), step.date
