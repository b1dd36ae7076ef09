"""What the passages say of a message's claims, and a few cited sentences on it: one question."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.errors import NoEvidence
from groundwire.language.text.characters import normalise
from groundwire.language.text.links import has_link
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.model.stance import StanceLabel
from groundwire.reasoning.passages import enclosed, render_passages
from groundwire.reasoning.question import Question

MOST_SENTENCES = 4
_EDGES = " \t\n\"'…."


class Doubtful(Value):
    """A numbered passage with the stance that the embedded reasoner gives it for a claim."""

    passage: NumberedPassage
    claim: int  # its place among the claims, from 1
    stance: StanceLabel
    quote: str


class WeighInput(Value):
    """A message, its claims, and the passages that bear on them."""

    message: str
    language: str
    claims: tuple[str, ...]
    passages: tuple[Doubtful, ...]


class Weighed(Value):
    """One passage's stance towards one claim, and the words that show it."""

    passage: int = Field(description="number of the passage")
    stance: StanceLabel
    quote: str = Field(description="copied from the passage; empty when it is unrelated")


class Told(Value):
    """A sentence on the matter, and the words of a passage that it stands on."""

    text: str
    passage: int
    quote: str = Field(description="copied from the passage character by character")


class Weighing(Value):
    """A stance for each passage, and a short text."""

    stances: tuple[Weighed, ...]
    sentences: tuple[Told, ...] = ()


def _variables(given: WeighInput, seed: str) -> Mapping[str, str]:
    claims = "\n".join(f"({number}) {text}" for number, text in enumerate(given.claims, start=1))
    towards = "\n".join(f"【{each.passage.number}】→ ({each.claim})" for each in given.passages)
    return {
        "message": enclosed(given.message, seed),
        "claims": enclosed(claims, seed),
        "towards": towards,
        "language": given.language,
        "max_sentences": str(MOST_SENTENCES),
        "passages": render_passages([each.passage for each in given.passages], seed),
    }


def _fault_of(given: WeighInput, found: Weighing) -> Phrase | None:
    texts = {each.passage.number: each.passage.text for each in given.passages}
    numbers = [each.passage for each in found.stances]
    for number in (*numbers, *(each.passage for each in found.sentences)):
        if number not in texts:
            return phrase("fault.no_passage", n=number)
    for number in texts:
        if numbers.count(number) != 1:
            return phrase("fault.one_stance", n=number)
    for each in found.stances:
        if each.stance != "unrelated" and not _is_in(each.quote, texts[each.passage]):
            return phrase("fault.quote_elsewhere", n=each.passage)
    if len(found.sentences) > MOST_SENTENCES:
        return phrase("fault.many_sentences", n=MOST_SENTENCES)
    if any(has_link(each.text) for each in found.sentences):
        return phrase("fault.link")
    return None


def _is_in(quote: str, text: str) -> bool:
    wanted = normalise(quote).text.strip(_EDGES)
    return bool(wanted) and wanted in normalise(text).text


def _embedded(given: WeighInput) -> Weighing:
    """Keep the stances and quote the pages' own words. Raises `NoEvidence` (law 5)."""
    if not given.passages:
        raise NoEvidence
    sided = [each for each in given.passages if each.stance != "unrelated" and each.quote]
    order = {"contradicts": 0, "supports": 1, "qualifies": 2}
    sided.sort(key=lambda each: (each.claim, order[each.stance], each.passage.number))
    chosen: dict[str, Doubtful] = {}
    for each in sided:
        chosen.setdefault(f"{each.stance}/{each.passage.origin_id}", each)
    return Weighing(
        stances=tuple(
            Weighed(passage=each.passage.number, stance=each.stance, quote=each.quote)
            for each in given.passages
        ),
        sentences=tuple(
            Told(text=" ".join(each.quote.split()), passage=each.passage.number, quote=each.quote)
            for each in list(chosen.values())[:MOST_SENTENCES]
        ),
    )


QUESTION: Question[WeighInput, Weighing] = Question(
    prompt="verify/weigh_message",
    tier="heavy",
    output=Weighing,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda found: "\n".join(each.text for each in found.sentences),
)
