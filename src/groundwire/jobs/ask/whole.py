"""The answers of the parts of a question as one answer: what answers goes first, and nothing is said twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evidence.questions.contested import Contradiction
from groundwire.evidence.questions.parts import AskedPart
from groundwire.jobs.ask.extract import Chosen
from groundwire.jobs.ask.gaps import Lack
from groundwire.jobs.ask.parts import answers
from groundwire.jobs.ask.precedence import far_from
from groundwire.jobs.ask.repetition import retells

_BESIDE_NO_ANSWER = 2  # sentences that are shown for a part that none of them answers


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What was found for one part of a question."""

    part: AskedPart
    about: str
    chosen: tuple[Chosen, ...] = ()
    disputes: tuple[Contradiction, ...] = ()
    gaps: tuple[Lack, ...] = ()

    def is_answered(self) -> bool:
        """Tell whether one of its sentences answers it."""
        shown = (each.first for each in self.chosen)
        return any(answers(self.part, e.text, f"{e.passage.title}\n{e.text}") for e in shown)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of the whole answer, with the sentence that it quotes."""

    text: str
    chosen: Chosen


def together(parts: Sequence[PartAnswer], most: int, language: str) -> list[Told]:
    """Put the sentences of the parts in order, those of a part that is answered first."""
    told: list[Told] = []
    several = len(parts) > 1
    answered = {id(each): not several or each.is_answered() for each in parts}
    for each in sorted(parts, key=lambda each: not answered[id(each)]):
        shown = each.chosen if answered[id(each)] else each.chosen[:_BESIDE_NO_ANSWER]
        for chosen in shown:
            told = _with(told, chosen, language)
    return told[:most]


def _with(told: list[Told], chosen: Chosen, language: str) -> list[Told]:
    """Add a sentence, unless what is told has it; what holds a told one takes its place."""
    text = " ".join(chosen.first.text.split())
    if any(text in each.text for each in told):
        return told
    twin = next((n for n, each in enumerate(told) if _is_twin(chosen, each.chosen)), None)
    if twin is not None:
        # In the reader's own writing, if one of them is.
        nearer = far_from(language, chosen.first) < far_from(language, told[twin].chosen.first)
        return [*told[:twin], Told(text, chosen), *told[twin + 1 :]] if nearer else told
    # The one sentence that opens the answer stays as it is; what goes on from it follows.
    if told and told[0].text in text:
        rest = text.replace(told[0].text, "").strip()
        more = rest and not any(rest in each.text for each in told)
        return [*told, Told(rest, chosen)] if more else told
    place = next((n for n, each in enumerate(told) if each.text in text), len(told))
    kept = [each for each in told if each.text not in text]
    return [*kept[:place], Told(text, chosen), *kept[place:]]


def _is_twin(one: Chosen, other: Chosen) -> bool:
    """Tell whether two pages tell the same, word for word or in the other writing."""
    return retells(one.first, other.first) and retells(other.first, one.first)
