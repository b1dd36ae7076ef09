"""`gw runs`, `show`, `follow`, `resume`, `cancel`: the run rows and what stands behind them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NoReturn, cast

from groundwire.doors.cli import card, confirming, render, session
from groundwire.doors.cli.reader import say, speaking
from groundwire.doors.cli.screen import Screen
from groundwire.doors.cli.story import LiveStory, language_of
from groundwire.errors import InputError
from groundwire.jobs import about
from groundwire.words import coded, words

if TYPE_CHECKING:
    from rich.text import Text

    from groundwire.app import App
    from groundwire.model.base import JsonObject
    from groundwire.model.call import CallRecord
    from groundwire.model.run import Run


def listing(limit: int, kind: str | None, text: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.jobs import find as job
        from groundwire.model.run import RunFilter

        if kind is not None:
            job(kind)  # an unknown one is refused with the nearest
        page = await app.runs.page(RunFilter(kind=kind, text=text), None, limit)
        runs = page.runs
        if as_json:
            render.put_json([_brief(run) for run in runs])
            return session.DONE
        if not runs:
            found = say("cli.no_run_with", text=text) if text else say("cli.no_runs")
            render.note(found)
            return session.DONE
        now = app.clock()
        columns = _columns("run", "state", "age", "cost", "about")
        render.put(render.table(columns, [_row(run, state_of(run, now), now) for run in runs]))
        left = [run.id for run in runs if state_of(run, now) == "interrupted"]
        if left:
            render.note(say("cli.interrupted_runs", n=len(left), run=left[0]), "interrupted")
        asking = [run.id for run in runs if run.state == "waiting"]
        if asking:
            render.note(say("cli.waiting_runs", n=len(asking), run=asking[0]), "waiting")
        return session.DONE

    session.with_app(work)


def state_of(run: Run, now: datetime) -> str:
    """The state, or `interrupted`: it says running, and nobody runs it any more."""
    from groundwire.runs.lock import is_gone

    if run.state != "running":
        return run.state
    over = run.lease_until is None or run.lease_until <= now
    gone = run.lease_owner is not None and is_gone(run.lease_owner)
    return "interrupted" if over or gone else "running"


def _row(run: Run, state: str, now: datetime) -> tuple[Text, ...]:
    cost = float((run.result or {}).get("cost", {}).get("usd", 0.0))
    return (
        render.shown(run.id),
        render.shown(speaking().name("state", state), state),
        render.shown(age(now - run.created_at), "soft"),
        render.shown(f"${cost:.4f}" if cost else "–", "soft"),
        render.shown(about(run)[:200]),
    )


def age(passed: timedelta) -> str:
    seconds = max(0, int(passed.total_seconds()))
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return say(f"cli.age.{unit}", n=seconds // size)
    return say("cli.age.s", n=seconds)


def _brief(run: Run) -> dict[str, object]:
    fields = {"id", "kind", "state", "input", "attempt", "error", "digest", "created_at"}
    shown = run.model_dump(mode="json", include=fields | {"finished_at", "waiting"})
    # A run keeps the code; programs are told in English, as ever.
    return {**shown, "error": None if run.error is None else words("en").stored(run.error)}


def show(name: str, events: bool, calls: bool, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        run = await app.runs.find(name)
        if events:
            await _events(app, run, as_json)
        elif calls:
            await _calls(app, run, as_json)
        else:
            await show_run(app, run, as_json)
        return session.DONE

    session.with_app(work)


async def show_run(app: App, run: Run, as_json: bool) -> None:
    from groundwire.model.run import FINISHED

    if run.state == "waiting":
        if as_json:
            render.put_json(_brief(run))
        else:
            confirming.show(run)
        render.note(confirming.how(run), "waiting")
        return
    if run.state not in FINISHED:
        state = state_of(run, app.clock())
        render.note(say("cli.follow_it", state=coded(f"state.{state}"), run=run.id), state)
        if as_json:
            render.put_json(_brief(run))
        return
    await card.show(app, run, as_json=as_json)


async def _events(app: App, run: Run, as_json: bool) -> None:

    found = [
        cast("JsonObject", app.redactor.value(event.model_dump(mode="json")))
        async for event in app.runs.journal(run.id)
    ]
    if as_json:
        render.put_json(found)
        return
    rows = [
        (
            render.shown(str(event["seq"]), "accent"),
            render.shown(str(event["at"])[11:23], "soft"),
            render.shown(event["type"]),
            render.shown(event["step"], "soft"),
            render.shown(_short(event["payload"])),
        )
        for event in found
    ]
    render.put(render.table(_columns("seq", "time", "type", "step", "payload"), rows))


async def _calls(app: App, run: Run, as_json: bool) -> None:
    records = sorted(await app.runs.calls(run.id), key=lambda r: (r.started_at, r.key))
    if as_json:
        render.put_json([app.redactor.value(each.model_dump(mode="json")) for each in records])
        return
    rows = [
        (
            render.shown(f"{each.kind} {each.provider}"),
            render.shown(each.outcome, "failed" if each.outcome == "failed" else ""),
            render.shown(each.via, "soft"),
            render.shown(f"{each.latency_ms} ms", "soft"),
            render.shown(f"${each.cost / 1_000_000:.4f}" if each.cost else "–", "soft"),
            render.shown(app.redactor.text(_about_call(each))),
        )
        for each in records
    ]
    render.put(render.table(_columns("call", "outcome", "via", "time", "cost", "request"), rows))
    repeated = sum(each.repeated for each in records)
    if repeated:
        render.note(say("cli.sent_again", n=repeated))


def _columns(*names: str) -> list[str]:
    return [say(f"cli.col.{name}") for name in names]


def _about_call(record: CallRecord) -> str:
    """Return what was asked, or why it failed."""
    if record.error is None:
        return _short(record.request)
    return say(record.error.message, **record.error.params)


def _short(value: object) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else f"{text[:159]}…"


def follow(name: str, as_json: bool, *, yes: bool = False) -> NoReturn:
    async def work(app: App) -> int:
        run = await app.runs.find(name)
        return await to_its_end(app, run, as_json, yes=yes)

    session.with_app(work)


def resume(name: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.model.run import FINISHED

        run = await app.runs.find(name)
        if run.state == "complete":
            raise InputError("error.run_complete", run=run.id, hint="hint.gw_show")
        if run.state in FINISHED:
            run = await app.engine.resume(run.id)
        return await to_its_end(app, run, as_json)

    session.with_app(work)


async def to_its_end(app: App, run: Run, as_json: bool, *, yes: bool = False) -> int:
    """Follow a run to its end, or until it waits for somebody who is not here; then show it."""
    from groundwire.doors.cli.following import code_of

    async def follow(run: Run) -> Run:
        return await _followed(app, run, as_json)

    run = await confirming.settled(app, await follow(run), follow, yes=yes, quiet=as_json)
    await show_run(app, run, as_json)
    return await code_of(app, run)


async def _followed(app: App, run: Run, as_json: bool) -> Run:
    from groundwire.doors.cli.following import followed
    from groundwire.model.run import FINISHED

    live = run.state not in FINISHED
    if live:
        await app.engine.ensure_executed(run.id)
    title = about(run)
    asked = run.input.get("language")
    asked = app.settings.language if asked in (None, "auto") else asked
    story = LiveStory(title, run.kind, language_of(title, asked))
    with Screen(story, quiet=as_json) as screen:
        screen.began(run.id)
        return await followed(app, run.id, screen, live=live)


def cancel(name: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.model.run import FINISHED

        run = await app.runs.find(name)
        if run.state in FINISHED:
            raise InputError("error.not_cancellable", run=run.id, state=coded(f"state.{run.state}"))
        run = await app.engine.cancel(run.id)
        if run.state not in FINISHED:
            # Asked to stop: whoever runs it will, and if nobody does, we see to it.
            run = await app.finished(run.id)
        if as_json:
            render.put_json(_brief(run))
        else:
            render.put(
                render.shown(
                    say("cli.run_is", run=run.id, state=coded(f"state.{run.state}")), run.state
                )
            )
        return session.DONE if run.state == "cancelled" else session.FAILED

    session.with_app(work)
