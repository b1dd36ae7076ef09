"""Every command and its options; each is handed to its own module when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

_SETTINGS = {"help_option_names": ["-h", "--help"]}
_ASK, _LOOK, _RUNS, _DESK = "Ask", "Look", "Runs", "Desk"

cli = typer.Typer(
    name="gw",
    help="Groundwire: every sentence carries a quote that really stands in a page really read.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings=_SETTINGS,
)
archive = typer.Typer(
    no_args_is_help=True, context_settings=_SETTINGS, help="Everything ever read, searchable."
)
db = typer.Typer(no_args_is_help=True, context_settings=_SETTINGS, help="The database.")
bench = typer.Typer(
    no_args_is_help=True, context_settings=_SETTINGS, help="Measure this machine, on loopback."
)
cli.add_typer(archive, name="archive", rich_help_panel=_LOOK)

Json = Annotated[bool, typer.Option("--json", help="One JSON value on stdout, nothing else.")]
RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, its beginning, or last.")]
Results = Annotated[int, typer.Option("--results", "-n", min=1, max=50, help="How many at most.")]


def _version(wanted: bool) -> None:
    if wanted:
        from groundwire import __version__
        from groundwire.cli import render

        render.raw(f"groundwire {__version__}")
        raise typer.Exit


@cli.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks and all logs.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Archive only, no network.")] = False,
    home: Annotated[
        str, typer.Option("--home", metavar="FOLDER", help="The data folder.", show_default=False)
    ] = "",
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say it and leave.")
    ] = False,
) -> None:
    from groundwire.cli.session import Given

    Given.debug = debug
    Given.overrides = {"offline": True if offline else None, "home": home.strip() or None}


@cli.command(rich_help_panel=_ASK)
def ask(
    question: Annotated[str, typer.Argument(help="The question; - reads it from stdin.")],
    deep: Annotated[
        int, typer.Option(min=0, max=5, metavar="N", help="N more rounds, directed at the gaps.")
    ] = 0,
    strict: Annotated[
        bool, typer.Option("--strict", help="Leave unsupported sentences out altogether.")
    ] = False,
    json: Json = False,
    language: Annotated[
        str | None,
        typer.Option(metavar="zh|zh-Hant|en|auto", help="Of the answer; default: the question's."),
    ] = None,
) -> None:
    """A cited answer of a few sentences, contested points side by side, and what is missing."""
    from groundwire.cli import asking

    asking.ask(question, deep, strict, json, language)


@cli.command(rich_help_panel=_LOOK)
def search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    results: Results = 8,
    json: Json = False,
) -> None:
    """Search the web and the archive."""
    from groundwire.cli import asking

    asking.search(query, results, json)


@cli.command(rich_help_panel=_LOOK)
def read(
    url: Annotated[str, typer.Argument(metavar="URL", help="The page's address.")],
    json: Json = False,
) -> None:
    """Read a page into the archive and show it."""
    from groundwire.cli import asking

    asking.read(url, json)


@archive.command("add")
def archive_add(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH|URL…", help="Files, folders (html pdf txt md) or pages."),
    ] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="The sample archive that comes along.")
    ] = False,
    json: Json = False,
) -> None:
    """Put files, folders, pages or the sample into the archive."""
    from groundwire.cli import archive as commands

    commands.add(what or [], sample, json)


@archive.command("search")
def archive_search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    results: Results = 10,
    json: Json = False,
) -> None:
    """Search the archive only."""
    from groundwire.cli import archive as commands

    commands.search(query, results, json)


@archive.command("stats")
def archive_stats(json: Json = False) -> None:
    """How much it holds."""
    from groundwire.cli import archive as commands

    commands.stats(json)


@cli.command(rich_help_panel=_RUNS)
def runs(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000)] = 20,
    kind: Annotated[str | None, typer.Option(help="Only of this kind: ask, tool.")] = None,
    json: Json = False,
) -> None:
    """The latest runs; interrupted ones are named."""
    from groundwire.cli import runs as commands

    commands.listing(limit, kind, json)


@cli.command(rich_help_panel=_RUNS)
def show(
    run: RunName,
    events: Annotated[bool, typer.Option("--events", help="Its journal.")] = False,
    calls: Annotated[bool, typer.Option("--calls", help="Its outside calls, redacted.")] = False,
    json: Json = False,
) -> None:
    """The result of a run, its journal or its ledger."""
    from groundwire.cli import runs as commands

    commands.show(run, events, calls, json)


@cli.command(rich_help_panel=_RUNS)
def follow(run: RunName, json: Json = False) -> None:
    """See a run to its end; one that nobody executes is picked up."""
    from groundwire.cli import runs as commands

    commands.follow(run, json)


@cli.command(rich_help_panel=_RUNS)
def resume(run: RunName, json: Json = False) -> None:
    """Try again what failed in a run, and only that."""
    from groundwire.cli import runs as commands

    commands.resume(run, json)


@cli.command(rich_help_panel=_RUNS)
def cancel(run: RunName, json: Json = False) -> None:
    """Stop a run."""
    from groundwire.cli import runs as commands

    commands.cancel(run, json)


@cli.command(rich_help_panel=_RUNS)
def export(
    run: RunName,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="md|json|bundle", help="The form.")
    ] = "md",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Default: stdout.")
    ] = None,
) -> None:
    """A run as a file: a report, its result, or a bundle that checks and replays anywhere."""
    from groundwire.cli import ledger

    ledger.export(run, form, output)


@cli.command(rich_help_panel=_RUNS)
def replay(
    source: Annotated[str, typer.Argument(metavar="RUN|BUNDLE", help="A run or a bundle file.")],
    json: Json = False,
) -> None:
    """The same run again from its records, no network: is the result identical?"""
    from groundwire.cli import ledger

    ledger.replay(source, json)


@cli.command(rich_help_panel=_RUNS)
def check(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="An exported bundle.")],
    json: Json = False,
) -> None:
    """Are all bytes of a bundle as exported, and do its quotes stand in its pages?"""
    from groundwire.cli import ledger

    ledger.check_bundle(bundle, json)


@cli.command(rich_help_panel=_DESK)
def doctor(json: Json = False) -> None:
    """Every setting and where it came from, and whether everything works."""
    from groundwire.cli import doctor as commands

    commands.doctor(json)


@cli.command(rich_help_panel=_DESK)
def providers(json: Json = False) -> None:
    """Search providers: on or off, why, what to set, how well they answer."""
    from groundwire.cli import desk

    desk.providers(json)


@cli.command(rich_help_panel=_DESK)
def models(json: Json = False) -> None:
    """Models of each tier, vendors, and what to set."""
    from groundwire.cli import desk

    desk.models(json)


@cli.command(rich_help_panel=_DESK)
def graph(job: Annotated[str, typer.Argument(metavar="JOB", help="ask or tool.")]) -> None:
    """The steps of a job, as a Mermaid graph."""
    from groundwire.cli import desk

    desk.graph(job)


@cli.command(rich_help_panel=_DESK)
def schema(job: Annotated[str, typer.Argument(metavar="JOB", help="ask or tool.")]) -> None:
    """The JSON schema of a job's result."""
    from groundwire.cli import desk

    desk.schema(job)


cli.add_typer(db, name="db", rich_help_panel=_DESK)
cli.add_typer(bench, name="bench", rich_help_panel=_DESK)


@db.command("upgrade")
def db_upgrade() -> None:
    """Bring the database to the schema of this version."""
    from groundwire.cli import desk

    desk.upgrade()


Quick = Annotated[bool, typer.Option("--quick", help="A small version, for a first look.")]


@bench.command("gateway")
def bench_gateway(quick: Quick = False, json: Json = False) -> None:
    """CPU per cached and uncached call of the whole policy stack."""
    from groundwire.cli import bench as commands

    commands.gateway(quick, json)


@bench.command("archive")
def bench_archive(
    documents: Annotated[int, typer.Option(min=1_000, help="How many are added.")] = 100_000,
    queries: Annotated[int, typer.Option(min=1, help="How many are asked.")] = 200,
    json: Json = False,
) -> None:
    """Additions per second and time per query, in a library made for it."""
    from groundwire.cli import bench as commands

    commands.archive(documents, queries, json)


@bench.command("ask")
def bench_ask(
    quick: Quick = False,
    large: Annotated[bool, typer.Option("--large", help="200 runs at once as well.")] = False,
    json: Json = False,
) -> None:
    """Whole questions against loopback stubs of search, web and model."""
    from groundwire.cli import bench as commands

    commands.ask(quick, large, json)


def main() -> NoReturn:
    """The entry point of `gw` and `groundwire`."""
    import gc

    from groundwire.cli.streams import prepare

    # Imports make a million objects that stay: looking through them again and again is a fifth
    # of their time.
    gc.set_threshold(50_000, 20, 50)
    prepare()
    try:
        cli(prog_name="gw")
    except SystemExit as end:
        _leave(end.code if isinstance(end.code, int) else 1)
    _leave(0)


def _leave(code: int) -> NoReturn:
    """Leave at once: everything is closed by now, and taking two thousand modules apart one by one
    takes longer than many a command."""
    import os
    import sys

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 4
    os._exit(code)
