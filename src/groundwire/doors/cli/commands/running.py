"""Commands about runs and their ledgers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundwire.doors.cli.commands.root import RUNS, Json, RunName, cli


@cli.command(rich_help_panel=RUNS)
def runs(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000)] = 20,
    kind: Annotated[str | None, typer.Option(help="Only of this kind: ask, verify, tool.")] = None,
    text: Annotated[
        str, typer.Option("-q", metavar="TEXT", help="Only those in whose question this stands.")
    ] = "",
    json: Json = False,
) -> None:
    """The latest runs; interrupted ones are named."""
    from groundwire.doors.cli import runs as commands

    commands.listing(limit, kind, text, json)


@cli.command(rich_help_panel=RUNS)
def show(
    run: RunName,
    events: Annotated[bool, typer.Option("--events", help="Its journal.")] = False,
    calls: Annotated[bool, typer.Option("--calls", help="Its outside calls, redacted.")] = False,
    json: Json = False,
) -> None:
    """The result of a run, its journal or its ledger."""
    from groundwire.doors.cli import runs as commands

    commands.show(run, events, calls, json)


@cli.command(rich_help_panel=RUNS)
def follow(
    run: RunName,
    yes: Annotated[bool, typer.Option("--yes", help="Confirm what it proposes as it is.")] = False,
    json: Json = False,
) -> None:
    """See a run to its end; one that nobody executes is picked up."""
    from groundwire.doors.cli import runs as commands

    commands.follow(run, json, yes=yes)


@cli.command(rich_help_panel=RUNS)
def resume(run: RunName, json: Json = False) -> None:
    """Try again what failed in a run, and only that."""
    from groundwire.doors.cli import runs as commands

    commands.resume(run, json)


@cli.command(rich_help_panel=RUNS)
def confirm(
    run: RunName,
    edit: Annotated[
        list[str] | None,
        typer.Option("--edit", "-e", metavar="FIELD=VALUE", help="Change a field; repeatable."),
    ] = None,
    listed: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Fields to change, as a JSON object."),
    ] = None,
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="Who says so; default: you.")
    ] = "",
    json: Json = False,
) -> None:
    """Let a run that waits go on, with what it proposes as it is or edited."""
    from groundwire.doors.cli import confirming

    confirming.confirm(run, edit or [], listed, by, json)


@cli.command(rich_help_panel=RUNS)
def cancel(run: RunName, json: Json = False) -> None:
    """Stop a run."""
    from groundwire.doors.cli import runs as commands

    commands.cancel(run, json)


@cli.command(rich_help_panel=RUNS)
def export(
    run: RunName,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="md|html|pdf|docx|png|json|csv|bundle",
            help="The form; without it, as FILE ends, else md.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Default: stdout.")
    ] = None,
) -> None:
    """A run as a file: a report, its result, or a bundle that checks and replays anywhere."""
    from groundwire.doors.cli import ledger

    ledger.export(run, form, output)


@cli.command(rich_help_panel=RUNS)
def replay(
    source: Annotated[str, typer.Argument(metavar="RUN|BUNDLE", help="A run or a bundle file.")],
    json: Json = False,
) -> None:
    """The same run again from its records, no network: is the result identical?"""
    from groundwire.doors.cli import ledger

    ledger.replay(source, json)


@cli.command(rich_help_panel=RUNS)
def check(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="An exported bundle.")],
    json: Json = False,
) -> None:
    """Are all bytes of a bundle as exported, and do its quotes stand in its pages?"""
    from groundwire.doors.cli import ledger

    ledger.check_bundle(bundle, json)
