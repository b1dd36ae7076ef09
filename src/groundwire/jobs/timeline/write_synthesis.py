"""What a history comes to: a summary of its events, and what several of them show together, from numbered passages."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from groundwire.jobs.timeline import write_synthesis_exam
from groundwire.jobs.timeline.write_detail import REQUESTS
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.passages import render_passages
from groundwire.reasoning.question import Question
from groundwire.reasoning.quoting import Quoted, Said, fault_of_sentences

MOST_SENTENCES = 5
MOST_STATEMENTS = 3  # of an insight
_JOINED = 2  # statements of an insight and passages that they stand on, at least


class Overview(Value):
    """A summary and an insight before their quotes are checked."""

    summary: tuple[Said, ...] = ()
    insight: tuple[Said, ...] = Field(
        default=(),
        description="two or three statements that belong together; empty where nothing joins the events",
    )

    @property
    def sentences(self) -> tuple[Said, ...]:
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
    drafted: tuple[Said, ...] = ()  # the summary as code tells it


def _variables(given: OverviewInput, seed: str) -> Mapping[str, str]:
    return {
        "topic": given.topic,
        "language": given.language,
        "passages": render_passages(given.passages, seed),
    }


def _fault_of(given: OverviewInput, written: Overview) -> Phrase | None:
    if fault := fault_of_sentences(written.sentences, given.passages):
        return fault
    if written.insight and not written.joins:
        return phrase("timeline.fault.insight")
    return None


def _read(given: JsonObject) -> OverviewInput:
    item = write_synthesis_exam.ItemGiven.model_validate(given)
    passages = item.shown()
    drafted = [
        Said(text=quote, quotes=(Quoted(passage=number, quote=quote),))
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
