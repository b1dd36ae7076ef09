"""What a history comes to: a summary of its events, and what several of them show together, from numbered passages."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.jobs.timeline import write_synthesis_exam
from groundwire.jobs.timeline.write_detail import REQUESTS, Quoted
from groundwire.language.text.links import has_link
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question

MOST_SENTENCES = 5
MOST_STATEMENTS = 3  # of an insight
_JOINED = 2  # statements of an insight and passages that they stand on, at least


class Stated(Value):
    """A sentence, and the quotes it stands on."""

    text: str
    quotes: tuple[Quoted, ...]


class Overview(Value):
    """A summary and an insight before their quotes are checked."""

    summary: tuple[Stated, ...] = ()
    insight: tuple[Stated, ...] = Field(
        default=(),
        description="two or three statements that belong together; empty where nothing joins the events",
    )

    @property
    def sentences(self) -> tuple[Stated, ...]:
        """Every sentence of it."""
        return (*self.summary, *self.insight)

    @property
    def joins(self) -> bool:
        """Whether the insight sets side by side what more than one passage says."""
        told = {quote.passage for each in self.insight for quote in each.quotes}
        return _JOINED <= len(self.insight) <= MOST_STATEMENTS and len(told) >= _JOINED


class OverviewInput(Value):
    """The events of a history in their order, each as the passage that tells it."""

    topic: str
    language: str
    passages: tuple[NumberedPassage, ...]
    drafted: tuple[Stated, ...] = ()  # the summary as code tells it


def _variables(given: OverviewInput, seed: str) -> Mapping[str, str]:
    return {
        "topic": given.topic,
        "language": given.language,
        "passages": render_passages(given.passages, seed),
    }


def _fault_of(given: OverviewInput, written: Overview) -> Phrase | None:
    numbers = {each.number for each in given.passages}
    for place, each in enumerate(written.sentences, start=1):
        if not each.quotes:
            return phrase("fault.no_quote", n=place)
        if has_link(each.text):
            return phrase("fault.sentence_link", n=place)
        unknown = next((one.passage for one in each.quotes if one.passage not in numbers), None)
        if unknown is not None:
            return phrase("fault.no_passage", n=unknown)
    if written.insight and not written.joins:
        return phrase("timeline.fault.insight")
    return None


def _read(given: JsonObject) -> OverviewInput:
    item = write_synthesis_exam.ItemGiven.model_validate(given)
    passages = write_synthesis_exam.passages_of(item)
    drafted = [
        Stated(text=quote, quotes=(Quoted(passage=number, quote=quote),))
        for number, quote in write_synthesis_exam.drafted(passages, MOST_SENTENCES)
    ]
    return OverviewInput(
        topic=item.topic, language=item.language, passages=passages, drafted=tuple(drafted)
    )


QUESTION: Question[OverviewInput, Overview] = Question(
    prompt="timeline/write_synthesis",
    tier="heavy",
    output=Overview,
    variables=_variables,
    # Code tells the weightiest events in the pages' own words, and what joins them nowhere.
    embedded=lambda given: Overview(summary=given.drafted),
    fault_of=_fault_of,
    prose=lambda written: "\n".join(each.text for each in written.sentences),
    exam=Exam(items="timeline/write_synthesis", read=_read, score=write_synthesis_exam.score),
    requests=REQUESTS,
)
