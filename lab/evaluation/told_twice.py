"""Pairs of milestones that are one event or two, joined as a run joins them: precision and recall.

A set is a folder with `dedup.jsonl` (id, language, topic, same; a and b of date, precision, title, text, publisher).
Each milestone becomes a page that was published when its date ends, and stands on that date whatever its text says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel

from groundwire.evidence.pages.passages import split
from groundwire.gather.weighing import cited
from groundwire.jobs.timeline.entries import Entry, Material
from groundwire.jobs.timeline.milestones import Milestone
from groundwire.jobs.timeline.pages import Account
from groundwire.jobs.timeline.stated import Precision
from groundwire.jobs.timeline.twins import Twins
from groundwire.language.text.characters import detect_language
from groundwire.language.time.calendars import months_from
from groundwire.model.base import short_id
from groundwire.model.result import Sentence
from groundwire.model.source import Evidence
from lab.archives import document
from lab.evaluation.figures import EvaluationFigure, Part, figure, mean_of, rows_as
from lab.evaluation.kinds.retrieval import MOMENT

FILE = "dedup.jsonl"
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_DAY = timedelta(days=1)


class Side(BaseModel):
    """A milestone as one page tells it."""

    date: str
    precision: Precision
    title: str
    text: str
    publisher: str

    @property
    def interval(self) -> tuple[date, date]:
        year, month, day = (*map(int, self.date.split("-")), 1, 1)[:3]
        first = date(year, month, day)
        if self.precision == "day":
            return first, first
        return first, months_from(year, month, _MONTHS[self.precision])[1] - _DAY


class Pair(BaseModel):
    """Two milestones, and whether they are one event."""

    id: str
    language: str
    topic: str
    a: Side
    b: Side
    same: bool

    @property
    def was_read(self) -> bool:
        """Whether it is in the half whose misses may be read; the other half is only counted."""
        return sha256(self.id.encode()).digest()[0] % 2 == 0


def read_pairs(folder: Path, limit: int = 0) -> list[Pair]:
    return rows_as(Pair, folder / FILE, limit, "id, language, topic, a, b and same")


def are_joined(pair: Pair) -> bool:
    """Tell whether a run would tell the two milestones as one event."""
    pages = [_page(pair.id, each) for each in (pair.a, pair.b)]
    material = Material.of(pages, pages[0].document.language, MOMENT.date())
    sides = zip((pair.a, pair.b), material.pages, strict=True)
    entries = [_entry(each, page.accounts) for each, page in sides]
    return len(Twins(material, (pair.topic,)).joined(entries)) == 1


def measure_pairs(folder: Path, limit: int) -> Part:
    """Measure how many joined pairs are one event, and how many that are one are joined."""
    pairs = read_pairs(folder, limit)
    answers = [(each, are_joined(each)) for each in pairs]
    named: tuple[tuple[str, Callable[[Pair], bool]], ...] = (
        ("", lambda each: True),
        ("_read", lambda each: each.was_read),
        ("_unread", lambda each: not each.was_read),
        *((f"_{name}", _is_in(name)) for name in sorted({each.language for each in pairs})),
    )
    found: list[EvaluationFigure] = []
    for suffix, belongs in named:
        found += _figures(folder.name, suffix, [each for each in answers if belongs(each[0])])
    return found, []


def _is_in(language: str) -> Callable[[Pair], bool]:
    return lambda each: each.language == language


def _figures(
    name: str, suffix: str, answers: Sequence[tuple[Pair, bool]]
) -> list[EvaluationFigure]:
    joined = [float(pair.same) for pair, answer in answers if answer]
    same = [float(answer) for pair, answer in answers if pair.same]
    right = [float(answer == pair.same) for pair, answer in answers]
    precision = figure(
        name, f"joined_rightly{suffix}", sum(joined) / len(joined) if joined else 0.0, len(joined),
        "joined pairs", "precision",
    )  # fmt: skip
    return [
        precision,
        mean_of(name, f"joined{suffix}", same, "pairs that are one event", "recall"),
        mean_of(name, f"told_apart{suffix}", right, "pairs", "right answers"),
    ]


def _page(name: str, side: Side) -> Evidence:
    page = document(
        f"https://{short_id('p', [side.publisher])}.example/{short_id('a', [name, side.title])}",
        side.title,
        side.text,
        MOMENT,
        language=detect_language(side.text),
        publisher=side.publisher,
        published_at=f"{side.interval[1].isoformat()}T00:00:00Z",
    )
    key = short_id("ev", [page.id])
    return Evidence(id=key, kind="page", document=page, passages=split(page), origin_id=key)


def _entry(side: Side, accounts: Sequence[Account]) -> Entry:
    lead = accounts[0]
    first, last = side.interval
    name = lead.page.evidence.id
    return Entry(
        milestone=Milestone(
            id=short_id("ms", [name]), date=side.date, precision=side.precision,
            interval=(first, last), score=1.0, sentences=(),
        ),
        lead=lead,
        first=first,
        last=last,
        precision=side.precision,
        by_publication=not lead.times,
        sentences=tuple(_sentence(each) for each in accounts),
        sources=(name,),
        dates=(),
        told_by=frozenset({(name, lead.start)}),
    )  # fmt: skip


def _sentence(account: Account) -> Sentence:
    quote = cited(account.page.evidence, account.text, account.start, account.end)
    return Sentence(text=account.text, verdict="supported", citations=(quote,))
