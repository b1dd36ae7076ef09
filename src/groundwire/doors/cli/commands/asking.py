"""Commands that start a job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundwire.doors.cli.commands.root import ASK, Json, RunName, cli

PublishedAt = Annotated[
    str,
    typer.Option(
        "--published-at",
        metavar="WHEN",
        help="2026-11-10T09:30Z, 2026-11-10 or “3 hours ago”; local time unless it names a zone.",
        show_default=False,
    ),
]
Zone = Annotated[
    str,
    typer.Option(
        "--zone",
        metavar="ZONE",
        help="Where its “yesterday” is read, such as Asia/Shanghai.",
        show_default=False,
    ),
]


@cli.command(rich_help_panel=ASK)
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
    from groundwire.doors.cli import asking

    asking.ask(question, deep, strict, json, language)


@cli.command(rich_help_panel=ASK)
def verify(
    message: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT|-",
            help="A rumour, post or headline; - reads messages from stdin, one a line.",
            show_default=False,
        ),
    ] = None,
    listed: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="A message a line: its text, or {text, id, published_at, source, author, language}.",
        ),
    ] = None,
    published_at: PublishedAt = "",
    source: Annotated[
        str, typer.Option(metavar="NAME", help="Where it came from.", show_default=False)
    ] = "",
    author: Annotated[
        str, typer.Option(metavar="NAME", help="Who wrote it.", show_default=False)
    ] = "",
    language: Annotated[
        str, typer.Option(metavar="zh|zh-Hant|en|…|auto", help="Of the message.")
    ] = "auto",
    zone: Zone = "",
    gate: Annotated[
        bool, typer.Option("--gate", help="Look only into what is of high value.")
    ] = False,
    no_tools: Annotated[
        bool, typer.Option("--no-tools", help="Only a first impression; nothing is looked up.")
    ] = False,
    concurrency: Annotated[
        int, typer.Option(min=1, max=32, metavar="N", help="Of many messages, so many at once.")
    ] = 8,
    json: Annotated[
        bool, typer.Option("--json", help="The signal as JSON; of many messages, one a line.")
    ] = False,
) -> None:
    """A verdict on a message, with a confidence that can be taken apart."""
    from groundwire.doors.cli import verifying
    from groundwire.doors.cli.messages import Ways

    ways = Ways(source, author, language, published_at, zone, gate, not no_tools)
    verifying.verify(message, listed, ways, concurrency, as_json=json)


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
    listening.listen(listening.Wanted(tuple(feed or ()), stdin, once, json))


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
