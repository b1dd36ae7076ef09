"""Commands about what the desk believes."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.doors.cli.commands.root import LOOK, Json, cli
from groundwire.doors.cli.group import Group

claims = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help="Remembered claims: how each came about, and taking one back.",
)
cli.add_typer(claims, name="claims", rich_help_panel=LOOK)
AsOf = Annotated[
    str,
    typer.Option(
        "--as-of",
        metavar="WHEN",
        help="As it was believed then: a day (its end) or a moment, local time unless it ends in "
        "Z or +hh:mm.",
        show_default=False,
    ),
]


@cli.command(rich_help_panel=LOOK)
def recall(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What about.")] = "",
    subject: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Only claims that name it, zh or en.", show_default=False
        ),
    ] = "",
    since: Annotated[
        str,
        typer.Option(
            metavar="WHEN", help="Only what was learned or seen since then.", show_default=False
        ),
    ] = "",
    as_of: AsOf = "",
    about: Annotated[
        str,
        typer.Option(
            metavar="DAY", help="Only what was true in the world on that day.", show_default=False
        ),
    ] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="How many.")] = 8,
    min_confidence: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Least confidence; leaves out claims without one.",
            show_default=False,
        ),
    ] = None,
    past: Annotated[bool, typer.Option("--past", help="Also what is no longer believed.")] = False,
    json: Json = False,
) -> None:
    """What we believe, or believed at some time, with its two times and its sources."""
    from groundwire.doors.cli import recall as commands

    commands.recall(
        query, subject, since, as_of, about, limit, min_confidence, past=past, as_json=json
    )


@claims.command("history")
def claims_history(
    claim: Annotated[str, typer.Argument(metavar="CLAIM|QUERY", help="An id (cl_…), or words.")],
    as_of: AsOf = "",
    json: Json = False,
) -> None:
    """What was believed first, what it became, when and why."""
    from groundwire.doors.cli import recall as commands

    commands.history(claim, as_of, json)


@claims.command("withdraw")
def claims_withdraw(
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="An id (cl_…), or its beginning.")],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason; it is kept.")],
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="Who says so; default: you.")
    ] = "",
    json: Json = False,
) -> None:
    """Take a claim back; it stays in its history, with who, why and when."""
    from groundwire.doors.cli import recall as commands

    commands.withdraw(claim, why, by, json)
