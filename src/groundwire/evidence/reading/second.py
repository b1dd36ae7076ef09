"""A second reading of a page, by the encoder: of the sentences that speak most of the claim, under their headline.

Words are its witness: what they see, too, it says sooner, and what they see the other way round only when it is all but
certain. What it knows of values is what code knows: a page that has another figure or day for the claim's, or lacks its
figure, supports nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evidence.reading.alignment import Alignment
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.encoder import CLAIM, PAIR, Language, size, weigh
from groundwire.model.stance import StanceLabel, StanceScores

# How likely a side must be: where words see none, see it too, or see the other one. Chosen on a part of `evals/pages` (0034).
_ALONE, _AGREED, _OPPOSED = 0.85, 0.6, 0.95
_DOUBTED = 0.5  # how likely the other side must be before a side in plain words is not believed
_SPEAKERS = 3  # sentences that are asked which of them says it
_SIDES: dict[StanceLabel, StanceLabel] = {"supports": "contradicts", "contradicts": "supports"}


@dataclass(frozen=True, slots=True)
class SecondReading:
    """What the encoder makes of a page."""

    scores: StanceScores
    found: Alignment
    chosen: Sequence[Sentence]

    def label(self, words: StanceLabel, *, plainly: bool = False) -> StanceLabel:
        """Choose what the page says, beside what words see in it, `plainly` or not."""
        for side, other in _SIDES.items():
            least = _AGREED if words == side else _OPPOSED if words == other else _ALONE
            if getattr(self.scores, side) >= least and not (
                side == "supports" and _differs(self.found)
            ):
                return side
        if plainly and getattr(self.scores, _SIDES[words]) < _DOUBTED:
            return words
        return "unrelated" if self.scores.unrelated >= self.scores.qualifies else "qualifies"

    def place(self, label: StanceLabel) -> tuple[int, int]:
        """Where the sentence stands that says it: the one that takes the side most clearly by itself."""
        speaker = self.found.sentence
        if label in _SIDES:
            covered = dict(
                zip(map(id, self.found.passage.sentences), self.found.covered, strict=True)
            )
            likely = sorted(self.chosen, key=lambda each: -covered[id(each)])[:_SPEAKERS]
            speaker = max(likely, key=lambda each: getattr(_weigh(self.found, [each]), label))
        return self.found.passage.original(speaker, speaker)


def read_again(found: Alignment) -> SecondReading:
    """Read the sentences of a page that cover most of a claim together."""
    chosen = window(found)
    return SecondReading(_weigh(found, chosen), found, chosen)


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
