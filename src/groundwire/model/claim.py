"""Claims and citations: what is said, and where it is quoted from."""

from __future__ import annotations

from typing import Literal

from groundwire.model.base import Instant, Published, Value
from groundwire.model.phrase import Phrase

Verdict = Literal[
    "supported", "contradicted", "contested", "qualified", "insufficient", "stale", "unverified"
]
# A result of the citation check; not a verdict.
CheckResult = Literal["supported", "qualified", "unsupported"]


class Citation(Value):
    """A verbatim quote in stored text: `document.text[start:end]` reads as `quote`."""

    evidence_id: str
    passage_id: str
    quote: str
    start: int
    end: int
    checks: tuple[str, ...] = ()  # names of the checks it passed: quote, numbers, dates, names


class Claim(Value):
    """One factual sentence with its citations."""

    text: str
    kind: Literal["fact", "figure", "date", "statement", "opinion"] = "fact"
    subject: str = ""
    predicate: str = ""
    value: str = ""
    time: str = ""
    citations: tuple[Citation, ...] = ()
    verdict: Verdict = "unverified"


class Checked(Value):
    """What the checker says of one proposed sentence."""

    text: str
    result: CheckResult
    citations: tuple[Citation, ...] = ()
    problems: tuple[Phrase, ...] = ()  # e.g. "quote not found in passage 3", "12 % is in no quote"
    # Where only reading refuses it: the quotes on which a reader who has earned it may let it stand.
    standing: tuple[Citation, ...] = ()


class CitationView(Value):
    """A citation as results show it; every field is filled by code."""

    evidence_id: str
    url: str
    title: str
    publisher: str
    published_at: Published | None
    quote: str
    start: int
    end: int
    translation: str = ""  # of the quote, by the mind that wrote the sentence: its figures, dates and names are checked


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
