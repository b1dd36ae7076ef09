"""Whether the quotes of written sentences carry them: asked where a model has earned that vote."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.evidence.citations.checker import check
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.exam_pages import ExamPage, page_of
from groundwire.reasoning.passages import enclosed
from groundwire.reasoning.question import Question


class Ground(Value):
    """A quoted sentence of a page with what is shown beside it."""

    title: str
    publisher: str = ""
    date: str = ""
    before: str = ""
    text: str


class Reviewed(Value):
    """A sentence, what it stands on, and whether the embedded checker lets it pass."""

    text: str
    grounds: tuple[Ground, ...]
    carried: bool


class ReviewInput(Value):
    """The sentences of one answer."""

    sentences: tuple[Reviewed, ...]


class Reading(Value):
    """What one sentence is found to be."""

    sentence: int = Field(description="number of the sentence")
    carried: bool = Field(description="whether its quotes say all of it")


class Review(Value):
    """A finding for each sentence."""

    readings: tuple[Reading, ...]

    @property
    def carried(self) -> frozenset[int]:
        """The numbers of the sentences that stand."""
        return frozenset(each.sentence for each in self.readings if each.carried)


def _variables(given: ReviewInput, seed: str) -> Mapping[str, str]:
    return {"sentences": enclosed("\n\n".join(map(_listed, range(1, 1000), given.sentences)), seed)}


def _listed(number: int, reviewed: Reviewed) -> str:
    lines = [f"({number}) {' '.join(reviewed.text.split())}"]
    for ground in reviewed.grounds:
        head = " · ".join(filter(None, (ground.title, ground.publisher, ground.date)))
        lines.append(f"    page: {head}")
        lines.extend(f"    {name}: {text}" for name, text in _quoted(ground) if text)
    return "\n".join(lines)


def _quoted(ground: Ground) -> tuple[tuple[str, str], ...]:
    return (
        ("before", " ".join(ground.before.split())),
        ("quote", " ".join(ground.text.split())),
    )


def _fault_of(given: ReviewInput, found: Review) -> Phrase | None:
    numbers = sorted(each.sentence for each in found.readings)
    if numbers != list(range(1, len(given.sentences) + 1)):
        return phrase("fault.one_reading")
    return None


def _embedded(given: ReviewInput) -> Review:
    return Review(
        readings=tuple(
            Reading(sentence=number, carried=each.carried)
            for number, each in enumerate(given.sentences, start=1)
        )
    )


class _Item(Value):
    """One page, the words that are quoted from it, and sentences that may stand on them."""

    language: str
    page: ExamPage
    quote: str
    sentences: tuple[str, ...]


def _read(given: JsonObject) -> ReviewInput:
    item = _Item.model_validate(given)
    evidence = page_of(item.page)
    before, _, _ = item.page.text.partition(item.quote)
    ground = Ground(
        title=item.page.title,
        publisher=item.page.publisher,
        date=item.page.published,
        before=before,
        text=item.quote,
    )
    passages = {1: (evidence, evidence.passages[0])}
    return ReviewInput(
        sentences=tuple(
            Reviewed(
                text=text,
                grounds=(ground,),
                carried=check(text, [(1, item.quote)], passages).result != "unsupported",
            )
            for text in item.sentences
        )
    )


class _Expected(Value):
    carried: frozenset[int]


def _score(given: ReviewInput, found: Review, expect: JsonObject) -> float:
    """Give the share of sentences that are found to be what they are."""
    right = _Expected.model_validate(expect).carried
    numbers = range(1, len(given.sentences) + 1)
    return sum((n in right) == (n in found.carried) for n in numbers) / len(given.sentences)


QUESTION: Question[ReviewInput, Review] = Question(
    prompt="citations/review_sentences",
    tier="heavy",
    output=Review,
    variables=_variables,
    embedded=_embedded,
    fault_of=_fault_of,
    prose=lambda _found: "",
    exam=Exam(items="citations/review_sentences", read=_read, score=_score),
    takes_advice=False,
)
