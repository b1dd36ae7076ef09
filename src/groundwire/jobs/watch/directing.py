"""One more round where the brief is weak: for the sub-tasks that have no claim yet."""

from __future__ import annotations

import asyncio

from groundwire.context import Context
from groundwire.gather.failures import failed_models
from groundwire.jobs.watch.critique import covered
from groundwire.jobs.watch.ledger.claims import Compared
from groundwire.jobs.watch.result import Critique
from groundwire.jobs.watch.subject import beside
from groundwire.jobs.watch.thoughts import asked
from groundwire.jobs.watch.types import Batch, Search, State
from groundwire.model.result import Degraded
from groundwire.reasoning import plan_queries
from groundwire.reasoning.question import EMBEDDED, Answer

_QUERIES = 2  # of a model, for each sub-task

_Directed = tuple[tuple[Batch, ...], tuple[Degraded, ...]]


async def direct(
    context: Context, state: State, compared: Compared, critique: Critique
) -> _Directed:
    """Search for each sub-task without a claim by its own words, and by those that a model plans."""
    if critique.overall >= state.limits.enough or _is_spent(state):
        return (), ()
    done = covered(state, compared.ledger.claims)
    places = [n for n in range(len(state.planned.tasks)) if n not in done]
    answers = await asyncio.gather(*(_planned(context, state, place) for place in places))
    batches = (_batch(state, *each) for each in zip(places, answers, strict=True))
    failed = {
        one.part: one
        for each in answers
        for one in failed_models("critique", each.by, each.failures)
    }
    return tuple(each for each in batches if each.searches), tuple(failed.values())


def _is_spent(state: State) -> bool:
    idle = bool(state.given.feeds) and not any(each.made for each in state.searched)
    last = state.round + 1 >= state.given.max_steps
    return idle or bool(state.directed) or last or state.end == "budget"


def _about(state: State, place: int) -> str:
    names = state.names or (state.subject,)
    return beside(names, state.planned.tasks[place].task)


async def _planned(context: Context, state: State, place: int) -> Answer[plan_queries.Plan]:
    given = plan_queries.PlanInput(
        question=_about(state, place),
        language=state.language,
        today=state.now.date().isoformat(),
        max_queries=_QUERIES,
        tried=state.tried,
    )
    return await asked(context, plan_queries.QUESTION, given, state.language, f"directed/{place}")


def _batch(state: State, place: int, answer: Answer[plan_queries.Plan]) -> Batch:
    names = state.names or (state.subject,)
    planned = () if answer.by == EMBEDDED else answer.value.queries[:_QUERIES]
    texts = dict.fromkeys([_about(state, place), *(beside(names, each.text) for each in planned)])
    searches = tuple(Search(text=each) for each in texts if each not in state.tried)
    return Batch(task=place, searches=searches)
