"""The nouns of a watch's result: plan, words, sections, critique, changes, state, steps."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire.jobs.watch.ledger.claims import Change, Claim, NotSeen, PageSeen
from groundwire.jobs.watch.phases import Phase
from groundwire.jobs.watch.proposal import SubTask
from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.phrase import Phrase
from groundwire.model.result import (
    Checks,
    Contested,
    Cost,
    Decided,
    Degraded,
    EvidenceView,
    Gap,
    Origin,
    Recovered,
    ResultStatus,
    Sentence,
    Unsupported,
)
from groundwire.model.thought import ThoughtStep

End = Literal["planned", "max_steps", "budget", "nothing_new", "failed"]


class Noticed(Change):
    """A change as it is told: in the reader's language, once for each matter."""

    said_before: str = ""
    said_after: str = ""
    same_as: str = ""  # the claim that tells the same matter; "": it is told itself
    met: tuple[str, ...] = ()  # the conditions of the watch that it met
    told: bool = True  # in a message


class EditedPart(Value):
    """What stood in a page, and what stands there now; "" where there was or is nothing."""

    before: str = ""
    after: str = ""


class EditedPage(Value):
    """A cited page that was changed without a word: its stored texts beside each other where they differ."""

    url: str
    title: str
    publisher: str
    before: str  # a document's id
    after: str
    claims: tuple[str, ...]  # whose change it made
    parts: tuple[EditedPart, ...]


class Keyword(Value):
    """A word that was found on the way and added to the search."""

    word: str
    found_in: str  # the evidence that has it first
    score: float
    relevance: float = 0.0
    novelty: float = 0.0
    frequency: float = 0.0
    query: str = ""  # the search that it became; "": it was not searched for
    by: str = "embedded"


class Section(Value):
    """A part of the brief: what is new, what changed, what is contested, what is missing."""

    name: Literal["new", "changed", "contested", "missing"]
    sentences: tuple[Sentence, ...] = ()
    gaps: tuple[Gap, ...] = ()


class Critique(Value):
    """How good the brief is, in numbers that code computes, and what there is to say of it."""

    credibility: float = 0.0  # the mean of its sources
    coverage: float = 0.0  # sub-tasks with a supported claim, of all
    quality: float = 0.0  # supported claims, of all
    overall: float = 0.0  # 0.40, 0.35 and 0.25 of them
    notes: tuple[Phrase, ...] = ()
    rounds: int = 0  # that were made for it


class WatchEvidence(EvidenceView):
    """Evidence with where it was published, by whom, and how many took notice of it."""

    platform: str = ""
    author: str = ""
    engagement: dict[str, int] = Field(default_factory=dict[str, int])


class AgentState(Value):
    """Where the agent stands when it ends."""

    task_id: str
    original_command: str
    current_phase: Phase
    discovered_keywords: tuple[str, ...] = ()
    pending_searches: tuple[str, ...] = ()
    credibility_scores: dict[str, float] = Field(default_factory=dict[str, float])
    total_tokens: int = 0  # that models read and wrote; see the steps for where
    error_count: int = 0
    max_steps: int = 10
    current_step: int = 0


class WatchResult(Value):
    """The brief of a watch, and what changed: `gw watch --json`, one object."""

    run_id: str
    watch_id: str = ""
    status: ResultStatus
    command: str
    subject: str
    language: str
    as_of: Instant | None = None
    previous: str = ""  # the run that it is compared with
    end: End
    plan: tuple[SubTask, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    summary: tuple[Sentence, ...] = ()
    sections: tuple[Section, ...] = ()
    claims: tuple[Claim, ...] = ()
    changes: tuple[Noticed, ...] = ()  # what weighs most first
    edits: tuple[EditedPage, ...] = ()
    told: dict[str, str] = Field(  # claims in the reader's language, where a page says them so
        default_factory=dict[str, str]
    )
    alert: bool = False
    parcels: int = 0  # that were written; set as the run ends
    not_seen: tuple[NotSeen, ...] = ()
    contradictions: tuple[Contested, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    critique: Critique = Critique()
    gaps: tuple[Gap, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()
    evidence: tuple[WatchEvidence, ...] = ()
    origins: tuple[Origin, ...] = ()
    checks: Checks = Checks()
    pages: tuple[PageSeen, ...] = ()  # as they were last read, for the next run
    found_by: dict[str, tuple[str, ...]] = Field(  # sub-tasks whose searches brought a page, ever
        default_factory=dict[str, "tuple[str, ...]"]
    )
    looked: int = 0  # pages that this run looked at
    searches: int = 0
    searched_to: Instant | None = None  # what was published by then was searched for; None: never
    state: AgentState
    steps: tuple[ThoughtStep, ...] = ()  # derived from journal and ledger as the run ends
    reasoner: str = "embedded"
    decided: tuple[Decided, ...] = ()
    cost: Cost = Field(default_factory=Cost)
    latency_ms: int = 0

    def content(self) -> JsonObject:
        """Return what a program is told of an alert."""
        kept = {"run_id", "watch_id", "command", "subject", "previous", "changes", "alert"}
        return self.model_dump(mode="json", include=kept)
