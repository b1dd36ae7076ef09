"""`gw verify`: one message with its card, or many with a line each."""

from __future__ import annotations

import asyncio
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn

from groundwire.cli import render, session
from groundwire.cli.messages import Lines, Ways, given_of, message_line
from groundwire.cli.screen import Screen
from groundwire.errors import InputError, NotFoundHere

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.cli.board import Board
    from groundwire.model.base import JsonObject
    from groundwire.model.run import Run

_AHEAD = 8  # signals for each one under way that may wait for an earlier message's


def verify(text: str, listed: Path | None, ways: Ways, at_once: int, *, as_json: bool) -> NoReturn:
    def body() -> int:
        if listed is not None and text:
            raise InputError(
                "give a message, or a file of messages, not both", hint="gw verify --from FILE"
            )
        if text and text != "-":
            return _one(text, ways, as_json=as_json)
        if not text and listed is None and sys.stdin.isatty():
            raise InputError(
                "there is nothing to verify", hint='gw verify "…", or: … | gw verify -'
            )
        return _many(listed, ways, at_once, as_json=as_json)

    session.finish(body)


# --- one -------------------------------------------------------------------------------------


def _one(text: str, ways: Ways, *, as_json: bool) -> int:
    from groundwire.cli.view import view
    from groundwire.gateway.gateway import utc_now

    given = given_of(text, ways, utc_now())
    story = view("verify").story(render.clean(given["text"]))
    with Screen(story, quiet=as_json) as screen:
        return asyncio.run(_followed(screen, given, as_json=as_json))


async def _followed(screen: Screen, given: JsonObject, *, as_json: bool) -> int:
    loaded = session.settings()
    from groundwire.app import open_app

    async with open_app(loaded) as app:
        given = {**given, "desk_language": loaded.settings.language}
        run = await app.submit("verify", given)
        screen.began(run.id)
        from groundwire.cli.following import code_of, followed
        from groundwire.cli.view import view

        run = await followed(app, run.id, screen)
        screen.close()
        await view("verify").show(app, run, as_json=as_json)
        return await code_of(app, run)


# --- many ------------------------------------------------------------------------------------


def _many(listed: Path | None, ways: Ways, at_once: int, *, as_json: bool) -> int:
    if listed == Path("-"):
        listed = None
    with ExitStack() as opened:
        stream = sys.stdin.buffer if listed is None else opened.enter_context(_file(listed))
        if listed is None and sys.stdin.isatty():
            render.note("one message a line; end with Ctrl-D")
        return asyncio.run(_read(stream, ways, at_once, as_json=as_json))


def _file(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise NotFoundHere(f"{path} cannot be read: {error.strerror}") from error


async def _read(stream: IO[bytes], ways: Ways, at_once: int, *, as_json: bool) -> int:
    loaded = session.settings()
    from groundwire.app import open_app
    from groundwire.cli.board import Board

    chosen = loaded.settings.language
    async with open_app(loaded) as app:
        with Board(chosen, as_json=as_json) as board:
            batch = Batch(app, board, ways, at_once, desk_language=chosen)
            session.Given.go_on = "what was begun is kept; go on with the same command"
            await batch.run(Lines(stream))
            session.Given.go_on = ""
        if batch.only is not None and not as_json:
            from groundwire.cli.view import view

            # A single line is a message that somebody piped in: it gets its card, too.
            await view("verify").show(app, batch.only, as_json=False)
        return batch.code


@dataclass
class Batch:
    """Messages of a stream, so many at once, each exactly one run however often it is given."""

    app: App
    board: Board
    ways: Ways
    at_once: int
    desk_language: str = "auto"
    code: int = session.DONE
    only: Run | None = None  # the run of the only message
    _count: int = field(default=0, init=False)
    _bad: int = field(default=0, init=False)

    async def run(self, lines: Lines) -> None:
        free = asyncio.Semaphore(self.at_once)
        waiting: asyncio.Queue[tuple[int, asyncio.Task[Run]] | None]
        waiting = asyncio.Queue(self.at_once * _AHEAD)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._shown(waiting))
                number = 0
                # A line is read when there is room for it, never before.
                while await free.acquire() and (line := await lines.next()) is not None:
                    number += 1
                    given = self._given(number, line)
                    if given is None:
                        free.release()
                        continue
                    self.board.began(number, render.clean(given["text"]))
                    task = tasks.create_task(self._verified(given))
                    task.add_done_callback(lambda _: free.release())
                    await waiting.put((number, task))
                await waiting.put(None)
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None
        if self._bad:
            self.code = session.PARTLY

    def _given(self, number: int, line: bytes) -> JsonObject | None:
        """The input of a run; a line that gives none is named, and leaves nothing behind."""
        try:
            given = message_line(line, self.ways, self.app.clock())
            if given is None:
                return None
            given["desk_language"] = self.desk_language
            self.app.checked("verify", given)
        except InputError as error:
            self._bad += 1
            self.board.bad(number, error.message)
            return None
        return given

    async def _verified(self, given: JsonObject) -> Run:
        from groundwire.model.base import short_id
        from groundwire.model.run import FINISHED

        ways = [given[name] for name in ("id", "text", "gate", "tools", "desk_language")]
        run = await self.app.submit("verify", given, idempotency_key=short_id("verify", ways))
        if run.state in ("failed", "cancelled"):
            run = await self.app.engine.resume(run.id)
        return run if run.state in FINISHED else await self.app.finished(run.id)

    async def _shown(self, waiting: asyncio.Queue[tuple[int, asyncio.Task[Run]] | None]) -> None:
        """In the order of the messages, each as soon as it and all before it are done."""
        from groundwire.cli.following import code_of

        while (each := await waiting.get()) is not None:
            number, task = each
            run = await task
            self._count += 1
            self.only = run if self._count == 1 else None
            self.board.done(number, run)
            self.code = max(self.code, await code_of(self.app, run))
