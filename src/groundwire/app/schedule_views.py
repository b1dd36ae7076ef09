"""Standing runs as programs see them, at every door."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Annotated, Literal, NamedTuple, TypeVar, cast, get_args, get_origin

from pydantic import Field

from groundwire import jobs
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.call import MICRO
from groundwire.model.change import Belief, Change
from groundwire.model.outbox import DESK, Parcel
from groundwire.model.run import RunState
from groundwire.model.schedule import Schedule, ScheduleLine
from groundwire.words import Words, unkept

T = TypeVar("T")


class Spending(Value):
    """The most that may be spent, in US dollars."""

    run: float | None = Field(default=None, ge=0, le=1e6, description="by one run")
    day: float | None = Field(default=None, ge=0, le=1e6, description="by all its runs of a day")
    month: float | None = Field(default=None, ge=0, le=1e6, description="by those of a month")


class Terms(Value):
    """How a standing run is kept."""

    schedule: str = Field(
        max_length=80, description="every 6h, daily at 9, 每天 9点, or a cron of five fields"
    )
    zone: str = Field(default="UTC", max_length=60, description="of the clock on the wall")
    quiet: str = Field(default="", max_length=40, description="hours without alerts: 22:00-07:00")
    to: tuple[Annotated[str, Field(max_length=2_100)], ...] = Field(
        default=(),
        max_length=50,
        description="who is told: webhook:URL, mail:ADDRESS, telegram:CHAT",
    )
    budgets_usd: Spending = Spending()


class ScheduleView(Value):
    """A standing run."""

    id: str
    kind: str
    input: JsonObject
    options: JsonObject
    text: str
    schedule: str = Field(description="how often, as it was written")
    zone: str
    quiet: str = Field(description="hours in which alerts are held; empty: none")
    to: tuple[str, ...] = Field(description="who is told, as CHANNEL:ADDRESS")
    budgets_usd: Spending
    paused: bool
    owner: str = Field(description="the token's id, or `local`")
    created_at: Instant
    next_at: Instant | None = Field(description="when it is due next; null while it is paused")
    trouble: str = Field(description="the code of why it last did not run; empty: it did")
    told_at: Instant | None = Field(description="the moment of its last run with something to tell")


class ScheduleRow(ScheduleView):
    """A standing run in a list."""

    runs: int
    last_at: Instant | None = Field(description="the moment of its last run")


class ScheduleList(Value):
    """Standing runs, the newest first."""

    watches: tuple[ScheduleRow, ...]
    kept: bool = Field(description="whether a desk or a worker starts them when they are due")


class PastRun(Value):
    """A run of a standing run."""

    run: str
    at: Instant = Field(description="the run's own clock")
    state: RunState
    told: bool = Field(description="whether it found something to tell")
    changes: int


class History(Value):
    """Its runs, those of the latest moment first."""

    id: str
    runs: tuple[PastRun, ...]


class Diff(Value):
    """What a run found changed."""

    id: str
    run: str | None = Field(description="null: it has not run yet")
    at: Instant | None
    changes: tuple[Change, ...]


class Believed(Value):
    """What was believed when a day ended."""

    id: str
    day: date | None = Field(description="null: now")
    run: str | None = Field(description="the run that said so; null: there was none yet")
    at: Instant | None
    claims: tuple[Belief, ...]


class Sent(Value):
    """Something that was, or will be, told to somebody."""

    id: str
    run: str
    to: str
    created_at: Instant
    due_at: Instant
    delivered_at: Instant | None
    tries: int
    error: str = Field(description="the code of why it last failed")


def told_once(changes: Iterable[Change]) -> tuple[tuple[Change, ...], ...]:
    """Put changes together that are told in the same sentences: of several figures, one sentence."""
    return _together(
        changes, lambda each: (each.kind, each.alerts, _said(each.before), _said(each.after))
    )


def believed_once(beliefs: Iterable[Belief]) -> tuple[tuple[Belief, ...], ...]:
    """Put claims together that one sentence says."""
    return _together(beliefs, _said)


def _said(belief: Belief | None) -> str:
    return "" if belief is None else belief.text


def _together(items: Iterable[T], key: Callable[[T], object]) -> tuple[tuple[T, ...], ...]:
    found: dict[object, list[T]] = {}
    for each in items:
        found.setdefault(key(each), []).append(each)
    return tuple(map(tuple, found.values()))


class AskedFor(NamedTuple):
    """A field of a job's input that a person may fill in: with words, by a choice, or yes."""

    name: str
    label: str  # a code
    choices: tuple[str, ...] = ()  # (): words
    is_switch: bool = False


def asked_for(kind: str, say: Words) -> tuple[AskedFor, ...]:
    """List what a person may fill in besides the subject: the fields with a label."""
    fields = jobs.find(kind).input.model_fields
    return tuple(
        AskedFor(
            name=name,
            label=f"{kind}.field.{name}",
            choices=tuple(map(str, get_args(field.annotation)))
            if get_origin(field.annotation) is Literal
            else (),
            is_switch=field.annotation is bool,
        )
        for name, field in fields.items()
        if say.has(f"{kind}.field.{name}")
    )


def given_of(schedule: Schedule, say: Words) -> tuple[tuple[str, str], ...]:
    """List what a standing run was given besides the subject: the label's code, and what was filled in."""
    fields = jobs.find(schedule.kind).input.model_fields
    found: list[tuple[str, str]] = []
    for each in asked_for(schedule.kind, say):
        value = schedule.input.get(each.name)
        if value and value != fields[each.name].get_default():
            items = cast("list[object]", value) if isinstance(value, list) else [value]
            yes = say("report.label.yes") if each.is_switch else ""
            found.append((each.label, yes or say.listed(map(str, items))))
    return tuple(found)


def view_of(schedule: Schedule) -> ScheduleView:
    return ScheduleView(**_fields(schedule))


def row_of(line: ScheduleLine) -> ScheduleRow:
    return ScheduleRow(**_fields(line.schedule), runs=line.runs, last_at=line.last_at)


def sent_of(parcel: Parcel) -> Sent:
    fields = parcel.model_dump(include=set(Sent.model_fields) - {"error"})
    return Sent(
        **fields,
        run=parcel.run_id,
        to=_address(parcel.channel, parcel.subscriber),
        error=unkept(parcel.error)[0],
    )


def _fields(schedule: Schedule) -> JsonObject:
    same = set(ScheduleView.model_fields) & set(Schedule.model_fields) - {"quiet", "trouble"}
    fields = schedule.model_dump(include=same)
    quiet = schedule.quiet
    return {
        **fields,
        "schedule": schedule.said,
        "quiet": "" if quiet is None else f"{quiet.begin:%H:%M}-{quiet.end:%H:%M}",
        "to": tuple(_address(each.channel, each.name) for each in schedule.subscribers),
        "budgets_usd": {name: most / MICRO for name, most in schedule.budgets.items()},
        "next_at": None if schedule.paused else schedule.next_at,
        "trouble": unkept(schedule.trouble)[0],
    }


def _address(channel: str, name: str) -> str:
    return channel if name == DESK else f"{channel}:{name}"
