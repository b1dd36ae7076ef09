"""`gw archive`: add files, folders, pages, feeds and the sample; search it; count it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say, speaking
from groundwire.errors import InputError, SettingsError

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.app.additions import Added, WantedPages
    from groundwire.model.base import JsonObject


def add(what: list[str], sample: bool, as_json: bool, wanted: tuple[int, bool, bool]) -> NoReturn:
    """`wanted`: how many pages of a list, whether a page's feed is meant, robots.txt ignored."""

    async def work(app: App) -> int:
        from groundwire.app.additions import Added, WantedPages, add_files, files_in

        urls = [each for each in what if each.startswith(("http://", "https://"))]
        files, skipped = files_in([Path(each) for each in what if each not in urls])
        if not (urls or files or sample):
            raise InputError("error.nothing_to_add", hint="hint.archive_add")
        limit, feed, ignore_robots = wanted
        how = WantedPages(limit=limit, feed=feed, ignore_robots=ignore_robots)
        total = Added(skipped=skipped)
        if sample:
            total = total.plus(await _sample(app))
        if files:
            found = await add_files(app, files, _progress)
            total = total.plus(found.added)
            left = max(0, len(found.pages) - limit)
            total = total.plus(Added(left=left))
            urls += [*found.feeds, *found.pages[:limit]]
        total = total.plus(await _urls(app, urls, how))
        await _report(app, total, as_json)
        if not total.failed:
            return session.DONE
        return session.DEGRADED if total.new + total.known else session.FAILED

    session.with_app(work)


async def _urls(app: App, urls: Sequence[str], wanted: WantedPages) -> Added:
    from groundwire.app.additions import Added, Unadded, add_url
    from groundwire.doors.cli.asking import typed
    from groundwire.evidence.sources.urls import canonical_url

    total = Added()
    for url in urls:
        try:
            address = typed(url, "noun.address")
            canonical_url(address)  # what is no address at all never becomes a run
        except InputError as error:
            failed = Unadded.because(url[:300], "bad_address", error.kept)
            total = total.plus(Added(failed=(failed,)))
            continue
        total = total.plus(await add_url(app, address, wanted, render.plain_line))
    return total


async def _sample(app: App) -> Added:
    from groundwire import sample
    from groundwire.app.additions import Added

    documents = sample.documents(app.clock())
    new = await app.archive.add(documents)
    return Added(new=new, known=len(documents) - new)


def _progress(at: int, of: int) -> None:
    if of > at:
        render.plain_line(say("cli.files_done", at=at, of=of))


async def _report(app: App, total: Added, as_json: bool) -> None:
    if as_json:
        render.put_json(total.model_dump(mode="json"))
        return
    for each in total.failed:
        render.note(f"✕ {each.what} ({each.code}): {speaking().stored(each.kept)}", "failed")
    stats = await app.archive.stats()
    parts = [say("cli.added", n=total.new)]
    if total.known:
        parts.append(say("cli.already", n=total.known))
    if total.failed:
        parts.append(say("cli.failed", n=len(total.failed)))
    if total.skipped:
        parts.append(say("cli.skipped", n=sum(total.skipped.values()), kinds=list(total.skipped)))
    if total.left:
        parts.append(say("cli.left", n=total.left))
    render.put(render.shown(" · ".join(parts), "bold"))
    render.put(render.shown(say("cli.archive_holds", n=f"{stats.documents:,}"), "soft"))


def search(query: str, results: int, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.doors.cli.asking import typed
        from groundwire.model.query import Query

        asked = Query(text=typed(query, "noun.query"), max_results=results)
        hits = await app.archive.search(asked)
        if as_json:
            render.put_json(
                [hit.model_dump(mode="json", exclude={"document": {"text"}}) for hit in hits]
            )
            return session.DONE
        from rich.text import Text

        from groundwire.report.links import local_name, web_link
        from groundwire.report.plain import day

        for hit in hits:
            page = hit.document
            about = [page.publisher, day(page.published_at) or say("cli.undated"), page.language]
            if page.sample:
                about.append(say("cli.sample"))
            where = local_name(page.canonical_url) or page.canonical_url
            render.put(
                Text.assemble(
                    (f"{hit.score:6.2f}  ", "accent"),
                    render.shown(page.title, "bold", link=web_link(page.canonical_url)),
                ),
                render.indented(" · ".join(about), 8, "soft"),
                render.indented(hit.snippet, 8),
                render.indented(where, 8, "faint"),
            )
        if not hits:
            await _nothing(app)
        return session.DONE

    session.with_app(work)


async def _nothing(app: App) -> None:
    stats = await app.archive.stats()
    if stats.documents:
        render.note(say("cli.none_fits", n=f"{stats.documents:,}"))
    else:
        render.note(say("cli.archive_empty"))


def stats(as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        found = await app.archive.stats()
        if as_json:
            render.put_json(found.model_dump(mode="json"))
            return session.DONE
        languages = ", ".join(f"{name} {n:,}" for name, n in sorted(found.by_language.items()))
        span = "–".join(f"{at:%Y-%m-%d}" for at in (found.oldest, found.newest) if at)
        rows = [
            (say("cli.documents"), f"{found.documents:,}"),
            (say("cli.publishers"), f"{found.publishers:,}"),
            (say("cli.languages"), languages or say("cli.none")),
            (say("cli.published"), span or say("cli.nothing_dated")),
            (say("cli.size"), f"{found.bytes / 1_000_000:.1f} MB"),
        ]
        render.put(
            render.table(("", ""), [(render.shown(k, "soft"), render.shown(v)) for k, v in rows])
        )
        if not found.documents:
            await _nothing(app)
        return session.DONE

    session.with_app(work)


def embed(limit: int, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.doors.cli.card import show
        from groundwire.doors.cli.following import code_of

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

    session.with_app(work)
