"""What cards are made of: sections, bullets, what is missing, what was degraded, what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from groundwire.doors.cli.prose import Prose
from groundwire.doors.cli.render import clean, shown
from groundwire.model.result import Degraded, Gap
from groundwire.report.words import SHAPES, Words

_QUOTE = 320  # characters of a quote that a card shows; exports hold all of it


def section(title: str | None, body: Iterator[RenderableType]) -> Iterator[RenderableType]:
    """An empty section leaves no trace."""
    found = list(body)
    if not found:
        return
    yield Text("")
    if title is not None:
        yield Text(title, "bold")
    yield from found


def verdict_text(verdict: str, say: Words) -> Text:
    return Text(say.verdict(verdict), verdict if verdict in SHAPES else "unverified")


def bullets(items: Iterator[Text]) -> Iterator[RenderableType]:
    rows = Table.grid(padding=(0, 1, 0, 0))
    rows.add_column(width=1)
    rows.add_column(ratio=1)
    empty = True
    for item in items:
        empty = False
        rows.add_row(Text("·", "soft"), Prose(item))
    if not empty:
        yield rows


def missing(gaps: Sequence[Gap], say: Words) -> Iterator[RenderableType]:
    return bullets(
        Text.assemble(shown(gap.what), (" — " + clean(say.why(gap.why)), "soft")) for gap in gaps
    )


def degraded(found: Sequence[Degraded], say: Words) -> Iterator[RenderableType]:
    return bullets(
        Text.assemble(
            shown(f"{each.part} ({each.code})", "degraded"),
            say.colon,
            shown(each.reason),
            (f" — {say.instead}{say.colon}{clean(each.instead)}", "soft"),
        )
        for each in found
    )


def cut(quote: str, most: int = _QUOTE) -> str:
    return quote if len(quote) <= most else f"{quote[:most].rstrip()}…"


def next_rows(
    steps: Sequence[tuple[str, str]], title: str, hint: Callable[[str], str]
) -> Iterator[RenderableType]:
    """Commands to go on with, each with what it is for."""
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(no_wrap=True)
    rows.add_column(overflow="fold")
    rows.add_column(ratio=1)
    for number, (command, why) in enumerate(steps):
        rows.add_row(
            Text(title if number == 0 else "", "soft"),
            Text(clean(command), "accent"),
            Text(clean(hint(why)), "soft"),
        )
    if steps:
        yield rows
