"""A job is a folder: everything that the rest of the house knows of it is declared in its `job.py`.

Listing the jobs imports none of them. Nothing outside `jobs/<name>` names the job.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from groundwire import plugins
from groundwire.model.desk import Bar, Section
from groundwire.model.story import WORK, Step

if TYPE_CHECKING:
    from pydantic import BaseModel

    from groundwire.context import Context
    from groundwire.model.base import JsonObject, Value
    from groundwire.model.history import JudgedEvent
    from groundwire.model.memory import Lesson
    from groundwire.model.outbox import Notice


def no_lessons(_result: BaseModel) -> Sequence[Lesson]:
    """Teach nothing: the job only fetches or counts, or remembers in its own way."""
    return ()


def no_event(_result: BaseModel) -> JudgedEvent | None:
    """Leave nothing in the memory of events."""
    return None


def first_text(given: JsonObject) -> str:
    """Return what a person typed: the first text of an input."""
    return next((each for each in given.values() if isinstance(each, str)), "")


def no_notice(_result: BaseModel) -> Notice | None:
    """Tell nobody."""
    return None


@dataclass(frozen=True)
class Job:
    """Declared as `JOB` in `jobs/<name>/job.py`."""

    kind: str
    input: type[Value]
    result: type[BaseModel]
    run: Callable[[Context, Any], Awaitable[BaseModel]]
    draw: Callable[[], str]  # mermaid
    # What it goes through, as every door shows it while it runs.
    steps: tuple[Step, ...] = WORK
    # Its place in the command bar, and how its latest runs are listed on the desk.
    bar: Bar = field(default_factory=Bar)
    section: Section | None = None
    # To people and programs by its own name, at every door; the call of a tool is offered as the tool.
    offered: bool = True
    # What a person typed, out of a checked input: lists of runs are searched by it.
    text: Callable[[JsonObject], str] = field(default=first_text)
    # What a finished result teaches.
    teaches: Callable[[Any], Sequence[Lesson]] = field(default=no_lessons)
    # What a finished result leaves in the memory of judged events.
    leaves: Callable[[Any], JudgedEvent | None] = field(default=no_event)
    # What is told of a finished result to whoever wants to be told.
    notice: Callable[[Any], Notice | None] = field(default=no_notice)
    # The types of what it asks a person to confirm, each by its name.
    proposals: tuple[type[Value], ...] = ()


def kinds() -> tuple[str, ...]:
    """The names of all jobs: the folders beside this file, and those that `__path__` was given."""
    return tuple(sorted(each.name for each in pkgutil.iter_modules(__path__) if each.ispkg))


def find(kind: str) -> Job:
    """The job of this name; an unknown one is refused with the nearest."""
    if kind not in kinds():
        raise plugins.unknown("job", kind, kinds())
    found: Job = importlib.import_module(f"{__name__}.{kind}.job").JOB
    return found


def steps(kind: str) -> tuple[Step, ...]:
    """Return the steps of a job, without importing the rest of it where they have a file of their own."""
    if kind not in kinds():  # of a run that another version has stored
        return WORK
    own = f"{__name__}.{kind}.steps"
    if importlib.util.find_spec(own) is None:
        return find(kind).steps
    found: tuple[Step, ...] = importlib.import_module(own).STEPS
    return found


def offered() -> Iterator[Job]:
    """The jobs that people and programs ask for by name."""
    for kind in kinds():
        found = find(kind)
        if found.offered:
            yield found
