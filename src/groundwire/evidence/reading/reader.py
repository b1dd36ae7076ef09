"""The reading of a passage for a claim: supports, contradicts, qualifies or unrelated; how likely, and why.

One reader for every job. An encoder weighs the sentences that speak most of the claim, under their headline; a side is
taken only where it is all but sure. What code knows better than weights do is a veto (`vetoes`), few and named: a passage
that gives another figure or day, lacks the claim's figure, or is about a sibling of what the claim names never supports.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from groundwire.evidence.reading.alignment import Alignment, Claim, align, claim_of
from groundwire.evidence.reading.analysis import Analysis, Sentence, analyse
from groundwire.evidence.reading.comparison import compare
from groundwire.evidence.reading.encoder import CLAIM, PAIR, size, weigh
from groundwire.evidence.reading.pieces import Language
from groundwire.model.stance import SILENT, StanceLabel, StanceScores

ALL: tuple[StanceLabel, ...] = ("supports", "contradicts", "qualifies", "unrelated")
SURE = 0.75  # how likely a side must be before it is taken
_BEARS = 0.2  # of a claim must stand in a passage before it is read
_CONTENT = 0.5  # words that weigh less do not tell what a claim is about
_SPEAKERS = 3  # sentences that are asked which of them says it
_SIDES: tuple[StanceLabel, ...] = ("supports", "contradicts")
_REASONS: dict[StanceLabel, str] = {"supports": "same", "unrelated": "other"}
_TELLING = ("other_figure", "other_date")  # vetoes that say why, too
# Why something that speaks of a claim does not settle it, by what its sentence is marked with.
_DOUBTS = {
    "asks": "question", "retells": "uncertain", "supposes": "uncertain", "plans": "uncertain", "hedges": "uncertain",
}  # fmt: skip
# A thing that is told from its siblings by a number: R1, iPhone 16, Boeing 737.
_NUMBERED = re.compile(r"(?<![A-Za-z])([A-Za-z]+)[ -]?(\d{1,3})(?![\d%]|[.,]\d)")


@dataclass(frozen=True, slots=True)
class Reading:
    """A stance, why it is taken, and where the sentence stands that shows it."""

    label: StanceLabel
    scores: StanceScores
    reason: str
    start: int = 0
    end: int = 0
    vetoes: tuple[str, ...] = ()

    def likeliest(self, known: Collection[StanceLabel] = ALL) -> StanceLabel:
        """Choose the likeliest of these labels, however unsure."""
        return max(known, key=lambda label: getattr(self.scores, label))


def read(claim: Claim | str, passage: Analysis | str, *, title: str = "") -> Reading:
    """Read what a passage says of a claim, analysing both unless that was done before."""
    prepared = claim_of(claim) if isinstance(claim, str) else claim
    analysed = analyse(passage, title=title) if isinstance(passage, str) else passage
    found = align(prepared, analysed)
    if _bearing(found) < _BEARS:
        return Reading("unrelated", SILENT.scores, "other")
    chosen = window(found)
    scores, vetoed = _weigh(found, chosen), vetoes(found)
    label = decide(scores, vetoed)
    speaker = _speaker(found, chosen, label)
    if names_sibling(prepared.sentence, speaker.text):
        return Reading("unrelated", SILENT.scores, "other", vetoes=(*vetoed, "sibling"))
    start, end = analysed.original(speaker, speaker)
    return Reading(label, scores, _reason(label, vetoed, speaker), start, end, vetoed)


def decide(scores: StanceScores, vetoed: Collection[str]) -> StanceLabel:
    """Take the side that is all but sure, unless a veto forbids it; otherwise none."""
    if scores.contradicts >= SURE:
        return "contradicts"
    if scores.supports >= SURE:
        return "qualifies" if vetoed else "supports"
    return "unrelated" if scores.unrelated >= scores.qualifies else "qualifies"


def vetoes(found: Alignment) -> tuple[str, ...]:
    """Name what keeps a passage from supporting a claim, whatever its words say."""
    here = compare(found.claim.sentence, [(found.best, found.sentence)])
    vetoed = [
        "other_date" if own.kind == "date" else "other_figure"
        for own, anywhere in zip(here, found.values, strict=True)
        if own.outcome == "other" and anywhere.outcome != "same"
    ]
    vetoed += [
        "no_figure" for each in found.values if (each.kind, each.outcome) == ("figure", "none")
    ]
    return tuple(dict.fromkeys(vetoed))


def names_sibling(claim: Sentence, text: str) -> bool:
    """Tell whether a text has another number where the claim has one in a name: R2 for R1."""
    taken = [(each.start, each.end) for each in claim.dates]
    taken += [(each.start, each.end) for each in claim.figures if each.unit or each.qualifier]
    names = {word.start for word in claim.words if word.named}
    sought = {
        (each[1].lower(), each[2])
        for each in _NUMBERED.finditer(claim.text)
        if each.start() in names
        and not any(start < each.end() and each.start() < end for start, end in taken)
    }
    named = {(name.lower(), number) for name, number in _NUMBERED.findall(text)}
    siblings = {name for name, _ in named}
    return any(each not in named and each[0] in siblings for each in sought)


def _bearing(found: Alignment) -> float:
    """Compute how much of the claim stands anywhere in the passage."""
    sought = found.claim.sought
    content = [i for i, each in enumerate(sought) if each.weight > _CONTENT]
    total = sum(sought[i].weight for i in content)
    return sum(sought[i].weight * found.anywhere[i] for i in content) / total if total else 0.0


def window(found: Alignment) -> list[Sentence]:
    """Choose the sentences to read together: the best and its neighbours, then those that cover most."""
    page = found.passage
    headline = page.title.text if page.title else ""
    language: Language = "zh" if page.chinese else "en"
    left = PAIR - min(CLAIM, size(language, found.claim.sentence.text)) - size(language, headline)
    order = sorted(range(len(page.sentences)), key=lambda n: (-found.covered[n], n))
    near = [n for n in (found.best, found.best + 1, found.best - 1) if 0 <= n < len(order)]
    chosen: list[int] = []
    for number in dict.fromkeys([*near, *order]):
        text = page.sentences[number].text
        if headline and text.strip() in headline:
            continue
        need = size(language, text)
        if chosen and need > left:
            continue
        chosen.append(number)
        left -= need
    return [page.sentences[number] for number in sorted(chosen)] or [found.sentence]


def _weigh(found: Alignment, sentences: Sequence[Sentence]) -> StanceScores:
    title = found.passage.title
    text = " ".join(each.text.strip() for each in sentences)
    return weigh(found.claim.sentence.text, title.text if title else "", text)


def _speaker(found: Alignment, chosen: Sequence[Sentence], label: StanceLabel) -> Sentence:
    """Find the sentence to quote: for a side, the one that takes it most clearly, without what the headline lends."""
    if label not in _SIDES or len(chosen) == 1:
        return found.sentence if label not in _SIDES else chosen[0]
    covered = dict(zip(map(id, found.passage.sentences), found.covered, strict=True))
    likely = sorted(chosen, key=lambda each: -covered[id(each)])[:_SPEAKERS]
    claim = found.claim.sentence.text
    return max(likely, key=lambda each: getattr(weigh(claim, "", each.text.strip()), label))


def _reason(label: StanceLabel, vetoed: Sequence[str], speaker: Sentence) -> str:
    """Give the code of why a label is chosen."""
    if label in _REASONS:
        return _REASONS[label]
    telling = next((code for code in vetoed if code in _TELLING), "")
    if telling or label == "contradicts":
        return telling or "opposite"
    return next((_DOUBTS[cue.kind] for cue in speaker.cues if cue.kind in _DOUBTS), "part")
