"""The changes a model's reading may make to a stance: only to a doubtful one, and only on words the page has."""

from __future__ import annotations

from groundwire.evidence.citations.checker import carries
from groundwire.evidence.citations.quotes import locate
from groundwire.model.phrase import Phrase
from groundwire.model.source import Evidence, Passage
from groundwire.model.stance import Stance, StanceLabel

_ONLY = 1  # the number of the only passage


def refined(
    claim: str, own: Stance, said: StanceLabel, quote: str, place: tuple[Evidence, Passage]
) -> Stance:
    """Return the stance that counts: a model's where the reader is in doubt and its quote bears it out.

    A side that the reader has seen stands whatever a model says. A model can make a silent or doubtful
    page support a claim if the quoted words have the claim's figures, dates and names; it cannot make
    a silent page contradict.
    """
    if said == own.label or own.label in ("supports", "contradicts") or not _is_evidence(place[0]):
        return own
    if said == "unrelated":
        return own.model_copy(update={"label": said, "quote": "", "start": 0, "end": 0})
    if said == "supports" and not carries(claim, quote, place):
        return own
    if said == "contradicts" and own.label == "unrelated":
        said = "qualifies"
    found = locate(_ONLY, quote, {_ONLY: place})
    if isinstance(found, Phrase):
        return own
    return own.model_copy(
        update={"label": said, "quote": found.quote, "start": found.start, "end": found.end}
    )


def _is_evidence(evidence: Evidence) -> bool:
    return "satire" not in evidence.flags and "retraction" not in evidence.flags
