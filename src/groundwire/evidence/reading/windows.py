"""The sentences of a passage that say most of what a claim says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.evidence.reading.meaning import amounts_in, named
from groundwire.evidence.reading.terms import Match, TermIndex, reading
from groundwire.language.amounts.numbers import same_figure
from groundwire.language.names.glossary import equivalents
from groundwire.language.text.sentences import sentences
from groundwire.language.text.wording import is_han

_WORTH = 0.12  # what a second sentence must add to be taken in
_LEADING = 2  # rarest words of a claim that tell what a passage is about


@dataclass(frozen=True, slots=True)
class Window:
    """One sentence, or two that follow each other, and where the claim's words stand in it."""

    start: int
    end: int
    reading: TermIndex
    before: str  # the sentence before, as it is written
    found: tuple[tuple[list[int], Match], ...]  # for each word of the claim that has content
    coverage: float  # share of the claim's weight that stands here
    near: float  # here and in the sentences around it
    whole: float  # anywhere in the passage
    focus: float  # share of the sentences that have what the claim is about
    sentences: tuple[TermIndex, ...]  # all of the passage

    @property
    def matched(self) -> frozenset[int]:
        """Words of the window that the claim has, too."""
        return frozenset(at for places, _ in self.found for at in places)


def window(claim: TermIndex, passage: str) -> Window:
    """The part of a passage that a claim is compared with; the first of equals."""
    spans = sentences(passage) or [(0, len(passage))]
    read = tuple(reading(passage[start:end]) for start, end in spans)
    shares = _Shares(claim, read)
    first = max(range(len(spans)), key=lambda at: (shares.of([at]), -at))
    last = first
    best = shares.of([first])
    for start, end in ((first - 1, first), (first, first + 1)):
        inside = start >= 0 and end < len(spans)
        if inside and shares.of([start, end]) > best + _WORTH:
            first, last = start, end
            best = shares.of([start, end])
            break
    start, end = spans[first][0], spans[last][1]
    here = reading(passage[start:end])
    found = [here.find(claim.terms[at]) for at in claim.content]
    _find_phrases(claim, here, found)
    return Window(
        start=start,
        end=end,
        reading=here,
        before=passage[slice(*spans[first - 1])] if first else "",
        found=tuple(found),
        coverage=shares.weigh(match > 0 for _, match in found),
        near=shares.of(range(max(0, first - 1), min(len(spans), last + 2))),
        whole=shares.of(range(len(spans))),
        focus=shares.focus(),
        sentences=read,
    )


def _find_phrases(claim: TermIndex, here: TermIndex, found: list[tuple[list[int], Match]]) -> None:
    """Mark words of figures and names that stand here in another form: 33亿美元 and $3.3 billion."""
    theirs = amounts_in(here.flat)
    for figure in amounts_in(claim.flat):
        same = [other.start for other in theirs if same_figure(figure, other)]
        if same:
            _mark(claim, found, (figure.start, figure.end), here.at(same[0]))
    low = here.flat.lower()
    for name in named(claim.flat):
        forms = [form.lower() for form in equivalents(name.text)[1:]]
        place = next((low.index(form) for form in forms if form in low), None)
        if place is not None:
            _mark(claim, found, (name.start, name.end), here.at(place))


def _mark(
    claim: TermIndex, found: list[tuple[list[int], Match]], span: tuple[int, int], place: int
) -> None:
    for number, at in enumerate(claim.content):
        if span[0] <= claim.terms[at].start < span[1] and not found[number][0]:
            found[number] = ([place], 1)


class _Shares:
    """How much of a claim's weight each sentence has."""

    def __init__(self, claim: TermIndex, read: Sequence[TermIndex]) -> None:
        terms = [claim.terms[at] for at in claim.content]
        self.weights = [term.weight for term in terms]
        self.total = sum(self.weights) or 1.0
        self.holds: list[list[bool]] = []
        for each in read:
            found = [each.find(term) for term in terms]
            if is_han(claim.flat) != is_han(each.flat):
                _find_phrases(claim, each, found)
            self.holds.append([match > 0 for _, match in found])

    def of(self, numbers: Iterable[int]) -> float:
        """The share that these sentences have together."""
        held = [self.holds[number] for number in numbers]
        return self.weigh(any(each[at] for each in held) for at in range(len(self.weights)))

    def weigh(self, holds: Iterable[bool]) -> float:
        pairs = zip(self.weights, holds, strict=True)
        return sum(weight for weight, held in pairs if held) / self.total

    def focus(self) -> float:
        """Share of the sentences that have one of the claim's rarest words."""
        order = sorted(range(len(self.weights)), key=lambda at: (-self.weights[at], at))
        leading = order[:_LEADING]
        return sum(any(held[at] for at in leading) for held in self.holds) / len(self.holds)
