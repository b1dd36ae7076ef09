"""How signals are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.doors.cli import render
from groundwire.doors.cli.view import View, where_to_look
from groundwire.jobs.verify.signal import Signal
from groundwire.model.run import Run

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.base import JsonObject


def _about(run: Run) -> str:
    return render.clean(run.input.get("text", ""))


def _result(run: Run) -> JsonObject:
    from groundwire.report.job import reporting

    return reporting("verify").result(run)


async def _show(app: App, run: Run, *, as_json: bool) -> None:
    if as_json:
        render.put_json(_result(run))
    elif run.result is not None:
        from groundwire.doors.cli.signal_card import signal_card

        signal = Signal.model_validate(run.result)
        steps = await _next_steps(app, run, signal)
        render.put(signal_card(signal, links=render.out().is_terminal, next_steps=steps))
    if run.result is None:
        again = f"try again what failed, and only that: gw resume {run.id}"
        render.error(run.error or f"the run is {run.state}", again)


async def _next_steps(app: App, run: Run, signal: Signal) -> list[tuple[str, str]]:
    """What a person can do now, the most useful first: a command, and what it is for."""
    if signal.duplicate_of is not None:
        return [(f"gw show {signal.duplicate_of}", "the earlier signal of the same event")]
    steps = [
        (f"gw feedback {run.id} true|false|partly", "says what came of it"),
        (f"gw export {run.id} -f md", "keeps the signal as a report"),
    ]
    refused = [each.error.code for each in signal.tools if each.error is not None]
    if "quota" in [*refused, *(each.code for each in signal.degraded)]:
        limit = "GROUNDWIRE_BUDGET__DAY_TOOL_CALLS=…"
        return [(limit, "raise what is used up, then verify it again"), *steps]
    if signal.status == "degraded":
        again = (f"gw resume {run.id}", "tries again what failed, and only that")
        return [again, *steps]
    if signal.path == "plain" and run.input.get("gate"):
        return [("gw verify TEXT", "looks into it, without the gate"), *steps]
    if signal.path == "plain":
        return [("gw verify TEXT", "looks into it, with tools"), *steps]
    return steps if signal.evidence else [await where_to_look(app, run), *steps]


VIEW = View(about=_about, result=_result, show=_show)
