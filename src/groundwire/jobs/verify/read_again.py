"""Passages that a model and the rules read as taking opposite sides, read once more with both readings in sight."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.jobs.verify.messages import excerpt
from groundwire.jobs.verify.weigh_message import Weighed, fault_of_stances, numbered_claims
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.passages import enclosed, render_passages
from groundwire.reasoning.question import Question


class Disputed(Value):
    """A passage and a claim, and the two readings of them."""

    passage: NumberedPassage
    model: Weighed
    rules: Weighed


class AgainInput(Value):
    """A message with its claims, and what was read in two ways."""

    message: str
    language: str
    said_at: str = ""
    claims: tuple[str, ...]
    disputed: tuple[Disputed, ...]


class Reread(Value):
    """The second reading of each passage and claim that was disputed."""

    stances: tuple[Weighed, ...]


def _variables(given: AgainInput, seed: str) -> Mapping[str, str]:
    passages = {each.passage.number: each.passage for each in given.disputed}
    readings = "\n".join(
        f"【{each.passage.number}】→ ({each.model.claim})\n"
        f"A: {each.model.stance}: {_line(each.model.quote)}\n"
        f"B: {each.rules.stance}: {_line(each.rules.quote)}"
        for each in given.disputed
    )
    return {
        "message": enclosed(excerpt(given.message), seed),
        "said_at": given.said_at or "-",
        "claims": enclosed(numbered_claims(given.claims), seed),
        "readings": enclosed(readings, seed),
        "passages": render_passages(list(passages.values()), seed),
    }


def _line(quote: str) -> str:
    return " ".join(quote.split())


def _fault_of(given: AgainInput, found: Reread) -> Phrase | None:
    texts = {each.passage.number: each.passage.text for each in given.disputed}
    if fault := fault_of_stances(found.stances, texts, len(given.claims)):
        return fault
    answered = {(each.passage, each.claim) for each in found.stances}
    for each in given.disputed:
        if (each.passage.number, each.model.claim) not in answered:
            return phrase("fault.one_stance", n=each.passage.number)
    return None


def _embedded(given: AgainInput) -> Reread:
    """Take no side: nobody is there to settle it."""
    return Reread(
        stances=tuple(
            each.model.model_copy(update={"stance": "qualifies"}) for each in given.disputed
        )
    )


QUESTION: Question[AgainInput, Reread] = Question(
    prompt="verify/read_again",
    tier="heavy",
    output=Reread,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda _found: "",  # quotes are in the passages' languages
)
