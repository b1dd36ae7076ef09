"""Many signals as they come: a table that grows on a terminal, lines in a pipe, JSON lines."""

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
from groundwire.jobs import about, report_of
from groundwire.report.terminal import judged
from groundwire.report.tokens import SHAPES
from groundwire.report.wrapping import Wrapped
from groundwire.words import Words, words

if TYPE_CHECKING:
    from groundwire.model.base import JsonObject
    from groundwire.model.run import Run

_UNDER_WAY = 8  # messages under way that are named
# Cells of the columns; the message and its flags share what is left.
_NUMBER, _TYPE, _VERDICT, _CONFIDENCE, _COST = 4, 12, 14, 5, 8


class Board:
    """Shows signals in the order of their messages. Rows that are done stay; those under way and
    the totals are below them and move."""

    def __init__(
        self, language: str, *, as_json: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say = words(language)
        self._as_json = as_json
        self._clock = clock
        self._begun = clock()
        self._under_way: dict[int, str] = {}
        self._verdicts: dict[str, int] = {}
        self._messages = self._bad = self._failed = 0
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
        """A line that is no message: named, and the others go on."""
        self._bad += 1
        said = say("cli.line", n=number, why=why)
        if self._live is not None:
            self._live.console.print(Text.assemble(("✕ ", "failed"), render.shown(said)))
        else:
            render.plain_line(said)

    def done(self, number: int, run: Run, repeats: str = "") -> None:
        """`repeats`: the message says again what the one of this run said."""
        text = self._under_way.pop(number, "")
        self._messages += 1
        result = run.result or {}
        if run.result is None:
            self._failed += 1
        else:
            verdict = str(result.get("verdict", ""))
            self._verdicts[verdict] = self._verdicts.get(verdict, 0) + 1
            self._usd += float(result.get("cost", {}).get("usd", 0.0))
        if self._as_json:
            render.put_json(report_of(run).result(run), indent=None)
        elif self._live is not None and not self._live.console.stderr:
            self._live.console.print(self._row((number, text, repeats), run))
        else:
            render.raw("\t".join(_fields((number, text, repeats), run)))

    def totals(self) -> str:
        """What a narrow terminal must not cut comes first."""
        took = self._clock() - self._begun
        messages = self._say("verify.n.messages", n=self._messages)
        counted = [messages, f"${self._usd:.4f}", f"{took:.1f} s"]
        rest = {
            "verify.n.waiting": len(self._under_way),
            "n.failures": self._failed,
            "verify.n.unread": self._bad,
        }
        counted += [self._say(code, n=n) for code, n in rest.items() if n]
        counted += [
            f"{self._verdicts[name]} {_verdict(name, self._say)}"
            for name in SHAPES
            if self._verdicts.get(name)
        ]
        return " · ".join(counted)

    def _moving(self) -> Group:
        lines = [
            Text.assemble((" ◉ ", "accent"), render.shown(text, "soft"))
            for text in list(self._under_way.values())[:_UNDER_WAY]
        ]
        for line in (*lines, last := Text(self.totals(), "soft")):
            line.no_wrap, line.overflow = True, "ellipsis"
        return Group(*lines, last)

    def _head(self, width: int) -> Text:
        message, flags = _shares(width)
        widths = {
            "report.label.message": message,
            "column.type": _TYPE,
            "column.verdict": _VERDICT,
            "column.confidence": _CONFIDENCE,
            "verify.label.flags": flags,
            "column.cost": _COST,
        }
        cells = [_cell(self._say(code), wide) for code, wide in widths.items()]
        return Text(" ".join([" " * _NUMBER, *cells]).rstrip(), "soft")

    def _row(self, line: tuple[int, str, str], run: Run) -> Text:
        number, text, repeats = line
        message, flags = _shares(render.out().width)
        result: JsonObject = run.result or {}
        say = words(str(result.get("language", "en")))
        verdict = str(result.get("verdict", ""))
        listed = [say.name("verify.risk", str(each)) for each in result.get("risk_flags", [])]
        if run.result is None:
            listed = [self._say.stored(run.error) or self._say.name("state", run.state)]
        if repeats:
            listed.insert(0, say.name("verify.layer", repeats.partition(":")[2]))
        ended = _verdict(verdict, say) if verdict else f"✕ {say.name('state', run.state)}"
        return Text.assemble(
            (str(number).rjust(_NUMBER), "soft"),
            f" {_cell(text or about(run), message)} ",
            (_cell(say.name("verify.type", str(result.get("event_type", ""))), _TYPE), "soft"),
            " ",
            (_cell(ended, _VERDICT), verdict if verdict in SHAPES else "failed"),
            f" {_cell(_confidence(result), _CONFIDENCE)} ",
            (_cell(", ".join(listed), flags), "degraded"),
            (f" {_cost(result)}", "soft"),
        )


def _verdict(name: str, say: Words) -> str:
    return judged(name, say.name("verdict", name)).plain


def _shares(width: int) -> tuple[int, int]:
    """Cells for the message and for its flags."""
    left = max(width - (_NUMBER + _TYPE + _VERDICT + _CONFIDENCE + _COST + 6), 20)
    return left - left * 2 // 5, left * 2 // 5


def _cell(text: str, width: int) -> str:
    plain = render.clean(text)
    if cell_len(plain) > width:
        plain = f"{set_cell_size(plain, width - 1).rstrip()}…"
    return set_cell_size(plain, width)


def _confidence(result: JsonObject) -> str:
    return f"{float(result['confidence']):.2f}" if "confidence" in result else "–"


def _cost(result: JsonObject) -> str:
    usd = float(result.get("cost", {}).get("usd", 0.0))
    return f"${usd:.4f}" if usd else "–"


def _fields(line: tuple[int, str, str], run: Run) -> tuple[str, ...]:
    """A line for pipes: its columns are parted by tabs, the contract's own words in them."""
    number, text, repeats = line
    result: JsonObject = run.result or {}
    listed = [str(each) for each in result.get("risk_flags", [])]
    flags = ",".join([repeats, *listed] if repeats else listed)
    return (
        str(number),
        str(result.get("verdict", run.state)),
        _confidence(result),
        str(result.get("event_type", "–")),
        flags or "–",
        _cost(result),
        run.id,
        text or about(run),
    )
