"""`gw archive`: add files, folders, pages, feeds and the sample; search it; count it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.asking import IgnoreRobots, typed, web_address
from groundwire.doors.cli.reader import reader_words, say
from groundwire.doors.cli.root import LOOK, Json, command, group
from groundwire.errors import InputError, SettingsError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.app.additions.web import Added, WantedPages
    from groundwire.model.base import JsonObject
    from groundwire.model.ports import ArchiveHit

archive = group("archive", LOOK, "Everything ever read, searchable.")


@command(archive)
async def add(
    app: App,
    what: Annotated[list[str] | None, typer.Argument(metavar="PATH|URL…")] = None,
    sample: Annotated[bool, typer.Option("--sample")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=10_000)] = 100,
    feed: Annotated[bool, typer.Option("--feed")] = False,
    ignore_robots: IgnoreRobots = False,
    as_json: Json = False,
) -> int | None:
    """Put files, folders, pages, feeds, sitemaps or the sample into the archive."""
    from groundwire.app.additions.files import add_files, files_in
    from groundwire.app.additions.web import Added, WantedPages

    urls = [each for each in what or () if each.startswith(("http://", "https://"))]
    files, skipped = files_in([Path(each) for each in what or () if each not in urls])
    if not (urls or files or sample):
        raise InputError("error.nothing_to_add", hint="hint.archive_add")
    total = Added(skipped=skipped)
    if sample:
        total = total.plus(await app.archive.add_sample())
    if files:
        found = await add_files(app, files, _note_progress)
        left = max(0, len(found.pages) - limit)
        total = total.plus(found.added).plus(Added(left=left))
        urls += [*found.feeds, *found.pages[:limit]]
    wanted = WantedPages(limit=limit, feed=feed, ignore_robots=ignore_robots)
    total = total.plus(await _add_urls(app, urls, wanted))
    await _report(app, total, as_json)
    if not total.failed:
        return None
    return session.DEGRADED if total.new + total.known else session.FAILED


async def _add_urls(app: App, urls: Sequence[str], wanted: WantedPages) -> Added:
    from groundwire.app.additions.web import Added, Unadded, add_url

    total = Added()
    for url in urls:
        try:
            address = web_address(url)
        except InputError as error:
            failed = Unadded.because(url[:300], "bad_address", error.kept)
            total = total.plus(Added(failed=(failed,)))
            continue
        total = total.plus(await add_url(app, address, wanted, render.plain_line))
    return total


def _note_progress(at: int, of: int) -> None:
    if of > at:
        render.plain_line(say("cli.files_done", at=at, of=of))


async def _report(app: App, total: Added, as_json: bool) -> None:
    if as_json:
        render.put_json(total)
        return
    for each in total.failed:
        render.note(f"✕ {each.what} ({each.code}): {reader_words().stored(each.kept)}", "failed")
    stats = await app.archive.stats()
    counts = {
        "archive.js_known_many": total.known,
        "n.failures": len(total.failed),
        "cli.skipped": sum(total.skipped.values()),
        "cli.left": total.left,
    }
    kinds = list(map(reader_words(), total.skipped))
    parts = [say("archive.js_added_many", n=total.new)]
    parts += [say(code, n=n, kinds=kinds) for code, n in counts.items() if n]
    render.put(render.shown(" · ".join(parts), "bold"))
    render.put(render.shown(say("cli.archive_holds", n=f"{stats.documents:,}"), "soft"))


@command(archive)
async def search(
    app: App,
    query: str,
    results: Annotated[int, typer.Option("--results", "-n", min=1, max=50)] = 10,
    as_json: Json = False,
) -> None:
    """Search the archive only."""
    from groundwire.model.query import Query

    wanted = Query(text=typed(query, "noun.query"), max_results=results)
    hits = await app.archive.search(wanted)
    if as_json:
        left_out = {"document": {"text"}}
        render.put_json([hit.model_dump(mode="json", exclude=left_out) for hit in hits])
        return
    for hit in hits:
        render.put(*_hit_lines(hit))
    if not hits:
        await _note_nothing(app)


def _hit_lines(hit: ArchiveHit) -> Iterator[RenderableType]:
    from groundwire.model.source import publisher_name
    from groundwire.report.links import local_name, web_link
    from groundwire.report.plain import day

    page = hit.document
    about = [
        publisher_name(page.publisher, reader_words()),
        day(page.published_at) or say("report.undated"),
        page.language,
    ]
    about += [say("flag.sample")] if page.sample else []
    title = render.shown(page.title, "bold", link=web_link(page.canonical_url))
    yield render.line((f"{hit.score:6.2f}  ", "accent"), title)
    yield render.indented(" · ".join(about), 8, "soft")
    yield render.indented(hit.snippet, 8)
    yield render.indented(local_name(page.canonical_url) or page.canonical_url, 8, "faint")


@command(archive)
async def embed(
    app: App,
    limit: Annotated[int, typer.Option(min=1, max=100_000, metavar="N")] = 1000,
    as_json: Json = False,
) -> int:
    """Give documents vectors of the model in models.embed, so that meaning finds them too."""
    from groundwire.doors.cli.card import code_of, show

    if not app.settings.models.embed:
        raise SettingsError("error.no_embedding_model", hint="hint.set_embedding")
    run = await app.tool("embed", limit=limit)
    output: JsonObject | None = (run.result or {}).get("output")
    if as_json or output is None:
        await show(app, run, as_json=as_json)
    else:
        code = "cli.embedded_more" if output["left"] else "cli.embedded"
        text = say(code, n=output["placed"], model=output["model"])
        render.put(render.shown(text))
    return await code_of(app, run)


@command(archive)
async def stats(app: App, as_json: Json = False) -> None:
    """Show how much the archive holds."""
    found = await app.archive.stats()
    if as_json:
        render.put_json(found)
        return
    languages = ", ".join(f"{name} {n:,}" for name, n in sorted(found.by_language.items()))
    span = "–".join(f"{at:%Y-%m-%d}" for at in (found.oldest, found.newest) if at)
    rows = (
        (say("cli.documents"), f"{found.documents:,}"),
        (say("cli.publishers"), f"{found.publishers:,}"),
        (say("cli.languages"), languages or say("settings.no_limits")),
        (say("archive.date"), span or say("cli.nothing_dated")),
        (say("cli.size"), f"{found.bytes / 1_000_000:.1f} MB"),
    )
    render.put(render.facts(rows))
    if not found.documents:
        await _note_nothing(app)


async def _note_nothing(app: App) -> None:
    stats = await app.archive.stats()
    if stats.documents:
        render.note(say("cli.none_fits", n=f"{stats.documents:,}"))
    else:
        render.note(say("cli.archive_empty"))
