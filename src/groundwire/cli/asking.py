"""`gw ask`, and the two single steps `gw search` and `gw read`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

from groundwire.cli import render, session
from groundwire.cli.screen import Screen
from groundwire.cli.story import Story, language_of
from groundwire.errors import InputError

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.base import JsonObject
    from groundwire.model.run import Run

LONGEST = 4000
_STDIN = 1_000_000


def ask(question: str, deep: int, strict: bool, as_json: bool, language: str | None) -> NoReturn:
    def body() -> int:
        import asyncio

        text = typed(question, "question")
        with Screen(Story(text, language_of(text)), quiet=as_json) as screen:
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
        from groundwire.cli.following import code_of, followed, show_ask

        run = await followed(app, run.id, screen)
        screen.close()
        await show_ask(app, run, as_json=as_json)
        return await code_of(app, run)


def typed(text: str, what: str) -> str:
    """What a person typed or piped, in one clean line; `-` reads stdin."""
    if text == "-":
        text = _stdin(what)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"the {what} is not valid UTF-8 text") from None
    line = render.clean(text)
    if not line:
        raise InputError(f"the {what} is empty", hint='write it in quotes: gw ask "…"')
    if len(line) > LONGEST:
        raise InputError(
            f"the {what} has {len(line):,} characters; at most {LONGEST:,} are taken",
            hint="ask about one thing at a time; long texts go into the archive: gw archive add",
        )
    return line


def _stdin(what: str) -> str:
    if sys.stdin.isatty():
        render.note(f"reading the {what} from the keyboard; end with Ctrl-D")
    try:
        return sys.stdin.buffer.read(_STDIN).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"the {what} on stdin is not UTF-8 text") from None


def search(query: str, results: int, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        text = typed(query, "query")
        run = await app.tool("search", query=text, max_results=results)
        if as_json:
            render.put_json(_tool_result(run))
        else:
            _show_search(run)
        return await _code(app, run)

    session.with_app(work)


def read(url: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        run = await app.tool("read", url=typed(url, "address"))
        if as_json:
            render.put_json(_tool_result(run))
        else:
            _show_page(run)
        return await _code(app, run)

    session.with_app(work)


async def _code(app: App, run: Run) -> int:
    from groundwire.cli.following import code_of

    result = run.result or {}
    error: JsonObject | None = result.get("error")
    if error is not None:
        render.error(str(error.get("message")), _hint(str(error.get("code"))))
    elif run.error:
        render.error(run.error)
    return await code_of(app, run)


def _hint(code: str) -> str:
    return {
        "offline": "unset GROUNDWIRE_OFFLINE to use the network",
        "auth": "check the key: gw providers",
        "quota": "raise budget.run_usd, budget.day_usd or budget.month_usd",
        "blocked": "private addresses need fetch.allow_private",
    }.get(code, "")


def _tool_result(run: Run) -> JsonObject:
    if run.result is not None:
        return run.result
    return {"run_id": run.id, "status": run.state, "output": None, "error": {"message": run.error}}


def _show_search(run: Run) -> None:
    from groundwire.model.query import SearchReport

    output = (run.result or {}).get("output")
    if output is None:
        return
    from rich.text import Text

    from groundwire.report.outline import day, local_name, web_link

    report = SearchReport.model_validate(output)
    for hit in report.hits:
        where = local_name(hit.url) or web_link(hit.url) or ""
        render.put(
            Text.assemble(
                (f"{hit.relevance:.2f} ", "accent"),
                render.shown(hit.title or hit.url, "bold", link=web_link(hit.url)),
                (f" · {day(hit.published_at) or 'undated'} · {hit.provider}", "soft"),
            ),
            Text.assemble("     ", render.shown(hit.content[:300])),
            Text.assemble("     ", render.shown(where, "faint")),
        )
    for failure in report.failures:
        render.note(f"{failure.provider} failed ({failure.code}): {failure.message}", "degraded")
    if not report.hits and not report.failures:
        render.note("nothing was found")


def _show_page(run: Run) -> None:
    from groundwire.model.source import Evidence

    output = (run.result or {}).get("output")
    if output is None:
        return
    from rich.text import Text

    from groundwire.report.outline import day

    evidence = Evidence.model_validate(output)
    page = evidence.document
    about = [page.publisher, day(page.published_at) or "undated", evidence.tier, page.language]
    render.put(
        render.shown(page.title, "bold"),
        render.shown(" · ".join([*about, *evidence.flags]), "soft"),
        render.shown(page.canonical_url, "faint"),
        Text(""),
        Text(render.clean(page.text, lines=True)),
    )
    render.note(f"{len(evidence.passages)} passages, kept in the archive as {page.id}")
