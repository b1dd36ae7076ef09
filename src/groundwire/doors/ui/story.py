"""The steps of a run as they go on. Each job's view declares its own; they are counted from events,
here for what is stored and by `static/story.js` for what comes after it, from the same declaration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, cast

from groundwire.model.base import Json, JsonObject
from groundwire.model.event import Event
from groundwire.words import Words

ENDS = frozenset({"complete", "failed", "cancelled"})
StepState = Literal["done", "live", "ahead", "skipped", "broken"]


@dataclass(frozen=True)
class Count:
    """What a step counts, under the word `n.NAME`: events, or what a field of theirs says.

    A number is added up, of a list its items are counted.
    """

    name: str
    field: str = ""  # of the payload; "": each event is one
    newest: bool = False  # the last value, not the sum
    on: str = ""  # only events of this type
    where: tuple[str, str] | None = None  # only events whose payload has this value in this field
    anew: bool = False  # counted from nothing in each round

    def of(self, event: Event) -> int | None:
        """What an event adds; None: nothing."""
        payload = event.payload
        if self.on and event.type != self.on:
            return None
        if self.where is not None and payload.get(self.where[0]) != self.where[1]:
            return None
        if not self.field:
            return 1
        value = cast(Json, payload.get(self.field))
        if isinstance(value, list):
            return len(cast("list[Json]", value))
        return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass(frozen=True)
class Step:
    """A step of a job, under the word `KIND.step.NAME`."""

    name: str
    events: tuple[str, ...] = ()  # its own: by type, or by type and phase: "thought.plan"
    proofs: tuple[str, ...] = ()  # events of later steps that show that it was taken
    counts: tuple[Count, ...] = ()
    ends: bool = False  # with its event it is done
    again: bool = False  # a round begins with it
    idle: str = ""  # a list of its event: where it is empty, the last step comes next


def keys_of(event: Event) -> tuple[str, str]:
    """By what a step knows its events: the type, and the type with the phase."""
    return event.type, f"{event.type}.{event.payload.get('phase', '')}"


@dataclass
class Story:
    """How far a run is. `take` its events in their order."""

    steps: tuple[Step, ...]
    index: int = 0  # of the live step; their number when all are done
    entered: datetime | None = None
    last: datetime | None = None  # of the newest event
    over: str = ""  # the type of the last event, once it came
    counts: dict[str, int] = field(default_factory=dict[str, int])  # "step.count" → how many
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    seen: set[str] = field(default_factory=set[str])

    def take(self, event: Event) -> None:
        if self.entered is None:
            self.entered = event.at
        self._take(event)
        self.last = event.at

    def _take(self, event: Event) -> None:
        if event.type in ENDS:
            self.over = event.type
            # What came to a result went all the way, even if the result is a failure.
            whole = event.type == "complete" or bool(event.payload.get("digest"))
            self._leave(len(self.steps) if whole else self.index, event.at)
            return
        keys = keys_of(event)
        self.seen.update(keys)
        for place, step in enumerate(self.steps):
            if keys[0] in step.events or keys[1] in step.events:
                self._move(place, step, event)
                self._count(step, event)
                return

    def _count(self, step: Step, event: Event) -> None:
        for count in step.counts:
            if (value := count.of(event)) is not None:
                name = f"{step.name}.{count.name}"
                self.counts[name] = value if count.newest else self.counts.get(name, 0) + value

    def _move(self, place: int, step: Step, event: Event) -> None:
        if step.again:
            self._begin_round()
        if place > self.index or (step.again and place != self.index):
            # A step that tells of itself at its end began when the one before it told its last.
            self._leave(place, self.last if step.ends and self.last else event.at)
        if step.ends and place == self.index:
            idle = bool(step.idle) and not event.payload.get(step.idle)
            self._leave(len(self.steps) - 1 if idle else place + 1, event.at)

    def _begin_round(self) -> None:
        for step in self.steps:
            for count in step.counts:
                if count.anew:
                    self.counts.pop(f"{step.name}.{count.name}", None)

    def _leave(self, index: int, at: datetime) -> None:
        """What passed since the last move belongs to the step that was live."""
        if self.index < len(self.steps) and self.entered is not None:
            name = self.steps[self.index].name
            passed = max(0.0, (at - self.entered).total_seconds())
            self.seconds[name] = self.seconds.get(name, 0.0) + passed
        self.index, self.entered = index, at

    def state(self, place: int) -> StepState:
        if place == self.index:
            return "live" if not self.over else "broken"
        if place > self.index:
            return "ahead"
        step = self.steps[place]
        return "done" if self.seen.intersection((*step.events, *step.proofs)) else "skipped"


@dataclass(frozen=True)
class Row:
    """A step as it is shown."""

    name: str
    label: str
    state: StepState
    word: str  # what the mark of the state means
    said: str  # the counts
    seconds: float | None


def rows(story: Story, kind: str, t: Words) -> list[Row]:
    return [
        Row(
            name=step.name,
            label=t(f"{kind}.step.{step.name}"),
            state=(state := story.state(place)),
            word=t(f"run.mark.{state}"),
            said=" · ".join(_said(story, step, t)),
            seconds=story.seconds.get(step.name),
        )
        for place, step in enumerate(story.steps)
    ]


def _said(story: Story, step: Step, t: Words) -> list[str]:
    counted = ((count, story.counts.get(f"{step.name}.{count.name}")) for count in step.counts)
    return [number(t, count.name, n) for count, n in counted if n]


def number(t: Words, name: str, n: int) -> str:
    """A count in words, under `n.NAME`."""
    return counted(t, f"n.{name}", n)


def counted(t: Words, word: str, n: int) -> str:
    """Return a word for one or many."""
    return t(word, n=n)


def for_script(story: Story, kind: str, t: Words) -> JsonObject:
    """The declaration, and how far it is counted: all that `static/story.js` goes on from."""
    return {
        "steps": [_declared(step, kind, t) for step in story.steps],
        "index": story.index,
        "entered": None if story.entered is None else story.entered.isoformat(),
        "last": None if story.last is None else story.last.isoformat(),
        "over": story.over,
        "counts": story.counts,
        "seconds": story.seconds,
        "seen": sorted(story.seen),
        "marks": {state: t(f"run.mark.{state}") for state in _STATES},
        "seconds_word": t("run.seconds"),
    }


_STATES: Sequence[StepState] = ("done", "live", "ahead", "skipped", "broken")


def _declared(step: Step, kind: str, t: Words) -> JsonObject:
    return {
        "name": step.name,
        "label": t(f"{kind}.step.{step.name}"),
        "events": list(step.events),
        "proofs": list(step.proofs),
        "ends": step.ends,
        "again": step.again,
        "idle": step.idle,
        "counts": [
            {
                "name": count.name,
                "field": count.field,
                "newest": count.newest,
                "on": count.on,
                "anew": count.anew,
                "where": None if count.where is None else list(count.where),
                "word": t.template(f"n.{count.name}"),
            }
            for count in step.counts
        ],
    }
