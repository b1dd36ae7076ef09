"""The proposal as it is drafted: the threads, and what they will take in searches, money and time."""

from __future__ import annotations

from typing import NamedTuple

from groundwire.context import Context
from groundwire.jobs.timeline.proposal import SIZES, Plan, Spread, searches_of
from groundwire.jobs.timeline.settings import TimelineSettings
from groundwire.jobs.timeline.threads import both_languages, usual_threads
from groundwire.jobs.timeline.subject import topic_of
from groundwire.jobs.timeline.types import TimelineInput
from groundwire.language.text.characters import detect_language
from groundwire.language.text.script import language_of_question
from groundwire.model.call import MICRO
from groundwire.model.result import Degraded

_GAP_SEARCHES = 3
_SHARED = 4  # nodes that share a search where the budget covers no search for each
_QUICK, _SLOW = 0.5, 4.0  # seconds of a search with the pages that it brings
_MINUTE = 60.0


class Draft(NamedTuple):
    """A proposal, and what failed while it was drafted."""

    plan: Plan
    degraded: tuple[Degraded, ...] = ()


def language_of(given: TimelineInput) -> str:
    """Return the language of the timeline: as asked, else the topic's."""
    if given.language != "auto":
        return given.language
    return language_of_question(detect_language(topic_of(given.topic)))


async def draft(
    context: Context, given: TimelineInput, language: str, limits: TimelineSettings
) -> Draft:
    """Draft the proposal for a topic."""
    topic = topic_of(given.topic)
    plan = Plan(
        topic=topic,
        language=language,
        level=given.level,
        threads=usual_threads(given.level, language),
        both_languages=both_languages(topic),
        usual_searches=SIZES[given.level].usual_searches,
        budget_usd=_budget(context),
    )
    plan = counted(context, plan, limits)
    if not plan.enough:
        # Nodes share searches, which the result says; it may still not be enough.
        plan = counted(context, plan.model_copy(update={"nodes_per_search": _SHARED}), limits)
    return Draft(plan)


def counted(context: Context, plan: Plan, limits: TimelineSettings) -> Plan:
    """Count anew what a plan takes, as a person may have edited it."""
    searches = searches_of(plan, _GAP_SEARCHES)
    price = context.parts.search.usd
    cost = Spread(least=round(price * (searches - _GAP_SEARCHES), 4), most=round(price * searches, 4))
    at_once = limits.concurrency
    least, most = (round(searches * each / at_once / _MINUTE, 1) for each in (_QUICK, _SLOW))
    return plan.model_copy(
        update={
            "searches": searches,
            "cost_usd": cost,
            "minutes": Spread(least=least, most=max(0.1, most)),
            "enough": plan.budget_usd is None or cost.most <= plan.budget_usd,
        }
    )


def _budget(context: Context) -> float | None:
    """Return what the run may spend; None: nobody set a limit."""
    caps = context.scope.caps(context.now())
    limits = [cap.limit for cap in caps if cap.limit is not None]
    return min(limits) / MICRO if limits else None
