"""What a whole page says of a claim: its strongest sentence, and how far it tells, denies or retells the claim.

The counterpart of `reader.read` for pages: every sentence that covers enough of the claim is read with the headline
and the sentence before it as its surroundings; the best one speaks for the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evidence.reading.alignment import Claim, align
from groundwire.evidence.reading.analysis import Analysis, Sentence
from groundwire.evidence.reading.reader import Reading, judge
from groundwire.evidence.reading.trees import Weights, weights

_READ = 3  # sentences of a page that are read: those that cover most
_LEAST = 0.35  # of the claim, before a sentence is read besides the best one
_TOLD = ("retells", "asks")
_DENIED = ("false", "denies", "takes back")


@dataclass(frozen=True, slots=True)
class PageReading:
    """The reading that speaks for a page, all that were made, and how the page covers the claim."""

    best: Reading
    readings: tuple[Reading, ...]
    plain: float  # of the claim, by sentences that simply tell
    debunking: float  # by sentences, or under a headline, that deny or call false
    retelling: float  # by sentences that only tell what others claim
    negated: float  # of what is covered, turned round
    denied_share: float  # of all that covers the claim, by sentences that deny or call false
    retold_share: float  # by sentences that only tell what others claim


def read_page(claim: Claim, page: Analysis, learned: Weights | None = None) -> PageReading:
    """Read a page; where sentences disagree, the one that takes a side with more certainty speaks."""
    trees = learned or weights()
    first = align(claim, page)
    order = sorted(range(len(page.sentences)), key=lambda n: (-first.covered[n], n))
    chosen = [n for n in order[:_READ] if first.covered[n] >= _LEAST and n != first.best]
    found = [judge(first, trees), *(judge(align(claim, page, at=n), trees) for n in chosen)]
    best = max(found, key=lambda reading: (_rank(reading), reading.probability))
    plain = debunking = retelling = 0.0
    titled = _has(page.title, _DENIED)
    for number in order[:8]:
        covered = first.covered[number]
        sentence = page.sentences[number]
        if _has(sentence, _DENIED) or titled:
            debunking = max(debunking, covered)
        elif _has(sentence, _TOLD):
            retelling = max(retelling, covered)
        else:
            plain = max(plain, covered)
    negated = max((reading.trace.get("polarity_differs", 0.0) for reading in found), default=0.0)
    total = sum(first.covered) or 1.0
    denied, retold = (
        sum(c for c, s in zip(first.covered, page.sentences, strict=True) if c and _has(s, kinds))
        / total
        for kinds in (_DENIED, _TOLD)
    )
    return PageReading(best, tuple(found), plain, debunking, retelling, negated, denied, retold)


def _rank(reading: Reading) -> int:
    return {"contradicts": 2, "supports": 2, "qualifies": 1, "unrelated": 0}[reading.label]


def _has(sentence: Sentence | None, kinds: Sequence[str]) -> bool:
    return sentence is not None and any(cue.kind in kinds for cue in sentence.cues)
