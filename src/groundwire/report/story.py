"""The story of a run in words: its steps with their counts, and one line for each event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

from groundwire.model.source import publisher_name
from groundwire.model.story import Count, Part, Step, StepState, Story, step_of, types_of
from groundwire.report.plain import cut, one_line
from groundwire.report.tokens import SHAPES

if TYPE_CHECKING:
    from groundwire.model.base import Json, JsonObject
    from groundwire.model.event import Event
    from groundwire.words import Words

_LONGEST = 300
# Fields that say what an undeclared event is about, the first that it has.
_ABOUT = ("reason", "message", "text", "title", "query", "what")


class Row(NamedTuple):
    """A step as it is shown."""

    name: str
    label: str
    state: StepState
    word: str  # what the mark of the state means
    counts: str
    seconds: float | None


def rows(story: Story, kind: str, say: Words) -> list[Row]:
    """Describe every step of a story in words."""
    return [
        Row(
            name=step.name,
            label=label(kind, step.name, say),
            state=(state := story.state(place)),
            word=say(f"run.mark.{state}"),
            counts=" · ".join(counted(story, step, kind, say)),
            seconds=story.seconds.get(step.name),
        )
        for place, step in enumerate(story.steps)
    ]


def label(kind: str, step: str, say: Words) -> str:
    """Return a step's label: its job's, else the common one, else its name."""
    return say.maybe(f"{kind}.step.{step}", say.name("step", step))


def counted(story: Story, step: Step, kind: str, say: Words) -> Iterator[str]:
    """Yield a step's counts in words: the job's own, else the common ones."""
    for count in step.counts:
        n = story.counts.get(f"{step.name}.{count.name}", 0)
        if n >= count.least:
            yield say(_count_code(count, kind, say), n=n)


def _count_code(count: Count, kind: str, say: Words) -> str:
    own = f"{kind}.n.{count.name}"
    return own if say.has(own) else f"n.{count.name}"


def line(event: Event, steps: tuple[Step, ...], say: Words) -> str:
    """Describe an event in one line; "" when it says nothing of its own.

    An event may bring its line, as a phrase under `says`; others are described by their type, or by
    the parts that their step declares.
    """
    if "says" in event.payload:
        return one_line(_value(event.payload["says"], "", say))
    describe = _DESCRIBERS.get(event.type)
    if event.type == "proposal" and event.payload.get("confirmed"):
        describe = _confirmed
    if describe is not None:
        parts = describe(event, say)
    else:
        step = step_of(steps, event)
        parts = _parts(event.payload, step.tells, say) if step else ()
        parts = tuple(parts) or _about(event.payload, say)
    return cut(one_line(" · ".join(each for each in parts if each)), _LONGEST)


def _parts(payload: JsonObject, parts: Sequence[Part], say: Words) -> Iterator[str]:
    for part in parts:
        value = (payload.get(part.rather) if part.rather else None) or payload.get(part.field)
        if value in (None, "", [], {}):
            yield say(part.empty) if part.empty else ""
        elif part.word and isinstance(value, int) and not isinstance(value, bool):
            yield say(part.word, **{**payload, "n": value})
        else:
            yield _value(value, part.word, say)


def _value(value: Json, family: str, say: Words) -> str:
    """Write a value of a payload in words: a name of `family`, a number, a phrase, or a list."""
    if isinstance(value, str):
        shape = f"{SHAPES[value]} " if family == "verdict" and value in SHAPES else ""
        return shape + (say.name(family, value) if family else value)
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list):
        items = cast("list[Json]", value)
        between = say("list.items") if all(isinstance(each, str) for each in items) else " · "
        return between.join(_value(each, family, say) for each in items)
    if isinstance(value, dict):
        return _object(cast("JsonObject", value), say)
    return "" if value is None else str(value)


def _object(value: JsonObject, say: Words) -> str:
    """Write a phrase in words, a failure by who failed and why, anything else by its text."""
    if "params" in value and say.has(str(value.get("code"))):
        return say(str(value["code"]), **cast("Mapping[str, object]", value["params"] or {}))
    who = value.get("provider") or say.name("failure", str(value.get("code") or ""))
    field = next((name for name in _ABOUT if isinstance(value.get(name), str)), "")
    what = _coded(value, field, say) if field else ""
    return f"{who}{say('list.colon')}{what}" if who and what else str(what or who or "")


def _coded(payload: JsonObject, name: str, say: Words) -> str:
    """Write a field that holds a code in words, with the parameters beside it."""
    value = payload.get(name)
    if isinstance(value, str):
        return say(value, **cast("Mapping[str, object]", payload.get("params") or {}))
    return _value(value, "", say)


def _about(payload: JsonObject, say: Words) -> tuple[str, ...]:
    """Describe an event that nobody declared: by its own text, else by all its values."""
    for name in _ABOUT:
        if payload.get(name):
            return (_value(payload[name], "", say),)
    return tuple(
        f"{name} {_value(value, '', say)}"
        for name, value in payload.items()
        if name != "phase" and value not in (None, "", [], {}, False)
    )


def _run(event: Event, say: Words) -> tuple[str, ...]:
    if event.payload.get("restarted"):
        return (say("run.line.restarted", reason=_value(event.payload.get("reason"), "", say)),)
    return (say("run.attempt", n=event.attempt),) if event.attempt > 1 else ()


def _evidence(event: Event, say: Words) -> tuple[str, ...]:
    payload = event.payload
    flags = (say.name("flag", str(each)) for each in payload.get("flags") or ())
    who = publisher_name(str(payload.get("publisher") or ""), say)
    return (who, str(payload.get("title") or ""), *flags)


def _warning(event: Event, say: Words) -> tuple[str, ...]:
    return (str(event.payload.get("url") or ""), _coded(event.payload, "message", say))


def _answer(event: Event, say: Words) -> tuple[str, ...]:
    verdict = _value(event.payload.get("verdict"), "verdict", say)
    return (verdict, str(event.payload.get("text") or ""))


def _gap(event: Event, say: Words) -> tuple[str, ...]:
    texts = (_coded(event.payload, name, say) for name in ("what", "why"))
    return (" — ".join(each for each in texts if each),)


def _confirmed(event: Event, say: Words) -> tuple[str, ...]:
    edited = "edited" if event.payload.get("edited") else "as_it_was"
    return (say(f"run.line.confirmed.{edited}"),)


def _end(event: Event, say: Words) -> tuple[str, ...]:
    payload = event.payload
    state = str(payload.get("status") or event.type)
    return (say.stored(cast("str | None", payload.get("error"))) or say.name("state", state),)


_DESCRIBERS = {
    "run": _run,
    "evidence": _evidence,
    "warning": _warning,
    "answer": _answer,
    "gap": _gap,
    "complete": _end,
    "failed": _end,
    "cancelled": _end,
}


def for_script(story: Story, kind: str, say: Words) -> JsonObject:
    """Return the declaration and the counts so far: all that `static/story.js` goes on from."""
    return {
        "types": list(types_of(story.steps)),
        "steps": [_declared(step, kind, say) for step in story.steps],
        "attempt": story.attempt,
        "index": story.index,
        "entered": None if story.entered is None else story.entered.isoformat(),
        "last": None if story.last is None else story.last.isoformat(),
        "over": story.over,
        "counts": story.counts,
        "seconds": story.seconds,
        "seen": sorted(story.seen),
        "phase": story.phase,
        "passed": story.passed,
        "marks": {state: say(f"run.mark.{state}") for state in get_args(StepState)},
        "seconds_word": say.template("span.seconds"),
    }


def _declared(step: Step, kind: str, say: Words) -> JsonObject:
    return {
        "name": step.name,
        "label": label(kind, step.name, say),
        "events": list(step.events),
        "proofs": list(step.proofs),
        "ends": step.ends,
        "again": step.again,
        "idle": step.idle,
        "counts": [
            {**asdict(count), "word": say.template(_count_code(count, kind, say))}
            for count in step.counts
        ],
    }
