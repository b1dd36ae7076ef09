"""What ask remembers and what it recalls: shown beside an answer, never a support of it (law 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from groundwire.context import Context
from groundwire.evidence.memory.rivals import rivals
from groundwire.evidence.memory.similarity import names_of, wordings
from groundwire.evidence.memory.standing import standing
from groundwire.evidence.questions.parts import asked_parts
from groundwire.gather.lessons import lessons_of
from groundwire.jobs.ask.answer import AskResult, Recalled
from groundwire.jobs.ask.parts import answers
from groundwire.jobs.ask.types import State
from groundwire.language.text.tokens import best_relevance
from groundwire.model.claim import Verdict
from groundwire.model.memory import (
    Belief,
    Ground,
    Lesson,
    MemoryQuery,
    RecalledClaim,
    Remembered,
    Sighting,
)
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.result import Degraded, Sentence

# A hedged sentence is kept as such; an unverified one is not.
_KEPT = frozenset({"supported", "contested", "qualified"})
# What is near enough to the question to be shown beside its answer.
_NEAR, _NEAR_IN_WORDS = 0.5, 0.4
_SHOWN = 5
_SAME_SAID = 0.6  # of a claim's words: from here on a sentence says the same


async def recall(context: Context, state: State) -> dict[str, Any]:
    """Recall what was believed about this question, and say when memory is off or away."""
    given = state.given
    found = await context.recall(
        MemoryQuery(text=given.question, limit=3 * _SHOWN, as_of=given.as_of, past=True)
    )
    near = [entry for entry in found.entries if _is_near(entry)]
    believed = (entry for entry in near if entry.standing.state == "believed")
    # A claim that was contradicted is known, but not believed.
    held = [entry for entry in believed if entry.standing.verdict in _KEPT][:_SHOWN]
    taken_back = [entry for entry in near if entry.standing.state == "withdrawn"][:_SHOWN]
    says = phrase("n.recalled", n=len(held)) if held else None
    if found.state == "unavailable":
        says = phrase("ask.line.no_memory")
    await context.emit(
        "thought",
        {
            "phase": "recall",
            "state": found.state,
            "claims": [entry.claim.id for entry in held],
            "says": says and says.model_dump(),
        },
    )
    return {"recollection": found.model_copy(update={"entries": (*held, *taken_back)})}


def _is_near(entry: RecalledClaim) -> bool:
    parts = {part.name: part.value for part in entry.similarity.parts}
    # A belief about somebody else does not answer a question that names its subject.
    about = parts.get("subject") != 0
    return about and entry.similarity.total >= _NEAR and parts.get("text", 0.0) >= _NEAR_IN_WORDS


def away(state: State) -> tuple[Degraded, ...]:
    """Report memory that failed as degraded; memory that is switched off is not a failure."""
    found = state.recollection
    if found is None or found.state != "unavailable":
        return ()
    why = Phrase(code=found.reason, params=found.params)
    return (Degraded.of("memory", "unavailable", why, phrase("instead.not_recalled")),)


def lessons(result: AskResult) -> tuple[Lesson, ...]:
    """Turn the sentences that stand into claims with their quotes; contested ones as such."""
    # "The token fell" is about the subject of the question.
    asked = result.after.understood if result.after else ""
    subject = "".join(names_of(asked or result.question)[:1])
    return lessons_of(_sentences(result), result.evidence, kept=_KEPT, subject=subject)


def _sentences(result: AskResult) -> Iterator[Sentence]:
    # Sides come first, so that a contested sentence is not learned as settled.
    for contested in result.contested:
        yield from contested.sides
    yield from result.answer


def recalled(
    entries: Sequence[RecalledClaim], result: AskResult, now: datetime
) -> tuple[Recalled, ...]:
    """List earlier beliefs that this answer changes or disputes, or that answer what it leaves open.

    Withdrawn ones appear only if the answer repeats them. What the answer has just said, in
    whatever language and words, is not listed again.
    """
    taught = lessons(result)
    taught_ids = {each.belief.id for each in taught}
    found = [
        _recalled(entry, taught, now)
        for entry in entries
        if entry.standing.state == "believed" or entry.claim.id in taught_ids
    ]
    repeated = {entry.claim.id for entry in entries if _is_just_said(entry, result)}
    return tuple(
        each
        for each in found
        if each.change != "confirmed"
        and (each.change or (each.claim_id not in repeated and _answers_open(each.text, result)))
    )


def _answers_open(text: str, result: AskResult) -> bool:
    """Tell whether a belief answers a part of the question that the answer leaves open."""
    question = result.question
    if result.after is not None and result.after.understood:
        question = result.after.understood
    parts = zip(asked_parts(question), result.parts, strict=True)
    return any(answers(part, text) for part, ticked in parts if not ticked.answered)


def _is_just_said(entry: RecalledClaim, result: AskResult) -> bool:
    """Tell whether a sentence of the answer has the same quote, or says it in either language."""
    quotes = {ground.quote for ground in entry.sources}
    ways = wordings(entry.claim.text)
    return any(
        any(each.quote in quotes for each in sentence.citations)
        or best_relevance(ways, sentence.text) >= _SAME_SAID
        for sentence in _sentences(result)
    )


def _recalled(entry: RecalledClaim, taught: Sequence[Lesson], now: datetime) -> Recalled:
    held = entry.standing
    before = Recalled(
        claim_id=entry.claim.id,
        text=entry.claim.text,
        verdict=held.verdict,
        time=entry.claim.time,
        learned_at=held.learned_at or now,
        seen_at=held.seen_at or now,
        similarity=entry.similarity.total,
        publishers=tuple(dict.fromkeys(ground.publisher for ground in entry.sources)),
    )
    if held.state == "withdrawn":
        return before.model_copy(update={"change": "withdrawn", "why": held.why})
    if any(each.belief.id == entry.claim.id for each in taught):
        return before.model_copy(update={"change": "confirmed"})
    old = _seen(entry.claim, held.verdict, entry.sources, held.seen_at or now)
    at = max(now, held.seen_at or now) + timedelta(microseconds=1)
    for each in taught:
        new = _seen(each.belief, each.verdict, each.grounds, at)
        pair = rivals(old, new)
        if pair is None:
            continue
        rivalry = next(side for side in pair if side.belief_id == entry.claim.id)
        after = standing(old.model_copy(update={"rivalries": (rivalry,)}), {each.belief.id: new})
        change = "changed" if after.state == "superseded" else "disputed"
        return before.model_copy(
            update={"change": change, "now": each.belief.text, "why": after.why}
        )
    return before


def _seen(belief: Belief, verdict: Verdict, grounds: Sequence[Ground], at: datetime) -> Remembered:
    """Make a memory with one sighting of a claim, enough to weigh it against another."""
    dates = [ground.published_at for ground in grounds if ground.published_at is not None]
    sighting = Sighting(
        run_id="",
        attempt=1,
        job="",
        learned_at=at,
        said_at=max(dates, default=None),
        verdict=verdict,
        grounds=tuple(grounds),
    )
    return Remembered(belief=belief, sightings=(sighting,))
