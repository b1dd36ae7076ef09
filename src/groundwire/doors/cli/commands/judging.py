"""Commands about who is speaking."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.doors.cli.commands.root import LOOK, Json, cli
from groundwire.doors.cli.group import Group

sources = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help="Who is speaking: what is known of a site, and what you say of it.",
)
cli.add_typer(sources, name="sources", rich_help_panel=LOOK)
Domain = Annotated[str, typer.Argument(metavar="DOMAIN", help="A host, such as news.example.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason; it is kept.")]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who says so; default: you.")]


@sources.command("list")
def sources_list(
    everything: Annotated[
        bool, typer.Option("--all", help="Also what was taken back or replaced.")
    ] = False,
    json: Json = False,
) -> None:
    """The judgements that hold."""
    from groundwire.doors.cli import sources as commands

    commands.listing(everything, json)


@sources.command("show")
def sources_show(domain: Domain, json: Json = False) -> None:
    """A site's tier, owner and country, and every judgement of it."""
    from groundwire.doors.cli import sources as commands

    commands.show(domain, json)


@sources.command("set")
def sources_set(
    domain: Domain,
    why: Why,
    tier: Annotated[str | None, typer.Option(metavar="TIER", help="What it counts as.")] = None,
    owner: Annotated[str | None, typer.Option(metavar="NAME", help="Whose site it is.")] = None,
    by: By = "",
    json: Json = False,
) -> None:
    """Judge a site; runs from now on follow it, and show that they do."""
    from groundwire.doors.cli import sources as commands

    commands.set_(domain, tier, owner, why, by, json)


@sources.command("unset")
def sources_unset(domain: Domain, why: Why, by: By = "", json: Json = False) -> None:
    """Take a judgement back; it stays in the history."""
    from groundwire.doors.cli import sources as commands

    commands.unset(domain, why, by, json)
