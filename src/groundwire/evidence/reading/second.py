"""A second reading of a page, by the encoder: of the sentences that speak most of the claim, under their headline.

It takes a side where words see none, and forbids one that it reads the other way round. What it knows of values is what
code knows: a page that has another figure or day for the claim's, or lacks its figure, supports nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evidence.reading.alignment import Alignment
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.encoder import CLAIM, PAIR, Language, size, weigh
from groundwire.model.stance import StanceLabel, StanceScores

# Set before they were looked at on pages kept back: there seven to ten sides in ten are right, by the kind of page (0033).
_SURE = 0.8  # before it takes a side
_OPPOSED = 0.6  # before it forbids the other one
_SPEAKERS = 3  # sentences that are asked which of them says it


@dataclass(frozen=True, slots=True)
class SecondReading:
    """What the encoder makes of a page; `side` is the one that it is sure of."""

    scores: StanceScores
    side: StanceLabel | None
    start: int  # of the sentence that takes it
    end: int

    def forbids(self, label: StanceLabel) -> bool:
        """Whether a side that words see is read the other way round."""
        against = {"supports": self.scores.contradicts, "contradicts": self.scores.supports}
        return against.get(label, 0.0) >= _OPPOSED


def read_again(found: Alignment) -> SecondReading:
    """Read the sentences of a page that cover most of a claim together."""
    chosen = window(found)
    scores = _weigh(found, chosen)
    side: StanceLabel | None = None
    if scores.contradicts >= _SURE:
        side = "contradicts"
    elif scores.supports >= _SURE and not _differs(found):
        side = "supports"
    if side is None:
        return SecondReading(scores, None, 0, 0)
    speaker = _speaker(found, chosen, side)
    return SecondReading(scores, side, *found.passage.original(speaker, speaker))


def window(found: Alignment) -> list[Sentence]:
    """The sentences that are read together: those that cover most, and what stands around the best."""
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


def _differs(found: Alignment) -> bool:
    """Whether the sentence that speaks most has another value than the claim, or the page lacks its figure."""
    return any(
        (value.outcome == "other" and value.place is not None and value.place[0] == found.best)
        or (value.outcome == "none" and value.kind == "figure")
        for value in found.values
    )


def _speaker(found: Alignment, chosen: Sequence[Sentence], side: StanceLabel) -> Sentence:
    """The sentence that takes the side most clearly by itself."""
    covered = dict(zip(map(id, found.passage.sentences), found.covered, strict=True))
    likely = sorted(chosen, key=lambda each: -covered[id(each)])[:_SPEAKERS]
    return max(likely, key=lambda each: getattr(_weigh(found, [each]), side))
