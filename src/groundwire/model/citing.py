"""Who cites a stored page: claims that rest on it, and runs that hold it up."""

from __future__ import annotations

from groundwire.model.base import Instant, Value
from groundwire.model.claim import Verdict


class Resting(Value):
    """A remembered claim that rests on a page, by the words that it quotes."""

    claim_id: str
    text: str
    verdict: Verdict
    quote: str
    start: int
    end: int
    learned_at: Instant
    run_id: str  # which learned it


class Citer(Value):
    """A run that cites a page; `about` is the beginning of what it was asked."""

    run_id: str
    kind: str
    owner: str
    about: str
    at: Instant
