"""The root of the command line: its groups, shared options, and how a command is declared."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer

from groundwire.doors.cli import session
from groundwire.doors.cli.group import PANEL, Commands, Group
from groundwire.doors.cli.help import Command
from groundwire.doors.cli.shared import reset_shared

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
    context_settings={"help_option_names": ["-h", "--help"]},
)

# What an option is for stands in `words/`, under the codes that `help` lists.
Json = Annotated[bool, typer.Option("--json")]
RunName = Annotated[str, typer.Argument(metavar="RUN")]
By = Annotated[str, typer.Option("--by", metavar="NAME")]
Probe = Annotated[bool, typer.Option("--probe")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT")]


def group(name: str, panel: str, about: str, kind: type[Group] = Group) -> typer.Typer:
    """Add a group of commands."""
    added = typer.Typer(cls=kind, no_args_is_help=True, help=about)
    cli.add_typer(added, name=name, rich_help_panel=panel)
    return added


def command(
    among: typer.Typer,
    name: str | None = None,
    *,
    panel: str | None = None,
    stays: bool = False,
    cls: type[Command] = Command,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a command: its options are a function's parameters, its exit code what that returns.

    None is done. A function that takes the `app` is given it open; `stays`: its process has a log.
    """

    def declare(work: Callable[..., Any]) -> Callable[..., Any]:
        # The app is no option, and importing its type would load most of the package.
        hints = get_type_hints(work, localns={"App": Any}, include_extras=True)
        signature = inspect.signature(work)
        options = [
            each.replace(annotation=hints[each.name])
            for each in signature.parameters.values()
            if each.name != "app"
        ]

        def run(**values: Any) -> None:
            session.Invocation.stays = stays
            if len(options) < len(signature.parameters):
                session.finish(lambda: session.with_app(lambda app: work(app, **values)))
            session.finish(lambda: session.with_settings(lambda: work(**values)))

        run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in options}
        run.__name__, run.__doc__ = work.__name__, work.__doc__
        among.command(name, cls=cls, rich_help_panel=panel)(run)
        return work

    return declare


def _version(wanted: bool) -> None:
    if wanted:
        from groundwire import __version__
        from groundwire.doors.cli import render

        render.raw(f"groundwire {__version__}")
        raise typer.Exit


@cli.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug")] = False,
    offline: Annotated[bool, typer.Option("--offline")] = False,
    home: Annotated[str, typer.Option(metavar="FOLDER")] = "",
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False,
) -> None:
    session.Invocation.stays = False
    reset_shared(debug=debug, offline=offline, home=home)
