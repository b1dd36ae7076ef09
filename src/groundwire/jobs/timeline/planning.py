"""The proposal as it is drafted: the threads, and what they will take in searches, money and time."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from groundwire.context import Context
from groundwire.gather.failures import failed_models
from groundwire.jobs.timeline import plan_threads, research
from groundwire.jobs.timeline.proposal import SIZES, Plan, Spread, Thread, searches_of
from groundwire.jobs.timeline.research import Earlier
from groundwire.jobs.timeline.settings import TimelineSettings
from groundwire.jobs.timeline.subject import topic_of
from groundwire.jobs.timeline.threads import in_other_language
from groundwire.jobs.timeline.types import State, TimelineInput
from groundwire.language.text.characters import detect_language
from groundwire.language.text.script import AnswerLanguage, language_of_question
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import MICRO
from groundwire.model.result import Degraded

_GAP_SEARCHES = 3
_SHARED = (
    3,
    4,
    5,
)  # nodes that share a search where the budget covers none for each: as few as it takes
_QUICK, _SLOW = 0.5, 4.0  # seconds of a search with the pages that it brings
_MINUTE = 60.0
_TOKENS = 3000, 900  # of a request for a detail, and of its answer
_WHOLE = 2  # requests about the whole history: what it comes to, and which events join
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
    context: Context,
    state: State,
    language: AnswerLanguage,
    terms: Terms,
    before: Earlier | None = None,
) -> Draft:
    """Draft the proposal for a topic; `before`: the run whose topic and threads it goes on with."""
    topic = topic_of(state.given.topic)
    if before is None:
        threads, failed = await _threads(context, state, topic, language)
    else:
        topic, threads, failed = before.topic, before.threads, ()
    level = state.given.level
    plan = Plan(
        topic=topic,
        language=language,
        level=level,
        threads=threads,
        both_languages=bool(in_other_language(topic)),
        usual_searches=SIZES[level].usual_searches,
        budget_usd=terms.budget_usd,
    )
    plan = counted(plan, terms, state.limits)
    for size in _SHARED:
        if not plan.enough:
            # Nodes share searches, which the result says; it may still not be enough.
            plan = plan.model_copy(update={"nodes_per_search": size})
            plan = counted(plan, terms, state.limits)
    return Draft(plan, failed)


async def _threads(
    context: Context, state: State, topic: str, language: AnswerLanguage
) -> tuple[tuple[Thread, ...], tuple[Degraded, ...]]:
    """Divide a topic by what the pages at hand tell of it; who only advises is heard, too: a person confirms."""
    headlines = await research.headlines_at_hand(context, state)
    given = plan_threads.ThreadsInput(
        topic=topic, language=language, level=state.given.level, headlines=headlines
    )
    answer = await context.ask(plan_threads.QUESTION, given, language=language)
    failed = failed_models("threads", answer.by, answer.failures)
    return plan_threads.planned(given, answer.value), failed


def counted(plan: Plan, terms: Terms, limits: TimelineSettings) -> Plan:
    """Count anew what a plan takes, as a person may have edited it."""
    searches = searches_of(plan, _GAP_SEARCHES)
    requests = terms.request_usd * (len(plan.threads) + plan.nodes + _WHOLE)
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
