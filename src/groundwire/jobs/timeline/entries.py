"""Milestones as nodes: each with its title, its checked sentences, all its sources and who gives which date; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from groundwire.evidence.citations.checker import check
from groundwire.evidence.pages.presence import published
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.timeline.milestones import Milestone
from groundwire.jobs.timeline.pages import Page, Precision, Stated, words_of
from groundwire.jobs.timeline.result import DatedBy, Interval, Left, Node, Standing
from groundwire.jobs.timeline.support import Claimed, Shelf, Supporter
from groundwire.language.text.wording import is_han
from groundwire.model.base import short_id
from groundwire.model.claim import Checked
from groundwire.model.result import Sentence
from groundwire.model.source import Evidence, Passage

_LONGEST_TITLE = {True: 40, False: 110}  # characters: Chinese, others
_MOST_SOURCES = 6  # quotes behind the first sentence of a node
_NEWS = 2  # days after an event on which headlines tell it
_ALIKE = 0.4  # of a headline's words that the event's sentences share
_CLAUSE = re.compile(r"[，,；;：:—–]| which | that | who | after | as ")


@dataclass(frozen=True, slots=True)
class Material:
    """The pages that nodes are made of."""

    pages: tuple[Page, ...]
    shelf: Shelf
    evidence: Mapping[str, Evidence]
    language: str
    today: date

    @classmethod
    def of(cls, evidence: Sequence[Evidence], language: str, today: date) -> Material:
        pages = tuple(Page(each) for each in evidence)
        return cls(pages, Shelf(pages), {e.id: e for e in evidence}, language, today)

    def page(self, evidence_id: str) -> Page:
        return next(each for each in self.pages if each.evidence.id == evidence_id)


@dataclass(slots=True)
class Entry:
    """A node in the making, with what its sentences are quoted from."""

    milestone: Milestone
    sentences: tuple[Sentence, ...]
    checked: tuple[Checked, ...]
    failed: tuple[Checked, ...]
    sources: tuple[str, ...]  # evidence ids
    dates: tuple[DatedBy, ...]
    title: str = ""
    thread: int = 0

    @property
    def text(self) -> str:
        return f"{self.title}\n{' '.join(each.text for each in self.sentences)}"


def entry_of(milestone: Milestone, material: Material) -> Entry:
    """Find everybody who tells of a milestone, and check its sentences against their words."""
    first, *rest = milestone.sentences
    begin, end = milestone.interval
    page = material.page(first.citation.evidence_id)
    claimed = Claimed(first.text, page, begin, end)
    supporters = material.shelf.supporters(claimed)
    quotes = [(page.evidence, first.citation.start, first.citation.end)]
    quotes += [(s.account.page.evidence, s.account.start, s.account.end) for s in supporters]
    quotes = _own_language_first(quotes, material.language)[:_MOST_SOURCES]
    checked = [_check(quotes)]
    for each in rest:
        holder = material.evidence[each.citation.evidence_id]
        checked.append(_check([(holder, each.citation.start, each.citation.end)]))
    passed = tuple(each for each in checked if each.result != "unsupported")
    sentences = tuple(sentence_of(each, material.evidence.values(), None) for each in passed)
    cited = dict.fromkeys(c.evidence_id for each in sentences for c in each.citations)
    entry = Entry(
        milestone=milestone,
        sentences=sentences,
        checked=passed,
        failed=tuple(each for each in checked if each.result == "unsupported"),
        sources=tuple(dict.fromkeys([*cited, *(s.account.page.evidence.id for s in supporters)])),
        dates=_dates(milestone, page, supporters, material.shelf.otherwise(claimed)),
    )
    entry.title = _title(entry, material)
    return entry


_Quote = tuple[Evidence, int, int]


def _own_language_first(quotes: list[_Quote], language: str) -> list[_Quote]:
    """Tell an event in the reader's language where a page in it says the same."""
    own = [q for q in quotes if q[0].document.language[:2] == language[:2]]
    return own + [q for q in quotes if q not in own]


def _check(quotes: Sequence[_Quote]) -> Checked:
    """Check the words of the first quote against all of them."""
    holder, start, end = quotes[0]
    numbered: dict[int, tuple[Evidence, Passage]] = {}
    proposals: list[tuple[int, str]] = []
    for number, (evidence, begin, finish) in enumerate(quotes, start=1):
        numbered[number] = evidence, _passage(evidence, begin)
        proposals.append((number, evidence.document.text[begin:finish]))
    text = " ".join(holder.document.text[start:end].split())
    return check(text, proposals, numbered)


def _passage(evidence: Evidence, start: int) -> Passage:
    return next(each for each in evidence.passages if each.start <= start < each.end)


def _dates(
    milestone: Milestone,
    page: Page,
    supporters: Sequence[Supporter],
    others: Sequence[Supporter],
) -> tuple[DatedBy, ...]:
    """List who gives which date; those who differ stand beside those who agree."""
    first = milestone.sentences[0]
    own = DatedBy(
        date=milestone.date,
        precision=milestone.precision,
        evidence_id=page.evidence.id,
        publisher=page.evidence.document.publisher,
        quote=first.citation.quote,
    )
    found = {page.evidence.id: own}
    for each in (*supporters, *others):
        if each.when is not None:
            found.setdefault(each.account.page.evidence.id, _dated_by(each, each.when))
    return tuple(found.values())


def reduced(day: date, precision: Precision) -> str:
    """Write a date as exactly as it is known: a year-only date is a year, not 1 January."""
    size = {"day": 10, "month": 7, "quarter": 7, "year": 4, "decade": 4}[precision]
    return day.isoformat()[:size]


# --- titles ----------------------------------------------------------------------------------


def _title(entry: Entry, material: Material) -> str:
    """Title a node by a headline of its own sources of those days, else by how its sentence begins."""
    told = set(words_of(" ".join(each.text for each in entry.sentences)))
    begin, end = entry.milestone.interval
    best: tuple[bool, float, str] | None = None
    for name in entry.sources:
        page = material.page(name)
        if page.day is None or not page.title or not 0 <= (page.day - end).days <= _NEWS:
            continue
        shared = len(told & set(page.title)) / len(set(page.title))
        title = " ".join(page.evidence.document.title.split())
        if shared >= _ALIKE and len(title) <= _LONGEST_TITLE[is_han(title)]:
            own = page.evidence.document.language[:2] == material.language[:2]
            best = max(best, (own, shared, title)) if best else (own, shared, title)
    if best is not None:
        return best[2]
    return shortened(entry.sentences[0].text if entry.sentences else entry.milestone.date)


def shortened(sentence: str) -> str:
    """Cut a sentence to its first clauses that fit a title."""
    most = _LONGEST_TITLE[is_han(sentence)]
    flat = " ".join(sentence.split()).rstrip("。.!！")
    if len(flat) <= most:
        return flat
    cuts = [each.start() for each in _CLAUSE.finditer(flat) if each.start() <= most]
    wide = [at for at in cuts if at >= most // 3]
    if wide:
        return flat[: wide[-1]].rstrip()
    head = flat[:most]
    return f"{head if is_han(head) else head.rpartition(' ')[0]}…"


# --- nodes -----------------------------------------------------------------------------------


def node_of(entry: Entry, thread: str, material: Material, origins: Mapping[str, str]) -> Node:
    """Return a finished node; its significance is set beside the others."""
    begin, end = entry.milestone.interval
    held = [material.evidence[each] for each in entry.sources]
    days = [when for each in held if (when := published(each.document)) is not None]
    return Node(
        id=short_id("tn", [entry.milestone.date, entry.sentences[0].text]),
        date=reduced(begin, entry.milestone.precision),
        precision=entry.milestone.precision,
        interval=Interval(begin=begin, end=end),
        published=min(days, default=None),
        first_seen=min(each.document.fetched_at for each in held),
        title=entry.title,
        description=entry.sentences,
        standing=_standing(begin, material.today),
        thread=thread,
        citations=entry.sources,
        origins=len({origins.get(each, each) for each in entry.sources}),
        date_sources=entry.dates,
    )


def _standing(begin: date, today: date) -> Standing:
    return "due" if begin > today else "happened"


def left_of(entry: Entry, thread: str) -> Left:
    """Return a milestone whose sentences no page supports."""
    problems = tuple(p for each in entry.failed for p in each.problems)
    title = entry.milestone.sentences[0].text
    return Left(date=entry.milestone.date, title=title, thread=thread, problems=problems)




def strengthened(node: Node, material: Material) -> Node:
    """Add the sources among these pages that tell of a node and were not known when it was made."""
    first = node.description[0].citations[0]
    page = material.page(first.evidence_id)
    claimed = Claimed(first.quote, page, node.interval.begin, node.interval.end)
    supporters = material.shelf.supporters(claimed)
    dates = {each.evidence_id: each for each in node.date_sources}
    for each in (*supporters, *material.shelf.otherwise(claimed)):
        if each.when is not None:
            dates.setdefault(each.account.page.evidence.id, _dated_by(each, each.when))
    more = [each.account.page.evidence.id for each in supporters]
    sources = tuple(dict.fromkeys([*node.citations, *more]))
    origins = {
        held.origin_id or held.id for each in sources if (held := material.evidence.get(each))
    }
    return node.model_copy(
        update={
            "citations": sources,
            "date_sources": tuple(dates.values()),
            "origins": len(origins),
        }
    )


def _dated_by(supporter: Supporter, when: Stated) -> DatedBy:
    evidence = supporter.account.page.evidence
    return DatedBy(
        date=reduced(when.first, when.precision),
        precision=when.precision,
        evidence_id=evidence.id,
        publisher=evidence.document.publisher,
        quote=supporter.account.text,
    )
