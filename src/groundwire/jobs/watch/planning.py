"""Planning: what is believed already, whom the command is about, and the sub-tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import Field, ValidationError

from groundwire.context import Context
from groundwire.gather.failures import failed_models
from groundwire.jobs.watch import plan_watch
from groundwire.jobs.watch.ledger.claims import Claim, Ledger, PageSeen
from groundwire.jobs.watch.plan_watch import names_of
from groundwire.jobs.watch.proposal import LONGEST_QUERY, MOST, MOST_QUERIES, Plan, SubTask
from groundwire.jobs.watch.subject import beside, subject_of
from groundwire.jobs.watch.thoughts import asked
from groundwire.jobs.watch.types import State
from groundwire.language.text.characters import detect_language
from groundwire.language.text.script import language_of_question
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.phrase import phrase
from groundwire.model.result import Degraded, Gap
from groundwire.model.run import Run
from groundwire.reasoning.question import EMBEDDED, Answer

__all__ = ["believed", "draft", "every_search_failed", "kept", "names_of"]
_KNOWN = 10  # words of the last run that a plan is told of


class Believed(Value):
    """What the run before has left: its ledger and its words; nothing where there was none."""

    first: bool = True
    ledger: Ledger = Ledger()
    words: tuple[str, ...] = ()
    searched_to: Instant | None = None
    found_by: dict[str, tuple[str, ...]] = Field(default_factory=dict[str, "tuple[str, ...]"])


async def believed(context: Context, run_id: str) -> Believed:
    """Read what an earlier run believed; recorded, so that a restart and a replay see the same."""
    if not run_id:
        return Believed()

    async def get() -> JsonObject:
        run = await context.parts.tables.runs().get(run_id)
        return _left_by(run).model_dump(mode="json")

    return Believed.model_validate(await context.query("runs", {"previous": run_id}, get))


def _left_by(run: Run | None) -> Believed:
    """Return what a run has left; one of another job, or of a version that is no more, left nothing."""
    result = (run.result if run else None) or {}
    if run is None or "claims" not in result or run.state not in ("complete", "degraded"):
        return Believed()
    try:
        ledger = Ledger(
            claims=tuple(Claim.model_validate(each) for each in result["claims"]),
            pages=tuple(PageSeen.model_validate(each) for each in result.get("pages", ())),
        )
    except ValidationError:
        return Believed()
    words = tuple(str(each["word"]) for each in result.get("keywords", ()))
    return Believed(
        first=False,
        ledger=ledger,
        words=words,
        searched_to=result.get("searched_to"),
        found_by=result.get("found_by", {}),
    )


class Draft(NamedTuple):
    """A plan as it is proposed, who drafted it, and what there is to say of it."""

    plan: Plan
    by: str
    degraded: tuple[Degraded, ...] = ()
    gaps: tuple[Gap, ...] = ()


async def draft(context: Context, state: State, before: Believed) -> Draft:
    """Draft the plan of a command: a model's, in which code's first sub-task always stands."""
    given = state.given
    subject = subject_of(given.command)
    language = given.language
    if language == "auto":
        language = language_of_question(detect_language(given.command))
    days = given.days if given.days is not None and given.days > 0 else None
    wanted = plan_watch.PlanInput(
        command=given.command,
        subject=subject,
        language=language,
        today=state.now.date().isoformat(),
        platforms=given.platforms,
        days=days,
        known=before.words[:_KNOWN],
    )
    answer = await asked(context, plan_watch.QUESTION, wanted, language)
    tasks = kept(wanted, answer)
    gaps = ()
    if given.days is not None and given.days <= 0:
        gaps = (Gap.of(phrase("watch.gap.days", days=given.days), phrase("watch.gap.widened")),)
    return Draft(
        Plan(subject=subject, language=language, tasks=tasks),
        answer.by,
        failed_models("plan", answer.by, answer.failures),
        gaps,
    )


def kept(asked: plan_watch.PlanInput, answer: Answer[plan_watch.Planned]) -> tuple[SubTask, ...]:
    """Return the sub-tasks that count: a decider's behind code's first, or code's with an adviser's searches.

    No model drops the subject, or looks elsewhere than was asked (law 3).
    """
    own = plan_watch.QUESTION.embedded(asked).tasks
    if answer.by == EMBEDDED:
        return answer.value.tasks
    names = names_of(asked.subject)
    if answer.vote != "decides":
        return (_with_searches(own[0], answer.value, names), *own[1:])
    limited = (
        each.model_copy(
            update={
                "queries": tuple(beside(names, query)[:LONGEST_QUERY] for query in each.queries),
                "platforms": each.platforms or asked.platforms,
                "days": asked.days or each.days,
            }
        )
        for each in answer.value.tasks
    )
    return (own[0], *limited)[:MOST]


def _with_searches(own: SubTask, planned: plan_watch.Planned, names: Sequence[str]) -> SubTask:
    """Add the first search of each planned sub-task, as far as there is room."""
    added = (beside(names, each.queries[0])[:LONGEST_QUERY] for each in planned.tasks)
    queries = tuple(dict.fromkeys((*own.queries, *added)))[:MOST_QUERIES]
    return own.model_copy(update={"queries": queries})


def every_search_failed(state: State) -> Gap:
    return Gap.of(state.subject or state.given.command, phrase("gap.every_search_failed"))
