"""What a view of a job is, and how the view of a run is found."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from groundwire import plugins

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.model.base import JsonObject
    from groundwire.model.run import Run

VIEWS = plugins.load("groundwire.doors.cli.views")
_PLAIN = "tool"  # of a job that has no view of its own


class Show(Protocol):
    """Puts a finished run on stdout, as people or as programs read it."""

    def __call__(self, app: App, run: Run, *, as_json: bool) -> Coroutine[Any, Any, None]: ...


@dataclass(frozen=True)
class View:
    """Declared as `VIEW` by each file of `views/`."""

    about: Callable[[Run], str]  # what a run is about, in its own words
    result: Callable[[Run], JsonObject]  # what it gave, or in the same manner why not
    show: Show


def view(kind: str) -> View:
    """The view of a job's runs."""
    found: View = VIEWS[kind if kind in VIEWS else _PLAIN].VIEW
    return found


def view_of(run: Run) -> View:
    """That of its job, or the plain one where its job cannot read the result."""
    from groundwire.report.job import understood

    return view(run.kind if understood(run) else _PLAIN)


async def where_to_look(app: App, run: Run) -> tuple[str, str]:
    """What to do when nothing was found: a command, and what it is for."""
    stats = await app.store.index.stats()
    if stats.documents == 0:
        return "gw archive add --sample", "the archive is empty: load the sample, or add your own"
    if run.settings.get("offline"):
        return (
            "gw archive add PATH…",
            "only the archive is searched while GROUNDWIRE_OFFLINE is set",
        )
    return "gw providers", "what else could be searched"
