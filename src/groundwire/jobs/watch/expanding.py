"""Expansion: which of the words that were found are searched for next, and when to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from groundwire.context import Context
from groundwire.evidence.questions.relevance import rank_passages, spread_origins
from groundwire.gather.failures import failed_models
from groundwire.jobs.watch import suggest_keywords
from groundwire.jobs.watch.keywords import candidates
from groundwire.jobs.watch.reading import usable
from groundwire.jobs.watch.result import End, Keyword
from groundwire.jobs.watch.searching import days_of
from groundwire.jobs.watch.subject import beside
from groundwire.jobs.watch.thoughts import asked
from groundwire.jobs.watch.types import Batch, Search, State
from groundwire.language.text.characters import simplify
from groundwire.model.result import Degraded
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.question import EMBEDDED, Answer

_SHOWN = 14  # passages that a model is shown
_COUNTED = 30  # candidates that it is told of
_TRUST = 0.15  # what a model's word scores where code counts it lower
_QUIET = 2  # rounds in a row without new pages that end the search


class Expansion:
    """The words of a round, best first, and who found them."""

    def __init__(self, words: Sequence[Keyword], by: str, failed: tuple[Degraded, ...]) -> None:
        self.words = tuple(words)
        self.by = by
        self.failed = failed


async def expand(context: Context, state: State) -> Expansion:
    """Count the words of what was read, and ask a model for more; each stands in a page."""
    pages = usable(state)
    counted = await asyncio.to_thread(
        candidates, pages, state.names, state.tried, state.words, state.language
    )
    passages = await asyncio.to_thread(shown, state, _SHOWN)
    if not passages:
        return Expansion(counted, EMBEDDED, ())
    given = suggest_keywords.SuggestInput(
        command=state.given.command,
        subject=state.subject,
        language=state.language,
        tried=state.tried,
        counted=tuple(each.word for each in counted[:_COUNTED]),
        passages=passages,
    )
    answer = await asked(
        context, suggest_keywords.QUESTION, given, state.language, f"r{state.round}"
    )
    words = merged(counted, answer, given)
    return Expansion(words, answer.by, failed_models("expand", answer.by, answer.failures))


def shown(state: State, most: int) -> tuple[NumberedPassage, ...]:
    """Choose the passages that a mind is shown of what was read, numbered from 1."""
    ranked = rank_passages(state.subject, state.tried, usable(state))
    return tuple(
        each.passage.model_copy(update={"number": number})
        for number, each in enumerate(spread_origins(ranked, most), start=1)
    )


def merged(
    counted: Sequence[Keyword],
    answer: Answer[suggest_keywords.Suggested],
    given: suggest_keywords.SuggestInput,
) -> list[Keyword]:
    """Return the words that count, best first: a decider's alone, else code's with an adviser's among them."""
    by_word = {simplify(each.word).lower(): each for each in counted}
    holders = {each.number: each.evidence_id for each in given.passages}
    told: dict[str, Keyword] = {}
    for each in suggest_keywords.usable(given, answer.value):
        key = simplify(each.word).strip().lower()
        known = by_word.get(key) or Keyword(
            word=each.word.strip(), found_in=holders[each.passage], score=0.0, by=answer.by
        )
        told.setdefault(key, known.model_copy(update={"score": max(known.score, _TRUST)}))
    if answer.by != EMBEDDED and answer.vote == "decides":
        return list(told.values())
    return sorted((by_word | told).values(), key=lambda each: (-each.score, each.word))


def query_for(state: State, word: str) -> str:
    """Make the search of a word: always beside the subject."""
    return beside(state.names, word)


def batches_for(state: State, words: Sequence[Keyword]) -> tuple[Batch, ...]:
    """Make the searches of words, each a batch of its own."""
    wanted = state.given.days if state.given.days and state.given.days > 0 else None
    days = days_of(state, wanted)
    return tuple(
        Batch(
            task=None,
            searches=(Search(text=query_for(state, each.word), days=days),),
            found_in=each.found_in,
        )
        for each in words
    )


def ended(state: State, *, quiet: int, more: bool) -> End | None:
    """Return why the search is over; None: it goes on."""
    if any(each.quota for each in state.searched):
        return "budget"
    if quiet >= _QUIET:
        return "nothing_new"
    if not more:
        return "planned"
    return "max_steps" if state.round + 1 >= state.given.max_steps else None
