"""verify: a message in, a signal that can be taken apart out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module

from groundwire.context import Context
from groundwire.jobs import Intake, Job, Row, RowCell, RowColumn, ended
from groundwire.jobs.verify.messages import kept_message, of_message, of_page
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
    fits=_fits,
    # "Rumour: …" is how people begin a message, not an order to us.
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
    """The first impression, then as deep as the gate lets it; a message is never lost or blocked."""
    # What reads text takes a while to import. The first event is stored before that; in a thread,
    # because whoever follows this run, or another one, is to see it at once.
    await _imported("opening", "result")
    from groundwire.jobs.verify import history, opening, result

    with context.timed("preliminary"):
        state = await opening.opened(context, given)
    first, repeats = state.preliminary, None
    if given.gate:  # who repeats whom is a matter of intake
        repeats = await history.repeats(
            context, first.asset, first.event_type, state.text, state.message.id
        )
    twin = None if repeats is None else repeats.twin
    path, state = await opening.way(context, state, twin)
    if path == "deep":
        await _imported("graph")
        from groundwire.jobs.verify.graph import deepen

        state = await deepen(context, state)
    # A first impression keeps its confidence; only what was looked into is calibrated.
    calibration = await history.calibration(context) if path == "deep" else None
    if path == "deep" or repeats is None:  # that took a while, or nobody has looked
        sightings = await history.sightings(context, state.message.id)
    else:
        sightings = repeats.sightings
    return await _told(
        context, result.signal_of(context, state, path, calibration, sightings, twin)
    )


async def rescue(context: Context, given: VerifyInput, code: str, reason: Phrase) -> Signal:
    """A message whose deep path failed, whatever failed it: by its own words, and saying so."""
    from groundwire.jobs.verify import history, opening, result

    context = context.step("rescue")
    state = result.fallen(await opening.impression(context, given), code, reason)
    state = await opening.described(context, state)
    sightings = await history.sightings(context, state.message.id)
    return await _told(context, result.signal_of(context, state, "plain", None, sightings))


async def _told(context: Context, signal: Signal) -> Signal:
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


async def _imported(*parts: str) -> None:
    """Each in a thread, once: what is being imported by another run is waited for there, too."""
    for part in parts:
        if part not in _IMPORTED:
            await asyncio.to_thread(import_module, f"{__package__}.{part}")
            _IMPORTED.add(part)


def draw() -> str:
    from groundwire.jobs.verify.graph import draw as draw_graph

    return draw_graph()


def leaves(signal: Signal) -> JudgedEvent:
    from groundwire.jobs.verify.result import landing

    return landing(signal)


def teaches(signal: Signal) -> Sequence[Lesson]:
    """The claims that were settled; they move no confidence later: only known outcomes do."""
    from groundwire.gather.lessons import lessons_of

    return lessons_of(
        signal.claims,
        signal.evidence,
        kept=("supported", "contradicted"),
        subject=signal.asset_name,
        confidence=signal.confidence,
    )


def notice(signal: Signal) -> Notice:
    kind = "sighting" if signal.path == "duplicate" else "signal"
    untold = {"cost", "latency_ms", "node_latency_ms", "tool_calls"}
    return Notice(kind=kind, content=signal.model_dump(mode="json", exclude=untold))


def prepare(settings: Settings, door: str) -> JsonObject:
    named = {"source": door} if door else {}
    return {"desk_language": settings.language, **named}


JOB = Job(
    kind="verify",
    input=VerifyInput,
    result=Signal,
    run=run,
    draw=draw,
    rescue=rescue,
    steps=STEPS,
    bar=BAR,
    section=SECTION,
    row=ROW,
    options={"results": None, "pages": None, "max_tool_calls": 10},
    prepare=prepare,
    on_page=of_page,
    keeps=kept_message,
    intake=Intake(given=of_message, ways=("gate", "tools", "desk_language", "as_of")),
    teaches=teaches,
    leaves=leaves,
    notice=notice,
)
