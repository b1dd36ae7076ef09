"""The only place that prints: two consoles, and one way to make foreign text harmless."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from groundwire.report.plain import SEQUENCES, UNSEEN

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

WIDEST = 100
Cell: TypeAlias = "str | int | float | tuple[object, str]"

# ANSI names follow the person's palette: readable on light and dark.
STYLES = {
    "supported": "green",
    "contradicted": "red",
    "contested": "yellow",
    "qualified": "blue",
    "insufficient": "dim",
    "stale": "dim yellow",
    "unverified": "dim",
    "accent": "cyan",
    "soft": "dim",
    "faint": "dim",
    "ink": "none",
    "complete": "green",
    "degraded": "yellow",
    "failed": "red",
    "cancelled": "dim",
    "running": "cyan",
    "queued": "cyan",
    "waiting": "cyan",
    "interrupted": "yellow",
}


def clean(text: object, *, lines: bool = False) -> str:
    """Make text from outside safe for a terminal: nothing that moves, colours or reorders.

    One line unless `lines`. All that the console prints goes through here or is our own.
    """
    plain = SEQUENCES.sub("", str(text))
    plain = UNSEEN.sub(" " if not lines else "", plain.replace("\r\n", "\n").replace("\r", "\n"))
    if lines:
        return plain.replace("\t", "    ")
    return " ".join(plain.split())


def shown(text: object, style: str = "", *, link: str | None = None) -> Text:
    """Render foreign text: cleaned, its markup never read."""
    from rich.style import Style
    from rich.text import Text

    rendered = Text(clean(text), style=style or "none")
    if link is not None and clean(link) == link:
        rendered.stylize(Style(link=link))
    return rendered


def line(*parts: str | Text | tuple[str, str]) -> Text:
    """Join our own texts, each with its style; foreign text comes as `shown`."""
    from rich.text import Text

    return Text.assemble(*parts)


def _console(stderr: bool) -> Console:
    from rich.console import Console
    from rich.theme import Theme

    # Made anew: tests and pipes replace the streams.
    console = Console(
        stderr=stderr, highlight=False, markup=False, emoji=False, theme=Theme(STYLES)
    )
    console.width = min(console.width, WIDEST) if console.is_terminal else WIDEST
    return console


def out() -> Console:
    """Return the console for answers."""
    return _console(stderr=False)


def aside() -> Console:
    """Return the console for everything but the answer."""
    return _console(stderr=True)


def put(*renderables: RenderableType) -> None:
    """Write to stdout; piped lines carry no trailing blanks."""
    console = out()
    if console.is_terminal:
        console.print(*renderables, sep="\n")
        return
    with console.capture() as captured:
        console.print(*renderables, sep="\n")
    raw("\n".join(line.rstrip() for line in captured.get().splitlines()))


def note(text: str, style: str = "soft") -> None:
    """Write a dim line to stderr, never part of the answer."""
    aside().print(shown(text, style))


def plain_line(text: str) -> None:
    """Write one line to stderr, not wrapped: what a pipe or a log file keeps."""
    sys.stderr.write(f"{clean(text)}\n")
    sys.stderr.flush()


def raw(text: str) -> None:
    """Write text for programs to stdout, byte for byte."""
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
    sys.stdout.flush()


def somebody_sits_here() -> bool:
    """Tell whether a question on stderr would be seen and answered."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str) -> str | None:
    """Write a question to stderr and return the line that answers it; None: input has ended."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip() if line else None


def raw_bytes(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def put_json(value: object, *, indent: int | None = 2) -> None:
    """Write exactly one JSON value, on one line without `indent`; unsafe characters are escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    can_show_all = encoding.lower().startswith("utf")

    def dump_model(model: BaseModel) -> object:
        return model.model_dump(mode="json")

    text = json.dumps(value, ensure_ascii=not can_show_all, indent=indent, default=dump_model)
    raw(UNSEEN.sub(_escaped, text))


def answer(as_json: bool, value: object, *shown: RenderableType) -> None:
    """Write an answer as JSON, or as it is shown to people."""
    if as_json:
        put_json(value)
    else:
        put(*shown)


def _escaped(match: re.Match[str]) -> str:
    # Only text inside strings can hold these, and there the escape means the same.
    return json.dumps(match[0])[1:-1]


def error(message: str, hint: str = "") -> None:
    """Write an error to stderr in one sentence, and the next thing to do."""
    console = aside()
    lines = [line(("✕ ", "failed"), shown(message))]
    if hint and clean(hint) not in clean(message):
        lines.append(line(("  → ", "accent"), shown(hint)))
    # In a pipe a sentence stays one line, for grep.
    console.print(*lines, sep="\n", soft_wrap=not console.is_terminal)


def table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Table:
    """Build a quiet table. A cell is a text, or one with its style."""
    from groundwire.report import terminal

    cells = (
        (shown(*each) if isinstance(each, tuple) else shown(each) for each in row) for row in rows
    )
    return terminal.table(columns, cells)


def facts(rows: Iterable[tuple[str, str]]) -> Table:
    """Build a table of names with their values, one per line."""
    return table(("", ""), (((name, "soft"), value) for name, value in rows))


def indented(text: object, left: int, style: str = "") -> RenderableType:
    """Render foreign text with a margin that its later lines keep."""
    from rich.padding import Padding

    from groundwire.report.wrapping import Wrapped

    return Padding(Wrapped(shown(text, style)), (0, 0, 0, left))
