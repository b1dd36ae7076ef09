"""A list of things in a few words each: one line where it fits, the rest below where it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundwire.doors.cli import render

if TYPE_CHECKING:
    from rich.text import Text


@dataclass(frozen=True, slots=True)
class Entry:
    """A mark, a name, what is said of it, and what stands beside it: to do, to set, from where."""

    name: str
    said: str
    beside: str = ""
    mark: str = ""
    mark_style: str = ""
    said_style: str = ""
    beside_style: str = "accent"


_GAP = 2
_WIDEST_NAME = 40


def listing(entries: Sequence[Entry], *, name_style: str = "bold") -> list[Text]:
    """Lines that fit the terminal. What stands beside goes below where it has no room, whole:
    it is there to be copied."""
    from rich.cells import cell_len
    from rich.text import Text

    from groundwire.report.wrapping import wrapped

    # Measured as it will be shown.
    entries = [
        replace(
            entry,
            name=render.clean(entry.name),
            said=render.clean(entry.said),
            beside=render.clean(entry.beside),
        )
        for entry in entries
    ]
    width = render.out().width
    marks = max((cell_len(entry.mark) + 1 for entry in entries if entry.mark), default=0)
    names = max((cell_len(entry.name) for entry in entries), default=0)
    left = marks + min(names, _WIDEST_NAME) + _GAP
    room = max(width - left, 20)
    saids = [cell_len(entry.said) for entry in entries if entry.beside]
    besides = [cell_len(entry.beside) for entry in entries if entry.beside]
    column = min(max(saids, default=0), room - min(max(besides, default=0), room // 2) - _GAP)
    lines: list[Text] = []
    for entry in entries:
        head = Text.assemble(
            (f"{entry.mark} ".ljust(marks) if marks else "", entry.mark_style or "none"),
            render.shown(entry.name, name_style),
        )
        head.pad_right(max(left - cell_len(head.plain), _GAP))
        said = render.shown(entry.said, entry.said_style)
        # In its column, or right after what is said, or below.
        at = max(column, cell_len(entry.said)) + _GAP
        if entry.beside and at + cell_len(entry.beside) <= room:
            said.pad_right(at - cell_len(entry.said))
            said.append_text(render.shown(entry.beside, entry.beside_style))
            lines.append(head + said)
            continue
        for number, part in enumerate(wrapped(said, room)):
            lines.append(head + part if number == 0 else Text(" " * left) + part)
        if entry.beside:
            beside = render.shown(entry.beside, entry.beside_style)
            # Further to the left rather than in two pieces.
            start = min(left, max(width - cell_len(entry.beside), _GAP))
            start = left if " " in entry.beside.removeprefix("env ") else start
            lines.extend(Text(" " * start) + part for part in wrapped(beside, width - start))
    return lines
