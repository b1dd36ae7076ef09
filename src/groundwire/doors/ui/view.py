"""What a view of a job is on a page, and how the view of a run is found.

A job has its page by adding `views/KIND.py` with a `VIEW`, `templates/views/KIND.html` for the
middle of the page, and `words/KIND.json`. A job without them is shown plainly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from groundwire import plugins
from groundwire.doors.ui.draft import Draft
from groundwire.jobs import report_of
from groundwire.model.run import FINISHED, Run
from groundwire.model.story import keys_of
from groundwire.report.data import PLAIN
from groundwire.report.signal_words import SignalWords
from groundwire.report.story import line
from groundwire.report.words import Words as ReportWords
from groundwire.runs.lock import is_gone
from groundwire.words import Words

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.doors.ui.ledger import Ledger
    from groundwire.doors.ui.quotes import Chip

VIEWS = plugins.load("groundwire.doors.ui.views")
_PLAIN = "tool"  # of a job that has no view of its own


@dataclass(frozen=True)
class Seen:
    """A run as somebody looks at it: the row, what its journal told, and the words of the page."""

    run: Run
    draft: Draft
    t: Words
    say: ReportWords
    signal_say: SignalWords
    state: str  # the run's, or `interrupted`
    more: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def over(self) -> bool:
        return self.run.state in FINISHED

    def lines(self, key: str) -> list[str]:
        """Return what the newest events of a type and phase told."""
        found = [event for event in self.draft.lines if keys_of(event)[1] == key]
        return [line(event, self.draft.steps, self.t) for event in found]


@dataclass(frozen=True)
class Paper:
    """What the middle of the page shows, and the evidence that stands beside it."""

    values: Mapping[str, object]  # for the view's template
    title: str  # in the words of who asked
    language: str  # of the result
    ledger: Ledger | None = None
    chips: Sequence[Chip] = ()  # each has a card
    sentences: Mapping[str, str] = field(default_factory=dict[str, str])  # texts, by their ids


@dataclass(frozen=True)
class Button:
    """Something more that can be done with a run: a word, and where it leads."""

    word: str
    href: str


class More(Protocol):
    """What else a view has to look up."""

    async def __call__(self, app: App, run: Run) -> Mapping[str, object]: ...


async def _nothing(app: App, run: Run) -> Mapping[str, object]:
    return {}


@dataclass(frozen=True)
class View:
    """Declared as `VIEW` by each file of `views/`."""

    about: Callable[[Run], str]  # what a run is about, in its own words
    paper: Callable[[Seen], Paper]
    template: str
    buttons: Callable[[Seen], Sequence[Button]] = lambda _seen: ()
    feedback: bool = False  # people can say what came of it
    more: More = _nothing


def view(kind: str) -> View:
    """The view of a job's runs."""
    found: View = VIEWS[name_of(kind)].VIEW
    return found


def view_of(run: Run) -> View:
    """That of its job, or the plain one where its job cannot read the result."""
    return view(_PLAIN if report_of(run) is PLAIN else run.kind)


def name_of(kind: str) -> str:
    """Whose words and steps the runs of this kind are shown with."""
    return kind if kind in VIEWS else _PLAIN


def about(run: Run) -> str:
    """What a run is about, for lists."""
    return view(run.kind).about(run)


def state_of(run: Run, now: datetime) -> str:
    """The state, or `interrupted`: it says running, and nobody runs it any more."""
    if run.state != "running":
        return run.state
    over = run.lease_until is None or run.lease_until <= now
    gone = run.lease_owner is not None and is_gone(run.lease_owner)
    return "interrupted" if over or gone else "running"
