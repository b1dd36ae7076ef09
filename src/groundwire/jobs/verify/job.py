"""verify: a message in, a signal that can be taken apart out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from groundwire.context import Context
from groundwire.jobs import Intake, Job, Row, RowCell, RowColumn, drawn, ended
from groundwire.jobs.verify.messages import kept_message, of_message, of_page, of_sentence, path_of
from groundwire.jobs.verify.signal import Signal
from groundwire.jobs.verify.steps import STEPS
from groundwire.jobs.verify.types import VerifyInput
from groundwire.model.base import JsonObject
from groundwire.model.desk import CommandBar, DeskSection, Entry, Typed
from groundwire.model.history import JudgedEvent
from groundwire.model.memory import Lesson
from groundwire.model.outbox import Notice
from groundwire.model.phrase import Phrase
from groundwire.model.run import Run
from groundwire.settings import Settings
from groundwire.words import Words


def _fits(typed: Typed) -> float:
    if typed.doubts:
        return 0.95
    if typed.asks:
        return 0.2
    if typed.topic:
        return 0.3
    return 0.8 if typed.tells or typed.message else 0.6


def _entry(signal: Signal) -> Entry:
    return Entry(
        title=signal.summary,
        verdict=signal.verdict,
        confidence=signal.confidence,
        cells=(signal.asset_name or signal.asset or "",),
    )


BAR = CommandBar(
    field="text",
    said="published_at",
    fits=_fits,
    # Not "rumour": people begin messages with "Rumour: …".
    names=("check", "核实", "核實", "查证", "查證", "求证", "求證"),
    place=20,
    examples=("verify.example.1", "verify.example.2"),
)
SECTION = DeskSection(entry=_entry, place=20, columns=("verify.column.asset",))


def _cells(run: Run, say: Words) -> tuple[RowCell, ...]:
    signal: JsonObject = run.result or {}
    event, verdict = str(signal.get("event_type", "")), str(signal.get("verdict", ""))
    flags = [str(each) for each in signal.get("risk_flags", ())]
    judged = RowCell(say.name("verdict", verdict), verdict, tone=verdict)
    return (
        RowCell(say.name("verify.type", event), event),
        judged if verdict else ended(run, say),
        RowCell(f"{float(signal['confidence']):.2f}" if "confidence" in signal else "–"),
        RowCell(", ".join(say.name("verify.risk", each) for each in flags), ",".join(flags)),
    )


ROW = Row(
    columns=(
        RowColumn("column.type", 12, "soft"),
        RowColumn("column.verdict", 14),
        RowColumn("column.confidence", 5),
        RowColumn("verify.label.flags", style="degraded"),
    ),
    cells=_cells,
    order=(1, 2, 0, 3),  # programs read the verdict first
    subject="report.label.message",
    counted="verify.n.messages",
)


_IMPORTED: set[str] = set()


async def run(context: Context, given: VerifyInput) -> Signal:
    """Form a first impression, then go as deep as the gate allows; no message is lost or blocked."""
    # What reads text takes a while to import: in a thread, so that followers of this run and
    # others see the first event at once.
    await _import_parts("opening", "result")
    from groundwire.jobs.verify import history, opening, result

    with context.timed("preliminary"):
        state = await opening.impression(context, given)
        fields = state.preliminary.model_dump(mode="json")
        await context.step("preliminary").emit("thought", {"phase": "preliminary", **fields})
    first, repeats = state.preliminary, None
    if given.gate:  # only intake looks for repeats
        repeats = await history.repeats(
            context, first.asset, first.event_type, state.text, state.message.id
        )
    twin = None if repeats is None else repeats.twin
    path, state = await opening.choose_path(context, state, twin)
    if path == "deep":
        await _import_parts("graph")
        from groundwire.jobs.verify.graph import deepen

        state = await deepen(context, state)
    # Only the deep path is calibrated; a first impression keeps its confidence.
    calibration = await history.calibration(context) if path == "deep" else None
    if path == "deep" or repeats is None:  # the deep path took a while, or nobody has looked
        sightings = await history.sightings(context, state.message.id)
    else:
        sightings = repeats.sightings
    return await _announce(
        context, result.signal_of(context, state, path, calibration, sightings, twin)
    )


async def rescue(context: Context, given: VerifyInput, code: str, reason: Phrase) -> Signal:
    """Judge a message whose deep path failed by its own words, and say so."""
    from groundwire.jobs.verify import history, opening, result

    context = context.step("rescue")
    state = result.after_failure(await opening.impression(context, given), code, reason)
    state = await opening.describe(context, state)
    sightings = await history.sightings(context, state.message.id)
    return await _announce(context, result.signal_of(context, state, "plain", None, sightings))


async def _announce(context: Context, signal: Signal) -> Signal:
    await context.step("signal").emit(
        "signal",
        {
            "verdict": signal.verdict,
            "confidence": signal.confidence,
            "change": round(signal.confidence - signal.preliminary.confidence, 4),
            "supporting_origins": signal.supporting_origins,
            "contradicting_origins": signal.contradicting_origins,
            "evidence": len(signal.evidence),
            "flags": list(signal.risk_flags),
        },
    )
    return signal


async def _import_parts(*parts: str) -> None:
    """Import each once, in a thread, which also waits there for another run's import."""
    for part in parts:
        if part not in _IMPORTED:
            await asyncio.to_thread(import_module, f"{__package__}.{part}")
            _IMPORTED.add(part)


def leaves(signal: Signal) -> JudgedEvent:
    from groundwire.jobs.verify.result import judged_event

    return judged_event(signal)


def teaches(signal: Signal) -> Sequence[Lesson]:
    """Teach the settled claims; they move no later confidence, only known outcomes do."""
    from groundwire.gather.lessons import lessons_of

    return lessons_of(
        signal.claims,
        signal.evidence,
        kept=("supported", "contradicted"),
        subject=signal.asset_name,
        confidence=signal.confidence,
    )


def notice(signal: Signal) -> Notice:
    from groundwire.jobs.verify.letter import letter_of

    kind = "sighting" if signal.path == "duplicate" else "signal"
    left_out = {"cost", "latency_ms", "node_latency_ms", "recovered", "tool_calls"}
    return Notice(
        kind=kind,
        content=signal.model_dump(mode="json", exclude=left_out),
        letter=letter_of(signal),
    )


def prepare(settings: Settings, door: str) -> JsonObject:
    named = {"source": door} if door else {}
    return {"desk_language": settings.language, **named}


JOB = Job(
    kind="verify",
    input=VerifyInput,
    result=Signal,
    run=run,
    draw=partial(drawn, "verify"),
    rescue=rescue,
    steps=STEPS,
    bar=BAR,
    section=SECTION,
    row=ROW,
    options={"results": None, "pages": None, "max_tool_calls": 10},
    prepare=prepare,
    on_page=of_page,
    on_sentence=of_sentence,
    keeps=kept_message,
    intake=Intake(of_message, ways=("gate", "tools", "desk_language", "as_of"), path_of=path_of),
    teaches=teaches,
    leaves=leaves,
    notice=notice,
)
