"""From a submitted run to its end on the screen, and from its end to an exit code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, cast

from groundwire.cli import render
from groundwire.cli.screen import Screen
from groundwire.cli.session import BUDGET, DEGRADED, DONE, FAILED, Given
from groundwire.cli.story import language_of
from groundwire.model.result import AskResult, Gap, ResultStatus
from groundwire.model.run import FINISHED, Run

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.base import JsonObject
    from groundwire.model.event import Event

_GLANCE = 0.3  # how often the engine and the spending are looked at while nothing happens
_PATIENCE = 100  # glances after which a store that stays away ends the wait


async def followed(app: App, run_id: str, screen: Screen, *, live: bool = True) -> Run:
    """Show every event of a run and give it back finished; `live`: it was not over before."""
    Given.run_id = run_id if live else None
    told = False

    def look() -> None:
        nonlocal told
        if live and not told and app.engine.handed_over():
            told = True
            screen.note("another process works on this data folder; it runs this job")

    async for event in _events(app, run_id, screen, look):
        screen.take(event)
        look()
    Given.run_id = None
    return await app.find(run_id)


async def _events(
    app: App, run_id: str, screen: Screen, look: Callable[[], None]
) -> AsyncIterator[Event]:
    """The stored events; trouble of the engine ends the wait instead of prolonging it."""
    stream = app.follow(run_id).__aiter__()
    while True:
        step = asyncio.ensure_future(anext(stream, None))
        try:
            glances = 0
            while not (await asyncio.wait({step}, timeout=_GLANCE))[0]:
                glances += 1
                _raise_trouble(app, glances)
                look()
                screen.story.spent = await _spent(app, run_id)
        except BaseException:
            step.cancel()
            await asyncio.gather(step, return_exceptions=True)
            raise
        event = step.result()
        if event is None:
            return
        yield event


def _raise_trouble(app: App, glances: int) -> None:
    """What will not mend itself at once, and what should have by now."""
    app.engine.complain()
    if app.engine.trouble is not None and glances > _PATIENCE:
        raise app.engine.trouble


async def _spent(app: App, run_id: str) -> int:
    scope = f"run:{run_id}"
    return (await app.store.budget.spent([scope])).get(scope, 0)


def result_of(run: Run) -> AskResult:
    """An ask's result; a run that ended without one says so in the same shape."""
    if run.result is not None:
        return AskResult.model_validate(run.result)
    question = str(run.input.get("question", ""))
    language = str(run.input.get("language", "auto"))
    status = cast(ResultStatus, run.state if run.state in FINISHED else "failed")
    return AskResult(
        run_id=run.id,
        status=status,
        question=question,
        language=language_of(question) if language == "auto" else language,
        gaps=(Gap(what=question, why=run.error or f"the run is {run.state}"),),
    )


async def code_of(app: App, run: Run) -> int:
    """0 done, 3 degraded, 4 failed, 5 when a budget was the reason."""
    if run.state == "complete":
        return DONE
    if run.state not in ("degraded", "failed"):
        return FAILED
    if await _out_of_budget(app, run):
        return BUDGET
    return DEGRADED if run.state == "degraded" else FAILED


async def _out_of_budget(app: App, run: Run) -> bool:
    result = run.result or {}
    codes = [str(each.get("code")) for each in cast("list[JsonObject]", result.get("degraded", []))]
    if error := cast("JsonObject | None", result.get("error")):
        codes.append(str(error.get("code")))
    if run.result is None:
        records = await app.store.ledger.records(run.id)
        codes += [record.error.code for record in records if record.error is not None]
    return "quota" in codes


async def next_steps(app: App, run: Run, result: AskResult) -> list[tuple[str, str]]:
    """What a person can do now, the most useful first: a command, and what it is for."""
    again = (f"gw resume {run.id}", "tries again what failed, and only that")
    if result.status == "failed":
        return [again, ("gw doctor", "shows what is configured and what works")]
    if result.status == "cancelled":
        return [again]
    if not result.evidence:
        return [await _where_to_look(app, run)]
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


async def _where_to_look(app: App, run: Run) -> tuple[str, str]:
    stats = await app.store.index.stats()
    if stats.documents == 0:
        return "gw archive add --sample", "the archive is empty: load the sample, or add your own"
    if run.settings.get("offline"):
        return (
            "gw archive add PATH…",
            "only the archive is searched while GROUNDWIRE_OFFLINE is set",
        )
    return "gw providers", "what else could be searched"


async def show_ask(app: App, run: Run, *, as_json: bool) -> None:
    """The result on stdout, as a card or as one JSON object."""
    result = result_of(run)
    if as_json:
        render.put_json(run.result or result.model_dump(mode="json"))
    else:
        from groundwire.cli.card import ask_card

        steps = await next_steps(app, run, result)
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
