"""Commands that start a job."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.cli.commands.root import ASK, Json, cli


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
    from groundwire.cli import asking

    asking.ask(question, deep, strict, json, language)
