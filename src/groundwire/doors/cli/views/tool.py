"""How the runs of single tools are shown, and of jobs that have no view of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.doors.cli import render
from groundwire.doors.cli.asking import show_tool, tool_result
from groundwire.doors.cli.view import View

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.base import JsonObject
    from groundwire.model.run import Run


def _about(run: Run) -> str:
    given = run.input
    arguments: JsonObject = given.get("arguments", {})
    return f"{given.get('tool', '')} {arguments.get('query') or arguments.get('url') or ''}"


async def _show(app: App, run: Run, *, as_json: bool) -> None:
    if as_json:
        render.put_json(tool_result(run))
    else:
        show_tool(run)


VIEW = View(about=_about, result=tool_result, show=_show)
