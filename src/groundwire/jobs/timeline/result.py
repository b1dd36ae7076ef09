"""The nouns of a timeline: its nodes with their times and sources, threads, eras, links, synthesis."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from groundwire.model.base import Instant, Value
from groundwire.model.claim import CitationView
from groundwire.model.phrase import Phrase
from groundwire.model.result import (
    Checks,
    Cost,
    Decided,
    Degraded,
    EvidenceView,
    Gap,
    Origin,
    Recovered,
    ResultStatus,
    Sentence,
)

Precision = Literal["day", "month", "quarter", "year", "decade"]
Significance = Literal["revolutionary", "high", "medium"]
# planned: it was announced for that day, and no page tells that it came.
Standing = Literal["happened", "planned", "due", "denied"]
Relation = Literal["caused", "enabled", "responded_to"]
Changed = Literal["new", "moved", "turned", "withdrawn"]
Level = Literal["light", "medium", "deep", "epic"]


class Interval(Value):
    """A stretch of days, both ends included."""

    begin: date
    end: date


class DatedBy(Value):
    """A date of an event as one source gives it."""

    date: str  # reduced ISO, as precise as the source
    precision: Precision
    evidence_id: str
    publisher: str
    quote: str


class Figure(Value):
    """A figure as a page writes it, and the sentence that it stands in."""

    text: str
    of: str = ""  # the words around it that say what it is of
    sentence: Sentence


class Person(Value):
    """Somebody who took part, and as what, in the words of a page."""

    name: str
    role: str = ""
    sentence: Sentence


class Detail(Value):
    """What the supporting passages tell of a node; every part is cited, or empty."""

    key_features: tuple[Sentence, ...] = ()
    impact: tuple[Sentence, ...] = ()
    context: tuple[Sentence, ...] = ()
    key_people: tuple[Person, ...] = ()
    key_numbers: tuple[Figure, ...] = ()
    quote: Sentence | None = None  # somebody's own words
    location: str = ""
    tags: tuple[str, ...] = ()
    by: str = "embedded"


class EarlierDate(Value):
    """A day for which an event was planned before, and who said so when."""

    date: str
    precision: Precision
    said: Sentence


class Node(Value):
    """One event: when, what, how much it matters, and every source that says so."""

    id: str
    date: str  # the start, in reduced ISO: 2023, 2023-05, 2023-05-06
    precision: Precision
    interval: Interval
    published: Instant | None = None  # by the first page on it
    first_seen: Instant  # by this desk
    title: str
    description: tuple[Sentence, ...]
    significance: Significance = "medium"
    standing: Standing = "happened"
    thread: str
    citations: tuple[str, ...]  # ids of the evidence that supports it, each once
    told_by: tuple[CitationView, ...] = ()  # the words by which each of them tells it
    origins: int  # independent ones among them
    date_sources: tuple[DatedBy, ...]
    detail: Detail | None = None
    history: tuple[EarlierDate, ...] = ()
    shared_search: bool = False  # one search was made for several nodes
    by: str = "embedded"  # who chose and titled it

    @property
    def telling(self) -> Sentence:
        """The event, on the words of all who tell it."""
        return Sentence(text=self.title, verdict="supported", citations=self.told_by)


class Left(Value):
    """A node that no passage supports: shown apart, with the reason.

    What a model remembers, where it was allowed to, is one of these: `by` names the model.
    """

    date: str
    title: str
    thread: str
    problems: tuple[Phrase, ...]
    by: str = "embedded"


class ThreadOutcome(Value):
    """A thread as it went: what was wanted, what was found, whether its searches failed."""

    name: str
    description: str = ""
    estimated_nodes: int
    nodes: int = 0
    searches: int = 0
    failed: int = 0


class Era(Value):
    """A stretch of the history, and the nodes in it."""

    name: str
    interval: Interval
    nodes: tuple[str, ...]


class Link(Value):
    """One node (the source) brought about, made possible or answered another, as a sentence says."""

    source: str  # node id
    target: str
    relation: Relation
    sentence: Sentence


class Synthesis(Value):
    """What the history comes to. `insight` sets side by side what several events show together; only a model finds one."""

    summary: tuple[Sentence, ...] = ()
    insight: tuple[Sentence, ...] = ()
    by: str = "embedded"

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence of it."""
        return (*self.summary, *self.insight)


class Told(Value):
    """An event as one run told it: what another run has to know to find it again."""

    node: str  # its id
    date: str
    interval: Interval
    title: str
    standing: Standing
    text: str = ""
    urls: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


class NodeChange(Value):
    """An event that is new, stands at another date, turned (came, was denied), or is not told any more."""

    kind: Changed
    before: Told | None = None
    after: Told | None = None


class Changes(Value):
    """What changed since an earlier run; `certain` unless a search failed that might have found more.

    `aside` are earlier events that are not among the nodes now, and yet are not known to be gone: a page still
    tells them, or could not be looked for. When they come back they are not new.
    """

    since: str  # the earlier run
    at: Instant  # its moment
    certain: bool = True
    rows: tuple[NodeChange, ...] = ()
    aside: tuple[Told, ...] = ()


class Target(Value):
    """How many nodes were wanted, and the numbers within which the wish is met."""

    nodes: int
    least: int
    most: int


class TimelineResult(Value):
    """The history of a topic: `gw timeline --json`, one object."""

    run_id: str
    status: ResultStatus
    topic: str
    level: Level
    language: str
    as_of: Instant | None = None
    threads: tuple[ThreadOutcome, ...] = ()
    nodes: tuple[Node, ...] = ()
    unsourced: tuple[Left, ...] = ()
    links: tuple[Link, ...] = ()
    eras: tuple[Era, ...] = ()
    synthesis: Synthesis = Synthesis()
    changes: Changes | None = None  # where it was asked to be compared
    target: Target
    reason_if_short: Phrase | None = None
    gaps: tuple[Gap, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()
    evidence: tuple[EvidenceView, ...] = ()
    origins: tuple[Origin, ...] = ()
    checks: Checks = Checks()
    searches: int = 0
    reasoner: str = "embedded"
    decided: tuple[Decided, ...] = ()
    cost: Cost = Field(default_factory=Cost)
    latency_ms: int = 0
