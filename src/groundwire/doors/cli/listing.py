"""A list of short entries: one line each where it fits, the rest below where it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundwire.doors.cli import render

if TYPE_CHECKING:
    from rich.text import Text


@dataclass(frozen=True, slots=True)
class Entry:
    """A mark, a name, a text, and a note beside it: what to do, what to set, where it came from."""

    name: str
    text: str
    note: str = ""
    mark: str = ""
    mark_style: str = ""
    text_style: str = ""
    note_style: str = "accent"


_GAP = 2
_WIDEST_NAME = 40


def listing(entries: Sequence[Entry], *, name_style: str = "bold") -> list[Text]:
    """Lay entries out to fit the terminal; a note without room goes below, whole, to be copied."""
    from rich.cells import cell_len
    from rich.text import Text

    from groundwire.report.wrapping import wrapped

    # Cleaned first: widths are those of what is shown.
    entries = [
        replace(
            entry,
            name=render.clean(entry.name),
            text=render.clean(entry.text),
            note=render.clean(entry.note),
        )
        for entry in entries
    ]
    width = render.out().width
    marks = max((cell_len(entry.mark) + 1 for entry in entries if entry.mark), default=0)
    names = max((cell_len(entry.name) for entry in entries), default=0)
    left = marks + min(names, _WIDEST_NAME) + _GAP
    room = max(width - left, 20)
    text_widths = [cell_len(entry.text) for entry in entries if entry.note]
    note_widths = [cell_len(entry.note) for entry in entries if entry.note]
    column = min(
        max(text_widths, default=0), room - min(max(note_widths, default=0), room // 2) - _GAP
    )
    lines: list[Text] = []
    for entry in entries:
        head = Text.assemble(
            (f"{entry.mark} ".ljust(marks) if marks else "", entry.mark_style or "none"),
            render.shown(entry.name, name_style),
        )
        head.pad_right(max(left - cell_len(head.plain), _GAP))
        text = render.shown(entry.text, entry.text_style)
        # The note stands in its column, or right after the text, or below.
        at = max(column, cell_len(entry.text)) + _GAP
        if entry.note and at + cell_len(entry.note) <= room:
            text.pad_right(at - cell_len(entry.text))
            text.append_text(render.shown(entry.note, entry.note_style))
            lines.append(head + text)
            continue
        for number, part in enumerate(wrapped(text, room)):
            lines.append(head + part if number == 0 else Text(" " * left) + part)
        if entry.note:
            note = render.shown(entry.note, entry.note_style)
            # Rather further to the left than in two pieces.
            start = min(left, max(width - cell_len(entry.note), _GAP))
            start = left if " " in entry.note.removeprefix("env ") else start
            lines.extend(Text(" " * start) + part for part in wrapped(note, width - start))
    return lines
