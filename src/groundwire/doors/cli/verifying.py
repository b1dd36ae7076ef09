"""`gw verify`: one message with its card, or many with a line each."""

from __future__ import annotations

import asyncio
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn, TypeAlias

from groundwire.doors.cli import render, session
from groundwire.doors.cli.messages import Lines, Ways, message_line, message_of
from groundwire.doors.cli.screen import Screen
from groundwire.doors.cli.story import LiveStory, language_of
from groundwire.errors import InputError, NotFoundHere

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.app.intake.door import Door
    from groundwire.doors.cli.board import Board
    from groundwire.model.message import Message
    from groundwire.model.run import Run

Verified: TypeAlias = "tuple[Run, str]"  # and which layer knew the message, "" when it is new
_Waiting: TypeAlias = "asyncio.Queue[tuple[int, asyncio.Task[Verified]] | None]"
_AHEAD = 8  # signals for each one under way that may wait for an earlier message's


def verify(
    text: str | None, listed: Path | None, ways: Ways, at_once: int, *, as_json: bool
) -> NoReturn:
    def body() -> int:
        if text is not None and not text.strip():
            raise InputError("the message is empty", hint='gw verify "…"')
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
    from groundwire.model.clock import utc_now

    message = message_of(text, ways, utc_now())
    title = render.clean(message.text)
    story = LiveStory(title, "verify", language_of(title))
    with Screen(story, quiet=as_json) as screen:
        return asyncio.run(_followed(screen, message, ways, as_json=as_json))


async def _followed(screen: Screen, message: Message, ways: Ways, *, as_json: bool) -> int:
    loaded = session.settings()
    from groundwire.app import open_app

    async with open_app(loaded) as app:
        from groundwire.app.intake import door as intake

        how = intake.Ways(ways.gate, ways.tools, desk_language=loaded.settings.language)
        run = await intake.Door(app, how).ask(message)
        screen.began(run.id)
        from groundwire.doors.cli.card import show
        from groundwire.doors.cli.following import code_of, followed

        run = await followed(app, run.id, screen)
        screen.close()
        await show(app, run, as_json=as_json)
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
    from groundwire.app.intake import door as intake
    from groundwire.doors.cli.board import Board

    chosen = loaded.settings.language
    async with open_app(loaded) as app:
        with Board(chosen, as_json=as_json) as board:
            # A person chose these messages: no list keeps them out.
            how = intake.Ways(gate=ways.gate, tools=ways.tools, lists=False, desk_language=chosen)
            batch = Batch(app, intake.Door(app, how, at_once=at_once), board, ways, at_once)
            session.Given.go_on = "what was begun is kept; go on with the same command"
            await batch.run(Lines(stream))
            session.Given.go_on = ""
        if batch.only is not None and not as_json:
            from groundwire.doors.cli.card import show

            # A single line is a message that somebody piped in: it gets its card, too.
            await show(app, batch.only, as_json=False)
        return batch.code


@dataclass
class Batch:
    """Messages of a stream, so many at once, each exactly one run however often it is given."""

    app: App
    door: Door
    board: Board
    ways: Ways
    at_once: int
    code: int = session.DONE
    only: Run | None = None  # the run of the only message
    _count: int = field(default=0, init=False)
    _bad: int = field(default=0, init=False)

    async def run(self, lines: Lines) -> None:
        free = asyncio.Semaphore(self.at_once)
        waiting: _Waiting = asyncio.Queue(self.at_once * _AHEAD)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._shown(waiting))
                number = 0
                # A line is read when there is room for it, never before.
                while await free.acquire() and (line := await lines.next()) is not None:
                    number += 1
                    message = self._message(number, line)
                    if message is None:
                        free.release()
                        continue
                    self.board.began(number, render.clean(message.text))
                    task = tasks.create_task(self._verified(message))
                    task.add_done_callback(lambda _: free.release())
                    await waiting.put((number, task))
                await waiting.put(None)
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None
        if self._bad:
            self.code = session.PARTLY

    def _message(self, number: int, line: bytes) -> Message | None:
        """The message of a line; a line that holds none is named, and leaves nothing behind."""
        try:
            return message_line(line, self.ways, self.app.clock())
        except InputError as error:
            self._bad += 1
            self.board.bad(number, error.message)
            return None

    async def _verified(self, message: Message) -> Verified:
        """Through the door: stored before it is a run; what repeats an earlier one has its signal."""
        (receipt,) = await self.door.receive([message])
        first = None if receipt.new else await self.app.messages.get(receipt.first_id)
        run = await self.door.verify(receipt.message if first is None else first.message)
        if run.state in ("failed", "cancelled"):
            await self.app.engine.resume(run.id)
            run = await self.app.ended(run.id)
        return run, "" if receipt.layer is None else f"duplicate:{receipt.layer}"

    async def _shown(self, waiting: _Waiting) -> None:
        """In the order of the messages, each as soon as it and all before it are done."""
        from groundwire.doors.cli.following import code_of

        while (each := await waiting.get()) is not None:
            number, task = each
            run, repeats = await task
            self._count += 1
            self.only = run if self._count == 1 else None
            self.board.done(number, run, repeats)
            self.code = max(self.code, await code_of(self.app, run))
