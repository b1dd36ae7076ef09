"""The stance of a page towards a claim: what the reader says of it, what the page is, and when it was written."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from groundwire.evidence.reading.alignment import claim_of
from groundwire.evidence.reading.analysis import Analysis, analyse
from groundwire.evidence.reading.problems import problem
from groundwire.evidence.reading.reader import Reading, read
from groundwire.model.source import Evidence
from groundwire.model.stance import SILENT, Stance, StanceLabel

_LONG_BEFORE = timedelta(days=10)  # a page so much older denies nothing that was said since
_BESIDE = 0.5  # from here on a retracted page is about something else
_WE = re.compile(r"\b(?:we|our|us)\b|我们|我們|我司|本公司|本所|本行", re.IGNORECASE)
_OPENING = 2_000  # characters of a page in which it says who speaks
_KEPT = 256  # pages whose analysis stays at hand


def position(claim: str, evidence: Evidence, *, told: date | None = None) -> Stance:
    """Return the stance of a page towards a claim; offsets are those of its document's text.

    `told` is the day of the message: a page that is much older cannot deny what it says.
    """
    if "satire" in evidence.flags or evidence.tier == "satire":
        return SILENT.model_copy(update={"reasons": (problem("satire"),)})
    found = read(claim_of(claim, told), _analysed(evidence))
    if "injection" in evidence.flags and found.label != "contradicts":
        # Whoever plants orders in a page is no witness for anything.
        return _stance(evidence, found, "unrelated", "uncertain")
    if "retraction" in evidence.flags and found.scores.unrelated < _BESIDE:
        return _stance(evidence, found, "contradicts", "withdrawn")
    if found.label == "contradicts" and _age(evidence, told) > _LONG_BEFORE:
        return _stance(evidence, found, "unrelated", "other")
    return _stance(evidence, found, found.label, found.reason)


def _age(evidence: Evidence, told: date | None) -> timedelta:
    """Return how much older than the message a page is, zero if either day is unknown."""
    day = evidence.document.published_at
    return told - day.date() if told and day else timedelta(0)


def _analysed(evidence: Evidence) -> Analysis:
    document = evidence.document
    published = document.published_at.date() if document.published_at else None
    speaker = document.publisher if _WE.search(document.text[:_OPENING]) else None
    return _analysis(document.text, document.title, published, speaker or "")


@lru_cache(maxsize=_KEPT)
def _analysis(text: str, title: str, published: date | None, speaker: str) -> Analysis:
    return analyse(text, title=title, published=published, speaker=speaker)


def _stance(evidence: Evidence, found: Reading, label: StanceLabel, reason: str) -> Stance:
    start, end = (0, 0) if label == "unrelated" else (found.start, found.end)
    return Stance(
        label=label,
        scores=found.scores,
        quote=evidence.document.text[start:end],
        start=start,
        end=end,
        reasons=(problem(reason),),
    )
