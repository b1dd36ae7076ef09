"""How answers are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.doors.cli import render
from groundwire.doors.cli.view import View, where_to_look
from groundwire.jobs.ask.answer import AskResult
from groundwire.model.run import Run

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.base import JsonObject


def _about(run: Run) -> str:
    return str(run.input.get("question", ""))


def _result(run: Run) -> JsonObject:
    from groundwire.report.job import reporting

    return reporting("ask").result(run)


async def _next_steps(app: App, run: Run, result: AskResult) -> list[tuple[str, str]]:
    """What a person can do now, the most useful first: a command, and what it is for."""
    again = (f"gw resume {run.id}", "tries again what failed, and only that")
    if result.status == "failed":
        return [again, ("gw doctor", "shows what is configured and what works")]
    if result.status == "cancelled":
        return [again]
    if not result.evidence:
        return [await where_to_look(app, run)]
    steps = [
        (f"gw export {run.id} -f md", "keeps the answer as a report"),
        (f"gw replay {run.id}", "the same run from its records"),
    ]
    if any(each.code == "quota" for each in result.degraded):
        # A run keeps the budget that it was submitted with, so resuming would change nothing.
        return [("GROUNDWIRE_BUDGET__RUN_USD=…", "raise what is used up, then ask again"), *steps]
    if result.status == "degraded":
        return [again, *steps]
    # Offline there is nothing but the archive, and the first round has searched it.
    if result.gaps and not run.input.get("deep") and not run.settings.get("offline"):
        question = result.question.replace('"', "'")
        shown = question if len(question) <= 60 else f"{question[:59]}…"
        return [(f'gw ask --deep 1 "{shown}"', "looks for what is missing"), *steps]
    return steps


async def _show(app: App, run: Run, *, as_json: bool) -> None:
    """The result on stdout, as a card or as one JSON object."""
    result = AskResult.model_validate(_result(run))
    if as_json:
        render.put_json(_result(run))
    else:
        from groundwire.doors.cli.card import ask_card

        steps = await _next_steps(app, run, result)
        render.put(ask_card(result, links=render.out().is_terminal, next_steps=steps))
    if result.status == "failed":
        again = f"try again what failed, and only that: gw resume {run.id}"
        render.error(run.error or _why_failed(result), again)


def _why_failed(result: AskResult) -> str:
    """The reason in one sentence, with whatever failed first."""
    why = result.gaps[0].why if result.gaps else "the run failed"
    if not result.degraded:
        return why
    first = result.degraded[0]
    return f"{why}; {first.part}: {first.reason}"


VIEW = View(about=_about, result=_result, show=_show)
