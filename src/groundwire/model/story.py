"""The progress of a run through its steps: a job declares them, and every door follows them from
events by this one declaration (the page's script does it in `static/story.js`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from datetime import datetime

    from groundwire.model.base import Json
    from groundwire.model.call import CallLine
    from groundwire.model.event import Event

ENDS = frozenset({"complete", "failed", "cancelled"})
# The event types that any job may emit; types that its steps declare besides are its own.
_COMMON = ("thought", "progress", "evidence", "proposal", "answer", "warning", "gap", "cost")
SHARED = ("run", *_COMMON, *sorted(ENDS))
_LAST = {"complete": "completed", "failed": "failed"}  # the phases in which a run is over
StepState = Literal["done", "live", "ahead", "skipped", "broken"]


@dataclass(frozen=True)
class Count:
    """What a step counts, under the word `n.NAME`: events, or a field of their payload.

    Numbers are added up, the items of lists are counted.
    """

    name: str
    field: str = ""  # of the payload; "": each event is one
    newest: bool = False  # the last value, not the sum
    on: str = ""  # only events of this type
    where: tuple[str, str | bool] | None = None  # only events with this value in this field
    anew: bool = False  # starts from zero in each round
    least: int = 1  # a smaller count is not shown

    def of(self, event: Event) -> int | None:
        """Return what an event adds; None: nothing."""
        payload = event.payload
        if self.on and event.type != self.on:
            return None
        if self.where is not None and payload.get(self.where[0]) != self.where[1]:
            return None
        if not self.field:
            return 1
        value = cast("Json", payload.get(self.field))
        if isinstance(value, list):
            return len(cast("list[Json]", value))
        return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass(frozen=True)
class Part:
    """What a field of an event's payload adds to the line that shows the event.

    A whole number is shown with `word`, which has a place for `{n}`; a name, or each of a list of
    names, as `WORD.NAME` where there is such a word.
    """

    field: str
    word: str = ""
    rather: str = ""  # the field that is shown instead where it has a value
    empty: str = ""  # the word for an empty field


@dataclass(frozen=True)
class Step:
    """A step of a job, under the word `KIND.step.NAME`."""

    name: str
    events: tuple[str, ...] = ()  # its own: by type, or by type and phase: "thought.plan"
    proofs: tuple[str, ...] = ()  # events of later steps that show that it was taken
    counts: tuple[Count, ...] = ()
    tells: tuple[Part, ...] = ()  # how its events are shown in one line
    aloud: bool = False  # the newest line is shown beside the counts
    ends: bool = False  # with its event it is done
    again: bool = False  # a round begins with it
    idle: str = ""  # a list of its event: where it is empty, the last step comes next
    calls: tuple[str, ...] = ()  # the outside calls made for it: by kind, or by prompt
    folds: bool = False  # what is searched and read within it is told by its own lines


# For a job that declares no steps: whatever it does is one.
WORK = (Step("work", _COMMON),)
# The step that a call belongs to where no step claims its kind.
_USUAL = {"search": "search", "fetch": "read", "embed": "search"}


def types_of(steps: tuple[Step, ...]) -> tuple[str, ...]:
    """List the event types of a job with these steps: the shared ones and its own."""
    known = (key.partition(".")[0] for step in steps for key in (*step.events, *step.proofs))
    return tuple(dict.fromkeys((*SHARED, *known)))


def keys_of(event: Event) -> tuple[str, str]:
    """Return the keys that steps know an event by: the type, and the type with the phase."""
    return event.type, f"{event.type}.{event.payload.get('phase', '')}"


def step_of(steps: tuple[Step, ...], event: Event) -> Step | None:
    """Find the step that an event belongs to."""
    keys = keys_of(event)
    return next((step for step in steps if not set(keys).isdisjoint(step.events)), None)


def is_folded(steps: tuple[Step, ...], event: Event) -> bool:
    """Tell whether an event that went well belongs into the line of the step within which it came."""
    within = event.step.split("/")
    folding = any(step.folds and step.name in within for step in steps)
    own = step_of(steps, event)
    return (
        folding
        and own is not None
        and not own.folds
        and event.type in ("progress", "evidence")
        and not event.payload.get("failures")
    )


def step_of_call(steps: tuple[Step, ...], call: CallLine) -> str:
    """Return the name of the step that an outside call was made for; "": none in particular."""
    for step in steps:
        if call.kind in step.calls or (call.prompt and call.prompt in step.calls):
            return step.name
    usual = _USUAL.get(call.kind, "")
    return usual if any(step.name == usual for step in steps) else ""


@dataclass
class Story:
    """How far a run has come. `take` its events in order."""

    steps: tuple[Step, ...]
    attempt: int = 1
    index: int = 0  # of the live step; their number when all are done
    entered: datetime | None = None
    last: datetime | None = None  # of the newest event
    over: str = ""  # the type of the last event, once it came
    counts: dict[str, int] = field(default_factory=dict[str, int])  # "step.count" → how many
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    seen: set[str] = field(default_factory=set[str])
    phase: str = ""  # of a job that has phases: the one that it stands in
    passed: dict[str, int] = field(default_factory=dict[str, int])  # how often it told of each

    def take(self, event: Event) -> None:
        """Move on with an event."""
        if event.attempt > self.attempt:
            self._begin_attempt(event.attempt)
        if self.entered is None:
            self.entered = event.at
        self._take(event)
        self.last = event.at

    def _begin_attempt(self, attempt: int) -> None:
        """Forget what an earlier attempt emitted: it is emitted again, and counted once."""
        self.attempt, self.index, self.over = attempt, 0, ""
        self.entered = self.last = None
        self.counts, self.seconds, self.seen = {}, {}, set()
        self.phase, self.passed = "", {}

    def _take(self, event: Event) -> None:
        self._enter(event)
        if event.type in ENDS:
            self.over = event.type
            # A run with a result went through every step, even if the result is a failure.
            whole = event.type == "complete" or bool(event.payload.get("digest"))
            self._leave(len(self.steps) if whole else self.index, event.at)
            return
        self.seen.update(keys_of(event))
        step = step_of(self.steps, event)
        if step is not None:
            self._move(self.steps.index(step), step, event)
            self._count(step, event)

    def _enter(self, event: Event) -> None:
        """Note the phase that a thought tells of, or the end of all."""
        phase = str(event.payload.get("phase", "")) if event.type == "thought" else ""
        phase = phase or _LAST.get(event.type, "")
        if phase:
            self.phase = phase
            self.passed[phase] = self.passed.get(phase, 0) + 1

    def _count(self, step: Step, event: Event) -> None:
        for count in step.counts:
            if (value := count.of(event)) is not None:
                name = f"{step.name}.{count.name}"
                self.counts[name] = value if count.newest else self.counts.get(name, 0) + value

    def _move(self, place: int, step: Step, event: Event) -> None:
        if step.again:
            self._begin_round()
        if place > self.index or (step.again and place != self.index):
            # A step that emits only at its end began with the last event of the one before.
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
        """Add the time since the last move to the step that was live."""
        if self.index < len(self.steps) and self.entered is not None:
            name = self.steps[self.index].name
            passed = max(0.0, (at - self.entered).total_seconds())
            self.seconds[name] = self.seconds.get(name, 0.0) + passed
        self.index, self.entered = index, at

    def state(self, place: int) -> StepState:
        """Return the state of the step at a place."""
        if place == self.index:
            return "live" if not self.over else "broken"
        if place > self.index:
            return "ahead"
        step = self.steps[place]
        return "done" if self.seen.intersection((*step.events, *step.proofs)) else "skipped"
