"""The last step of the deep path: doubtful stances refined, claims with quotes, a cited text."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.context import Context
from groundwire.evidence.citations.checker import check
from groundwire.evidence.citations.model_stance import refined
from groundwire.evidence.pages.presence import was_there
from groundwire.gather.failures import failed_models
from groundwire.gather.weighing import cited, sentence_of
from groundwire.jobs.verify import weigh_message
from groundwire.jobs.verify.features import claim_sides, claim_verdict
from groundwire.jobs.verify.signal import SignalClaim
from groundwire.jobs.verify.types import Held, State
from groundwire.jobs.verify.weigh_message import Doubtful, Weighing
from groundwire.model.result import Sentence
from groundwire.model.source import Evidence, NumberedPassage, Passage
from groundwire.model.stance import SILENT, Stance
from groundwire.reasoning.question import EMBEDDED

_MOST_QUOTES = 6  # of one claim
_PASSAGES = 12  # shown to a model


async def synthesis(context: Context, state: State) -> dict[str, Any]:
    """Weigh doubtful stances and write cited sentences; without passages nothing is asked (law 5)."""
    shown = await asyncio.to_thread(_doubtful, state)
    degraded = state.degraded
    sentences: tuple[Sentence, ...] = ()
    by = EMBEDDED
    if shown:
        given = weigh_message.WeighInput(
            message=state.text,
            language=state.language,
            claims=state.claims,
            passages=tuple(each for each, _ in shown),
        )
        answer = await context.ask(weigh_message.QUESTION, given, language=state.language)
        by = answer.by
        degraded = (*degraded, *failed_models("weigh", answer.by, answer.failures))
        if by != EMBEDDED:
            state = await asyncio.to_thread(_refined, state, shown, answer.value)
        sentences = await asyncio.to_thread(_checked, state, shown, answer.value)
    return {
        "held": state.held,
        "stated": await asyncio.to_thread(_stated, state),
        "sentences": sentences,
        "reasoner": by,
        "degraded": degraded,
    }


_Shown = Sequence[tuple[Doubtful, tuple[Held, Passage]]]


def _doubtful(state: State) -> _Shown:
    """Choose the passages to show: where pages take a side, then the nearest of the rest."""
    found: list[tuple[bool, float, str, Held, int, Passage]] = []
    for held in state.held:
        own_report = "own_report" in held.evidence.flags
        if own_report or not was_there(held.evidence.document, state.given.as_of):
            continue
        # The first claim that the page takes a side on, else the main one.
        sided = (n for n, each in enumerate(held.stances) if each.label != "unrelated")
        number = next(sided, 0)
        stance = held.stances[number] if held.stances else SILENT
        passage = _passage(held, stance)
        if passage is not None:
            silent = stance.label == "unrelated"
            key = (silent, -held.evidence.relevance, held.evidence.id)
            found.append((*key, held, number, passage))
    found.sort(key=lambda each: each[:3])
    return [
        (_numbered(place, held, number, passage), (held, passage))
        for place, (_, _, _, held, number, passage) in enumerate(found[:_PASSAGES], start=1)
    ]


def _passage(held: Held, stance: Stance) -> Passage | None:
    passages = held.evidence.passages
    if stance.label != "unrelated":
        for passage in passages:
            if passage.start <= stance.start < passage.end:
                return passage
    return passages[0] if passages else None


def _numbered(place: int, held: Held, number: int, passage: Passage) -> Doubtful:
    evidence = held.evidence
    document = evidence.document
    stance = held.stances[number] if held.stances else SILENT
    return Doubtful(
        passage=NumberedPassage(
            number=place,
            passage_id=passage.id,
            evidence_id=evidence.id,
            title=document.title,
            publisher=document.said_by,
            date=document.published_at.date().isoformat() if document.published_at else "",
            language=document.language,
            tier=evidence.tier,
            origin_id=evidence.origin_id,
            flags=evidence.flags,
            relevance=evidence.relevance,
            text=passage.text,
        ),
        claim=number + 1,
        stance=stance.label,
        quote=stance.quote,
    )


def _refined(state: State, shown: _Shown, weighing: Weighing) -> State:
    """Apply the changes of stance that a model may make."""
    answers = {each.passage: each for each in weighing.stances}
    changed: dict[str, Held] = {}
    for doubtful, (held, passage) in shown:
        weighed = answers.get(doubtful.passage.number)
        if weighed is None or not held.stances:
            continue
        number = doubtful.claim - 1
        before = held.stances[number]
        place = (held.evidence, passage)
        after = refined(state.claims[number], before, weighed.stance, weighed.quote, place)
        stances = (*held.stances[:number], after, *held.stances[number + 1 :])
        changed[held.evidence.id] = held.model_copy(update={"stances": stances})
    held = tuple(changed.get(each.evidence.id, each) for each in state.held)
    return state.model_copy(update={"held": held})


def _checked(state: State, shown: _Shown, weighing: Weighing) -> tuple[Sentence, ...]:
    """Keep the sentences that their quotes support: quote or drop (law 2)."""
    numbered: dict[int, tuple[Evidence, Passage]] = {
        doubtful.passage.number: (held.evidence, passage) for doubtful, (held, passage) in shown
    }
    found = (
        check(proposed.text, [(proposed.passage, proposed.quote)], numbered, state.text)
        for proposed in weighing.sentences
    )
    holders = [evidence for evidence, _ in numbered.values()]
    return tuple(sentence_of(each, holders, None) for each in found if each.result != "unsupported")


def _stated(state: State) -> tuple[SignalClaim, ...]:
    """Give each claim its verdict and the words of those who take a side."""
    evidence: Mapping[str, Held] = {each.evidence.id: each for each in state.held}
    claims: list[SignalClaim] = []
    # An error is never a verdict, of a claim either (law 4).
    searched = any(result.tool == "search" and result.success for result in state.tools)
    for number, text in enumerate(state.claims):
        found = claim_sides(state, number)
        sided = (*found.contradicts.evidence_ids, *found.supports.evidence_ids)
        shown = [evidence[each] for each in sided or found.qualifies.evidence_ids]
        verdict = claim_verdict(found, state.limits.multi_source_threshold)
        claims.append(
            SignalClaim(
                text=text,
                verdict=verdict if searched else "unverified",
                citations=tuple(
                    cited(each.evidence, stance.quote, stance.start, stance.end)
                    for each in shown[:_MOST_QUOTES]
                    if (stance := each.stances[number]).quote
                ),
            )
        )
    return tuple(claims)
