"""The signal of a run: verdict and confidence by code alone."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.context import Context
from groundwire.errors import InputError
from groundwire.evidence.sources.urls import registrable_domain
from groundwire.gather.weighing import view_of
from groundwire.jobs.verify.confidence import action_of, judge
from groundwire.jobs.verify.course import course_of
from groundwire.jobs.verify.feature_types import Judgement
from groundwire.jobs.verify.features import features, overall_stances, parties, sort_pages
from groundwire.jobs.verify.moments import first_told, later_notes
from groundwire.jobs.verify.sides import primaries
from groundwire.jobs.verify.signal import Later, Signal, SignalEvidence
from groundwire.jobs.verify.types import State
from groundwire.model.history import JudgedEvent, PastEvent, Path, Witness
from groundwire.model.message import MessageSighting
from groundwire.model.outcome import Calibration
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.result import Degraded, Gap
from groundwire.model.source import publisher_name
from groundwire.words import words

# The fields that the memory of events copies from a signal.
_COPIED = {
    "summary", "event_type", "asset", "asset_name", "confidence", "verdict", "path", "risk_flags",
    "rolled_in", "duplicate_of",
}  # fmt: skip
_GAPS = ("no_evidence", "search_failed", "single_source", "not_searched")


def signal_of(
    context: Context,
    state: State,
    path: Path,
    calibration: Calibration | None,
    sightings: Sequence[MessageSighting] = (),
    twin: PastEvent | None = None,
) -> Signal:
    """Make the signal of a message, looked into or not; `twin` is the same event's earlier one."""
    found = features(state, calibration)
    judgement = judge(found)
    supported = bool(found.supports.evidence_ids)
    evidence, later = _timed(state, found.contradicts.evidence_ids, supported=supported)
    cited = (each for claim in (*state.stated, *state.sentences) for each in claim.citations)
    links = tuple(dict.fromkeys(each.url for each in cited))
    preliminary = state.preliminary
    return Signal(
        run_id=context.run_id,
        status="degraded" if state.degraded else "complete",
        path=path,
        rolled_in=state.rolled_in,
        message=state.message,
        language=state.language,
        summary=preliminary.summary,
        event_type=preliminary.event_type,
        asset=preliminary.asset,
        asset_name=preliminary.asset_name,
        action=action_of(judgement, preliminary),
        direction=preliminary.direction,
        confidence=judgement.confidence,
        verdict=judgement.verdict,
        strength=preliminary.strength,
        timeframe=preliminary.timeframe,
        risk_flags=judgement.risk_flags,
        judged_at=state.moment.said,
        as_of=state.as_of,
        later=later,
        course=course_of(state, calibration, found, judgement),
        claims=state.stated,
        claims_by=state.claims_by if state.stated else "",
        findings=state.sentences,
        description=state.description,
        notes=_notes(state, judgement, links, later),
        links=links,
        waterfall=judgement.waterfall,
        confidence_version=judgement.version,
        supporting_origins=len(found.supports.origins),
        contradicting_origins=len(found.contradicts.origins),
        origins=state.origins,
        evidence=evidence,
        tools=state.tools,
        memory=state.memory,
        preliminary=preliminary,
        sightings=tuple(sightings),
        duplicate_of=None if twin is None else twin.run_id,
        degraded=state.degraded,
        recovered=state.recovered,
        gaps=(*state.gaps, *_gaps(state, judgement)),
        reasoner=state.reasoner,
    )


def _timed(
    state: State, contradicting: Sequence[str], *, supported: bool
) -> tuple[tuple[SignalEvidence, ...], tuple[Later, ...]]:
    """Return the evidence, with why some takes no side, and what came after the message."""
    if not state.held:  # most messages are held back by the gate
        return (), ()
    pages = [each.evidence for each in state.held]
    official = primaries(pages, parties(state))
    stances = overall_stances(state)
    aside = sort_pages(state, stances).sorted.aside
    said_at, told = state.moment.said, first_told(pages, state.origins)
    later = later_notes(
        pages, stances, aside, contradicting, official, said_at, told, supported=supported
    )
    listed = (
        view_of(
            SignalEvidence,
            page,
            state.given.as_of,
            **stances[page.id].model_dump(include={"quote", "start", "end"}),
            stance=stances[page.id].label,
            official=page.id in official,
            round=held.list,
            relevance=page.relevance,
            aside=aside.get(page.id) or ("hearsay" if stances[page.id].is_hearsay else None),
            read_by=held.read_by,
            read_differently=held.read_differently,
        )
        for held, page in zip(state.held, pages, strict=True)
    )
    return tuple(listed), later


def _notes(state: State, judgement: Judgement, links: Sequence[str], later: Sequence[Later]) -> str:
    """Tell what changed the confidence most, with marks of its links, and what is known since."""
    say = words(state.language)
    urls = {each.evidence.id: each.evidence.document.canonical_url for each in state.held}
    rows = sorted(judgement.waterfall[1:], key=lambda row: -abs(row.delta))
    parts: list[str] = []
    for row in rows[:2] or judgement.waterfall[1:2]:
        marks = [
            links.index(urls[each]) + 1 for each in row.evidence_ids if urls.get(each) in links
        ]
        mark_text = "".join(f"[{mark}]" for mark in sorted(dict.fromkeys(marks)))
        parts.append(f"{say(row.reason, **row.params)} {mark_text}".strip())
    summary = say(
        "verify.notes",
        before=state.preliminary.confidence,
        after=judgement.confidence,
        why=say.phrases(parts),
    )
    since = (
        say(
            f"verify.later.{each.kind}",
            day=each.day.isoformat(),
            who=publisher_name(each.publisher, say),
        )
        for each in later
    )
    return " ".join((summary, *since))


def _gaps(state: State, judgement: Judgement) -> tuple[Gap, ...]:
    what = state.claims[0] if state.claims else state.preliminary.summary or state.text
    return tuple(
        Gap.of(what, phrase(f"verify.gap.{flag}")) for flag in judgement.risk_flags if flag in _GAPS
    )


def after_failure(state: State, code: str, reason: Phrase) -> State:
    """Keep the first impression of a message whose deep path failed, and record why."""
    failed = Degraded.of("deep path", code, reason, phrase("verify.instead.preliminary"))
    return state.model_copy(update={"degraded": (*state.degraded, failed), "why_stopped": reason})


def judged_event(signal: Signal) -> JudgedEvent:
    """Return what the signal adds to the memory of events."""
    rows = [row for row in signal.waterfall if row.rule != "calibration"]
    preliminary, message = signal.preliminary, signal.message
    fields = {
        **preliminary.model_dump(include={"assets", "keywords", "profile"}),
        **signal.model_dump(include=_COPIED),
        "message_id": message.id,
        "source": message.source,
        "text": message.text,
        "preliminary": preliminary.confidence,
        "score": min(1.0, max(0.0, round(sum(row.delta for row in rows), 4))),
        "evidence": tuple(map(_witness, signal.evidence)),
        "tool_calls": len(signal.tools),
    }
    return JudgedEvent.model_validate(fields)


def _witness(each: SignalEvidence) -> Witness:
    try:
        domain = registrable_domain(each.url)
    except InputError:
        domain = ""  # a file of the user's own
    return Witness(
        evidence_id=each.id, document_id=each.document_id, domain=domain, stance=each.stance
    )
