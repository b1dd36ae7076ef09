"""The root of the command line: its groups, and the options and arguments that commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.doors.cli.group import PANEL, Commands, Group

_SETTINGS = {"help_option_names": ["-h", "--help"]}
# The panels of `gw --help`.
ASK, LOOK, RUNS, DESK = PANEL, "Look", "Runs", "Desk"

cli = typer.Typer(
    cls=Commands,
    name="gw",
    help="Groundwire: every sentence carries a quote that really stands in a page really read.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings=_SETTINGS,
)
archive = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    context_settings=_SETTINGS,
    help="Everything ever read, searchable.",
)
db = typer.Typer(cls=Group, no_args_is_help=True, context_settings=_SETTINGS, help="The database.")
bench = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    context_settings=_SETTINGS,
    help="Measure this machine, on loopback.",
)

Json = Annotated[bool, typer.Option("--json", help="One JSON value on stdout, nothing else.")]
RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, its beginning, or last.")]
Results = Annotated[int, typer.Option("--results", "-n", min=1, max=50, help="How many at most.")]


def _version(wanted: bool) -> None:
    if wanted:
        from groundwire import __version__
        from groundwire.doors.cli import render

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
    from groundwire.doors.cli.session import Given

    Given.debug = debug
    Given.stays = False
    Given.overrides = {"offline": True if offline else None, "home": home.strip() or None}
