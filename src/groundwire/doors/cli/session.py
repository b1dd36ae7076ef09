"""How every command runs: settings, the app, errors as one sentence, and the exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar, NoReturn, TypeVar

from groundwire import errors
from groundwire.doors.cli import render
from groundwire.doors.cli.reader import reader_words, say, set_language

if TYPE_CHECKING:
    from types import FrameType

    from groundwire.app import App
    from groundwire.settings import Loaded

R = TypeVar("R")
DONE, PARTLY, USAGE, DEGRADED, FAILED, BUDGET, WAITING, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 130


# Hints for errors that bring none.
_HINTS: tuple[tuple[type[errors.GroundwireError], str], ...] = (
    (errors.DiskFull, "hint.free_space"),
    (errors.CorruptStore, "hint.restore_store"),
    (errors.StoreAway, "hint.store_away"),
    (errors.StoreBusy, "hint.store_busy"),
    (errors.OutsideFailure, "hint.gw_doctor"),
)


class Invocation:
    """The options before the command, and the run under way; one set per process."""

    debug: ClassVar[bool] = False
    overrides: ClassVar[dict[str, object]] = {}
    run_id: ClassVar[str | None] = None  # the run under way, named when it is interrupted
    interrupt_note: ClassVar[str] = ""  # shown on an interrupt while many runs are under way
    stays: ClassVar[bool] = False  # a process that stays writes a log


def settings() -> Loaded:
    """Load the effective settings and set up logging from them."""
    from groundwire.jobs.sections import settings_type
    from groundwire.log import Redactor, configure

    loaded = settings_type().load(Invocation.overrides)
    set_language(loaded.settings.language)
    log = loaded.settings.log
    configure(
        "debug" if Invocation.debug else log.level,
        log.format,
        Redactor(loaded.settings.secrets()),
        None if Invocation.debug or Invocation.stays else _OneLine(),  # type: ignore[arg-type]
    )
    return loaded


def person(name: str) -> str:
    """Return who does this: the given name, else the account's."""
    import getpass

    if name.strip():
        return name.strip()
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container without a user of this number
        return "unnamed"


class _OneLine:
    """Log lines without their tracebacks, which are for --debug."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text.split("\n", 1)[0] + "\n")

    def flush(self) -> None:
        sys.stderr.flush()


def finish(work: Callable[[], int | None]) -> NoReturn:
    """Run a command's body and exit with its code; nothing but `--debug` shows a traceback."""
    _interrupt_on_signals()
    sys.exit(run_guarded(work))


def run_guarded(work: Callable[[], int | None]) -> int:
    try:
        return work() or DONE
    except KeyboardInterrupt:
        return _report_interrupt()
    except BrokenPipeError:
        return _discard_output()
    except Exception as error:
        if Invocation.debug:
            raise
        return _report(error)


def _interrupt_on_signals() -> None:
    """Let a terminate or a closed terminal end a run as Ctrl-C does: handed back, not lost."""
    import signal
    import threading

    if threading.current_thread() is threading.main_thread():
        for each in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(each) is signal.SIG_DFL:  # not under nohup
                signal.signal(each, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    import signal

    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A script's background job ignores Ctrl-C, but not a terminate.
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


def _report(error: Exception) -> int:
    if isinstance(error, errors.GroundwireError):
        tell(error)
        return code_of(error)
    if isinstance(error, OSError):
        reason = say("error.desk_refused", why=errors.os_reason(error))
        render.error(f"{error.filename}: {reason}" if error.filename else reason)
    else:
        _tell_bug(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
    return FAILED


def with_settings(work: Callable[[], int | None]) -> int | None:
    """Run work that needs no app in the settings' language; wrong settings do not stop it."""
    with suppress(errors.SettingsError):
        settings()
    return work()


def with_app(work: Callable[[App], Awaitable[R]]) -> R:
    """Run work with the app of the effective settings."""
    import asyncio

    async def opened() -> R:
        loaded = settings()
        from groundwire.app import open_app

        async with open_app(loaded) as app:
            return await work(app)

    return asyncio.run(opened())


def code_of(error: errors.GroundwireError) -> int:
    if isinstance(error, errors.UserError):
        return USAGE
    return BUDGET if isinstance(error, errors.BudgetReached) else FAILED


def tell(error: errors.GroundwireError) -> None:
    """Show an error to the person at the terminal, in their language."""
    if isinstance(error, errors.IllegalState):
        _tell_bug(error.message)
        return
    language = reader_words().language
    render.error(error.describe(language), error.advice(language) or _hint(error))


def _tell_bug(what: str) -> None:
    from groundwire.log import Redactor

    render.error(say("cli.internal", what=Redactor().text(what)[:300]), say("hint.debug"))


def _hint(error: errors.GroundwireError) -> str:
    if isinstance(error, errors.DiskFull) and Invocation.run_id:
        return say("hint.free_space_follow", run=Invocation.run_id)
    return next((say(code) for kind, code in _HINTS if isinstance(error, kind)), "")


def _report_interrupt() -> int:
    if Invocation.interrupt_note:
        render.note(say("cli.interrupted_go_on", how=Invocation.interrupt_note))
    elif Invocation.run_id is None:
        render.note(say("state.interrupted"))
    else:
        render.note(say("cli.interrupted_run", run=Invocation.run_id))
    return INTERRUPTED


def _discard_output() -> int:
    """Send further output nowhere: the reader of `gw … | head` left, which is no failure."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())  # else flushing it fails at exit
    return DONE


def prepare_streams() -> None:
    """Make every standard stream usable: a closed one leads nowhere, odd characters are escaped."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream: object = getattr(sys, name)
        if stream is None:
            # Takes this, the lowest free number, before a database could.
            os.open(os.devnull, os.O_RDWR)
            raw = io.FileIO(number, "r" if number == 0 else "w")
            buffer = io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw)
            setattr(sys, name, io.TextIOWrapper(buffer, encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper) and number:
            stream.reconfigure(errors="backslashreplace")
