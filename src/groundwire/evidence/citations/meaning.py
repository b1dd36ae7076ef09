"""Whether quotes say what a sentence says, by the reader of every job."""

from __future__ import annotations

from groundwire.evidence.citations.grounds import Grounds
from groundwire.evidence.citations.quotes import QuotePlace
from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.problems import Findings, problem
from groundwire.evidence.reading.reader import Reading, read
from groundwire.evidence.reading.standing import refers_back

# How likely quotes must support a sentence before it is shown as theirs. Less than a page needs before it supports a
# claim (`reader.SURE`): here figures, dates and names are checked beside it.
STATED = 0.7
_TAKING_BACK = {"false", "denies", "takes back"}


def check_meaning(claim: Claim, grounds: Grounds) -> Findings:
    """Read the quotes in context: their headline, the sentence before, and one after that takes them back."""
    findings = Findings()
    texts: list[str] = []
    for place in (*grounds.places, *grounds.added):
        texts.extend((place.before, place.whole, _retraction(place, grounds)))
    titles = dict.fromkeys(place.title for place in grounds.places)
    passage = analyse(" ".join(filter(None, dict.fromkeys(texts))), title=" ".join(titles))
    found = read(claim, passage)
    if found.scores.supports < STATED:
        findings.problems.append(problem(_reason(found)))
    return findings


def _retraction(place: QuotePlace, grounds: Grounds) -> str:
    after = grounds.after(place)
    if after is None or not refers_back(after.text):
        return ""
    return after.text if _TAKING_BACK & {cue.kind for cue in after.cues} else ""


def _reason(found: Reading) -> str:
    likeliest = found.likeliest()
    if likeliest == "contradicts":
        return "opposite"
    if likeliest == "supports":
        return "undecided"
    return found.reason if found.label == likeliest else "other"
