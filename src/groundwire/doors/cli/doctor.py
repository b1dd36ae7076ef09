"""`gw doctor`: every check, how the house stands, and the three next things to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from groundwire.doors.cli import render, session
from groundwire.doors.cli.listing import Entry, listing
from groundwire.doors.cli.reader import speaking
from groundwire.doors.cli.root import DESK, Json, Probe, cli, command, option
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
    settings: Annotated[
        bool, option("--settings", "Every setting, too, and where it came from.")
    ] = False,
    as_json: Json = False,
) -> int | None:
    """Whether everything works, and what to do next."""
    from groundwire.app.probes import probe_models, probe_providers
    from groundwire.doors.cli.providers import code_of, probes

    spoken = words("en") if as_json else speaking()
    given = [*await probe_providers(app), *await probe_models(app)] if probe else []
    probed = [each.told(spoken) for each in given]
    found = [each.told(spoken) for each in await app.health.findings()]
    described = app.loaded.describe(spoken.language)
    if as_json:
        named = [{"name": n, "value": v, "origin": str(origin)} for n, v, origin in described]
        asked = {"probes": probed} if probe else {}
        render.put_json({"settings": named, "checks": found, **asked})
    else:
        if settings:
            render.put(*_settings(described), "")
        checks = [Entry(each.what, each.found, each.to_do, *_SHAPES[each.state]) for each in found]
        render.put(*listing(checks))
        if probed:
            render.put("", *probes(probed))
        render.put("", _health(found), *_next_steps(found))
    bad = any(each.state == "bad" for each in found)
    return session.DEGRADED if bad else code_of(probed)


def _settings(described: Sequence[tuple[str, str, Origin]]) -> Sequence[RenderableType]:
    """Return every setting; what is not as it comes stands out, with where it came from."""
    entries: list[Entry] = []
    say = speaking()
    for name, value, origin in described:
        said, beside = ("soft", "soft") if str(origin) == "default" else ("bold", "accent")
        came_from = say.listed([origin.phrase])
        entries.append(Entry(name, value, came_from, said_style=said, beside_style=beside))
    return listing(entries, name_style="")


def _health(found: Sequence[Finding]) -> RenderableType:
    """Return one line on how the house stands."""
    bad, notes = (sum(each.state == state for each in found) for state in ("bad", "note"))
    state = "bad" if bad else "note" if notes else "ok"
    shape, style = _SHAPES[state]
    said = speaking()(f"doctor.health.{state}", bad=bad, notes=notes)
    return render.shown(f"{shape} {said}", style)


def _next_steps(found: Sequence[Finding]) -> Sequence[RenderableType]:
    """Return what to do next: what mends something first, then what a newcomer would try."""
    say = speaking()
    by_weight = sorted(found, key=lambda each: ("bad", "note", "ok").index(each.state))
    wanted = [(each.to_do, each.what) for each in by_weight if each.to_do and each.state != "ok"]
    usual = [(say(f"doctor.next.{n}"), say(f"doctor.next.{n}.why")) for n in (1, 2, 3)]
    steps = list(dict((*reversed((*wanted, *usual)),)).items())[::-1][:_STEPS]
    numbered = enumerate(steps, start=1)
    return listing([Entry(name=str(n), said=step, beside=why) for n, (step, why) in numbered])
