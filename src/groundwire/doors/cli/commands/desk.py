"""Commands about the desk itself: what is configured, how it is built, its database."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.doors.cli.commands.root import DESK, Json, cli, db

Probe = Annotated[
    bool,
    typer.Option("--probe", help="Ask each one something small: it costs what that costs."),
]


@cli.command(rich_help_panel=DESK)
def doctor(
    probe: Probe = False,
    settings: Annotated[
        bool, typer.Option("--settings", help="Every setting, too, and where it came from.")
    ] = False,
    json: Json = False,
) -> None:
    """Whether everything works, and what to do next."""
    from groundwire.doors.cli import doctor as commands

    commands.doctor(json, probe, settings)


@cli.command(rich_help_panel=DESK)
def providers(probe: Probe = False, json: Json = False) -> None:
    """Search providers: on or off, why, what to set, how well they answer."""
    from groundwire.doors.cli import desk

    desk.providers(json, probe)


@cli.command(rich_help_panel=DESK)
def models(probe: Probe = False, json: Json = False) -> None:
    """Models of each tier, vendors, and what to set."""
    from groundwire.doors.cli import desk

    desk.models(json, probe)


@cli.command(rich_help_panel=DESK)
def costs(
    days: Annotated[
        int | None, typer.Option("--days", min=1, max=366, help="The last days, today among them.")
    ] = None,
    month: Annotated[
        str, typer.Option("--month", metavar="YYYY-MM", help="Another month than this one.")
    ] = "",
    rollout: Annotated[
        bool, typer.Option("--rollout", help="Messages rolled in beside those rolled out.")
    ] = False,
    json: Json = False,
) -> None:
    """What was spent against its limits, on what, credits left, and a forecast."""
    from groundwire.doors.cli import costs as commands

    commands.costs(days, month, rollout, json)


@cli.command(rich_help_panel=DESK)
def graph(job: Annotated[str, typer.Argument(metavar="JOB", help="ask, verify or tool.")]) -> None:
    """The steps of a job, as a Mermaid graph."""
    from groundwire.doors.cli import desk

    desk.graph(job)


@cli.command(rich_help_panel=DESK)
def schema(
    name: Annotated[
        str, typer.Argument(metavar="JOB|signal", help="ask, tool; verify's result is the signal.")
    ],
) -> None:
    """The JSON schema of a job's result."""
    from groundwire.doors.cli import desk

    desk.schema(name)


@cli.command(rich_help_panel=DESK)
def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Beyond this machine, tokens are needed.")
    ] = "",
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Default: 8600; 0: any that is free.")
    ] = None,
) -> None:
    """The desk: pages, API and a worker, until it is stopped."""
    from groundwire.doors.cli import serving

    serving.serve(host, port)


@cli.command(rich_help_panel=DESK)
def reload() -> None:
    """Let the desk of this data folder read its settings anew; its jobs go on."""
    from groundwire.doors.cli import serving

    serving.reload()


@cli.command(rich_help_panel=DESK)
def mcp() -> None:
    """Jobs and tools for another program's models, over standard input and output (MCP)."""
    from groundwire.doors.cli import serving

    serving.mcp()


@cli.command(rich_help_panel=DESK)
def worker() -> None:
    """One more process that executes runs, on PostgreSQL, until it is stopped."""
    from groundwire.doors.cli import working

    working.worker()


cli.add_typer(db, name="db", rich_help_panel=DESK)


@db.command("upgrade")
def db_upgrade() -> None:
    """Bring the database to the schema of this version."""
    from groundwire.doors.cli import desk

    desk.upgrade()
