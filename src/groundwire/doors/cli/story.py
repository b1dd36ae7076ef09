"""A run on the terminal while it goes on: its job's steps with their counts, as a live block or as plain
lines in a pipe."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from groundwire import jobs
from groundwire.doors.cli import render
from groundwire.model.story import ENDS, StepState, Story, is_folded, step_of
from groundwire.report import story as wording
from groundwire.words import Words, words

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.live import Live

    from groundwire.model.event import Event

_MARKS: dict[StepState, tuple[str, str]] = {
    "live": ("◉", "accent"),
    "ahead": ("○", "faint"),
    "broken": ("○", "faint"),
    "skipped": ("–", "faint"),
    "done": ("●", "ink"),
}


def language_of(text: str, requested: object = None) -> str:
    """Return the language of the labels: the requested one, else the text's own."""
    if requested not in (None, "auto"):
        return str(requested)
    if not any("\u3400" <= char <= "\u9fff" for char in text):
        return "en"
    from groundwire.language.text.characters import detect_language  # takes 0.1 s to load

    return detect_language(text)


@dataclass
class LiveStory:
    """The story so far. `take` an event, show the `block`."""

    title: str
    kind: str
    language: str = "en"
    clock: Callable[[], float] = time.monotonic
    run_id: str = ""
    spent: int = 0  # micro-dollars
    seq: int = 0  # of the last event that was taken
    begun: float = 0.0
    story: Story = field(init=False)
    beside: str = ""  # what goes on outside of the steps, such as an exam
    elsewhere: bool = False  # whether it was said that another process runs it
    unasked: bool = False  # what it proposes is confirmed as it is, and not told as a question
    newest: dict[str, str] = field(default_factory=dict[str, str])  # lines, by their steps
    told: set[str] = field(default_factory=set[str])  # pages

    def __post_init__(self) -> None:
        self.begun = self.clock()
        self.story = Story(jobs.steps(self.kind))

    @property
    def say(self) -> Words:
        return words(self.language)

    def take(self, event: Event) -> str | None:
        """Take an event; return the line for a pipe that tells it, None for small things."""
        self.run_id, self.seq = event.run_id, event.seq
        self.story.take(event)
        if self.unasked and event.type == "proposal" and not event.payload.get("confirmed"):
            return None
        line = wording.line(event, self.story.steps, self.say)
        if not line or event.type in ENDS:
            return None
        step = step_of(self.story.steps, event)
        if step is None:
            self.beside = line if "says" in event.payload else self.beside
            return line
        self.newest[step.name] = line
        if is_folded(self.story.steps, event) or self._was_told(event):
            return None
        return f"{wording.label(self.kind, step.name, self.say)}{self.say('list.colon')}{line}"

    def _was_told(self, event: Event) -> bool:
        """Tell whether a page was told before: steps that go on side by side read the same ones."""
        if event.type != "evidence":
            return False
        page = str(event.payload.get("id") or event.key)
        before = page in self.told
        self.told.add(page)
        return before

    def details(self, place: int) -> str:
        """Return the counts of a step, with its newest line if it is one to show."""
        step = self.story.steps[place]
        parts = [*wording.counted(self.story, step, self.kind, self.say)]
        if step.aloud and step.name in self.newest:
            parts.append(self.newest[step.name])
        return " · ".join(parts)

    def mark(self, place: int) -> tuple[str, str]:
        """Return the shape and style of a step."""
        return _MARKS[self.story.state(place)]

    def block(self) -> Group:
        """Draw the live block: a fixed number of lines, so that nothing jumps."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        rows = Table.grid(padding=(0, 1))
        rows.add_column(width=2)
        rows.add_column(min_width=6)
        rows.add_column(no_wrap=True, overflow="ellipsis")
        for place, step in enumerate(self.story.steps):
            shape, style = self.mark(place)
            rows.add_row(
                Text(f" {shape}", style),
                Text(wording.label(self.kind, step.name, self.say), style),
                Text(render.clean(self.details(place)), "soft"),
            )
        seconds = self.say("span.seconds", n=f"{self.clock() - self.begun:.1f}")
        foot = Text(f"   {seconds} · ${self.spent / 1_000_000:.4f}", "soft")
        if self.run_id:
            foot.append(f" · {self.run_id}")
        lines: list[RenderableType] = [render.shown(self.title, "bold"), rows, foot]
        if self.beside:
            told = Text(
                f"   {render.clean(self.beside)}", "soft", no_wrap=True, overflow="ellipsis"
            )
            lines.insert(2, told)
        return Group(*lines)


class Screen:
    """The story on stderr; its first line is shown before anything heavy is imported."""

    def __init__(self, story: LiveStory, *, quiet: bool = False) -> None:
        self.story = story
        self._quiet = quiet
        self._live: Live | None = None

    def __enter__(self) -> Screen:
        console = render.aside()
        if console.is_terminal and not console.is_dumb_terminal:
            from rich.live import Live

            self._live = Live(
                get_renderable=self.story.block,
                console=console,
                transient=True,
                refresh_per_second=8,
                redirect_stdout=False,
            )
            self._live.start(refresh=True)
        elif not self._quiet:
            self.line(self.story.title)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the block; what follows takes its place."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def take(self, event: Event) -> None:
        line = self.story.take(event)
        if line is not None:
            self.line(line)

    def began(self, run_id: str) -> None:
        self.story.run_id = run_id
        self.line(self.story.say("cli.run_line", run=run_id))

    def line(self, text: str) -> None:
        """Write a line for pipes; the live block shows it in its own way."""
        if self._live is None and not self._quiet:
            render.plain_line(text)

    def note(self, text: str) -> None:
        """Write a note in either form."""
        if self._live is not None:
            self._live.console.print(render.shown(text, "soft"))
        elif not self._quiet:
            render.plain_line(text)
