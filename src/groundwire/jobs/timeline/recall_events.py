"""What a model remembers of a thread of which no page was found: asked only where a person allowed it.

Nothing of it is a source (law 2): it stands apart from the history, under the name of who remembered it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date

from pydantic import Field

from groundwire.jobs.timeline.write_detail import REQUESTS
from groundwire.language.text.links import has_link
from groundwire.model.base import JsonObject, Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.exam_words import has_any
from groundwire.reasoning.question import Question

MOST_EVENTS = 20
_LONGEST_TITLE = 120  # characters
_REDUCED = re.compile(r"\A\d{4}(?:-\d{2}(?:-\d{2})?)?\Z")


class RecallInput(Value):
    """A thread of which no page was found, and up to which day it is to be told."""

    topic: str
    thread: str
    description: str = ""
    language: str
    today: str
    most: int = Field(default=8, ge=1, le=MOST_EVENTS)


class Remembered(Value):
    """An event as a model remembers it, dated no more exactly than it is sure of."""

    date: str = Field(description="YYYY, YYYY-MM or YYYY-MM-DD, no more exact than you are sure of")
    title: str


class Memories(Value):
    """What a model remembers; empty where it is not sure of anything."""

    remembered: tuple[Remembered, ...] = Field(default=(), max_length=MOST_EVENTS)


def _variables(given: RecallInput, seed: str) -> Mapping[str, str]:
    del seed  # no page enters this prompt
    return {
        "topic": given.topic,
        "thread": given.thread,
        "description": given.description or "-",
        "language": given.language,
        "today": given.today,
        "most": str(given.most),
    }


def _fault_of(given: RecallInput, found: Memories) -> Phrase | None:
    for place, each in enumerate(found.remembered, start=1):
        if not is_date(each.date) or each.date > given.today:
            return phrase("timeline.fault.date", n=place)
        if not each.title.strip() or len(each.title) > _LONGEST_TITLE:
            return phrase("timeline.fault.title", n=place)
        if has_link(each.title):
            return phrase("fault.beside_link")
    return None


def is_date(text: str) -> bool:
    """Tell whether a text is a day, a month or a year of the calendar, in reduced ISO."""
    if _REDUCED.match(text):
        with suppress(ValueError):
            date.fromisoformat(f"{text}-01-01"[:10])
            return True
    return False


class _ExpectedEvent(Value):
    date: str
    says: tuple[str, ...]  # one of these is in its title


class _Expected(Value):
    events: tuple[_ExpectedEvent, ...]


def _score(given: RecallInput, found: Memories, expect: JsonObject) -> float:
    """Score the events that are remembered at their date; one at a wrong date takes as much away."""
    expected = _Expected.model_validate(expect).events
    told = found.remembered[: given.most]
    right = wrong = 0
    for each in expected:
        dates = [one.date for one in told if has_any(one.title, each.says)]
        agrees = any(_agree(one, each.date) for one in dates)
        right += agrees
        wrong += bool(dates) and not agrees
    return max(0.0, (right - wrong) / len(expected))


def _agree(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


QUESTION: Question[RecallInput, Memories] = Question(
    prompt="timeline/recall_events",
    tier="heavy",
    output=Memories,
    variables=_variables,
    embedded=lambda _: Memories(),  # code remembers nothing that no page says
    fault_of=_fault_of,
    prose=lambda found: "\n".join(each.title for each in found.remembered),
    exam=Exam(items="timeline/recall_events", read=RecallInput.model_validate, score=_score),
    requests=REQUESTS,
)
