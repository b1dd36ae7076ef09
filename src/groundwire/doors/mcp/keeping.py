"""Tools for watches: make one, list them, look now, see what changed and what was believed."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from groundwire import jobs
from groundwire.app import schedule_views as views
from groundwire.app.submission import DOOR
from groundwire.doors.mcp.running import DATA, answer_of, follow, shielded
from groundwire.doors.mcp.visit import Answer, Visit
from groundwire.errors import InputError
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.schedule import Schedule
from groundwire.report.plain import one_line


class WatchWanted(views.Terms):
    """A watch to make: of a job's input, or of a finished run."""

    kind: str = Field(default="", max_length=40, description="the job; empty: the one for it")
    input: JsonObject = Field(default_factory=dict, description="as for a run of that job")
    run_id: str = Field(default="", max_length=80, description="a finished run to be kept instead")


class WatchNamed(Value):
    """Which watch."""

    watch_id: str = Field(min_length=1, max_length=80)


class LookWanted(WatchNamed):
    """Which watch, and by which clock."""

    at: Instant | None = Field(default=None, description="the run's clock; null: now")


class DiffWanted(WatchNamed):
    """Which watch, and which of its runs."""

    run_id: str = Field(default="", max_length=80, description="empty: the last")


class DayWanted(WatchNamed):
    """Which watch, and which day."""

    day: date | None = Field(default=None, description="null: now")


class Nothing(Value):
    """No arguments."""


async def make_watch(visit: Visit, given: WatchWanted) -> Answer:
    """Make a watch: a job's input, or a finished run, that is looked at again on a schedule."""
    terms = views.Terms(**given.model_dump(include=set(views.Terms.model_fields)))
    schedules = visit.app.schedules
    if given.run_id:
        if given.kind or given.input:
            raise InputError("schedule.run_or_text")
        run = await visit.app.runs.get_owned(visit.who, given.run_id)
        made = await schedules.add_from(run, terms, owner=visit.who)
    else:
        kind = given.kind or jobs.standing()
        made = await schedules.add(kind, given.input, terms, owner=visit.who, door=DOOR, exact=True)
    return _shown(made)


async def list_watches(visit: Visit, _given: Nothing) -> Answer:
    """List the watches of this caller, and whether something starts them when they are due."""
    found = await visit.app.schedules.listed(visit.who)
    value = views.ScheduleList(
        watches=tuple(map(views.row_of, found)), kept=await visit.app.schedules.kept()
    )
    lines = [
        f"- {each.id} · {each.schedule} · {one_line(each.text)}{' · paused' if each.paused else ''}"
        for each in value.watches
    ]
    if not value.kept:
        lines.append("Nothing starts them when they are due: no desk and no worker is there.")
    return Answer("\n".join(lines or ["There are none."]), value.model_dump(mode="json"))


async def run_watch(visit: Visit, given: LookWanted) -> Answer:
    """Look now, or by the clock of another moment, and wait for what changed."""
    found = await _find(visit, given)
    run = await shielded(visit.app.schedules.run(found, at=given.at))
    return answer_of(await follow(visit, run.id))


async def show_changes(visit: Visit, given: DiffWanted) -> Answer:
    """Show what the last run of a watch, or another, found changed: before, after, with sources."""
    found = await _find(visit, given)
    if given.run_id:
        await visit.app.runs.get_owned(visit.who, given.run_id)
    diff = await visit.app.schedules.diff(found, given.run_id)
    lines = [
        f"- {each.kind}: {one_line(each.before.text) if each.before else '–'}"
        f" → {one_line(each.after.text) if each.after else '–'}"
        for each in diff.changes
    ]
    text = "\n".join([DATA, "", *(lines or ["Nothing changed."])])
    return Answer(text, diff.model_dump(mode="json"), run_id=diff.run or "")


async def show_beliefs(visit: Visit, given: DayWanted) -> Answer:
    """Show what a watch believed when a day ended, claim by claim, with sources."""
    believed = await visit.app.schedules.believed(await _find(visit, given), given.day)
    lines = [f"- {one_line(each.text)} ({each.verdict})" for each in believed.claims]
    text = "\n".join([DATA, "", *(lines or ["Nothing was believed by then."])])
    return Answer(text, believed.model_dump(mode="json"), run_id=believed.run or "")


async def pause_watch(visit: Visit, given: WatchNamed) -> Answer:
    """Let a watch rest until it is resumed."""
    return _shown(await visit.app.schedules.pause(await _find(visit, given)))


async def resume_watch(visit: Visit, given: WatchNamed) -> Answer:
    """Let a watch go on, from the next time that it is due."""
    return _shown(await visit.app.schedules.resume(await _find(visit, given)))


async def remove_watch(visit: Visit, given: WatchNamed) -> Answer:
    """Remove a watch; its runs stay."""
    found = await _find(visit, given)
    await visit.app.schedules.remove(found)
    return Answer(f"{found.id} is removed", views.view_of(found).model_dump(mode="json"))


async def _find(visit: Visit, given: WatchNamed) -> Schedule:
    return await visit.app.schedules.find(given.watch_id, visit.who)


def _shown(schedule: Schedule) -> Answer:
    view = views.view_of(schedule)
    due = "paused" if view.next_at is None else f"next at {view.next_at:%Y-%m-%d %H:%M} UTC"
    return Answer(f"{view.id} · {view.schedule} · {due}", view.model_dump(mode="json"))
