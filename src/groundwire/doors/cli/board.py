"""Many runs of a job as they end: a growing table on a terminal, lines in a pipe, or JSON lines."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from groundwire.doors.cli import render
from groundwire.doors.cli.reader import say
from groundwire.jobs import about, report_of, row_of
from groundwire.report.terminal import judged
from groundwire.report.tokens import SHAPES
from groundwire.report.wrapping import Wrapped
from groundwire.words import words

if TYPE_CHECKING:
    from groundwire.jobs import Job, RowCell
    from groundwire.model.run import Run

_UNDER_WAY = 8  # inputs under way that are named
_NUMBER, _COST = 4, 8  # widths of the columns that every list has
_LEAST = 20  # cells for the subject and wide columns


class Board:
    """Shows runs in the order of their inputs, in the columns of their job. Rows that are done stay;
    those under way and the totals are below them and move."""

    def __init__(
        self, language: str, job: Job, *, as_json: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say = words(language)
        self._kind = job.kind
        self._row = row_of(job)
        self._as_json = as_json
        self._clock = clock
        self._begun = clock()
        self._under_way: dict[int, str] = {}
        self._verdicts: dict[str, int] = {}
        self._runs = self._bad = self._failed = 0
        self._usd = 0.0
        self._live: Live | None = None

    def __enter__(self) -> Board:
        out, aside = render.out(), render.aside()
        console: Console | None = None
        if out.is_terminal and not out.is_dumb_terminal and not self._as_json:
            console = out
            console.print(self._head(console.width))
        elif aside.is_terminal and not aside.is_dumb_terminal and not out.is_terminal:
            console = aside
        if console is not None:
            self._live = Live(
                get_renderable=self._moving,
                console=console,
                transient=True,
                refresh_per_second=4,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
        if self._live is not None and not self._live.console.stderr:
            render.put(Wrapped(Text(self.totals(), "soft")))
        elif not self._as_json:
            render.plain_line(self.totals())

    def began(self, number: int, text: str) -> None:
        self._under_way[number] = text

    def bad(self, number: int, why: str) -> None:
        """Report a line that is no input; the others go on."""
        self._bad += 1
        text = say("cli.line", n=number, why=why)
        if self._live is not None:
            self._live.console.print(Text.assemble(("✕ ", "failed"), render.shown(text)))
        else:
            render.plain_line(text)

    def done(self, number: int, run: Run, repeats: str = "") -> None:
        """Show a finished run; `repeats` names the layer that knew its input as a repeat."""
        text = self._under_way.pop(number, "")
        self._runs += 1
        self._failed += run.result is None
        self._usd += _usd(run)
        for cell in self._row.cells(run, self._say):
            if cell.tone in SHAPES:
                self._verdicts[cell.tone] = self._verdicts.get(cell.tone, 0) + 1
        if self._as_json:
            render.put_json(report_of(run).result(run), indent=None)
        elif self._live is not None and not self._live.console.stderr:
            self._live.console.print(self._shown((number, text, repeats), run))
        else:
            render.raw("\t".join(self._piped((number, text, repeats), run)))

    def totals(self) -> str:
        """Return the totals, what a narrow terminal must not cut first."""
        seconds = self._clock() - self._begun
        runs = self._say(self._row.counted, n=self._runs)
        parts = [runs, f"${self._usd:.4f}", f"{seconds:.1f} s"]
        rest = (
            self._counted("waiting", "n.waiting", len(self._under_way)),
            self._counted("failures", "n.failures", self._failed),
            self._counted("unread", "n.lines_unread", self._bad),
        )
        parts += filter(None, rest)
        parts += [
            f"{self._verdicts[name]} {judged(name, self._say.name('verdict', name)).plain}"
            for name in SHAPES
            if self._verdicts.get(name)
        ]
        return " · ".join(parts)

    def _counted(self, name: str, plain: str, n: int) -> str:
        """Return a count in the job's own words, where it has any."""
        return self._say.maybe(f"{self._kind}.n.{name}", self._say(plain, n=n), n=n) if n else ""

    def _moving(self) -> Group:
        lines = [
            Text.assemble((" ◉ ", "accent"), render.shown(text, "soft"))
            for text in list(self._under_way.values())[:_UNDER_WAY]
        ]
        for line in (*lines, last := Text(self.totals(), "soft")):
            line.no_wrap, line.overflow = True, "ellipsis"
        return Group(*lines, last)

    def _head(self, width: int) -> Text:
        row, widths = self._row, self._widths(width)
        codes = (row.subject, *(each.code for each in row.columns), "column.cost")
        cells = map(_cell, map(self._say, codes), (*widths, _COST))
        return Text(" ".join([" " * _NUMBER, *cells]).rstrip(), "soft")

    def _widths(self, width: int) -> list[int]:
        """Return the width of the subject, then of each column; wide ones share two fifths."""
        fixed = [each.width for each in self._row.columns]
        left = max(width - (_NUMBER + sum(fixed) + _COST + len(fixed) + 2), _LEAST)
        wide = left * 2 // 5 // fixed.count(0) if 0 in fixed else 0
        return [left - wide * fixed.count(0), *(each or wide for each in fixed)]

    def _shown(self, line: tuple[int, str, str], run: Run) -> Text:
        number, text, repeats = line
        language = (run.result or {}).get("language")
        say = self._say if language is None else words(str(language))
        *cells, remarks = self._row.cells(run, say)
        note = remarks.text
        if run.result is None:
            note = self._say.stored(run.error) or self._say.name("state", run.state)
        if repeats:
            layer = say.name(f"{self._kind}.layer", repeats.partition(":")[2])
            note = ", ".join(filter(None, (layer, note)))
        subject_width, *widths = self._widths(render.out().width)
        job_cells = [
            (_cell(_toned(cell), width), _style(cell) or column.style)
            for cell, width, column in zip(cells, widths, self._row.columns, strict=False)
        ]
        parts = [
            (str(number).rjust(_NUMBER), "soft"),
            (_cell(text or about(run), subject_width), ""),
            *job_cells,
            (_cell(note, widths[-1]), self._row.columns[-1].style),
            (cost_text(run), "soft"),
        ]
        return Text(" ").join(Text.assemble(part) for part in parts)

    def _piped(self, line: tuple[int, str, str], run: Run) -> list[str]:
        """Return the fields of a line for pipes, in the words of the result's contract."""
        number, text, repeats = line
        *fields, remarks = map(render.clean, self._row.fields(run, self._say))
        remarks = ",".join(filter(None, (repeats, remarks)))
        job_fields = (each or "–" for each in (*fields, remarks))
        return [str(number), *job_fields, cost_text(run), run.id, text or about(run)]


def _toned(cell: RowCell) -> str:
    return f"{SHAPES.get(cell.tone, '✕')} {cell.text}" if cell.tone else cell.text


def _style(cell: RowCell) -> str:
    return "failed" if cell.tone and cell.tone not in SHAPES else cell.tone


def _cell(text: str, width: int) -> str:
    plain = render.clean(text)
    if cell_len(plain) > width:
        plain = f"{set_cell_size(plain, width - 1).rstrip()}…"
    return set_cell_size(plain, width)


def _usd(run: Run) -> float:
    return float((run.result or {}).get("cost", {}).get("usd", 0.0))


def cost_text(run: Run) -> str:
    return f"${usd:.4f}" if (usd := _usd(run)) else "–"
