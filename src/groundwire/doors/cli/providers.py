"""`gw providers` and `gw models`: what is configured, and how it answers a probe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.listing import Entry, listing
from groundwire.doors.cli.reader import reader_words, say
from groundwire.doors.cli.root import DESK, Json, Probe, cli, command
from groundwire.errors import InputError
from groundwire.words import words

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.app.health import PartState
    from groundwire.app.probes import Probed
    from groundwire.doors.cli.render import Cell
    from groundwire.model.base import JsonObject

_MOST_DAYS = 5
_EMBEDDED = "settings.embedded"
_LAST = {"vision": "settings.nobody_sees"}
_SWITCHED = {True: ("●", "supported", ""), False: ("○", "insufficient", "soft")}
_PROBED = {
    "reachable": ("●", "supported"),
    "key invalid": ("✕", "contradicted"),
    "failed": ("✕", "contradicted"),
}


@command(cli, panel=DESK)
async def providers(app: App, probe: Probe = False, as_json: Json = False) -> int | None:
    """List search providers: on or off, why, what to set, how well they answer."""
    from groundwire.app.probes import probe_providers

    spoken = words("en") if as_json else reader_words()
    probed = [each.translate(spoken) for each in (await probe_providers(app) if probe else [])]
    states = [each.translate(spoken) for each in await app.health.providers()]
    tools = [each.translate(spoken) for each in await app.health.tools()]
    if as_json:
        of_tools = [{**_as_json(state, ()), "part": "tool"} for state in tools]
        render.put_json([*(_as_json(state, probed) for state in states), *of_tools])
        return code_of(probed)
    render.put(*_states(states))
    if any(state.made for state in states):
        render.put("", _days(states))
    render.put("", render.shown(say("settings.tools"), "soft"), *_states(tools))
    if probed:
        render.put("", *probe_lines(probed))
    probed_names = {each.name for each in probed}
    for state in states:
        if state.poor and state.name not in probed_names:
            render.note(say("cli.answers_poorly", name=state.name), "degraded")
        if state.trouble and state.name not in probed_names:
            render.note(say("cli.last_trouble", name=state.name, why=state.trouble), "degraded")
    return code_of(probed)


@command(cli, panel=DESK)
async def models(
    app: App,
    model: Annotated[str, typer.Argument(metavar="MODEL")] = "",
    exam: Annotated[bool, typer.Option("--exam")] = False,
    question: Annotated[list[str] | None, typer.Option(metavar="QUESTION")] = None,
    again: Annotated[bool, typer.Option("--again")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y")] = False,
    probe: Probe = False,
    as_json: Json = False,
) -> int | None:
    """List the models of each tier, vendors, what their answers count for, and what to set."""
    from groundwire.app.probes import probe_models
    from groundwire.doors.cli import exams

    if exam:
        choice = exams.Choice(model, tuple(question or ()), again)
        return await exams.sit(app, choice, yes=yes, as_json=as_json)
    if model or question or again or yes:
        raise InputError("error.only_with_exam", hint="hint.add_exam")
    spoken = words("en") if as_json else reader_words()
    probed = [each.translate(spoken) for each in (await probe_models(app) if probe else [])]
    tiers = app.health.tiers()
    vendors = [each.translate(spoken) for each in app.health.vendors()]
    rows = await app.exams.rows()
    if as_json:
        shown_probes = {"probes": probed} if probe else {}
        render.put_json({"tiers": tiers, "vendors": vendors, "exams": rows, **shown_probes})
        return code_of(probed)
    chains = [
        Entry(name=tier, text=" → ".join((*names, say(_LAST.get(tier, _EMBEDDED)))))
        for tier, names in tiers.items()
    ]
    render.put(*listing(chains), "", *_states(vendors))
    if rows:
        render.put("", exams.marks_table(rows))
    if probed:
        render.put("", *probe_lines(probed))
    return code_of(probed)


def code_of(probed: Sequence[Probed]) -> int | None:
    """Return the exit code of probes: degraded where one was not answered."""
    return session.DEGRADED if any(each.state != "reachable" for each in probed) else None


def _as_json(state: PartState, probed: Sequence[Probed]) -> JsonObject:
    value: JsonObject = state.model_dump(mode="json")
    for each in probed:
        if each.name == state.name:
            value["probe"] = each.model_dump(mode="json")
    return value


def _states(states: Sequence[PartState]) -> Sequence[RenderableType]:
    return listing(
        [Entry(each.name, each.why, each.to_set, *_SWITCHED[each.on]) for each in states]
    )


def _days(states: Sequence[PartState]) -> RenderableType:
    """Build the table of answered calls of those made, by day, newest first."""
    called = [state for state in states if state.made]
    dates = sorted({day.day for state in called for day in state.days}, reverse=True)[:_MOST_DAYS]
    rows: list[list[Cell]] = []
    for state in called:
        by_day = {day.day: f"{day.answered}/{day.made}" for day in state.days}
        rate = (f"{state.answered / state.made:.0%}", "degraded" if state.poor else "soft")
        cells = ((by_day.get(date, "–"), "soft") for date in dates)
        rows.append([(state.name, "bold"), rate, *cells])
    days = (f"{date:%m-%d}" for date in dates)
    return render.table((say("tool_call.outcome.ok"), say("cli.seven_days"), *days), rows)


def probe_lines(probed: Sequence[Probed]) -> Sequence[RenderableType]:
    """List what came of the probes, with what failed ones answered."""
    entries: list[Entry] = []
    for each in probed:
        text = f"{reader_words().name('probed', each.state)}, {each.ms / 1000:.1f} s"
        note = f"{each.code}: {each.said}" if each.code else ""
        shape = _PROBED[each.state]
        entries.append(Entry(each.name, text, note, *shape, note_style="degraded"))
    return listing(entries)
