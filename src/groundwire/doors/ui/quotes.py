"""Sentences with the quotes behind them: numbers, cards, and the way to the stored passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlencode

from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.language.text.characters import detect_language
from groundwire.model.claim import CitationView
from groundwire.model.result import EvidenceView, Origin, Sentence, Unsupported
from groundwire.words import Words


@dataclass(frozen=True)
class Quote:
    """Words that stand in a stored page, and the address of that place."""

    text: str
    href: str  # "": the page is not in the archive
    start: int
    end: int


@dataclass(frozen=True)
class Chip:
    """A mark behind a sentence: one source, with the quotes that the sentence takes from it."""

    id: str
    sentence: str  # the id of the sentence
    number: int
    evidence_id: str
    tier: str
    publisher: str
    title: str
    published_at: datetime | None
    language: str
    flags: tuple[str, ...]
    kin: int  # articles of the same origin, this one included
    lead: str  # who that origin begins with
    quotes: tuple[Quote, ...]

    @property
    def href(self) -> str:
        return next((each.href for each in self.quotes if each.href), "")


@dataclass(frozen=True)
class Said:
    """A sentence as the page shows it."""

    id: str
    text: str
    language: str
    verdict: str
    chips: tuple[Chip, ...]

    @property
    def evidence(self) -> str:
        """Ids of what it cites, for the script that lights both."""
        return " ".join(dict.fromkeys(chip.evidence_id for chip in self.chips))


class Quotes:
    """Takes the sentences of a result in the order in which a reader meets them.

    `numbers` are those of the reports; what has none there gets the next one.
    """

    def __init__(
        self,
        run_id: str,
        evidence: Sequence[EvidenceView],
        origins: Sequence[Origin],
        numbers: Mapping[str, int] | None = None,
    ) -> None:
        self._run_id = run_id
        self._known = {each.id: each for each in evidence}
        self._origins = {member: each for each in origins for member in each.members}
        self.numbers: dict[str, int] = dict(numbers or {})
        self.chips: list[Chip] = []
        self.citing: dict[str, list[str]] = {}  # ids of sentences, by evidence
        self.texts: dict[str, str] = {}  # of sentences, by their ids
        self._count = 0

    def said(self, sentence: Sentence) -> Said:
        """With its marks, each source once."""
        self._count += 1
        name = f"s{self._count}"
        cited: dict[str, list[CitationView]] = {}
        for each in sentence.citations:
            cited.setdefault(each.evidence_id, []).append(each)
        chips = [self._chip(name, place, found) for place, found in enumerate(cited.values())]
        for chip in chips:
            self.citing.setdefault(chip.evidence_id, []).append(name)
        self.chips += chips
        self.texts[name] = sentence.text
        ordered = tuple(sorted(chips, key=lambda chip: chip.number))
        return Said(
            id=name,
            text=sentence.text,
            language=detect_language(sentence.text),  # a quote may be in another than the rest
            verdict=sentence.verdict,
            chips=ordered,
        )

    def number(self, evidence_id: str) -> int:
        return self.numbers.setdefault(evidence_id, max(self.numbers.values(), default=0) + 1)

    def taken(self, evidence_id: str) -> tuple[Quote, ...]:
        """The quotes that sentences take from a piece of evidence; one within another is left out."""
        found = {
            each.text: each
            for chip in self.chips
            if chip.evidence_id == evidence_id
            for each in chip.quotes
        }
        return tuple(
            each
            for text, each in found.items()
            if not any(text in other for other in found if other != text)
        )

    def _chip(self, sentence: str, place: int, cited: Sequence[CitationView]) -> Chip:
        first = cited[0]
        view = self._known.get(first.evidence_id)
        origin = self._origins.get(first.evidence_id)
        lead = self._known.get(origin.lead) if origin is not None else None
        return Chip(
            id=f"q-{sentence}-{place}",
            sentence=sentence,
            number=self.number(first.evidence_id),
            evidence_id=first.evidence_id,
            tier=view.tier if view is not None else "unknown",
            publisher=shown_publisher(first.publisher, first.url),
            title=first.title,
            published_at=first.published_at,
            language=view.language if view is not None else "",
            flags=view.flags if view is not None else (),
            kin=len(origin.members) if origin is not None else 1,
            lead="" if lead is None else shown_publisher(lead.publisher, lead.url),
            quotes=tuple(self.quote(view, each.quote, each.start, each.end) for each in cited),
        )

    def quote(self, view: EvidenceView | None, text: str, start: int, end: int) -> Quote:
        """Words of a piece of evidence, with the way to them."""
        href = ""
        if view is not None and view.document_id:
            href = stored_page(view.document_id, self._run_id, start, end)
        return Quote(text, href, start, end)


def stored_page(document_id: str, run_id: str = "", start: int = 0, end: int = 0) -> str:
    """The address of a stored page, in a run's light and at a passage where one is meant."""
    asked: dict[str, str | int] = {}
    if run_id:
        asked["run"] = run_id
    if end > start:
        asked |= {"start": start, "end": end}
    path = f"/evidence/{quote(document_id, safe='')}"
    return path + (f"?{urlencode(asked)}" if asked else "") + ("#passage" if end > start else "")


def apart(unsupported: Sequence[Unsupported], t: Words) -> list[tuple[str, str]]:
    """Sentences that failed their check, each with the reasons."""
    return [(each.text, t.phrases(each.problems)) for each in unsupported]
