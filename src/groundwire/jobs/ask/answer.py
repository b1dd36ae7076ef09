"""The answer to a question, and what was believed of it before."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire.model.base import Instant, Value
from groundwire.model.claim import Verdict
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


class Recalled(Value):
    """What was believed before about the question, and what this answer makes of it.

    Shown beside the answer; never a citation or a support of a sentence (law 2).
    """

    claim_id: str
    text: str
    verdict: Verdict
    time: str = ""  # when it was true, as the claim dates itself
    learned_at: Instant
    seen_at: Instant
    similarity: float
    publishers: tuple[str, ...] = ()
    # "": the answer does not say; withdrawn: it says again what a person took back.
    change: Literal["", "confirmed", "changed", "disputed", "withdrawn"] = ""
    now: str = ""  # the sentence of this answer that changes or disputes it
    why: str = ""


class Part(Value):
    """One of the things a question asks for, as the person wrote it, and whether it is answered."""

    text: str
    answered: bool
    sentence: int | None = None  # of the answer, from 0


class Earlier(Value):
    """The run that a question follows, and what the question was completed to."""

    run_id: str
    question: str  # of the earlier run, as it was typed
    typed: str  # this question
    understood: str = ""  # this question with what it took from the earlier one; "": nothing
    deeper: int = 0  # rounds in which the same was looked for again; 0: another question


class AskResult(Value):
    """The answer to a question: `gw ask --json`, one object."""

    run_id: str
    status: ResultStatus
    question: str
    language: str
    as_of: Instant | None = None  # evidence counts that was there by then; None: of an older run
    answer: tuple[Sentence, ...] = ()
    parts: tuple[Part, ...] = ()  # of the question; none in results of older runs
    unsupported: tuple[Unsupported, ...] = ()
    contested: tuple[Contested, ...] = ()
    gaps: tuple[Gap, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    recovered: tuple[Recovered, ...] = ()  # failures that were made up for
    evidence: tuple[EvidenceView, ...] = ()
    origins: tuple[Origin, ...] = ()
    checks: Checks = Checks()
    recalled: tuple[Recalled, ...] = ()
    reasoner: str = "embedded"  # which mind wrote it: embedded, or vendor:model
    decided: tuple[Decided, ...] = ()  # who answered which question; set as the run ends
    after: Earlier | None = None
    cost: Cost = Field(default_factory=Cost)
    latency_ms: int = 0
