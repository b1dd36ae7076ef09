"""Tools that act on a stored run: resume it, confirm it, end it, record what came of it."""

from __future__ import annotations

from pydantic import Field

from groundwire.app.confirmation import confirm
from groundwire.app.judgements import Labelling
from groundwire.doors.mcp.looking import RunWanted, line_of
from groundwire.doors.mcp.running import answer_of, find_run, follow, shielded
from groundwire.doors.mcp.visit import Answer, Visit
from groundwire.model.base import JsonObject, Value
from groundwire.model.outcome import Outcome


class Said(RunWanted):
    """What came of a signal."""

    outcome: Outcome
    note: str = Field(default="", max_length=2000)


class Labelled(Value):
    """The outcome of a signal, and how many signals have been judged."""

    run_id: str
    outcome: Outcome
    labels: int


async def resume_run(visit: Visit, given: RunWanted) -> Answer:
    """Resume a run that failed, was cancelled or is degraded: only what failed is tried again, and
    what was recorded is not paid for again."""
    run = await shielded(visit.app.resume(await find_run(visit, given.run_id)))
    return answer_of(await follow(visit, run.id))


class Word(RunWanted):
    """A person's confirmation of what a run proposes."""

    edited: JsonObject = Field(
        default_factory=dict, description="fields of the proposal that are to be otherwise"
    )
    proposal: str = Field(default="", max_length=64, description="id of the one that was seen")


async def confirm_run(visit: Visit, given: Word) -> Answer:
    """Let a run that waits for a person go on, with what it proposes as it is or edited. Only a
    person's own word counts: ask before you call this."""
    run = await find_run(visit, given.run_id)
    await shielded(
        confirm(visit.app, run, given.edited, by=visit.who.name, proposal=given.proposal)
    )
    return answer_of(await follow(visit, run.id))


async def cancel_run(visit: Visit, given: RunWanted) -> Answer:
    """End a run; what it has recorded is kept, and resume_run goes on from there."""
    after = line_of(await visit.app.cancel(await find_run(visit, given.run_id)))
    return Answer(f"{after.id} · {after.state}", after.model_dump(mode="json"), run_id=after.id)


async def give_feedback(visit: Visit, given: Said) -> Answer:
    """Say what came of a signal; confidences are calibrated by it. Said again, the newest holds."""
    run = await find_run(visit, given.run_id)
    now: Labelling = await visit.app.judgements.label(
        run.id, given.outcome, by=visit.who.name, note=given.note
    )
    value = Labelled(run_id=run.id, outcome=given.outcome, labels=now.labels)
    text = f"{run.id} · {given.outcome} · {now.labels} signals have been judged"
    return Answer(text, value.model_dump(mode="json"), run_id=run.id)
