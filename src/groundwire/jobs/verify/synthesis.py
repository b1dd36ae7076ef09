"""The last step of the deep path: stances weighed, claims with quotes, a cited text."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.context import Context
from groundwire.evidence.citations.checker import check
from groundwire.gather.failures import failed_models
from groundwire.gather.reviewing import review
from groundwire.gather.weighing import cited, sentence_of
from groundwire.jobs.verify import read_again, stances, weigh_message
from groundwire.jobs.verify.features import claim_sides, claim_verdict
from groundwire.jobs.verify.hinges import worth_again
from groundwire.jobs.verify.passages import Shown, choose
from groundwire.jobs.verify.signal import SignalClaim
from groundwire.jobs.verify.types import Held, State
from groundwire.jobs.verify.weigh_message import Weighed, Weighing
from groundwire.llm.answer import Failure
from groundwire.model.claim import Checked
from groundwire.model.result import Sentence
from groundwire.model.source import Evidence, Passage
from groundwire.reasoning.question import EMBEDDED, Answer

_MOST_QUOTES = 6  # of one claim


async def synthesis(context: Context, state: State) -> dict[str, Any]:
    """Weigh the stances and write cited sentences; without passages nothing is asked (law 5)."""
    shown = await asyncio.to_thread(choose, state)
    sentences: tuple[Sentence, ...] = ()
    if shown:
        given = weigh_message.WeighInput(
            message=state.text,
            language=state.language,
            said_at=_said_at(state),
            claims=state.claims,
            passages=tuple(each.shown for each in shown),
        )
        answer = await context.ask(weigh_message.QUESTION, given, language=state.language)
        state = _noted(state, answer.by, answer.failures)
        if answer.by != EMBEDDED:
            state = await _weighed(context, state, shown, answer)
        sentences = await _told(context, state, shown, answer)
    return {
        "held": state.held,
        "stated": await asyncio.to_thread(_stated, state),
        "sentences": sentences,
        "reasoner": state.reasoner,
        "degraded": state.degraded,
    }


def _said_at(state: State) -> str:
    """Return when the message was said, as far as that is known."""
    return state.moment.said.strftime("%Y-%m-%d %H:%M UTC") if state.dated else ""


def _noted(state: State, by: str, failures: Sequence[Failure]) -> State:
    failed = failed_models("weigh", by, failures)
    return state.model_copy(update={"reasoner": by, "degraded": (*state.degraded, *failed)})


async def _weighed(
    context: Context, state: State, shown: Sequence[Shown], answer: Answer[Weighing]
) -> State:
    """Let a model's readings count for what its vote is worth; what rules gainsay and a verdict hinges on is read again."""
    if answer.vote != "decides":
        return await asyncio.to_thread(stances.advised, state, shown, answer.value, answer.by)
    read = await asyncio.to_thread(stances.readings, state, shown, answer.value)
    asked = await asyncio.to_thread(worth_again, state, shown, read)
    second: Mapping[stances.Pair, Weighed | None] = {}
    if asked:
        given = read_again.AgainInput(
            message=state.text,
            language=state.language,
            said_at=_said_at(state),
            claims=state.claims,
            disputed=tuple(each.again() for each in asked),
        )
        found = await context.ask(read_again.QUESTION, given, language=state.language)
        failed = failed_models("weigh", found.by, found.failures)
        state = state.model_copy(update={"degraded": (*state.degraded, *failed)})
        # Who has earned no vote on stances gets none by standing in for who has.
        reread = found.value if found.by == answer.by else None
        second = stances.reread(reread, asked)
    counted = await asyncio.to_thread(stances.settle, state, read, second)
    return await asyncio.to_thread(stances.decide, state, shown, counted, answer.by)


async def _told(
    context: Context, state: State, shown: Sequence[Shown], answer: Answer[Weighing]
) -> tuple[Sentence, ...]:
    """Keep the sentences that their quotes support: quote or drop (law 2)."""
    numbered: dict[int, tuple[Evidence, Passage]] = {
        each.number: (each.held.evidence, each.passage) for each in shown
    }

    def checked() -> tuple[Checked, ...]:
        return tuple(
            check(each.text, [(each.passage, each.quote)], numbered, state.text)
            for each in answer.value.sentences
        )

    found = await asyncio.to_thread(checked)
    holders = [evidence for evidence, _ in numbered.values()]
    if answer.by != EMBEDDED:
        found = await review(context, found, holders, state.language)
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
