"""A second reading of a page, by the encoder: of the sentences that speak most of the claim, under their headline.

The reading by words is its witness: a side that both see needs less certainty, and the opposite of what words see needs
almost all. What code knows better stays with code: a page that has another figure or date than the claim, lacks its
figure, has the opposite of one of its words, or nothing that could negate what the claim negates, supports nothing, and
one about the R2 says nothing of the R1. The encoder knows better what a page is about than which way it turns: what it
takes for support counts for the other side where code names the turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evidence.reading.alignment import Alignment
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.encoder import CLAIM, PAIR, Language, size, weigh
from groundwire.language.time.dates import writes_year
from groundwire.model.stance import StanceLabel, StanceScores

# How likely a side must be: where words see none, see it too, or see the other one. Chosen on a part of `evals/pages` (0038).
_ALONE, _AGREED, _OPPOSED = 0.8, 0.55, 0.92
_LIKELIER = 0.5  # how likely it must be that a page tells a part, a plan or a rumour of it
_DOUBTED = 0.5  # how likely the other side must be before a side in plain words is not believed
_NOTICED = 0.05  # and how likely that side itself
_NO_WORD = re.compile(r"[\W_]+")
_SPEAKERS = 3  # sentences that are asked which of them says it
_SIDES: dict[StanceLabel, StanceLabel] = {"supports": "contradicts", "contradicts": "supports"}
_NEGATING = frozenset({"negates", "denies", "ends", "false", "takes back"})
# A thing that is told from its siblings by a number: R1, iPhone 16, Boeing 737.
_NUMBERED = re.compile(r"(?<![A-Za-z])([A-Za-z]+)[ -]?(\d{1,3})(?![\d%]|[.,]\d)")

_PERIODS = frozenset("qhg")  # Q1 and H1 are no things, the G7 and G20 no siblings of a thing


@dataclass(frozen=True, slots=True)
class SecondReading:
    """The encoder's reading of a page."""

    scores: StanceScores
    found: Alignment
    chosen: Sequence[Sentence]

    def label(
        self, words: StanceLabel, *, plainly: bool = False, opposed: bool = False, against: bool = False,
        affirmed: bool = False, headed: bool = False,
    ) -> StanceLabel:  # fmt: skip
        """Choose what the page says, given the label that words give it, `plainly` or not.

        `opposed`: the sentence that speaks most has the opposite of one of the claim's words; `against`: words are
        sure that it speaks against the claim; `affirmed`: the headline says the claim without its negation;
        `headed`: the headline says it with its figure, so that nobody need notice it.
        """
        unfounded = _lacks_negation(self.found) and not opposed
        barred = "supports" if opposed or unfounded or affirmed or _differs(self.found) else None
        scores = {side: getattr(self.scores, side) for side in _SIDES}
        if (opposed and against) or _gives_other_year(self.found):
            scores["contradicts"] += scores["supports"]
        for side, other in _SIDES.items():
            least = _AGREED if words == side else _OPPOSED if words == other else _ALONE
            if side != barred and scores[side] >= least:
                return side
        if (
            plainly
            and words != barred
            and getattr(self.scores, _SIDES[words]) < _DOUBTED
            and (headed or getattr(self.scores, words) >= _NOTICED or self._is_verbatim())
        ):
            return words
        return "qualifies" if self.scores.qualifies >= _LIKELIER else "unrelated"

    def _is_verbatim(self) -> bool:
        """Tell whether a sentence of the page is the claim, word for word."""
        claim = _NO_WORD.sub("", self.found.claim.sentence.low)
        return any(_NO_WORD.sub("", each.low) == claim for each in self.found.passage.sentences)

    def place(self, label: StanceLabel) -> tuple[int, int]:
        """Locate the sentence to quote: for a side, the one that takes it most clearly without its headline."""
        speaker = self.found.sentence
        if label in _SIDES:
            covered = dict(
                zip(map(id, self.found.passage.sentences), self.found.covered, strict=True)
            )
            likely = sorted(self.chosen, key=lambda each: -covered[id(each)])[:_SPEAKERS]
            claim = self.found.claim.sentence.text
            speaker = likely[0]
            if len(likely) > 1:
                speaker = max(
                    likely, key=lambda each: getattr(weigh(claim, "", each.text.strip()), label)
                )
        return self.found.passage.original(speaker, speaker)


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
    siblings = {_family(name) for name, _ in named}
    return any(each not in named and _family(each[0]) in siblings for each in sought)


def _family(name: str) -> str:
    """Return what siblings share: their name, or that one letter numbers them, as R1 and V3."""
    return "" if len(name) == 1 and name not in _PERIODS else name


def read_again(found: Alignment) -> SecondReading:
    """Read together the sentences of a page that cover most of a claim."""
    chosen = window(found)
    return SecondReading(_weigh(found, chosen), found, chosen)


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
            break
        chosen.append(number)
        left -= need
    return [page.sentences[number] for number in sorted(chosen)] or [found.sentence]


def _lacks_negation(found: Alignment) -> bool:
    """Tell whether a claim negates, and neither the sentence that speaks most of it nor the headline could.

    What another sentence of the page negates is another matter: "no losses will be borne by the taxpayer" beside
    "all depositors will be protected" bears out nobody who says that they were not.
    """
    if not any(cue.kind == "negates" for cue in found.claim.sentence.cues):
        return False
    title = found.passage.title
    read = [found.sentence, *([title] if title else [])]
    return not any(cue.kind in _NEGATING for each in read for cue in each.cues)


def _gives_other_year(found: Alignment) -> bool:
    """Tell whether the best sentence dates the matter otherwise than a claim that writes the year."""
    years = {day.start for day in found.claim.sentence.dates if writes_year(day)}
    return any(
        value.kind == "date"
        and value.outcome == "other"
        and value.start in years
        and value.place is not None
        and value.place[0] == found.best
        for value in found.values
    )


def _weigh(found: Alignment, sentences: Sequence[Sentence]) -> StanceScores:
    title = found.passage.title
    text = " ".join(each.text.strip() for each in sentences)
    return weigh(found.claim.sentence.text, title.text if title else "", text)


def _differs(found: Alignment) -> bool:
    """Tell whether the best sentence has another value than the claim, or the page lacks the claim's figure, if that is no age."""
    return any(
        (value.outcome == "other" and value.place is not None and value.place[0] == found.best)
        or (value.outcome in ("other", "none") and value.kind == "figure" and not value.time)
        for value in found.values
    )
