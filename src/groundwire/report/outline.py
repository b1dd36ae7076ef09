"""The reading order of a result: which sources are cited, under which numbers, with which quotes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.jobs.ask.answer import AskResult
from groundwire.model.base import Value
from groundwire.model.claim import CitationView
from groundwire.model.result import EvidenceView, Sentence
from groundwire.report.plain import day


class Source(Value):
    """A cited source: its number, what is known of it, and the quotes taken from it."""

    number: int
    evidence_id: str
    url: str
    title: str
    publisher: str
    published_at: datetime | None
    tier: str
    flags: tuple[str, ...]
    credibility: float | None  # None: nothing is known of it
    quotes: tuple[str, ...]


def sources(result: AskResult) -> tuple[Source, ...]:
    """Cited sources, numbered in the order in which the reader meets them."""
    known = {each.id: each for each in result.evidence}
    first: dict[str, CitationView] = {}
    quotes: dict[str, list[str]] = {}
    for sentence in _sentences(result):
        for citation in sentence.citations:
            first.setdefault(citation.evidence_id, citation)
            held = quotes.setdefault(citation.evidence_id, [])
            if citation.quote not in held:
                held.append(citation.quote)
    return tuple(
        _source(number, citation, known.get(evidence_id), quotes[evidence_id])
        for number, (evidence_id, citation) in enumerate(first.items(), start=1)
    )


def _sentences(result: AskResult) -> Iterator[Sentence]:
    yield from result.answer
    for contested in result.contested:
        yield from contested.sides


def _source(
    number: int, citation: CitationView, view: EvidenceView | None, quotes: list[str]
) -> Source:
    return Source(
        number=number,
        evidence_id=citation.evidence_id,
        url=citation.url,
        title=citation.title,
        publisher=shown_publisher(citation.publisher, citation.url),
        published_at=citation.published_at,
        tier=view.tier if view else "unknown",
        flags=view.flags if view else (),
        credibility=view.credibility if view else None,
        quotes=tuple(quotes),
    )


def numbered(cited: tuple[Source, ...]) -> dict[str, int]:
    """The number of each source by its evidence."""
    return {source.evidence_id: source.number for source in cited}


def marks(sentence: Sentence, numbers: Mapping[str, int]) -> tuple[int, ...]:
    """The numbers behind a sentence, in order, each once."""
    return tuple(sorted({numbers[each.evidence_id] for each in sentence.citations}))


def who(side: Sentence, undated: str) -> tuple[str, ...]:
    """Publisher and day of each source behind a sentence, each once."""
    said = (
        f"{shown_publisher(each.publisher, each.url)} {day(each.published_at) or undated}"
        for each in side.citations
    )
    return tuple(dict.fromkeys(said))


def publishers(evidence: Sequence[EvidenceView]) -> tuple[str, ...]:
    """Who published these, each once."""
    return tuple(dict.fromkeys(shown_publisher(each.publisher, each.url) for each in evidence))


def uncited(result: AskResult) -> tuple[EvidenceView, ...]:
    """What was read and is not cited."""
    cited = {source.evidence_id for source in sources(result)}
    return tuple(each for each in result.evidence if each.id not in cited)


def flagged(result: AskResult) -> tuple[tuple[str, tuple[EvidenceView, ...]], ...]:
    """Evidence that carries a warning, by flag; that it is from the sample is no warning."""
    names = sorted({flag for each in result.evidence for flag in each.flags} - {"sample"})
    return tuple((name, tuple(e for e in result.evidence if name in e.flags)) for name in names)
