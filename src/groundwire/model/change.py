"""What runs of a standing run say over time, in the form that every door shows."""

from __future__ import annotations

from typing import Literal

from groundwire.model.base import Value
from groundwire.model.claim import CitationView, Verdict

ChangeKind = Literal["new", "changed", "confirmed", "withdrawn", "contested"]


class Belief(Value):
    """A claim as a result holds it; the same claim has the same id in every run."""

    id: str
    text: str
    subject: str = ""
    attribute: str = ""
    value: str = ""
    verdict: Verdict = "supported"
    citations: tuple[CitationView, ...] = ()


class Change(Value):
    """What is no longer as it was before a run, for one claim."""

    kind: ChangeKind
    claim_id: str
    subject: str = ""
    attribute: str = ""
    before: Belief | None = None
    after: Belief | None = None
    alerts: bool = True
