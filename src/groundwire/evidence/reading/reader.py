"""What a passage says of a claim: supports, contradicts, qualifies or nothing, and how likely each of them is.

One reader for every job. An encoder weighs the sentences that speak most of the claim, under their headline; a side is
taken only where it is all but sure. What code knows better than weights do is a veto (`vetoes`), few and named: nothing
supports a claim that has another figure or day for it, or lacks its figure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from groundwire.evidence.reading.alignment import CONTENT, Alignment, Claim, align
from groundwire.evidence.reading.analysis import Analysis, Sentence, analyse
from groundwire.evidence.reading.comparison import compare
from groundwire.evidence.reading.encoder import CLAIM, PAIR, Language, size, weigh
from groundwire.model.stance import SILENT, StanceLabel, StanceScores

SURE = 0.8  # how likely a side must be before it is taken
_BEARS = 0.2  # of a claim must stand in a passage before it is read
_SPEAKERS = 3  # sentences that are asked which of them says it
_SIDES: tuple[StanceLabel, ...] = ("supports", "contradicts")
_PLAIN: dict[StanceLabel, str] = {"supports": "same", "unrelated": "other"}
_TOLD = ("other_figure", "other_date")  # vetoes that say why, too
# Why something that speaks of a claim does not settle it, by what its sentence is marked with.
_DOUBTS = {
    "asks": "question", "retells": "uncertain", "supposes": "uncertain", "plans": "uncertain", "hedges": "uncertain",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """A stance, why it is taken, and where the sentence stands that shows it."""

    label: StanceLabel
    scores: StanceScores
    reason: str
    start: int = 0
    end: int = 0
    vetoes: tuple[str, ...] = ()

    def likeliest(self, known: Collection[StanceLabel]) -> StanceLabel:
        """Choose among these labels, however unsure."""
        return max(known, key=lambda label: getattr(self.scores, label))


@lru_cache(maxsize=512)
def claim_of(text: str, said: date | None = None) -> Claim:
    """Make a claim ready, once for all passages; `said` is the day of its message."""
    return Claim(analyse(text, published=said, whole=True))


def read(claim: Claim | str, passage: Analysis | str, *, title: str = "") -> Reading:
    """Say what a passage says of a claim; texts are analysed here when they were not before."""
    mine = claim_of(claim) if isinstance(claim, str) else claim
    theirs = analyse(passage, title=title) if isinstance(passage, str) else passage
    found = align(mine, theirs)
    if _bearing(found) < _BEARS:
        return Reading("unrelated", SILENT.scores, "other")
    chosen = window(found)
    scores, held = _weigh(found, chosen), vetoes(found)
    label = _label(scores, held)
    speaker = _speaker(found, chosen, label)
    start, end = theirs.original(speaker, speaker)
    return Reading(label, scores, _reason(label, held, speaker), start, end, held)


def _label(scores: StanceScores, held: Collection[str]) -> StanceLabel:
    if scores.contradicts >= SURE:
        return "contradicts"
    if scores.supports >= SURE:
        return "qualifies" if held else "supports"
    return "unrelated" if scores.unrelated >= scores.qualifies else "qualifies"


def vetoes(found: Alignment) -> tuple[str, ...]:
    """Name what keeps a passage from supporting a claim, whatever its words say."""
    here = compare(found.claim.sentence, [(found.best, found.sentence)])
    held = [
        "other_date" if own.kind == "date" else "other_figure"
        for own, anywhere in zip(here, found.values, strict=True)
        if own.outcome == "other" and anywhere.outcome != "same"
    ]
    held += [
        "no_figure" for each in found.values if (each.kind, each.outcome) == ("figure", "none")
    ]
    return tuple(dict.fromkeys(held))


def _bearing(found: Alignment) -> float:
    """How much of the claim stands anywhere in the passage."""
    sought = found.claim.sought
    content = [i for i, each in enumerate(sought) if each.weight > CONTENT]
    total = sum(sought[i].weight for i in content)
    return sum(sought[i].weight * found.anywhere[i] for i in content) / total if total else 0.0


def window(found: Alignment) -> list[Sentence]:
    """Choose what is read together: the sentences that cover most, and what stands around the best."""
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
            break
        chosen.append(number)
        left -= need
    return [page.sentences[number] for number in sorted(chosen)] or [found.sentence]


def _weigh(found: Alignment, sentences: Sequence[Sentence]) -> StanceScores:
    title = found.passage.title
    text = " ".join(each.text.strip() for each in sentences)
    return weigh(found.claim.sentence.text, title.text if title else "", text)


def _speaker(found: Alignment, chosen: Sequence[Sentence], label: StanceLabel) -> Sentence:
    """Find the sentence that takes a side most clearly by itself, without what the headline lends."""
    if label not in _SIDES:
        return found.sentence
    covered = dict(zip(map(id, found.passage.sentences), found.covered, strict=True))
    likely = sorted(chosen, key=lambda each: -covered[id(each)])[:_SPEAKERS]
    claim = found.claim.sentence.text
    return max(likely, key=lambda each: getattr(weigh(claim, "", each.text.strip()), label))


def _reason(label: StanceLabel, held: Sequence[str], speaker: Sentence) -> str:
    """Give the code of why a label is chosen."""
    if label in _PLAIN:
        return _PLAIN[label]
    told = next((code for code in held if code in _TOLD), "")
    if told or label == "contradicts":
        return told or "opposite"
    return next((_DOUBTS[cue.kind] for cue in speaker.cues if cue.kind in _DOUBTS), "part")
