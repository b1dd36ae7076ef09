"""Commands beside those of the jobs: listening for days, and saying what came of a result."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.doors.cli.commands.root import ASK, Json, RunName, cli


@cli.command(rich_help_panel=ASK)
def listen(
    feed: Annotated[
        list[str] | None,
        typer.Option("--feed", metavar="URL", help="Beside intake.feeds; repeatable."),
    ] = None,
    stdin: Annotated[
        bool, typer.Option("--stdin", help="Also a message a line from standard input.")
    ] = False,
    once: Annotated[
        bool, typer.Option("--once", help="One look at everything; end with the last signal.")
    ] = False,
    sign_in: Annotated[
        bool, typer.Option("--sign-in", help="Sign in to Telegram here, once, and end.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Each signal as JSON, one a line.")] = False,
) -> None:
    """Listen to feeds, Telegram channels and stdin for days: a line for each signal."""
    from groundwire.doors.cli import listening

    if sign_in:
        listening.sign_in()
    listening.listen(listening.Listening(tuple(feed or ()), stdin, once, json))


@cli.command(rich_help_panel=ASK)
def feedback(
    run: RunName,
    outcome: Annotated[str, typer.Argument(metavar="true|false|partly", help="What came of it.")],
    note: Annotated[
        str, typer.Option(metavar="TEXT", help="How that is known.", show_default=False)
    ] = "",
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="Who says so; default: you.")
    ] = "",
    json: Json = False,
) -> None:
    """Say what came of a signal: calibration learns from it, and so does memory."""
    from groundwire.doors.cli import labelling

    labelling.feedback(run, outcome, note, by, json)


@cli.command(rich_help_panel=ASK)
def calibration(json: Json = False) -> None:
    """What confidences were worth so far: Brier score, reliability, hit rates of sources."""
    from groundwire.doors.cli import labelling

    labelling.calibration(json)
