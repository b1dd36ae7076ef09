"""What a job is to the rest of the house: its name, input, result and the way to run it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from groundwire.context import Context
from groundwire.model.base import Noun
from groundwire.model.memory import Lesson
from groundwire.model.signal import Landing


def no_lessons(_result: BaseModel) -> Sequence[Lesson]:
    """Of a job that only fetches, counts, or remembers in its own way."""
    return ()


@dataclass(frozen=True)
class Job:
    """Declared as `JOB` by each folder of `workflows/`."""

    kind: str
    input: type[Noun]
    result: type[BaseModel]
    run: Callable[[Context, Any], Awaitable[BaseModel]]
    draw: Callable[[], str]  # mermaid
    # To people and programs by its own name, at every door; the call of a tool is offered as the tool.
    offered: bool = True
    # What a finished result teaches.
    teaches: Callable[[Any], Sequence[Lesson]] = field(default=no_lessons)
    # What a finished result leaves in the memory of events, and in the outbox.
    lands: Callable[[Any], Landing | None] = field(default=lambda _result: None)
