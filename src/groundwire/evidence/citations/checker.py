"""The checker of law 2: a sentence stands only on quotes that are really there and really say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.evidence.citations.problems import problem
from groundwire.evidence.citations.quotes import QuotePlace, locate
from groundwire.evidence.reading.facts import examine
from groundwire.language.text.characters import normalise
from groundwire.language.text.links import is_bare, links
from groundwire.model.claim import Checked, CheckResult, Citation
from groundwire.model.phrase import Phrase
from groundwire.model.source import Evidence, Passage


def check(
    text: str,
    proposals: Sequence[tuple[int, str]],
    passages: Mapping[int, tuple[Evidence, Passage]],
    question: str = "",
) -> Checked:
    """Whether the sentence is supported by the proposed quotes, with every reason when it is not.

    A quote that is not found is named, but fails the sentence only when the others do not carry it.
    The question lends a date to a page of that date, and nothing else.
    """
    notes: list[Phrase] = []
    found: list[QuotePlace] = []
    for number, quote in proposals:
        place = locate(number, quote, passages)
        if isinstance(place, Phrase):
            notes.append(place)
        elif all(
            (place.evidence.id, place.start, place.end) != (f.evidence.id, f.start, f.end)
            for f in found
        ):
            found.append(place)
    problems = _link_problems(text, found)
    passed: tuple[str, ...] = ()
    doubts: list[Phrase] = []
    if found:
        facts = examine(text, found, question)
        passed = ("quote", *facts.passed)
        problems.extend(facts.problems)
        doubts = facts.doubts
    elif not notes:
        notes.append(problem("no_quote"))
    if problems or not found:
        return Checked(text=text, result="unsupported", problems=(*notes, *problems))
    result: CheckResult = "qualified" if doubts else "supported"
    return Checked(
        text=text,
        result=result,
        citations=tuple(_citation(place, passed) for place in found),
        problems=(*notes, *doubts),
    )


def _citation(place: QuotePlace, passed: tuple[str, ...]) -> Citation:
    return Citation(
        evidence_id=place.evidence.id,
        passage_id=place.passage.id,
        quote=place.quote,
        start=place.start,
        end=place.end,
        checks=passed,
    )


def _link_problems(text: str, found: Sequence[QuotePlace]) -> list[Phrase]:
    held = links(text)
    if any(not is_bare(link) for link in held):
        return [problem("link")]
    quoted = " ".join(normalise(place.quote).text.lower() for place in found)
    return [problem("absent", what=link) for link in held if link.lower() not in quoted]
