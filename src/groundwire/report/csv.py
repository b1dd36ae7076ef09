"""A sheet as CSV that spreadsheets read right: Chinese stays readable, text is never a formula."""

from __future__ import annotations

import csv
import io
import re
from typing import TypeAlias

from groundwire.model.base import Value
from groundwire.report.plain import one_line

Cell: TypeAlias = str | int | float | None

# Without the mark a spreadsheet takes UTF-8 for the encoding of its own country.
_BOM = "\ufeff"
# With these a cell is a formula; the wide ones are in Chinese and Japanese settings.
_FORMULA = re.compile("[=+\\-@\t\r\n＝＋－＠﹢﹣﹦﹫]")
# Where lists are divided by semicolons, text after one would begin a cell of its own.
_DIVIDED = re.compile(r"([;；|])(?=[\"'”“]*[=+\-@＝＋－＠])")


class Sheet(Value):
    """A table for programs: names that never change, values as they are."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def render(sheet: Sheet) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(sheet.head)
    writer.writerows([_cell(cell) for cell in row] for row in sheet.rows)
    return f"{_BOM}{out.getvalue()}".encode()


def _cell(value: Cell) -> str | int | float:
    """Keep numbers as numbers; mark a text that begins like a formula as text."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    text = _DIVIDED.sub(r"\1 ", one_line(value))
    return f"'{text}" if _FORMULA.match(text) else text
