"""Planning: what is believed already, whom the command is about, and the sub-tasks."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import Field, ValidationError

from groundwire.context import Context
from groundwire.gather.failures import failed_models
from groundwire.jobs.watch import plan_watch
from groundwire.jobs.watch.ledger.claims import Claim, Ledger, PageSeen
from groundwire.jobs.watch.plan_watch import names_of
from groundwire.jobs.watch.proposal import MOST, Plan, SubTask
from groundwire.jobs.watch.subject import subject_of
from groundwire.jobs.watch.types import State
from groundwire.language.text.characters import detect_language
from groundwire.language.text.script import language_of_question
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.phrase import phrase
from groundwire.model.result import Degraded, Gap
from groundwire.model.run import Run
from groundwire.reasoning.question import EMBEDDED

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
    asked = plan_watch.PlanInput(
        command=given.command,
        subject=subject,
        language=language,
        today=state.now.date().isoformat(),
        platforms=given.platforms,
        days=days,
        known=before.words[:_KNOWN],
    )
    answer = await context.ask(plan_watch.QUESTION, asked, language=language)
    tasks = kept(asked, answer.value.tasks, answer.by)
    gaps = ()
    if given.days is not None and given.days <= 0:
        gaps = (Gap.of(phrase("watch.gap.days", days=given.days), phrase("watch.gap.widened")),)
    return Draft(
        Plan(subject=subject, language=language, tasks=tasks),
        answer.by,
        failed_models("plan", answer.by, answer.failures),
        gaps,
    )


def kept(asked: plan_watch.PlanInput, tasks: tuple[SubTask, ...], by: str) -> tuple[SubTask, ...]:
    """Keep a model from dropping the subject, or from looking elsewhere than was asked (law 3)."""
    if by == EMBEDDED:
        return tasks
    first = plan_watch.QUESTION.embedded(asked).tasks[0]
    limited = (
        each.model_copy(
            update={"platforms": each.platforms or asked.platforms, "days": asked.days or each.days}
        )
        for each in tasks
    )
    return (first, *limited)[:MOST]


def every_search_failed(state: State) -> Gap:
    return Gap.of(state.subject or state.given.command, phrase("gap.every_search_failed"))
