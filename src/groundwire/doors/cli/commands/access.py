"""Commands about who may come in."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.doors.cli.commands.root import DESK, Json, cli
from groundwire.doors.cli.group import Group

token = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Who may use the desk from elsewhere, and how much.",
)
cli.add_typer(token, name="token", rich_help_panel=DESK)


@token.command("create")
def token_create(
    name: Annotated[str, typer.Argument(help="Letters, digits or . _ - @; each name once.")],
    scope: Annotated[
        str,
        typer.Option(
            metavar="read|run|admin", help="Look; start jobs, too; everything, of everybody."
        ),
    ] = "run",
    per_minute: Annotated[
        int | None,
        typer.Option(min=1, max=1_000_000, metavar="N", help="Requests a minute at most."),
    ] = None,
    day_usd: Annotated[
        float | None,
        typer.Option(min=0.0, max=1e6, metavar="USD", help="What its jobs may spend in a day."),
    ] = None,
    json: Json = False,
) -> None:
    """Make a token; its secret is shown this once and kept nowhere."""
    from groundwire.doors.cli import tokens

    tokens.create(name, scope, per_minute, day_usd, json)


@token.command("list")
def token_list(json: Json = False) -> None:
    """All tokens, those that were revoked included; no secret is shown."""
    from groundwire.doors.cli import tokens

    tokens.listing(json)


@token.command("revoke")
def token_revoke(
    name: Annotated[str, typer.Argument(help="The token's name, or its id.")], json: Json = False
) -> None:
    """From now on nobody comes in with it; its browsers are signed out."""
    from groundwire.doors.cli import tokens

    tokens.revoke(name, json)
