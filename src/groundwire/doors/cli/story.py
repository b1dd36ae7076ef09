"""A run as it is told while it goes on: phases with counts, from events alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from groundwire.doors.cli.render import clean, shown
from groundwire.report.words import Words, words

if TYPE_CHECKING:
    from rich.console import Group, RenderableType

    from groundwire.model.base import JsonObject
    from groundwire.model.event import Event

PHASES = ("plan", "search", "read", "weigh", "write", "check")
_DONE, _LIVE, _AHEAD, _SKIPPED = "●", "◉", "○", "–"


def language_of(text: str) -> str:
    """Which labels suit a question, before anything heavy is loaded."""
    return "zh" if any("\u3400" <= char <= "\u9fff" for char in text) else "en"


def _recalled(payload: JsonObject) -> str | None:
    known: list[str] = payload.get("claims", [])
    if payload.get("state") == "unavailable":
        return "recall: memory cannot be asked"
    return f"recall: {len(known)} believed before" if known else None


@dataclass
class Story:
    """What has happened so far. `take` an event, show the `block`."""

    phases: ClassVar[tuple[str, ...]] = PHASES

    title: str
    language: str = "en"
    clock: Callable[[], float] = time.monotonic
    run_id: str = ""
    spent: int = 0  # micro-dollars
    phase: int = 0  # index of the live one; their number when all are done
    round: int = 0
    wrote: bool = False
    over: bool = False
    counts: dict[str, int] = field(default_factory=dict[str, int])
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    begun: float = 0.0
    entered: float = 0.0
    origins: str = ""

    def __post_init__(self) -> None:
        self.begun = self.entered = self.clock()

    @property
    def say(self) -> Words:
        return words(self.language)

    def take(self, event: Event) -> str | None:
        """Move on; the line that says so where there is no live block, None for small things."""
        self.run_id = event.run_id
        payload = event.payload
        phase = str(payload.get("phase", ""))
        match event.type:
            case "run":
                return self._run(payload)
            case "thought" if phase == "plan":
                return self._plan(payload)
            case "progress" if phase == "search":
                return self._search(payload)
            case "evidence":
                return self._evidence(payload)
            case "warning":
                return self._warning(payload)
            case "thought" if phase == "recall":
                return _recalled(payload)
            case "thought" if phase == "weigh":
                return self._weigh(payload)
            case "answer":
                self.wrote = True
                self._enter("check")
                self._count("sentences")
                return f"check: {payload.get('verdict', '')}: {payload.get('text', '')}"
            case "gap":
                self._enter("check")
                self._count("gaps")
                return f"missing: {payload.get('what', '')} ({payload.get('why', '')})"
            case "complete" | "failed" | "cancelled":
                self._leave(len(self.phases))
                self.over = True
                return None
            case _:
                return None

    def _run(self, payload: JsonObject) -> str | None:
        if payload.get("restarted") and payload.get("unmatched_calls") is None:
            return f"run {self.run_id} goes on: {payload['reason']}"
        return None

    def _plan(self, payload: JsonObject) -> str:
        queries: list[JsonObject] = payload.get("queries", [])
        self.round = int(payload.get("round", 0))
        if self.round:
            self.phase = 0
        self._leave(1)
        self._count("queries", len(queries))
        texts = " · ".join(str(query.get("text", "")) for query in queries)
        return f"plan: {texts}"

    def _search(self, payload: JsonObject) -> str:
        failures: list[JsonObject] = payload.get("failures", [])
        self._enter("search")
        self._count("searches")
        self._count("hits", int(payload.get("hits", 0)))
        self._count("failed", len(failures))
        problems = "".join(f"; {f.get('provider')} failed: {f.get('message')}" for f in failures)
        return f"search: {payload.get('query', '')}: {payload.get('hits', 0)} hits{problems}"

    def _evidence(self, payload: JsonObject) -> str:
        self._enter("read")
        self._count("snippets" if payload.get("kind") == "snippet" else "pages")
        flags: list[str] = [str(flag) for flag in payload.get("flags", [])]
        listed = f" [{', '.join(flags)}]" if flags else ""
        return f"read: {payload.get('publisher', '')}: {payload.get('title', '')}{listed}"

    def _warning(self, payload: JsonObject) -> str:
        if payload.get("phase") == "read":
            self._enter("read")
            if payload.get("instead") == "nothing":
                self._count("unread")
        return f"warning: {payload.get('url', '')} {payload.get('message', '')}".rstrip()

    def _weigh(self, payload: JsonObject) -> str:
        self._leave(PHASES.index("write"))
        self.counts["passages"] = int(payload.get("passages", 0))
        articles, origins = int(payload.get("articles", 0)), int(payload.get("origins", 0))
        self.origins = self.say.origin_line(articles, origins)
        return f"weigh: {self.origins}, {self.counts['passages']} passages"

    def _count(self, name: str, by: int = 1) -> None:
        self.counts[name] = self.counts.get(name, 0) + by

    def _enter(self, phase: str) -> None:
        if self.phases.index(phase) > self.phase:
            self._leave(self.phases.index(phase))

    def _leave(self, index: int) -> None:
        """Everything before `index` is done; its time goes to the phase that was live."""
        now = self.clock()
        if self.phase < len(self.phases):
            name = self.phases[self.phase]
            self.seconds[name] = self.seconds.get(name, 0.0) + now - self.entered
        self.phase, self.entered = index, now

    def details(self, phase: str) -> str:
        """The counts of one phase."""
        names = {
            "plan": ("queries",),
            "search": ("searches", "hits", "failed"),
            "read": ("pages", "snippets", "unread"),
            "weigh": ("passages",),
            "check": ("sentences", "gaps"),
        }.get(phase, ())
        parts = [self.say.count(name, self.counts[name]) for name in names if self.counts.get(name)]
        if phase == "weigh" and self.origins:
            parts.insert(0, self.origins)
        if phase == "plan" and self.round:
            parts.append(self.say.count("round", self.round + 1))
        return " · ".join(parts)

    def mark(self, index: int) -> tuple[str, str]:
        """Shape and style of a phase."""
        if index == self.phase and not self.over:
            return _LIVE, "accent"
        if index >= self.phase:
            return _AHEAD, "faint"
        return (_SKIPPED, "faint") if self.skipped(self.phases[index]) else (_DONE, "ink")

    def skipped(self, phase: str) -> bool:
        """A step that was passed over: nothing to write from (law 5), and that is shown."""
        return phase == "write" and not self.wrote

    def label(self, phase: str) -> str:
        return self.say.phases.get(phase, phase)

    def block(self) -> Group:
        """The live block: a fixed number of lines, so that nothing jumps."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        rows = Table.grid(padding=(0, 1))
        rows.add_column(width=2)
        rows.add_column(min_width=6)
        rows.add_column(no_wrap=True, overflow="ellipsis")
        for index, phase in enumerate(self.phases):
            shape, style = self.mark(index)
            rows.add_row(
                Text(f" {shape}", style),
                Text(self.label(phase), style),
                Text(clean(self.details(phase)), "soft"),
            )
        took = self.clock() - self.begun
        foot = Text(f"   {took:.1f} s · ${self.spent / 1_000_000:.4f}", "soft")
        if self.run_id:
            foot.append(f" · {self.run_id}")
        lines: list[RenderableType] = [shown(self.title, "bold"), rows, foot]
        return Group(*lines)
