"""`gw listen`: feeds, Telegram and standard input for days, a line for each signal."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from groundwire import jobs
from groundwire.app.intake.door import Door
from groundwire.app.intake.feeds import Feeds
from groundwire.app.intake.listening import Beat, Listener, Source
from groundwire.app.intake.telegram import Telegram
from groundwire.app.intake.telethon_client import telethon_client
from groundwire.app.submission import prepared
from groundwire.doors.cli import render, session
from groundwire.doors.cli.batch import message_of
from groundwire.doors.cli.inputs import Inputs, Lines
from groundwire.doors.cli.reader import reader_words, say
from groundwire.errors import InputError
from groundwire.model.call import MICRO
from groundwire.words import kept

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.run import Run

_LAYERS = ("exact", "hash", "near", "signal")
_RARE = ("turned_away", "known")  # left out of a heartbeat while there are none


async def sign_in(app: App) -> None:
    """Sign in to Telegram, at this terminal."""
    client = telethon_client(app.settings)
    try:
        await client.sign_in()
    finally:
        await client.close()
    render.note(say("cli.signed_in"))


async def listen(
    app: App, feeds: Sequence[str], *, stdin: bool, once: bool, as_json: bool
) -> int | None:
    """Listen to configured sources and these feeds, until a signal or, with `once`, the last message."""
    stop = asyncio.Event()

    def show(run: Run) -> None:
        try:
            if as_json:
                render.put_json(jobs.report_of(run).result(run), indent=None)
            else:
                render.raw("\t".join(render.clean(each) for each in _columns(run)))
        except BrokenPipeError:
            stop.set()  # nobody reads on

    door = Door(app, on_end=show)
    sources = _sources(app, door, feeds, stdin)
    if not sources:
        raise InputError("error.nothing_to_hear", hint="hint.listen_to")
    _stop_on_signal(stop)
    session.Invocation.interrupt_note = say("cli.heard_is_kept")
    finished = await Listener(
        app, door, sources, lambda beat: render.plain_line(beat_line(beat))
    ).run(stop, once=once)
    if not finished and door.in_flight:
        render.note(session.Invocation.interrupt_note)
    session.Invocation.interrupt_note = ""
    broken = any(source.broken for source in sources)
    return session.PARTLY if once and (broken or door.counts.ended["failed"]) else None


def _sources(app: App, door: Door, feeds: Sequence[str], stdin: bool) -> list[Source]:
    intake = app.settings.intake
    found: list[Source] = []
    if urls := tuple(dict.fromkeys((*intake.feeds, *feeds))):
        found.append(Feeds(app, door, urls, intake.feed_seconds))
    if intake.telegram.channels:
        client = telethon_client(app.settings)
        found.append(Telegram(app, door, client, intake.telegram.channels))
    if stdin:
        found.append(Stdin(app, door, sys.stdin.buffer))
    return found


def _stop_on_signal(stop: asyncio.Event) -> None:
    """Let the first signal ask for an end; a second one ends it as any command."""
    loop = asyncio.get_running_loop()

    def end(number: signal.Signals) -> None:
        stop.set()
        loop.remove_signal_handler(number)

    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) is not signal.SIG_IGN:
            loop.add_signal_handler(each, end, each)


@dataclass
class Stdin:
    """A message per line, as text or as JSON; a line that is none is reported, and the others go on."""

    app: App
    door: Door
    stream: IO[bytes]
    broken: dict[str, str] = field(default_factory=dict[str, str])

    async def listen(self) -> None:
        """Take every message until the stream ends."""
        job, _ = jobs.for_messages()
        inputs = Inputs(job, {"source": "stdin"})
        lines, number = Lines(self.stream), 0
        while (line := await lines.next()) is not None:
            number += 1
            try:
                given = inputs.read(line, self.app.clock())
                checked = None if given is None else prepared(job, self.app.settings, given)
            except InputError as error:
                self.broken["stdin"] = kept("cli.line", n=number, why=error.phrase)
                render.plain_line(reader_words().stored(self.broken["stdin"]))
                continue
            if checked is not None:
                message = message_of(checked.model_dump(mode="json"), self.app.clock())
                await self.door.take([message])

    once = listen


# --- lines -----------------------------------------------------------------------------------


def _columns(run: Run) -> tuple[str, ...]:
    """Return the columns of one signal."""
    *fields, remarks = jobs.row_of(jobs.find(run.kind)).fields(run, reader_words())
    source = str(run.input.get("source", ""))
    if run.result is None:
        source, remarks = "", reader_words().stored(run.error)
    entry = jobs.entry_of(run)
    title = (entry and entry.title) or jobs.about(run)
    return (*(each or "–" for each in (*fields, remarks, run.id, source)), title)


def beat_line(beat: Beat) -> str:
    """Return the heartbeat: the same words in the same order, so that a log can be searched and
    summed."""
    say, counts = reader_words(), beat.counts
    layers = {**counts.repeated, "signal": counts.ended["duplicate"]}
    numbers = {
        "received": counts.received,
        "new": counts.new,
        "turned_away": counts.turned_away.total(),
        "known": counts.known,
        "duplicates": sum(layers.values()),
        "gated": counts.ended["plain"],
        "deep": counts.ended["deep"],
        "signals": counts.signals,
        "in_flight": beat.in_flight,
        "failures": counts.ended["failed"] + len(beat.broken),
    }
    details = {
        "duplicates": [say(f"beat.layer.{n}", n=layers[n]) for n in _LAYERS if layers.get(n)],
        "failures": [
            f"{name}{say('list.colon')}{say.stored(why)}"
            for name, why in sorted(beat.broken.items())
        ],
    }
    parts: list[str] = []
    for name, n in numbers.items():
        if n or name not in _RARE:
            text, more = say(f"beat.{name}", n=n), "; ".join(details.get(name, ()))
            parts.append(say("beat.with", said=text, more=more) if more else text)
    return " · ".join([*parts, say("shell.today", usd=f"${beat.spent / MICRO:.4f}")])
