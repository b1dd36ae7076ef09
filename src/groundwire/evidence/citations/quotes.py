"""Where a proposed quote stands in its page, and its surroundings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from groundwire.evidence.citations.problems import problem
from groundwire.evidence.pages.presence import publication_day
from groundwire.language.amounts.numbers import figures
from groundwire.language.text.characters import HAN, normalise
from groundwire.language.text.sentences import sentences
from groundwire.language.time.dates import date_spans
from groundwire.model.phrase import Phrase
from groundwire.model.source import Evidence, Passage

_MIN_HAN, _MIN_WORDS, _MIN_CHARACTERS = 8, 4, 15
_EDGES = " \t\n\"'…."
_LETTER = re.compile(r"[A-Za-z0-9\u00c0-\u024f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotePlace:
    """A quote found in a page, with its surroundings; `whole` is the sentence(s) it is in."""

    evidence: Evidence
    passage: Passage
    start: int
    end: int
    quote: str
    whole: str  # normal form
    inside: tuple[int, int]  # the quote in `whole`
    before: str  # the sentence before, normal form
    title: str  # normal form
    publisher: str
    published: date | None


@lru_cache(maxsize=128)
def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(sentences(text))


def locate(
    number: int, quote: str, passages: Mapping[int, tuple[Evidence, Passage]]
) -> QuotePlace | Phrase:
    """Find the quote in the cited page, or say why it is not accepted."""
    if number not in passages:
        return problem("no_passage", n=number)
    evidence, passage = passages[number]
    needle = normalise(quote).text.strip(_EDGES)
    if not needle:
        return problem("empty_quote", n=number)
    text = evidence.document.text
    inside = normalise(passage.text).find(needle)
    if inside is not None and text.startswith(passage.text, passage.start):
        start, end = inside[0] + passage.start, inside[1] + passage.start
    else:
        anywhere = normalise(text).find(needle)
        if anywhere is None:
            return problem("not_found", n=number)
        start, end = anywhere
        passage = _nearest(evidence, passage, start, end)
    if _too_short(needle) and not _is_sentence(text, start, end):
        return problem("too_short", n=number)
    place = placed(evidence, passage, start, end)
    return problem("cut", n=number) if _is_cut(text, place) else place


def placed(evidence: Evidence, passage: Passage, start: int, end: int) -> QuotePlace:
    """Make a quote of a stretch of a page, with its surroundings."""
    text = evidence.document.text
    around = [span for span in sentence_spans(text) if span[0] < end and start < span[1]]
    left = min([start, *(span[0] for span in around)])
    right = max([end, *(span[1] for span in around)])
    earlier = [span for span in sentence_spans(text) if span[1] <= left][-1:]
    head, middle = normalise(text[left:start]).text, normalise(text[left:end]).text
    return QuotePlace(
        evidence=evidence,
        passage=passage,
        quote=text[start:end],
        start=start,
        end=end,
        whole=normalise(text[left:right]).text,
        inside=(len(head), len(middle)),
        before=normalise(" ".join(text[a:b] for a, b in earlier)).text,
        title=normalise(evidence.document.title).text,
        publisher=evidence.document.said_by,
        published=publication_day(evidence.document),
    )


def _is_cut(text: str, place: QuotePlace) -> bool:
    """Tell whether the quote begins or ends inside a word, a figure or a date."""
    for at in (place.start, place.end):
        if 0 < at < len(text) and _LETTER.match(text[at - 1]) and _LETTER.match(text[at]):
            return True
    spans = [*date_spans(place.whole), *((f.start, f.end) for f in figures(place.whole))]
    return any(start < at < end for start, end in spans for at in place.inside)


def _nearest(evidence: Evidence, cited: Passage, start: int, end: int) -> Passage:
    """Return the passage that holds the quote, else the closest one."""

    def distance(passage: Passage) -> int:
        return max(passage.start - start, end - passage.end, 0)

    return min([cited, *evidence.passages], key=distance)


def _too_short(needle: str) -> bool:
    han = len(re.findall(f"[{HAN}]", needle))
    words = len(re.findall(r"[A-Za-z0-9]+", needle))
    return han < _MIN_HAN and words < _MIN_WORDS and len(needle) < _MIN_CHARACTERS


def _is_sentence(text: str, start: int, end: int) -> bool:
    """Tell whether the stretch is a whole sentence of the page."""
    return any(
        left <= start and end <= right and not re.search(r"\w", text[left:start] + text[end:right])
        for left, right in sentence_spans(text)
    )
