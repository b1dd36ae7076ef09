"""`gw ask`, and the two single steps `gw search` and `gw read`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from groundwire.doors.cli import render, session
from groundwire.doors.cli.screen import Screen
from groundwire.doors.cli.story import LiveStory, language_of
from groundwire.errors import InputError

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.base import JsonObject
    from groundwire.model.query import SearchReport
    from groundwire.model.run import Run
    from groundwire.model.source import Evidence

LONGEST = 4000
_STDIN = 1_000_000
_SNIPPET = 240
_UTF8 = "use a UTF-8 terminal, or pipe it in as UTF-8: … | gw ask -"


def ask(question: str, deep: int, strict: bool, as_json: bool, language: str | None) -> NoReturn:
    def body() -> int:
        import asyncio

        text = typed(question, "question")
        with Screen(LiveStory(text, "ask", language_of(text)), quiet=as_json) as screen:
            return asyncio.run(_ask(screen, text, deep, strict, as_json, language))

    session.finish(body)


async def _ask(
    screen: Screen, text: str, deep: int, strict: bool, as_json: bool, language: str | None
) -> int:
    loaded = session.settings()
    given = {
        "question": text,
        "deep": deep,
        "strict": strict,
        "language": language or loaded.settings.language,
    }
    from groundwire.app import open_app

    async with open_app(loaded) as app:
        run = await app.submit("ask", given)
        screen.began(run.id)
        from groundwire.doors.cli.following import code_of, followed
        from groundwire.doors.cli.view import view

        run = await followed(app, run.id, screen)
        screen.close()
        await view("ask").show(app, run, as_json=as_json)
        return await code_of(app, run)


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
        if as_json:
            render.put_json(tool_result(run))
        else:
            show_tool(run)
        return await _code(app, run)

    session.with_app(work)


def read(url: str, as_json: bool, *, ignore_robots: bool = False) -> NoReturn:
    async def work(app: App) -> int:
        run = await app.tool("read", url=web_address(url), ignore_robots=ignore_robots)
        if as_json:
            render.put_json(tool_result(run))
        else:
            show_tool(run)
        return await _code(app, run)

    session.with_app(work)


async def _code(app: App, run: Run) -> int:
    from groundwire.doors.cli.following import code_of

    return await code_of(app, run)


_HINTS = {
    "offline": "unset GROUNDWIRE_OFFLINE to use the network",
    "auth": "check the key: gw providers",
    "quota": "raise budget.run_usd, budget.day_usd or budget.month_usd",
    "address": "addresses of your own network need fetch.allow_private, other ports fetch.allow_ports",
    "not_found": "check the address",
    "too_large": "raise fetch.max_bytes, or save the file and add it: gw archive add FILE",
    "robots": "if you may read it all the same: --ignore-robots",
    **dict.fromkeys(
        ("refused", "captcha", "unreadable"),
        "save the page from a browser and add it: gw archive add FILE",
    ),
    "network": "check the address and the connection, then try again: gw resume last",
}
_LATER = "try again later: gw resume last"


def _hint(code: str) -> str:
    again = ("timeout", "rate_limit", "server", "breaker_open", "malformed", "plan_limit")
    return _LATER if code in again else _HINTS.get(code, "")


def tool_result(run: Run) -> JsonObject:
    """What a tool's run gave, or why not."""
    from groundwire.report.job import reporting

    return reporting("tool").result(run)


def show_tool(run: Run) -> None:
    """What a tool gave, in its own form; its failure on stderr."""
    from groundwire.model.query import SearchReport
    from groundwire.model.source import Evidence

    result = tool_result(run)
    output: JsonObject | None = result.get("output") if run.kind == "tool" else None
    error: JsonObject | None = result.get("error")
    if output is not None and result.get("tool") == "search":
        _show_search(SearchReport.model_validate(output))
    elif output is not None and result.get("tool") == "read":
        _show_page(Evidence.model_validate(output))
    elif output is not None and result.get("tool") == "look":
        from groundwire.doors.cli.seeing import show_seen
        from groundwire.tools.look import Result

        show_seen(Result.model_validate(output), result)
    elif output is not None:
        render.put_json(output)
    elif run.kind != "tool" and run.result:
        render.put_json(run.result)  # of a job without a view, or of another version: as it is
    if error is not None and error.get("message"):
        render.error(str(error["message"]), _hint(str(error.get("code"))))


def _show_search(report: SearchReport) -> None:
    from rich.text import Text

    from groundwire.report.links import local_name, web_link
    from groundwire.report.plain import day

    for hit in report.hits:
        link = web_link(hit.url)
        render.put(
            Text.assemble(
                (f"{hit.relevance:.2f}  ", "accent"),
                render.shown(hit.title or hit.url, "bold", link=link),
            ),
            render.indented(f"{day(hit.published_at) or 'undated'} · {hit.provider}", 6, "soft"),
            render.indented(hit.content[:_SNIPPET], 6),
            render.indented(local_name(hit.url) or link or "", 6, "faint"),
        )
    for failure in report.failures:
        render.note(f"{failure.provider} failed ({failure.code}): {failure.message}", "degraded")
    if not report.hits and not report.failures:
        render.note("nothing was found")


def _show_page(evidence: Evidence) -> None:
    from rich.text import Text

    from groundwire.doors.cli.prose import Prose
    from groundwire.report.plain import day

    page = evidence.document
    about = [page.publisher, day(page.published_at) or "undated", evidence.tier, page.language]
    render.put(
        Prose(render.shown(page.title, "bold")),
        render.shown(" · ".join([*about, *evidence.flags]), "soft"),
        render.shown(page.canonical_url, "faint"),
        Text(""),
        Prose(Text(render.clean(page.text, lines=True))),
    )
    if "stored" in evidence.flags:
        render.note(
            f"offline: this is the stored copy of {day(page.fetched_at)}; the page may have "
            "changed since",
            "degraded",
        )
    render.note(f"{len(evidence.passages)} passages, kept in the archive as {page.id}")
