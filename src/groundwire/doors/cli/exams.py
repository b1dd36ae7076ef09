"""`gw models --exam`: what exams will cost, a yes, and the table of marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import typer

from groundwire.doors.cli import render
from groundwire.doors.cli.following import follow_to_end
from groundwire.doors.cli.reader import reader_words, say
from groundwire.errors import InputError, SettingsError
from groundwire.model.call import MICRO
from groundwire.report import exams as wording
from groundwire.report.plain import usd

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.app.exams import Due
    from groundwire.model.exam import ExamRow


class Choice(NamedTuple):
    """Which exams a person wants to be taken."""

    model: str
    questions: tuple[str, ...]
    again: bool


async def sit(app: App, choice: Choice, *, yes: bool, as_json: bool) -> int | None:
    """State the cost, ask for a yes, and follow the run to its table of marks."""
    if app.settings.offline:
        raise InputError("error.exam_offline", hint="hint.unset_offline")
    if as_json and not yes:
        raise InputError("error.json_asks_nobody", hint="hint.add_yes")
    if not choice.model and not any(app.health.tiers().values()):
        raise SettingsError("error.exams_no_model", hint="hint.set_model")
    due = await app.exams.due(choice.model, choice.questions, again=choice.again)
    if not as_json:
        _state_cost(due)
    await app.exams.check_budget(due)
    if due and not (yes or _confirm()):
        render.note(say("cli.nothing_sat"))
        return None
    most = sum(each.cost.most for each in due) if due else None
    run = await app.exams.sit(choice.model, choice.questions, again=choice.again, agreed=most)
    return await follow_to_end(app, run, as_json=as_json)


def _state_cost(due: Sequence[Due]) -> None:
    if not due:
        render.note(say("cli.exams_none_due"))
        return
    spoken = reader_words()
    for each in due:
        line = (wording.asked(each.question, spoken), each.model, f"n={each.cost.items}")
        render.note(f"· {' · '.join(line)} · {usd(each.cost.likely / MICRO)}")
    total = say(
        "cli.exams_due",
        n=len(due),
        items=f"{sum(each.cost.items for each in due):,}",
        tokens=f"{sum(each.cost.tokens for each in due):,}",
        usd=usd(sum(each.cost.likely for each in due) / MICRO),
        most=usd(sum(each.cost.most for each in due) / MICRO),
    )
    render.note(total)
    if unpriced := sorted({each.model for each in due if not each.priced}):
        render.note(say("cli.exams_unpriced", models=spoken.listed(unpriced)))


def _confirm() -> bool:
    try:
        return typer.confirm(say("cli.exams_sit"), err=True)
    except typer.Abort:
        raise InputError("error.nobody_agreed", hint="hint.add_yes") from None


def marks_table(rows: Sequence[ExamRow]) -> RenderableType:
    """Build the table of marks."""
    spoken = reader_words()
    lines = wording.lines(rows, spoken)
    return render.table(wording.head(spoken), [each.cells for each in lines])
