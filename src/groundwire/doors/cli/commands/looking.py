"""Commands that search, read and keep."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.doors.cli.commands.root import LOOK, Json, Results, archive, cli

cli.add_typer(archive, name="archive", rich_help_panel=LOOK)
IgnoreRobots = Annotated[
    bool, typer.Option("--ignore-robots", help="Read what the site's robots.txt does not allow.")
]


@cli.command(rich_help_panel=LOOK)
def search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    results: Annotated[
        int | None,
        typer.Option(
            "--results", "-n", min=1, max=50, help="How many at most; unset: search.max_results."
        ),
    ] = None,
    topic: Annotated[
        str, typer.Option("--topic", metavar="TOPIC", help="general, news, finance or tech.")
    ] = "general",
    time: Annotated[
        str | None,
        typer.Option(
            "--time", metavar="RANGE", help="day, week, month, year or 2026-01-01/2026-01-31."
        ),
    ] = None,
    site: Annotated[
        list[str] | None, typer.Option("--site", metavar="DOMAIN", help="Only there; repeatable.")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="DOMAIN", help="Nothing from there; repeatable."),
    ] = None,
    language: Annotated[
        str | None, typer.Option("--language", metavar="CODE", help="zh, zh-Hant, en…")
    ] = None,
    json: Json = False,
) -> None:
    """Search the web and the archive."""
    from groundwire.doors.cli import asking

    asked = {
        "max_results": results,
        "topic": topic,
        "time_range": time,
        "include_domains": site or [],
        "exclude_domains": without or [],
        "language": language,
    }
    asking.search(query, asked, json)


@cli.command(rich_help_panel=LOOK)
def read(
    url: Annotated[str, typer.Argument(metavar="URL", help="The page's address.")],
    ignore_robots: IgnoreRobots = False,
    json: Json = False,
    offer: Annotated[bool, typer.Option("--offer", hidden=True)] = False,
) -> None:
    """Read a page into the archive and show it."""
    from groundwire.doors.cli import asking, pasting

    if offer and not json:  # `gw URL`
        pasting.pasted(url, ignore_robots=ignore_robots)
    asking.read(url, json, ignore_robots=ignore_robots)


@cli.command(rich_help_panel=LOOK)
def look(
    picture: Annotated[str, typer.Argument(metavar="FILE|URL", help="png, jpeg, webp or gif.")],
    wanted: Annotated[str, typer.Argument(metavar="QUESTION", help="What to look for.")] = "",
    language: Annotated[
        str | None, typer.Option("--language", metavar="CODE", help="zh, zh-Hant or en.")
    ] = None,
    json: Json = False,
) -> None:
    """Show a picture to a model: what is in it, and what is written there."""
    from groundwire.doors.cli import seeing

    seeing.look(picture, wanted, language, json)


@archive.command("add")
def archive_add(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH|URL…",
            help="Files or folders (html pdf txt md csv json jsonl eml mbox opml rss, Telegram's "
            "result.json); addresses of pages, feeds, OPML files, sitemaps, robots.txt.",
        ),
    ] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="The sample archive that comes along.")
    ] = False,
    limit: Annotated[
        int,
        typer.Option("--limit", "-n", min=1, max=10_000, help="Pages taken from one list at most."),
    ] = 100,
    feed: Annotated[
        bool, typer.Option("--feed", help="Of a page, take the feed that it names.")
    ] = False,
    ignore_robots: IgnoreRobots = False,
    json: Json = False,
) -> None:
    """Put files, folders, pages, feeds, sitemaps or the sample into the archive."""
    from groundwire.doors.cli import archive as commands

    commands.add(what or [], sample, json, (limit, feed, ignore_robots))


@archive.command("search")
def archive_search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    results: Results = 10,
    json: Json = False,
) -> None:
    """Search the archive only."""
    from groundwire.doors.cli import archive as commands

    commands.search(query, results, json)


@archive.command("embed")
def archive_embed(
    limit: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="N", help="How many documents at most.")
    ] = 1000,
    json: Json = False,
) -> None:
    """Give documents vectors of the model in models.embed, so that meaning finds them too."""
    from groundwire.doors.cli import archive as commands

    commands.embed(limit, json)


@archive.command("stats")
def archive_stats(json: Json = False) -> None:
    """How much it holds."""
    from groundwire.doors.cli import archive as commands

    commands.stats(json)


@cli.command(rich_help_panel=LOOK)
def forget(
    name: Annotated[
        str,
        typer.Argument(
            metavar="RUN|DOCUMENT|DOMAIN",
            help="A run; a document by id, address or file; a site with all below it.",
        ),
    ],
    runs: Annotated[
        bool, typer.Option("--runs", help="Also forget the runs whose results quote it.")
    ] = False,
    keep_pages: Annotated[
        bool, typer.Option("--keep-pages", help="Of a run, keep what only it has read.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would go, and change nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Forget a run, a document or a site, with every text of it that is kept."""
    from groundwire.doors.cli import forgetting

    forgetting.forget(
        name, runs_too=runs, keep_pages=keep_pages, dry=dry_run, yes=yes, as_json=json
    )
