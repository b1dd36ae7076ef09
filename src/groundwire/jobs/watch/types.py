"""What the steps of a watch hand on."""

from __future__ import annotations

import operator
from typing import Annotated, Literal

from pydantic import Field

from groundwire.jobs.watch.given import WatchInput
from groundwire.jobs.watch.ledger.claims import Compared, Ledger, Reread
from groundwire.jobs.watch.phases import Phase
from groundwire.jobs.watch.proposal import Plan
from groundwire.jobs.watch.result import (
    Critique,
    EditedPage,
    End,
    Keyword,
    Noticed,
    Section,
)
from groundwire.jobs.watch.settings import WatchSettings
from groundwire.model.base import Instant, Value
from groundwire.model.query import Hit
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
from groundwire.model.source import Evidence


class Search(Value):
    """A search that is to be made."""

    text: str
    platform: str = ""
    days: int | None = None


class Batch(Value):
    """Searches that belong together: those of a sub-task, or of a word that was found."""

    task: int | None  # of the plan; None: of a word
    searches: tuple[Search, ...] = ()
    feeds: tuple[str, ...] = ()  # that are read instead
    found_in: str = ""  # the evidence that the word was found in

    @property
    def tool_calls(self) -> tuple[str, ...]:
        """What is called for it, as the thought chain lists it."""
        searches = (f"platform_search: {each.text}" for each in self.searches)
        return (*searches, *(f"web_scrape: {each}" for each in self.feeds))


class Searched(Value):
    """What the searches of a batch brought, and what became of those that brought nothing."""

    round: int
    batch: Batch
    hits: tuple[Hit, ...] = ()
    made: int = 0
    failed: int = 0  # that nobody who sees the web has answered
    quota: bool = False  # a call was refused because the budget is spent
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def outcome(self) -> Literal["found", "empty", "failed"]:
        """Failed is not empty: it says nothing of what there is."""
        if self.hits:
            return "found"
        return "failed" if self.unanswered else "empty"

    @property
    def unanswered(self) -> bool:
        """Whether every search of it failed, whatever the archive holds."""
        return bool(self.made) and self.failed == self.made


class ReadAgain(Value):
    """What came of reading the cited pages again."""

    evidence: tuple[Evidence, ...] = ()
    outcomes: tuple[Reread, ...] = ()
    recovered: tuple[Recovered, ...] = ()


def _latest(before: Phase, after: Phase) -> Phase:
    """Take the phase of the step that ended last, of those that go on side by side."""
    del before
    return after


class State(Value):
    """What the graph carries. Steps return the fields they changed."""

    given: WatchInput
    limits: WatchSettings  # fixed at submit
    now: Instant
    phase: Annotated[Phase, _latest] = "idle"
    came_from: Phase | None = None  # the phase that recovering began in
    language: str = "en"
    subject: str = ""
    names: tuple[str, ...] = ()  # of the subject, in both languages
    before: Ledger = Ledger()  # what was believed after the run that this one is compared with
    first: bool = True
    words: tuple[str, ...] = ()  # that the run before found
    searched_to: Instant | None = None  # by the runs before: only what is newer is searched for
    plan: Plan | None = None
    round: int = 0
    at: int = 0  # which batch a step that goes on beside others is for
    queue: tuple[Batch, ...] = ()  # of this round
    tried: tuple[str, ...] = ()  # searches of all rounds
    searched: Annotated[tuple[Searched, ...], operator.add] = ()
    again: Annotated[tuple[ReadAgain, ...], operator.add] = ()
    hits: tuple[Hit, ...] = ()  # of this round, chosen to be read
    evidence: tuple[Evidence, ...] = ()
    about: dict[str, Hit] = Field(default_factory=dict[str, Hit])  # the hit of each evidence
    found_by: dict[str, tuple[str, ...]] = Field(  # the sub-tasks whose searches brought a page
        default_factory=dict[str, "tuple[str, ...]"]
    )
    origins: tuple[Origin, ...] = ()
    fresh: int = 0  # new pages of this round
    quiet: int = 0  # rounds in a row without any
    keywords: tuple[Keyword, ...] = ()
    waiting: tuple[Keyword, ...] = ()  # words that are worth a search and had none yet
    more: bool = False  # whether another round is to be made
    directed: int = 0  # rounds made for the critic
    end: End = "planned"
    compared: Compared | None = None
    contradictions: tuple[Contested, ...] = ()
    critique: Critique = Critique()
    summary: tuple[Sentence, ...] = ()
    sections: tuple[Section, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    checks: Checks = Checks()
    changes: tuple[Noticed, ...] = ()
    edits: tuple[EditedPage, ...] = ()
    told: dict[str, str] = Field(
        default_factory=dict[str, str]
    )  # claims as the reader is told them
    alert: bool = False
    gaps: tuple[Gap, ...] = ()
    reasoner: str = "embedded"
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()

    @property
    def all_recovered(self) -> tuple[Recovered, ...]:
        """What was tried for searches and pages."""
        return (*(r for each in self.searched for r in each.recovered), *self.recovered)

    @property
    def planned(self) -> Plan:
        if self.plan is None:
            raise ValueError("nothing was planned yet")
        return self.plan

    @property
    def this_round(self) -> tuple[Searched, ...]:
        return tuple(each for each in self.searched if each.round == self.round)

    def once(self, *more: Degraded) -> tuple[Degraded, ...]:
        """Name each part that failed once."""
        found: dict[str, Degraded] = {}
        for each in (*self.degraded, *more):
            found.setdefault(each.part, each)
        return tuple(found.values())
