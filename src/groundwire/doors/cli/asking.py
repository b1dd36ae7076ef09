"""The two single steps `gw search` and `gw read`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from groundwire.doors.cli import render, session
from groundwire.doors.cli.card import show
from groundwire.doors.cli.reader import say
from groundwire.errors import InputError
from groundwire.words import coded

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.run import Run

LONGEST = 4000
_STDIN = 1_000_000


def typed(text: str, what: str) -> str:
    """What a person typed or piped, in one clean line; `-` reads stdin. `what` is a code."""
    if text == "-":
        text = _stdin(what)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(
            "error.subject_no_utf8", what=coded(what), hint="hint.utf8_terminal"
        ) from None
    line = render.clean(text)
    if not line:
        raise InputError("error.subject_empty", what=coded(what), hint="hint.in_quotes")
    if len(line) > LONGEST:
        raise InputError(
            "error.subject_too_long",
            what=coded(what),
            n=len(line),
            most=LONGEST,
            hint="hint.one_thing",
        )
    return line


def web_address(text: str) -> str:
    """An address that a person typed; what is none, or holds a password, never becomes a run."""
    from groundwire.evidence.sources.urls import canonical_url

    address = typed(text, "noun.address")
    canonical_url(address)
    if "@" in urlsplit(address).netloc:
        # No such address is asked, and what is submitted is kept in clear.
        raise InputError("error.address_with_password", hint="hint.leave_out")
    return address


def _stdin(what: str) -> str:
    if sys.stdin.isatty():
        render.note(say("cli.keyboard", what=coded(what)))
    try:
        return sys.stdin.buffer.read(_STDIN).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            "error.stdin_no_utf8", what=coded(what), hint="hint.utf8_terminal"
        ) from None


def search(query: str, asked: Mapping[str, object], as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        text = typed(query, "noun.query")
        run = await app.tool("search", query=text, **asked)
        await show(app, run, as_json=as_json)
        return await _code(app, run)

    session.with_app(work)


def read(url: str, as_json: bool, *, ignore_robots: bool = False) -> NoReturn:
    async def work(app: App) -> int:
        run = await app.tool("read", url=web_address(url), ignore_robots=ignore_robots)
        await show(app, run, as_json=as_json)
        return await _code(app, run)

    session.with_app(work)


async def _code(app: App, run: Run) -> int:
    from groundwire.doors.cli.following import code_of

    return await code_of(app, run)
