"""`gw doctor`: every check, the state of the installation, and the three next things to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.listing import Entry, listing
from groundwire.doors.cli.reader import reader_words
from groundwire.doors.cli.root import DESK, Json, Probe, cli, command
from groundwire.words import words

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.app.health import Finding
    from groundwire.settings import Origin

_STEPS = 3
_SHAPES = {"ok": ("●", "supported"), "note": ("◔", "qualified"), "bad": ("✕", "contradicted")}


@command(cli, panel=DESK)
async def doctor(
    app: App,
    probe: Probe = False,
    settings: Annotated[bool, typer.Option("--settings")] = False,
    as_json: Json = False,
) -> int | None:
    """Check whether everything works, and say what to do next."""
    from groundwire.app.probes import probe_models, probe_providers
    from groundwire.doors.cli.providers import code_of, probe_lines

    say = words("en") if as_json else reader_words()
    answers = [*await probe_providers(app), *await probe_models(app)] if probe else []
    probed = [each.translate(say) for each in answers]
    found = [each.translate(say) for each in await app.health.findings()]
    described = app.loaded.describe(say.language)
    if as_json:
        named = [{"name": n, "value": v, "origin": origin} for n, v, origin in described]
        probes_shown = {"probes": probed} if probe else {}
        render.put_json({"settings": named, "checks": found, **probes_shown})
    else:
        if settings:
            render.put(*_settings(described), "")
        checks = [Entry(each.what, each.found, each.to_do, *_SHAPES[each.state]) for each in found]
        render.put(*listing(checks))
        if probed:
            render.put("", *probe_lines(probed))
        render.put("", _health(found), *_next_steps(found))
    bad = any(each.state == "bad" for each in found)
    return session.DEGRADED if bad else code_of(probed)


def _settings(described: Sequence[tuple[str, str, Origin]]) -> Sequence[RenderableType]:
    """List every setting; those that are not the default stand out, with their origin."""
    entries: list[Entry] = []
    say = reader_words()
    for name, value, origin in described:
        styles = ("soft", "soft") if origin == "default" else ("bold", "accent")
        note = say.listed([origin.phrase])
        entries.append(Entry(name, value, note, text_style=styles[0], note_style=styles[1]))
    return listing(entries, name_style="")


def _health(found: Sequence[Finding]) -> RenderableType:
    """Sum the findings up in one line."""
    bad, notes = (sum(each.state == state for each in found) for state in ("bad", "note"))
    state = "bad" if bad else "note" if notes else "ok"
    shape, style = _SHAPES[state]
    text = reader_words()(f"doctor.health.{state}", bad=bad, notes=notes)
    return render.shown(f"{shape} {text}", style)


def _next_steps(found: Sequence[Finding]) -> Sequence[RenderableType]:
    """List what to do next: repairs first, then what a newcomer would try."""
    say = reader_words()
    by_weight = sorted(found, key=lambda each: ("bad", "note", "ok").index(each.state))
    wanted = [(each.to_do, each.what) for each in by_weight if each.to_do and each.state != "ok"]
    usual = [(say(f"doctor.next.{n}"), say(f"doctor.next.{n}.why")) for n in (1, 2, 3)]
    steps = list(dict((*reversed((*wanted, *usual)),)).items())[::-1][:_STEPS]
    numbered = enumerate(steps, start=1)
    return listing([Entry(name=str(n), text=step, note=why) for n, (step, why) in numbered])
