"""What a model's reading of a passage may change: doubtful stances, and only on words that stand."""

from __future__ import annotations

from typing import cast

from groundwire.evidence.citations import check
from groundwire.evidence.quotes import locate
from groundwire.model.source import Evidence, Passage
from groundwire.model.stance import Stance, StanceLabel

SURE = 0.75  # a stance of the rules that no model overrules
_ONLY = 1  # the number of the only passage


def refined(
    claim: str, own: Stance, said: StanceLabel, quote: str, place: tuple[Evidence, Passage]
) -> Stance:
    """The stance that counts: the rules' own where it is sure, a model's where words bear it out.

    A model can make a doubtful page speak. It can make nobody support a claim whose figures, dates
    and names the quoted words do not have, and it cannot turn a page from one side to the other.
    """
    if said == own.label or cast(float, getattr(own.scores, own.label)) >= SURE:
        return own
    evidence, _ = place
    if "satire" in evidence.flags or "retraction" in evidence.flags:
        return own
    if said == "unrelated":
        # Nothing is quoted for it: it takes back what the rules were unsure of, but no denial.
        silent = {"label": said, "quote": "", "start": 0, "end": 0}
        return own if own.label == "contradicts" else own.model_copy(update=silent)
    if said == "supports" and not _bears(claim, quote, place):
        if own.label == "unrelated":
            return own
        said = "qualifies"
    if own.label == "contradicts" and said == "supports":
        said = "qualifies"
    if own.label == "supports" and said == "contradicts":
        said = "qualifies"
    found = locate(_ONLY, quote, {_ONLY: place})
    if isinstance(found, str):
        return own
    return own.model_copy(
        update={"label": said, "quote": found.quote, "start": found.start, "end": found.end}
    )


def _bears(claim: str, quote: str, place: tuple[Evidence, Passage]) -> bool:
    """Whether the claim stands on the quote, as a sentence of an answer would have to."""
    return check(claim, [(_ONLY, quote)], {_ONLY: place}).result != "unsupported"
