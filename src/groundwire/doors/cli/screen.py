"""Where a run's story is shown: a live block on a terminal, plain lines in a pipe, or nowhere."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from groundwire.doors.cli import render
from groundwire.doors.cli.story import LiveStory

if TYPE_CHECKING:
    from rich.live import Live

    from groundwire.model.event import Event


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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
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
