"""`gw doctor`: every setting with its origin, then every check with what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.listing import Entry, listing

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.app.health import Finding
    from groundwire.settings import Origin

_SHAPES = {"ok": ("●", "supported"), "note": ("◔", "qualified"), "bad": ("✕", "contradicted")}


def doctor(as_json: bool, probe: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.app.probes import probe_models, probe_providers
        from groundwire.doors.cli.desk import probes

        probed = [*await probe_providers(app), *await probe_models(app)] if probe else []
        found = await app.health.findings()
        described = app.loaded.describe()
        if as_json:
            render.put_json(
                {
                    "settings": [
                        {"name": name, "value": value, "origin": str(origin)}
                        for name, value, origin in described
                    ],
                    "checks": [each.model_dump(mode="json") for each in found],
                    **(
                        {"probes": [each.model_dump(mode="json") for each in probed]}
                        if probe
                        else {}
                    ),
                }
            )
        else:
            render.put(*_settings(described), "", *_checks(found))
            if probed:
                render.put("", *probes(probed))
        bad = any(each.state == "bad" for each in found)
        bad = bad or any(each.state != "reachable" for each in probed)
        return session.DEGRADED if bad else session.DONE

    session.with_app(work)


def _settings(described: Sequence[tuple[str, str, Origin]]) -> Sequence[RenderableType]:
    """Every setting; what is not as it comes stands out, with where it came from."""
    return listing(
        [
            Entry(
                name=name,
                said=value,
                said_style="bold" if str(origin) != "default" else "soft",
                beside=str(origin),
                beside_style="soft" if str(origin) == "default" else "accent",
            )
            for name, value, origin in described
        ],
        name_style="",
    )


def _checks(found: Sequence[Finding]) -> Sequence[RenderableType]:
    return listing(
        [
            Entry(
                mark=_SHAPES[each.state][0],
                mark_style=_SHAPES[each.state][1],
                name=each.what,
                said=each.found,
                beside=each.to_do,
            )
            for each in found
        ]
    )
