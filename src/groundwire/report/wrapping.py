"""Wraps Latin words and Chinese together: rich breaks at spaces only, and Chinese has none."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, get_character_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

# Must not begin a line; must not end one.
_CLOSING = frozenset("，。、；：？！）】》」』”’…—·,.;:?!)]}%％")
_OPENING = frozenset("（【《「『“‘([{$￥¥")


class Wrapped:
    """A text that fills its column: breaks at spaces and between Chinese characters."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for paragraph in self.text.split("\n", allow_blank=True):
            yield from wrapped(paragraph, max(options.max_width, 8))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widest = max((cell_len(line) for line in self.text.plain.split("\n")), default=0)
        return Measurement(min(8, widest), min(widest, options.max_width))


def wrapped(text: Text, width: int) -> list[Text]:
    """Wrap one paragraph to lines, none wider than `width` cells."""
    offsets: list[int] = []
    used = 0
    for start, piece in _pieces(text.plain):
        size = cell_len(piece.rstrip(" "))
        if used and used + size > width:
            offsets.append(start)
            used = 0
        if size > width:
            # A word wider than the column, an address most often, is cut where it must be.
            used = _cut(piece, start, width, offsets)
        else:
            used += cell_len(piece)
    lines = list(text.divide(offsets)) if offsets else [text.copy()]
    for line in lines:
        line.rstrip()
        line.no_wrap, line.overflow, line.end = True, "ignore", "\n"
    return lines


def _pieces(plain: str) -> Iterator[tuple[int, str]]:
    """Yield what must stay on one line: a word with its spaces, or a character with punctuation."""
    start = 0
    for at in range(1, len(plain)):
        if _may_break(plain[at - 1], plain[at]):
            yield start, plain[start:at]
            start = at
    if start < len(plain):
        yield start, plain[start:]


def _may_break(before: str, after: str) -> bool:
    if after == " " or after in _CLOSING or before in _OPENING:
        return False
    if before == " ":
        return True
    return get_character_cell_size(before) == 2 or get_character_cell_size(after) == 2


def _cut(piece: str, start: int, width: int, offsets: list[int]) -> int:
    used = 0
    for at, char in enumerate(piece):
        size = get_character_cell_size(char)
        if used + size > width:
            offsets.append(start + at)
            used = 0
        used += size
    return used
