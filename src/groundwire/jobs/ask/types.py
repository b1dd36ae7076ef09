"""The nouns of ask: its input, its limits, and what its steps hand on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from groundwire.gather.as_of import AsOf
from groundwire.jobs.ask.answer import Earlier
from groundwire.jobs.ask.settings import AskSettings
from groundwire.jobs.ask.write_answer import Written
from groundwire.model.base import Instant, Value
from groundwire.model.memory import Recollection
from groundwire.model.query import Hit, Query
from groundwire.model.result import (
    Checks,
    Contested,
    Degraded,
    Gap,
    Origin,
    Recovered,
    Sentence,
    Unsupported,
)
from groundwire.model.run import RunName
from groundwire.model.source import Evidence, NumberedPassage

MOST_ROUNDS = 5  # after the first
_NO_LIMIT = datetime.max.replace(tzinfo=UTC)


class AskInput(Value):
    """A question. `deep` adds rounds directed at the gaps; `strict` leaves unsupported out."""

    question: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000, pattern=r"\S")
    ] = Field(description="the question")
    deep: int = Field(
        default=0, ge=0, le=MOST_ROUNDS, description="more rounds, directed at the gaps"
    )
    strict: bool = Field(default=False, description="leave unsupported sentences out altogether")
    language: Literal["auto", "zh", "zh-Hant", "en"] = Field(
        default="auto", description="of the answer; auto: the question's"
    )
    as_of: AsOf = Field(
        default=None,
        description="count only what was published by then: 2026-11-10, 2026-11-10T09:30Z",
    )
    after: RunName = Field(
        default="",
        description="an earlier run that the question follows (an id, its beginning, or last): its "
        "pages are at hand, and its names complete the question",
    )


class State(Value):
    """What the graph carries. Steps return the fields they changed."""

    given: AskInput
    limits: AskSettings  # fixed at submit
    as_of: Instant = _NO_LIMIT  # evidence counts up to then
    language: str = "en"
    round: int = 0
    queries: tuple[Query, ...] = ()  # of this round
    tried: tuple[str, ...] = ()  # of all rounds
    searched: int = 0
    search_failures: int = 0
    hits: tuple[Hit, ...] = ()  # of this round, chosen to be read
    evidence: tuple[Evidence, ...] = ()
    origins: tuple[Origin, ...] = ()
    passages: tuple[NumberedPassage, ...] = ()
    written: Written | None = None
    sentences: tuple[Sentence, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    contested: tuple[Contested, ...] = ()
    checks: Checks = Checks()
    gaps: tuple[Gap, ...] = ()
    unread: tuple[Gap, ...] = ()  # pages that could not be had; no round looks for them again
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()
    reasoner: str = "embedded"
    new_evidence: int = 0
    recollection: Recollection | None = None
    after: Earlier | None = None  # `given` has the question as it is completed by it
