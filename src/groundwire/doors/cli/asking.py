"""The two single steps `gw search` and `gw read`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from groundwire.doors.cli import render, session
from groundwire.doors.cli.card import show
from groundwire.errors import InputError

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.run import Run

LONGEST = 4000
_STDIN = 1_000_000
_UTF8 = "use a UTF-8 terminal, or pipe it in as UTF-8"


def typed(text: str, what: str) -> str:
    """What a person typed or piped, in one clean line; `-` reads stdin."""
    if text == "-":
        text = _stdin(what)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"the {what} is not valid UTF-8 text", hint=_UTF8) from None
    line = render.clean(text)
    if not line:
        raise InputError(f"the {what} is empty", hint='write it in quotes: "…"')
    if len(line) > LONGEST:
        raise InputError(
            f"the {what} has {len(line):,} characters; at most {LONGEST:,} are taken",
            hint="ask about one thing at a time; long texts go into the archive: gw archive add",
        )
    return line


def web_address(text: str) -> str:
    """An address that a person typed; what is none, or holds a password, never becomes a run."""
    from groundwire.evidence.sources.urls import canonical_url

    address = typed(text, "address")
    canonical_url(address)
    if "@" in urlsplit(address).netloc:
        # No such address is asked, and what is submitted is kept in clear.
        raise InputError(
            "an address with a user name or password in it is not asked", hint="leave them out"
        )
    return address


def _stdin(what: str) -> str:
    if sys.stdin.isatty():
        render.note(f"reading the {what} from the keyboard; end with Ctrl-D")
    try:
        return sys.stdin.buffer.read(_STDIN).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"the {what} on stdin is not UTF-8 text", hint=_UTF8) from None


def search(query: str, asked: Mapping[str, object], as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        text = typed(query, "query")
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
