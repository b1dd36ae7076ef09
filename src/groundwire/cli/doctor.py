"""`gw doctor`: every setting with its origin, then every check with what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.cli import render, session

if TYPE_CHECKING:
    from groundwire.app import App

_SHAPES = {"ok": ("●", "supported"), "note": ("◔", "qualified"), "bad": ("✕", "contradicted")}


def doctor(as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.health import findings

        found = await findings(app)
        described = app.loaded.describe()
        if as_json:
            render.put_json(
                {
                    "settings": [
                        {"name": name, "value": value, "origin": str(origin)}
                        for name, value, origin in described
                    ],
                    "checks": [each.model_dump(mode="json") for each in found],
                }
            )
        else:
            rows = [
                (
                    render.shown(name),
                    render.shown(value, "bold" if str(origin) != "default" else ""),
                    render.shown(str(origin), "soft" if str(origin) == "default" else "accent"),
                )
                for name, value, origin in described
            ]
            render.put(render.table(("setting", "value", "from"), rows), "")
            render.put(
                render.table(
                    ("", "check", "found", "to do"),
                    [
                        (
                            render.shown(*_SHAPES[each.state]),
                            render.shown(each.what, "bold"),
                            render.shown(each.found),
                            render.shown(each.to_do or "–", "accent" if each.to_do else "soft"),
                        )
                        for each in found
                    ],
                )
            )
        bad = any(each.state == "bad" for each in found)
        return session.DEGRADED if bad else session.DONE

    session.with_app(work)
