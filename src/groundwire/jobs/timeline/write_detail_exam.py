"""The exam of written details: only what would be shown counts, each part in its place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from groundwire.gather.weighing import cited
from groundwire.jobs.timeline.detail import detail_of
from groundwire.jobs.timeline.pages import Account, Page, words_of
from groundwire.jobs.timeline.result import Detail, Interval, Node
from groundwire.model.base import JsonObject, Value
from groundwire.model.result import Sentence
from groundwire.model.source import Evidence
from groundwire.reasoning.exam_pages import OnPages, places
from groundwire.reasoning.exam_words import Telling, has_any, share
from groundwire.reasoning.quoting import Quoted, stands

if TYPE_CHECKING:
    from groundwire.jobs.timeline.write_detail import Part, WriteInput, Written


class ItemGiven(OnPages):
    """An event and its passages, unnumbered."""

    topic: str
    title: str
    date: str
    language: str


class ExpectedPerson(Value):
    name: tuple[str, ...]
    role: tuple[str, ...]


class Expected(Telling):
    """What a right detail tells in each part, and what is of another event or not so."""

    impact: tuple[tuple[str, ...], ...] = ()
    context: tuple[tuple[str, ...], ...] = ()
    people: tuple[ExpectedPerson, ...] = ()
    figures: tuple[tuple[str, ...], ...] = ()


def drafted(item: ItemGiven, pages: Sequence[Evidence]) -> Detail:
    """Tell a node that these pages support as code does: its own sentence, then its detail."""
    read = [Page(each) for each in pages]
    told = _telling(read, item.title)
    page, start, end = told.page.evidence, told.start, told.end
    day = date.fromisoformat(item.date)
    said = Sentence(
        text=told.text, verdict="supported", citations=(cited(page, told.text, start, end),)
    )
    node = Node(
        id="exam",
        date=item.date,
        precision="day",
        interval=Interval(begin=day, end=day),
        first_seen=page.document.fetched_at,
        title=item.title,
        description=(said,),
        thread="",
        citations=tuple(each.id for each in pages),
        origins=len(pages),
        date_sources=(),
    )
    detail = detail_of(node, read, item.language)
    return detail.model_copy(update={"key_features": (said, *detail.key_features)})


def _telling(pages: Sequence[Page], title: str) -> Account:
    """Find the sentence that tells most of the event."""
    wanted = set(words_of(title))
    accounts = [each for page in pages for each in page.accounts]
    return max(accounts, key=lambda each: len(wanted & set(each.words)))


def score(given: WriteInput, written: Written, expect: JsonObject) -> float:
    """Score what of a detail would be shown: its facts twice, then every other part."""
    expected = Expected.model_validate(expect)
    shown = _Shown(given, written)
    told = "\n".join((shown.part("fact"), shown.part("impact"), shown.part("context")))
    parts = [share(told, expected.facts)] * 2
    if expected.impact:
        parts.append(share(shown.part("impact"), expected.impact))
    if expected.context:
        parts.append(share(shown.part("context"), expected.context))
    if expected.people:
        parts.append(_share([shown.has_person(each) for each in expected.people]))
    if expected.figures:
        figures = shown.figures()
        parts.append(_share([any(has_any(f, each) for f in figures) for each in expected.figures]))
    worth = math.fsum(parts) / len(parts)
    return expected.left_of(worth, "\n".join((told, *shown.figures())))


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found)


class _Shown:
    """What of a written detail stands on its quotes."""

    def __init__(self, given: WriteInput, written: Written) -> None:
        self._written = written
        self._places = places(given.passages)

    def _stands(self, text: str, quotes: Sequence[Quoted]) -> bool:
        return stands(text, quotes, self._places)

    def part(self, name: Part) -> str:
        """Return the sentences of a part that would be shown."""
        said = self._written.of(name)
        return "\n".join(each.text for each in said if self._stands(each.text, each.quotes))

    def figures(self) -> list[str]:
        """List the figures whose sentences stand."""
        found = self._written.figures
        return [each.text for each in found if self._stands(each.quote, [each])]

    def has_person(self, wanted: ExpectedPerson) -> bool:
        return any(
            has_any(each.name, wanted.name)
            and has_any(each.role, wanted.role)
            and self._stands(each.quote, [each])
            for each in self._written.people
        )
