"""The proposal as it is drafted: the threads, and what they will take in searches, money and time."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from groundwire.context import Context
from groundwire.jobs.timeline.proposal import SIZES, Plan, Spread, searches_of
from groundwire.jobs.timeline.settings import TimelineSettings
from groundwire.jobs.timeline.subject import topic_of
from groundwire.jobs.timeline.threads import in_other_language, usual_threads
from groundwire.jobs.timeline.types import TimelineInput
from groundwire.language.text.characters import detect_language
from groundwire.language.text.script import AnswerLanguage, language_of_question
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import MICRO
from groundwire.model.result import Degraded

_GAP_SEARCHES = 3
_SHARED = 4  # nodes that share a search where the budget covers no search for each
_QUICK, _SLOW = 0.5, 4.0  # seconds of a search with the pages that it brings
_MINUTE = 60.0
_TOKENS = 3000, 900  # of a request for a detail, and of its answer
_REPAIRED = 3.0  # times that, where passages are long and answers are repaired


class Draft(NamedTuple):
    """A proposal, and what failed while it was drafted."""

    plan: Plan
    degraded: tuple[Degraded, ...] = ()


def language_of(given: TimelineInput) -> AnswerLanguage:
    """Return the language of the timeline: as asked, else the topic's."""
    if given.language != "auto":
        return given.language
    return language_of_question(detect_language(topic_of(given.topic)))


class Terms(Value):
    """What a search costs and what the run may spend: settings that may be others tomorrow."""

    search_usd: float
    request_usd: float  # of a model; 0 where none is asked
    budget_usd: float | None  # None: nobody set a limit


async def terms_of(context: Context) -> Terms:
    """Return the terms of a run, recorded: a restart and a replay go on with the same."""

    async def get() -> JsonObject:
        caps = context.scope.caps(context.now())
        limits = [cap.limit for cap in caps if cap.limit is not None]
        budget = min(limits) / MICRO if limits else None
        terms = Terms(
            search_usd=context.parts.search.usd,
            request_usd=context.parts.mind.usd("heavy", *_TOKENS),
            budget_usd=budget,
        )
        return terms.model_dump(mode="json")

    return Terms.model_validate(await context.query("settings", {"timeline": "terms"}, get))


async def draft(
    given: TimelineInput, language: AnswerLanguage, terms: Terms, limits: TimelineSettings
) -> Draft:
    """Draft the proposal for a topic."""
    topic = topic_of(given.topic)
    plan = Plan(
        topic=topic,
        language=language,
        level=given.level,
        threads=usual_threads(given.level, language),
        both_languages=bool(in_other_language(topic)),
        usual_searches=SIZES[given.level].usual_searches,
        budget_usd=terms.budget_usd,
    )
    plan = counted(plan, terms, limits)
    if not plan.enough:
        # Nodes share searches, which the result says; it may still not be enough.
        plan = counted(plan.model_copy(update={"nodes_per_search": _SHARED}), terms, limits)
    return Draft(plan)


def counted(plan: Plan, terms: Terms, limits: TimelineSettings) -> Plan:
    """Count anew what a plan takes, as a person may have edited it."""
    searches = searches_of(plan, _GAP_SEARCHES)
    requests = terms.request_usd * (len(plan.threads) + plan.nodes)
    cost = Spread(
        least=round(terms.search_usd * (searches - _GAP_SEARCHES) + requests, 4),
        most=round(terms.search_usd * searches + _REPAIRED * requests, 4),
    )
    each = searches / limits.concurrency / _MINUTE
    return plan.model_copy(
        update={
            "searches": searches,
            "cost_usd": cost,
            "minutes": Spread(least=int(each * _QUICK), most=ceil(each * _SLOW)),
            "budget_usd": terms.budget_usd,
            "enough": terms.budget_usd is None or cost.most <= terms.budget_usd,
        }
    )
