"""The plan of a watch: sub-tasks, each with its searches, where, how far back, and why."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from groundwire.jobs.watch.given import known_platform
from groundwire.model.base import Value

FEWEST, MOST = 3, 5
MOST_QUERIES, LONGEST_QUERY = 6, 380
_EDITED = 8  # sub-tasks that a person may make of them


class SubTask(Value):
    """One part of what is watched."""

    task: str = Field(min_length=1, max_length=120)
    queries: tuple[
        Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY, pattern=r"\w")], ...
    ] = Field(min_length=1, max_length=MOST_QUERIES)
    platforms: tuple[Annotated[str, AfterValidator(known_platform)], ...] = ()  # (): anywhere
    days: int | None = Field(default=None, ge=1)  # how far back; None: no limit
    why: str = Field(default="", max_length=300)


class Plan(Value):
    """What a person confirms or edits before anything is spent."""

    subject: str = Field(min_length=1, max_length=400)
    language: str
    tasks: tuple[SubTask, ...] = Field(min_length=1, max_length=_EDITED)
