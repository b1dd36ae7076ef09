"""Which parts of a question an answer answers, and with which of its sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.questions.coverage import NamedThings, named_things
from groundwire.evidence.questions.facets import Facet, any_of, facet_words
from groundwire.evidence.questions.intent import Intent, Term, parse_question
from groundwire.evidence.questions.parts import AskedPart, asked_parts
from groundwire.jobs.ask.answer import Part
from groundwire.jobs.ask.directness import only_in_cause
from groundwire.jobs.ask.values import is_place, stretches, value_of
from groundwire.language.text.characters import simplify
from groundwire.model.result import Sentence

_PIECE = re.compile(r"[;；。]|\.(?=\s)")
_VALUES: tuple[Facet, ...] = ("when", "how_much", "who", "where")
# Of `value_of`: somebody is named anywhere in many a sentence, and must be the one who did it.
_LEAST: dict[Facet, float] = {"who": 0.8}


def tick(question: str, sentences: Sequence[Sentence]) -> tuple[Part, ...]:
    """Tell of each part of the question which sentence answers it, if one does."""
    found: list[Part] = []
    for part in asked_parts(question):
        telling = [t for t in parse_question(part.alone).terms if t.kind == "word" and not t.light]
        says = [n for n, one in enumerate(sentences) if _says(part, one)]
        # Of several, that which has most of the words that say what is asked.
        had = {n: sum(map(named_things(sentences[n].text).names, telling)) for n in says}
        place = max(says, key=lambda n: (had[n], -n), default=None)
        found.append(Part(text=part.text, answered=place is not None, sentence=place))
    return tuple(found)


def _says(part: AskedPart, sentence: Sentence) -> bool:
    around = "\n".join(f"{each.title}\n{each.quote}" for each in sentence.citations)
    return answers(part, sentence.text, around)


def answers(part: AskedPart, text: str, around: str = "") -> bool:
    """Tell whether a text gives all that a part of a question asks for."""
    intent = parse_question(part.alone)
    return all(gives(intent, facet, text, around) for facet in intent.facets)


def gives(intent: Intent, facet: Facet, text: str, around: str) -> bool:
    """Tell whether a sentence gives what this facet asks for, of the things that the question names.

    Its names may stand in the headline or the quote; the value stands in the sentence, by a word of what is asked.
    """
    beside = named_things(f"{text}\n{around}")
    named = [t for t in intent.terms if t.kind == "name" and not t.light]
    if 2 * sum(beside.names(term) for term in named) < len(named):
        return False
    places = [t for t in intent.terms if t.kind == "name" and is_place(t)]
    if not all(beside.names(term) for term in places):
        return False
    telling = [intent.terms[n] for n in intent.words(facet)]
    if facet in _VALUES:
        return _has_value(intent, facet, telling, text, beside)
    if facet in ("why", "how"):
        return _is_explained(intent, facet, telling, text)
    said = sum(map(named_things(text).names, telling))
    return 2 * said > len(telling) or said == len(telling)


def _is_explained(intent: Intent, facet: Facet, telling: Sequence[Term], text: str) -> bool:
    """Tell whether a sentence gives a cause, or a way, in the same breath as what is asked."""
    signs = [*facet_words("strong")["why"], *facet_words("weak")["why"]]
    if facet == "how":
        signs += facet_words("manner")["how"]
    sign = any_of(tuple(signs))
    return not only_in_cause(intent, text) and any(
        sign.search(simplify(piece))
        and (not telling or any(map(named_things(piece).names, telling)))
        for piece in _PIECE.split(text)
    )


def _has_value(
    intent: Intent, facet: Facet, telling: Sequence[Term], text: str, beside: NamedThings
) -> bool:
    """Tell whether the value stands in a clause about what is asked, or alone under a headline about it."""
    said, least = named_things(text), _LEAST.get(facet, 0.0)
    if not any(said.names(term) for term in telling):
        known = all(beside.names(term) for term in telling)
        return known and value_of(intent, facet, text, said) > least
    # Who did it may stand clauses before what was done: "A, B and C said that all … will be".
    if facet == "who" and all(map(said.names, telling)):
        return value_of(intent, facet, text, said) > least
    return any(
        any(here.names(term) for term in telling) and value_of(intent, facet, at.text, here) > least
        for at in stretches(text)
        if (here := named_things(at.text))
    )
