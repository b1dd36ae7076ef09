"""The checker of law 2: a sentence stands only on quotes that are really there and really say it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from groundwire.evidence.characters import HAN, Normalised, normalise
from groundwire.evidence.dates import DateMention, agrees, date_mentions, is_finer
from groundwire.evidence.names import missing_names
from groundwire.evidence.numbers import Figure, figures, same_figure, spelled_small
from groundwire.evidence.polarity import hedges, opposes
from groundwire.evidence.sentences import sentences
from groundwire.model.claim import Checked, CheckResult, Citation
from groundwire.model.source import Evidence, Passage

_MIN_HAN, _MIN_WORDS, _MIN_CHARACTERS = 8, 4, 15
_URL = re.compile(
    r"[a-z][a-z0-9+.-]*://|\bwww\.|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/",
    re.IGNORECASE | re.ASCII,
)
_DOMAIN = re.compile(
    r"\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|gov|edu|cn|io|co|info|xyz|app|dev|ai|uk|eu|hk|tw)\b",
    re.IGNORECASE | re.ASCII,
)
_EDGES = " \t\n\"'…."


@dataclass(frozen=True, slots=True)
class _Found:
    evidence: Evidence
    passage: Passage
    quote: str
    start: int
    end: int

    @property
    def published(self) -> date | None:
        at = self.evidence.document.published_at
        return at.date() if at else None


def check(
    text: str,
    proposals: Sequence[tuple[int, str]],
    passages: Mapping[int, tuple[Evidence, Passage]],
    question: str = "",
) -> Checked:
    """Whether the sentence is supported by the proposed quotes, with every reason when it is not.

    A quote that is not found is named, but fails the sentence only when the others do not carry it.
    """
    notes: list[str] = []
    found: list[_Found] = []
    for number, quote in proposals:
        place = _locate(number, quote, passages)
        if isinstance(place, str):
            notes.append(place)
        elif all(
            (place.evidence.id, place.start, place.end) != (f.evidence.id, f.start, f.end)
            for f in found
        ):
            found.append(place)
    problems = _link_problems(text, found)
    passed: tuple[str, ...] = ()
    if found:
        passed, lacking = _fact_problems(text, found, question)
        problems.extend(lacking)
        if any(opposes(text, place.quote) for place in found):
            problems.append("the quote says the opposite")
    elif not notes:
        notes.append("no quote was given")
    if problems or not found:
        return Checked(text=text, result="unsupported", problems=(*notes, *problems))
    hedged = any(hedges(place.quote) for place in found) and not hedges(text)
    result: CheckResult = "qualified" if hedged else "supported"
    if hedged:
        notes.append("the quote is not certain of it, the sentence is")
    return Checked(
        text=text,
        result=result,
        citations=tuple(_citation(place, passed) for place in found),
        problems=tuple(notes),
    )


def verify_citation(text_of_document: str, citation: Citation) -> str | None:
    """None when the stored quote stands at its offsets; otherwise what is wrong."""
    if not 0 <= citation.start < citation.end <= len(text_of_document):
        return f"offsets {citation.start}–{citation.end} lie outside the document"
    if text_of_document[citation.start : citation.end] != citation.quote:
        return f"the document reads differently at {citation.start}–{citation.end}"
    return None


def _citation(place: _Found, passed: tuple[str, ...]) -> Citation:
    return Citation(
        evidence_id=place.evidence.id,
        passage_id=place.passage.id,
        quote=place.quote,
        start=place.start,
        end=place.end,
        checks=passed,
    )


# A page is quoted many times in one run.
@lru_cache(maxsize=128)
def _normal(text: str) -> Normalised:
    return normalise(text)


def _locate(
    number: int, quote: str, passages: Mapping[int, tuple[Evidence, Passage]]
) -> _Found | str:
    """Where the quote stands in the cited page, or why it is not accepted."""
    if number not in passages:
        return f"there is no passage {number}"
    evidence, passage = passages[number]
    needle = normalise(quote).text.strip(_EDGES)
    if not needle:
        return f"the quote for passage {number} is empty"
    text = evidence.document.text
    inside = _normal(passage.text).find(needle)
    if inside is not None and text.startswith(passage.text, passage.start):
        start, end = inside[0] + passage.start, inside[1] + passage.start
    else:
        anywhere = _normal(text).find(needle)
        if anywhere is None:
            return f"quote not found in passage {number}"
        start, end = anywhere
        passage = _nearest(evidence, passage, start, end)
    if _too_short(needle) and not _is_sentence(text, start, end):
        return f"the quote for passage {number} is too short to say anything"
    return _Found(evidence, passage, text[start:end], start, end)


def _nearest(evidence: Evidence, cited: Passage, start: int, end: int) -> Passage:
    """The passage that holds the quote, else the one that is closest to it."""

    def distance(passage: Passage) -> int:
        return max(passage.start - start, end - passage.end, 0)

    return min([cited, *evidence.passages], key=distance)


def _too_short(needle: str) -> bool:
    han = len(re.findall(f"[{HAN}]", needle))
    words = len(re.findall(r"[A-Za-z0-9]+", needle))
    return han < _MIN_HAN and words < _MIN_WORDS and len(needle) < _MIN_CHARACTERS


def _is_sentence(text: str, start: int, end: int) -> bool:
    """Whether the page itself says no more than this in one sentence."""
    return any(
        left <= start and end <= right and not re.search(r"\w", text[left:start] + text[end:right])
        for left, right in sentences(text)
    )


def _link_problems(text: str, found: Sequence[_Found]) -> list[str]:
    flat = normalise(text).text
    if _URL.search(flat):
        return ["the sentence holds a link; links are filled by code"]
    quotes = " ".join(normalise(place.quote).text.lower() for place in found)
    return [
        f"{domain} is in no quote"
        for domain in _DOMAIN.findall(flat)
        if domain.lower() not in quotes
    ]


def _fact_problems(
    text: str, found: Sequence[_Found], question: str
) -> tuple[tuple[str, ...], list[str]]:
    """Names of the checks passed, and every figure, date and name that no quote has."""
    stated = figures(text)
    numbers = [figure.text for figure in stated if not _has_figure(figure, found)]
    dates = _missing_dates(text, found, question)
    # Publishers are filled by code, so a sentence may say who reported it.
    pool = [question, *(place.quote for place in found)]
    pool.extend(place.evidence.document.publisher for place in found)
    unnamed = missing_names(text, pool)
    problems = [f"{item} is in no quote" for item in (*numbers, *dates, *unnamed)]
    missing = {"numbers": numbers, "dates": dates, "names": unnamed}
    return ("quote", *(name for name, items in missing.items() if not items)), problems


def _has_figure(figure: Figure, found: Sequence[_Found]) -> bool:
    small = not figure.unit and figure.value <= 20 and figure.value == int(figure.value)
    for place in found:
        if any(same_figure(figure, other) for other in figures(place.quote)):
            return True
        if small and int(figure.value) in spelled_small(place.quote):
            return True
    return False


def _missing_dates(text: str, found: Sequence[_Found], question: str) -> list[str]:
    missing: list[str] = []
    for index, mention in enumerate(date_mentions(text, None)):
        if not any(_dated(index, mention, text, place, question) for place in found):
            missing.append(mention.text)
    return missing


def _dated(index: int, mention: DateMention, text: str, place: _Found, question: str) -> bool:
    """Whether this quote, read on the day its page was published, names the date."""
    published = place.published
    wanted = date_mentions(text, published)[index]
    for other in date_mentions(place.quote, published):
        if agrees(wanted, other) and not is_finer(wanted, other):
            return True
        if mention.text == other.text and mention.date is None:
            return True
    if published is None:
        return False
    page = DateMention(0, 0, "", published, "day", published.year, published.month, published.day)
    return agrees(wanted, page) and any(
        agrees(wanted, asked) and not is_finer(wanted, asked)
        for asked in date_mentions(question, published)
    )
