"""A standing run: an input that is run again and again, on a rule, for whoever wants to be told."""

from __future__ import annotations

from datetime import time

from pydantic import Field

from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.outbox import Subscriber


class Recurrence(Value):
    """How often: every so many seconds, or whenever a clock on the wall shows what a cron says."""

    seconds: int = 0
    cron: str = ""


class QuietHours(Value):
    """The hours in which nobody is disturbed, by the clock on the wall; they may pass midnight."""

    begin: time
    end: time


class Schedule(Value):
    """A standing run. Its runs carry its id as `schedule_id`."""

    id: str
    kind: str
    input: JsonObject
    options: JsonObject = Field(
        default_factory=dict
    )  # settings of its runs alone, by their dotted names
    text: str = ""  # what it is about, in the words of whoever made it
    said: str  # the rule as it was written
    recurrence: Recurrence
    zone: str = "UTC"
    quiet: QuietHours | None = None
    # Limits in micro-dollars: of a `run`, and of all its runs in a `day` and in a `month`.
    budgets: dict[str, int] = Field(default_factory=dict)
    subscribers: tuple[Subscriber, ...] = ()
    paused: bool = False
    owner: str = "local"
    created_at: Instant
    next_at: Instant
    trouble: str = ""  # why it last did not run, as errors are kept; "": it did

    told_at: Instant | None = None  # the moment of its last run that found something to tell


class ScheduleLine(Value):
    """A standing run in a list, with how often it ran and the moment of its last run."""

    schedule: Schedule
    runs: int = 0
    last_at: Instant | None = None
