"""Which parts of a question an answer answers, and with which of its sentences."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.questions.coverage import named_things
from groundwire.evidence.questions.facets import Facet, any_of, facet_words
from groundwire.evidence.questions.intent import Intent, parse_question
from groundwire.evidence.questions.parts import question_parts
from groundwire.jobs.ask.answer import Part
from groundwire.jobs.ask.values import value_of
from groundwire.language.text.characters import simplify
from groundwire.model.result import Gap, Sentence

_VALUES: tuple[Facet, ...] = ("when", "how_much", "who", "where")


def tick(question: str, sentences: Sequence[Sentence], gaps: Sequence[Gap]) -> tuple[Part, ...]:
    """Tell of each part of the question whether a sentence answers it, and which."""
    unsaid = {gap.what.removeprefix("ask.facet.") for gap in gaps}
    found: list[Part] = []
    for text in question_parts(question):
        intent = parse_question(text)
        place = None
        if unsaid.isdisjoint(intent.facets):
            place = next((n for n, one in enumerate(sentences) if _answers(intent, one)), None)
        found.append(Part(text=text, answered=place is not None, sentence=place))
    return tuple(found)


def _answers(intent: Intent, sentence: Sentence) -> bool:
    """Tell whether a sentence has what this part asks for: its kind of value, about its words."""
    quotes = [f"{each.title}\n{each.quote}" for each in sentence.citations]
    things = named_things("\n".join((sentence.text, *quotes)))
    telling = [intent.terms[n] for n in intent.telling]
    if telling and not any(things.names(term) for term in telling):
        return False
    return all(_has_value(intent, facet, sentence.text) for facet in intent.facets)


def _has_value(intent: Intent, facet: Facet, text: str) -> bool:
    if facet in _VALUES:
        return value_of(intent, facet, text, named_things(text)) > 0
    if facet == "why":
        signs = (*facet_words("strong")["why"], *facet_words("weak")["why"])
        return any_of(signs).search(simplify(text)) is not None
    return True
