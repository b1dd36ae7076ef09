"""What a cited sentence may rest on: quotes, headlines, sentences before, and others of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cached_property, lru_cache

from groundwire.evidence.citations.quotes import QuotePlace, placed, sentence_spans
from groundwire.evidence.reading.alignment import Alignment, Claim, align
from groundwire.evidence.reading.analysis import Analysis, Sentence, analyse
from groundwire.language.text.characters import normalise, simplify

_FURTHER = 3  # sentences that are read for one missing part
_NOTHING = normalise("")


@lru_cache(maxsize=2048)
def _analyse(text: str, published: date | None) -> Analysis:
    return analyse(text, published=published)


class Grounds:
    """The sentences of some quotes and of what is shown with them."""

    def __init__(self, places: Sequence[QuotePlace]) -> None:
        self.places = places
        self.quoted: list[Sentence] = []
        self.beside: list[Sentence] = []
        self.added: list[QuotePlace] = []
        for place in places:
            self.quoted.extend(_analyse(place.whole, place.published).sentences)
            self.beside.extend(
                sentence
                for text in (place.title, place.before)
                if text
                for sentence in _analyse(text, place.published).sentences[-2:]
            )

    @property
    def published(self) -> date | None:
        return self.places[0].published

    @cached_property
    def chinese(self) -> bool:
        return all(_analyse(place.whole, place.published).chinese for place in self.places)

    @cached_property
    def quoted_text(self) -> str:
        return "\n".join(sentence.text for sentence in self.quoted)

    @cached_property
    def beside_text(self) -> str:
        return "\n".join(sentence.text for sentence in self.beside)

    def align(self, claim: Claim) -> list[Alignment]:
        """Align the claim with each quoted sentence."""
        passage = _join(self.quoted, self.chinese)
        first = align(claim, passage, at=0)
        rest = range(1, len(self.quoted))
        return [first, *(align(claim, passage, at=n, known=first) for n in rest)]

    def strengths(self, claim: Claim, sentences: Sequence[Sentence]) -> list[float]:
        """Measure how well each word of the claim is matched anywhere in these sentences."""
        if not sentences:
            return [0.0] * len(claim.sought)
        return align(claim, _join(sentences, self.chinese)).anywhere

    def says(self, claim: Claim, sentence: Sentence, words: Sequence[int], share: float) -> bool:
        """Tell whether one sentence has at least this share of some words of a claim."""
        strengths = self.strengths(claim, [sentence])
        total = sum(claim.sought[i].weight for i in words)
        return sum(claim.sought[i].weight * strengths[i] for i in words) >= share * total

    def sentences_of(self, place: QuotePlace) -> list[Sentence]:
        """Return the sentences that a quote is in."""
        return _analyse(place.whole, place.published).sentences

    def in_turn(self) -> Iterator[tuple[Sentence, Sentence | None]]:
        """Yield each quoted sentence with the quoted one that follows it."""
        for place in self.places:
            sentences = self.sentences_of(place)
            yield from zip(sentences, [*sentences[1:], None], strict=True)

    def after(self, place: QuotePlace) -> Sentence | None:
        """Return the sentence after a quote, which may take it back."""
        text = place.evidence.document.text
        spans = [span for span in sentence_spans(text) if span[0] >= place.end]
        if not spans:
            return None
        return _analyse(simplify(text[slice(*spans[0])]), place.published).lead

    def further(
        self, holds: Callable[[str], bool], fits: Callable[[Sentence], bool]
    ) -> Sentence | None:
        """Find another sentence of a cited page that has the missing part, and quote it as well.

        `holds` sees the plain text, `fits` only the few sentences that have it.
        """
        for place in self.places:
            text = place.evidence.document.text
            tried = 0
            for start, end in sentence_spans(text):
                if place.start < end and start < place.end:
                    continue
                flat = simplify(text[start:end])
                if not holds(flat):
                    continue
                tried += 1
                if tried > _FURTHER:
                    break
                sentence = _analyse(flat, place.published).lead
                if fits(sentence):
                    if all((start, end) != (each.start, each.end) for each in self.added):
                        self.added.append(placed(place.evidence, place.passage, start, end))
                    return sentence
        return None


def _join(sentences: Sequence[Sentence], chinese: bool) -> Analysis:
    """Join sentences of several places into one passage."""
    return Analysis("", _NOTHING, list(sentences), None, chinese)
