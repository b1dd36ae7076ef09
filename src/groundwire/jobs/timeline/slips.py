"""Dates that slipped: an event that was planned for one day, moved to another, and came on a third is one event; pure."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.jobs.timeline.entries import Entry, reduced
from groundwire.jobs.timeline.likeness import Telling, likelihood
from groundwire.jobs.timeline.pages import words_of
from groundwire.jobs.timeline.result import EarlierDate

# How likely two tellings would be of one event, were they of one day, before one is the other's plan.
_SURE, _TOLD = 0.5, 0.3  # the latter where it says which date it was moved from
_MOST = 3 * 365  # days between what was planned and what came of it


def joined_slips(entries: Sequence[Entry], topic: Sequence[str]) -> list[Entry]:
    """Tell what was planned under what came of it, or under the date that holds now; the rest stays."""
    common = frozenset(word for each in topic for word in words_of(each))
    kept = list(entries)
    for plan in sorted(entries, key=_said):
        best = max(
            (
                (_matter(plan, each), -n)
                for n, each in enumerate(kept)
                if _may_follow(plan, each) and _resembles(plan, each, common)
            ),
            default=(0.0, 0),
        )
        heir = kept[-best[1]]
        named = any(each.date == reduced(plan.first, plan.precision) for each in heir.history)
        if best[0] >= (_TOLD if named else _SURE):
            _follow(heir, plan)
            kept.remove(plan)
    return kept


def _said(entry: Entry) -> tuple[str, str]:
    return (entry.lead.page.day or entry.lead.page.seen).isoformat(), entry.milestone.id


def _may_follow(plan: Entry, other: Entry) -> bool:
    """Tell whether an event may be what came of a plan: told later, of another time, and not over by then."""
    said, later = plan.lead.page.day, other.lead.page.day
    if said is None or later is None or not said < plan.first or later <= said:
        return False
    apart = other.first > plan.last or plan.first > other.last
    return apart and other.first > said and abs((other.first - plan.first).days) <= _MOST


def _resembles(plan: Entry, other: Entry, common: frozenset[str]) -> bool:
    """Tell whether two have anything besides the topic in common; across languages nobody can tell by words."""
    languages = {each.lead.page.evidence.document.language[:2] for each in (plan, other)}
    return len(languages) > 1 or any(
        not word.isdigit() for word in set(plan.lead.words) & set(other.lead.words) - common
    )


def _matter(plan: Entry, other: Entry) -> float:
    """Return how likely two would be one event if both were on one day, whether it came or not."""
    a, b = (_telling(each, plan) for each in (plan, other))
    return likelihood(a, b, aside=frozenset({"planned"}))


def _telling(entry: Entry, plan: Entry) -> Telling:
    lead = entry.lead
    title = lead.page.evidence.document.title if not lead.order else ""
    return Telling(title or lead.text, lead.text, plan.first, plan.last, lead.page.day, frozenset())


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
