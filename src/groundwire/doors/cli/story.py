"""A run as the terminal tells it while it goes on: its job's steps with their counts, in a live
block, as plain lines in a pipe, or nowhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from groundwire import jobs
from groundwire.doors.cli import render
from groundwire.model.story import ENDS, StepState, Story, step_of
from groundwire.report import story as told
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


def language_of(text: str, asked: object = None) -> str:
    """Return the language of the labels: the one asked for, else the text's own."""
    if asked not in (None, "auto"):
        return str(asked)
    if not any("\u3400" <= char <= "\u9fff" for char in text):
        return "en"
    from groundwire.language.text.characters import detect_language  # takes 0.1 s to load

    return detect_language(text)


@dataclass
class LiveStory:
    """What has happened so far. `take` an event, show the `block`."""

    title: str
    kind: str
    language: str = "en"
    clock: Callable[[], float] = time.monotonic
    run_id: str = ""
    spent: int = 0  # micro-dollars
    begun: float = 0.0
    story: Story = field(init=False)
    newest: dict[str, str] = field(default_factory=dict[str, str])  # lines, by their steps

    def __post_init__(self) -> None:
        self.begun = self.clock()
        self.story = Story(jobs.steps(self.kind))

    @property
    def say(self) -> Words:
        return words(self.language)

    def take(self, event: Event) -> str | None:
        """Move on; the line that says so where there is no live block, None for small things."""
        self.run_id = event.run_id
        self.story.take(event)
        line = told.line(event, self.story.steps, self.say)
        if not line or event.type in ENDS:
            return None
        step = step_of(self.story.steps, event)
        if step is None:
            return line
        self.newest[step.name] = line
        return f"{told.label(self.kind, step.name, self.say)}{self.say('list.colon')}{line}"

    def details(self, place: int) -> str:
        """The counts of a step, with its newest line if that is to be read."""
        step = self.story.steps[place]
        parts = [*told.counted(self.story, step, self.say)]
        if step.aloud and step.name in self.newest:
            parts.append(self.newest[step.name])
        return " · ".join(parts)

    def mark(self, place: int) -> tuple[str, str]:
        """Shape and style of a step."""
        return _MARKS[self.story.state(place)]

    def block(self) -> Group:
        """The live block: a fixed number of lines, so that nothing jumps."""
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
                Text(told.label(self.kind, step.name, self.say), style),
                Text(render.clean(self.details(place)), "soft"),
            )
        took = self.clock() - self.begun
        foot = Text(f"   {took:.1f} s · ${self.spent / 1_000_000:.4f}", "soft")
        if self.run_id:
            foot.append(f" · {self.run_id}")
        lines: list[RenderableType] = [render.shown(self.title, "bold"), rows, foot]
        return Group(*lines)


class Screen:
    """Shows its first line before anything heavy is imported. All of it goes to stderr."""

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
        """Take the block away; what follows stands in its place."""
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
        """A line for pipes; the live block says it in its own way."""
        if self._live is None and not self._quiet:
            render.plain_line(text)

    def note(self, text: str) -> None:
        """Something to know in either form."""
        if self._live is not None:
            self._live.console.print(render.shown(text, "soft"))
        elif not self._quiet:
            render.plain_line(text)
