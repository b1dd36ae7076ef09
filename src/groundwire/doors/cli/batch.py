"""Many inputs of a job, one per line: several at once, each exactly one run however often it is given."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

from groundwire.app.intake.door import Door, Ways
from groundwire.app.submission import prepared
from groundwire.doors.cli import render, session
from groundwire.doors.cli.board import Board
from groundwire.doors.cli.card import code_of, show_end
from groundwire.doors.cli.inputs import Inputs, Lines, subject_of
from groundwire.doors.cli.job_command import DOOR
from groundwire.doors.cli.reader import reader_words, say
from groundwire.errors import InputError, NotFoundHere, os_reason
from groundwire.model.base import short_id
from groundwire.model.message import Message, message_id

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.doors.cli.job_command import RunOptions
    from groundwire.jobs import Job
    from groundwire.model.base import JsonObject
    from groundwire.model.run import Run

Done: TypeAlias = "tuple[Run, str]"  # and which layer knew the message, "" when it is new
Start: TypeAlias = "Callable[[JsonObject], Awaitable[Done]]"  # of an input that was checked
_Waiting: TypeAlias = "asyncio.Queue[tuple[int, asyncio.Task[Done]] | None]"
_AHEAD = 8  # results for each run under way that may wait for an earlier line's


def run_many(
    job: Job, path: Path | None, given: Mapping[str, object], at_once: int, options: RunOptions
) -> int:
    """Run a job on each line of a file or of stdin, and return the exit code of all."""

    async def run_lines(app: App, stream: IO[bytes]) -> int:
        with Board(app.settings.language, job, as_json=options.as_json) as board:
            batch = Batch(app, job, _starter(app, job, at_once, options.budget), board, at_once)
            session.Invocation.interrupt_note = say("cli.begun_is_kept")
            await batch.run(Lines(stream), Inputs(job, given))
            session.Invocation.interrupt_note = ""
        if batch.only is not None and not options.as_json:
            # A single piped line gets its card, too.
            await show_end(app, batch.only, as_json=False)
        return batch.code

    if path == Path("-"):
        path = None
    with nullcontext(sys.stdin.buffer) if path is None else _open(path) as stream:
        if path is None and sys.stdin.isatty():
            render.note(say("cli.one_a_line", what=subject_of(job)))
        return session.with_app(lambda app: run_lines(app, stream))


def _open(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise NotFoundHere("error.unreadable_file", path=path, why=os_reason(error)) from error


async def _run_input(app: App, job: Job, budget: float | None, given: JsonObject) -> Done:
    """Run an input to its end; the same input is the same run."""
    key = short_id(job.kind, given)
    run = await app.submit(job.kind, given, door=DOOR, idempotency_key=key, budget_usd=budget)
    return await app.ended(run.id), ""


async def run_message(app: App, door: Door, budget: float | None, given: JsonObject) -> Done:
    """Run a message through intake: it is stored before it is a run, and a repeat has the first
    one's run."""
    (receipt,) = await door.receive([message_of(given, app.clock())])
    first = None if receipt.new else await door.known(receipt.first_id)
    run = await door.run_to_end(receipt.message if first is None else first, given, budget)
    return run, "" if receipt.layer is None else f"duplicate:{receipt.layer}"


def _starter(app: App, job: Job, at_once: int, budget: float | None) -> Start:
    if job.intake is None:
        return partial(_run_input, app, job, budget)
    # A person chose these messages: no list keeps them out.
    return partial(run_message, app, Door(app, Ways(lists=False), at_once=at_once), budget)


def message_of(given: Mapping[str, object], now: datetime) -> Message:
    """Build the message that an input would be had a source sent it."""
    text, source = str(given["text"]), str(given.get("source") or "cli")
    language = str(given.get("language") or "auto")
    return Message.model_validate(
        {
            **{name: each for name, each in given.items() if name in Message.model_fields},
            "id": message_id(source, text, str(given.get("id") or "")),
            "source": source,
            "language": "und" if language == "auto" else language,
            "received_at": now,
        }
    )


@dataclass
class Batch:
    """Inputs of a stream, shown in their order."""

    app: App
    job: Job
    start: Start
    board: Board
    at_once: int
    code: int = session.DONE
    only: Run | None = None  # the run of the only line
    _count: int = field(default=0, init=False)
    _bad: int = field(default=0, init=False)

    async def run(self, lines: Lines, inputs: Inputs) -> None:
        slots = asyncio.Semaphore(self.at_once)
        waiting: _Waiting = asyncio.Queue(self.at_once * _AHEAD)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._show(waiting))
                number = 0
                # A line is read only when a slot is free.
                while await slots.acquire() and (line := await lines.next()) is not None:
                    number += 1
                    given = self._input_of(number, line, inputs)
                    if given is None:
                        slots.release()
                        continue
                    self.board.began(number, render.clean(str(given[self.job.subject])))
                    task = tasks.create_task(self._run_to_end(given))
                    task.add_done_callback(lambda _: slots.release())
                    await waiting.put((number, task))
                await waiting.put(None)
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None
        if self._bad:
            self.code = session.PARTLY

    def _input_of(self, number: int, line: bytes, inputs: Inputs) -> JsonObject | None:
        """Return the input of a line; a line that holds none is reported and leaves nothing behind."""
        try:
            given = inputs.read(line, self.app.clock())
            if given is None:
                return None
            checked = prepared(self.job, self.app.settings, given, door=DOOR)
            return checked.model_dump(mode="json")
        except InputError as error:
            self._bad += 1
            self.board.bad(number, error.describe(reader_words().language))
            return None

    async def _run_to_end(self, given: JsonObject) -> Done:
        run, repeats = await self.start(given)
        if run.state in ("failed", "cancelled"):
            await self.app.engine.resume(run.id)
            run = await self.app.ended(run.id)
        return run, repeats

    async def _show(self, waiting: _Waiting) -> None:
        """Show each run as soon as it and all before it are done."""
        while (each := await waiting.get()) is not None:
            number, task = each
            run, repeats = await task
            self._count += 1
            self.only = run if self._count == 1 else None
            self.board.done(number, run, repeats)
            self.code = max(self.code, await code_of(self.app, run))
