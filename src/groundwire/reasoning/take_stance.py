"""What each passage says about a claim: supports it, contradicts it, qualifies it, or is about something else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from pydantic import Field

from groundwire.errors import NoEvidence
from groundwire.evidence.reading.stance import stance
from groundwire.language.text.characters import normalise
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.model.stance import StanceLabel
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

_EDGES = " \t\n\"'…."


class StanceInput(Value):
    """A claim and the numbered passages that are asked about it."""

    claim: str
    language: str
    passages: tuple[NumberedPassage, ...]


class PassageStance(Value):
    """One passage's stance, and the words that show it."""

    passage: int = Field(description="number of the passage")
    stance: StanceLabel
    quote: str = Field(
        description="copied from the passage character by character; empty when it is unrelated"
    )


class Stances(Value):
    """One stance for each passage."""

    stances: tuple[PassageStance, ...]


def _variables(given: StanceInput, seed: str) -> Mapping[str, str]:
    return {"claim": given.claim, "passages": render_passages(given.passages, seed)}


def _fault_of(given: StanceInput, taken: Stances) -> Phrase | None:
    texts = {passage.number: passage.text for passage in given.passages}
    numbers = [each.passage for each in taken.stances]
    for number in numbers:
        if number not in texts:
            return phrase("fault.no_passage", n=number)
    for number in texts:
        if numbers.count(number) != 1:
            return phrase("fault.one_stance", n=number)
    for each in taken.stances:
        if each.stance == "unrelated":
            continue
        quote = normalise(each.quote).text.strip(_EDGES)
        if not quote:
            return phrase("fault.passage_quote", n=each.passage)
        if quote not in normalise(texts[each.passage]).text:
            return phrase("fault.quote_elsewhere", n=each.passage)
    return None


def _prose(taken: Stances) -> str:
    del taken  # labels and words of the passages, in the passages' own languages
    return ""


def _embedded(given: StanceInput) -> Stances:
    """By `evidence.stance`. Raises `NoEvidence` without passages (law 5)."""
    if not given.passages:
        raise NoEvidence
    return Stances(stances=tuple(_taken(given.claim, passage) for passage in given.passages))


def _taken(claim: str, passage: NumberedPassage) -> PassageStance:
    found = stance(
        claim,
        passage.text,
        title=passage.title,
        publisher=passage.publisher,
        published=date.fromisoformat(passage.date) if passage.date else None,
        flags=passage.flags,
    )
    return PassageStance(passage=passage.number, stance=found.label, quote=found.quote)


QUESTION: Question[StanceInput, Stances] = Question(
    prompt="evidence/take_stance",
    tier="light",
    output=Stances,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=_prose,
)
