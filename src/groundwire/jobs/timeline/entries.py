"""Milestones as nodes: each with its title, its checked sentences, all its sources and who gives which date; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from groundwire.evidence.citations.checker import check
from groundwire.evidence.pages.presence import publication_day, published
from groundwire.evidence.questions.quotable import is_unsure
from groundwire.gather.weighing import cited, sentence_of
from groundwire.jobs.timeline.milestones import Milestone
from groundwire.jobs.timeline.pages import Account, Page, page_of
from groundwire.jobs.timeline.periods import interval_of
from groundwire.jobs.timeline.plans import is_denied, is_plan
from groundwire.jobs.timeline.result import (
    DatedBy,
    EarlierDate,
    Interval,
    Node,
    Significance,
    Standing,
)
from groundwire.jobs.timeline.stated import Precision, Stated
from groundwire.jobs.timeline.support import Claimed, Shelf, Supporter, shelf_of
from groundwire.jobs.timeline.wholes import ended, is_told_beside
from groundwire.model.base import short_id
from groundwire.model.claim import Checked, Citation, CitationView
from groundwire.model.result import Sentence
from groundwire.model.source import Evidence, Passage

MOST_SOURCES = 6  # quotes behind the first sentence of a node
_WITHDRAWN = frozenset({"problem.withdrawn"})
_LONG = frozenset({"quarter", "year", "decade"})


@dataclass(frozen=True, slots=True)
class Material:
    """The pages that nodes are made of."""

    read: Mapping[str, Page]
    shelf: Shelf
    evidence: Mapping[str, Evidence]
    language: str
    today: date

    @classmethod
    def of(cls, evidence: Sequence[Evidence], language: str, today: date) -> Material:
        pages = tuple(page_of(each) for each in evidence)
        read = {each.evidence.id: each for each in pages}
        return cls(read, shelf_of(pages), {each.id: each for each in evidence}, language, today)

    @property
    def pages(self) -> tuple[Page, ...]:
        return tuple(self.read.values())

    def page(self, evidence_id: str) -> Page:
        return self.read[evidence_id]

    def account(self, citation: Citation | CitationView) -> Account:
        """Return the sentence that a citation quotes; its words may stand in the headline, too, and first there."""
        page = self.page(citation.evidence_id)
        for each in (
            page.accounts
        ):  # the last one of what is quoted: the one before names what it speaks of
            if each.start < citation.end <= each.end:
                return each
        for each in page.accounts:
            if citation.quote in each.text:
                return each
        raise LookupError(citation.quote)


@dataclass(slots=True)
class Entry:
    """A node in the making: when it was, by which sentence, with what it is quoted from."""

    milestone: Milestone
    lead: Account
    first: date
    last: date
    precision: Precision
    by_publication: bool  # no sentence names the day: it is that of the report
    sentences: tuple[Sentence, ...]
    sources: tuple[str, ...]  # evidence ids
    dates: tuple[DatedBy, ...]
    told_by: frozenset[tuple[str, int]]  # its lead, and the sentences that tell the same
    title: str = ""
    thread: int = 0
    by: str = "embedded"  # who chose and titled it
    preferred: bool = False  # chosen by a model
    wish: Significance | None = None  # how a model weighs it
    history: tuple[EarlierDate, ...] = ()  # dates that it was planned for before

    @property
    def text(self) -> str:
        return f"{self.title}\n{' '.join(each.text for each in self.sentences)}"

    def add(self, account: Account) -> None:
        """Add a sentence that tells of it, where its page is no source yet."""
        name = account.page.evidence.id
        self.told_by |= {place_of(account)}
        if name in self.sources:
            return
        self.sources = (*self.sources, name)
        when = next((e for e in account.times if self.first <= e.first <= self.last), None)
        if when is not None:
            self.dates = (*self.dates, dated_by(account, when))

    def absorb(self, other: Entry) -> None:
        """Take over the sources of another telling of the same event, and the dates that it gives."""
        self.sources = tuple(dict.fromkeys([*self.sources, *other.sources]))
        self.told_by |= other.told_by
        self.history = self.history or other.history
        first, *rest = self.sentences
        quoted = {each.evidence_id for each in first.citations}
        more = (c for said in other.sentences[:1] for c in said.citations)
        cited = (*first.citations, *(each for each in more if each.evidence_id not in quoted))
        self.sentences = (first.model_copy(update={"citations": cited[:MOST_SOURCES]}), *rest)
        dates = {each.evidence_id: each for each in (*other.dates, *self.dates)}
        self.dates = (*self.dates, *(d for d in dates.values() if d not in self.dates))


def entry_of(milestone: Milestone, material: Material) -> Entry:
    """Find everybody who tells of a milestone, and check its sentences against their words."""
    told = [material.account(each.citation) for each in milestone.sentences]
    placed = [(each, _dated(each, *milestone.interval)) for each in told]
    # Of equals the engine's first: what names the day comes before what only names the month.
    fits = [(each, when) for each, when in placed if when is not None]
    lead, dated = min(
        fits,
        key=lambda pair: (_distance(pair[1], milestone), is_told_beside(pair[0], pair[1][0])),
        default=(told[0], None),
    )
    first, last, precision = dated or (*milestone.interval, milestone.precision)
    entry = Entry(
        milestone=milestone,
        lead=lead,
        first=first,
        last=last,
        precision=precision,
        by_publication=not lead.times,
        sentences=(),
        sources=(),
        dates=(),
        told_by=frozenset({place_of(lead)}),
    )
    if dated is None:
        return entry
    _support(entry, material)
    if lead.moved_from is not None:
        entry.history = _moved_from(lead, lead.moved_from, material)
    return entry


def _moved_from(lead: Account, before: Stated, material: Material) -> tuple[EarlierDate, ...]:
    checked = check_quotes([(lead.page.evidence, lead.start, lead.end)])
    if checked.result == "unsupported":
        return ()
    said = sentence_of(checked, material.evidence.values(), None)
    day = reduced(before.first, before.precision)
    return (EarlierDate(date=day, precision=before.precision, said=said),)


def _is_around(when: Stated, lead: Account) -> bool:
    return lead.page.day is not None and when.first <= lead.page.day <= when.last


def _distance(dated: tuple[date, date, Precision], milestone: Milestone) -> tuple[bool, timedelta]:
    """Rank the date of a sentence for a milestone: at its day first, the more exact before others."""
    first, last, _ = dated
    return not (first <= milestone.interval[0] <= last), last - first


def _support(entry: Entry, material: Material) -> None:
    """Add everybody who tells of it, and the sentences that passed their check."""
    lead = entry.lead
    claimed = Claimed(lead, entry.first, entry.last)
    supporters = material.shelf.supporters(claimed)
    entry.told_by |= {place_of(each.account) for each in supporters if each.is_whole}
    quotes = [(lead.page.evidence, lead.start, lead.end)]
    quotes += [(s.account.page.evidence, s.account.start, s.account.end) for s in supporters]
    quotes = quotes[:MOST_SOURCES]
    checked = check_quotes(quotes)
    if checked.result == "unsupported":
        return
    entry.sentences = (sentence_of(checked, material.evidence.values(), None),)
    cited = dict.fromkeys(c.evidence_id for each in entry.sentences for c in each.citations)
    entry.sources = tuple(
        dict.fromkeys([*cited, *(s.account.page.evidence.id for s in supporters)])
    )
    others = material.shelf.otherwise(claimed)
    entry.told_by |= {place_of(each.account) for each in others}
    entry.dates = _dates(entry, supporters, others)


def _dated(lead: Account, first: date, last: date) -> tuple[date, date, Precision] | None:
    """Return when a sentence puts an event, as exactly as it says; None: at another time.

    A sentence that opens a page and names no time is news of the day on which it was published.
    """
    if not lead.times:
        day = lead.page.day
        return None if day is None or lead.order else (day, day, "day")
    # Beside a day, "in the same week" is counted from that day.
    named = [each for each in lead.times if each.day] or lead.times
    fitting = [each for each in named if each.first <= first and last <= each.last]
    if not fitting and len({(each.first, each.last) for each in named}) == 1:
        fitting = named[:1]  # it was chosen as news of that day, and dates itself
    best = min(fitting, key=lambda each: (each.last - each.first, each.start), default=None)
    if best is not None and best.relative and best.precision in _LONG and _is_around(best, lead):
        return None  # this year is when the page was written
    return None if best is None else (best.first, best.last, best.precision)


def place_of(account: Account) -> tuple[str, int]:
    return account.page.evidence.id, account.start


_Quote = tuple[Evidence, int, int]


def check_quotes(quotes: Sequence[_Quote]) -> Checked:
    """Check the words of the first quote against all of them."""
    holder, start, end = quotes[0]
    numbered: dict[int, tuple[Evidence, Passage]] = {}
    proposals: list[tuple[int, str]] = []
    for number, (evidence, begin, finish) in enumerate(quotes, start=1):
        numbered[number] = evidence, _passage(evidence, begin)
        proposals.append((number, evidence.document.text[begin:finish]))
    text = ended(holder.document.text[start:end])
    checked = check(text, proposals, numbered)
    if checked.result != "unsupported" or any(p.code in _WITHDRAWN for p in checked.problems):
        return checked
    # It is the page's own sentence word for word, which extraction may have run into its headline.
    own = Citation(
        evidence_id=holder.id,
        passage_id=_passage(holder, start).id,
        quote=holder.document.text[start:end],
        start=start,
        end=end,
        checks=("quote",),
    )
    return Checked(text=text, result="supported", citations=(own,))


def _passage(evidence: Evidence, start: int) -> Passage:
    return next(each for each in evidence.passages if each.start <= start < each.end)


def _dates(
    entry: Entry, supporters: Sequence[Supporter], others: Sequence[Supporter]
) -> tuple[DatedBy, ...]:
    """List who gives which date; those who differ stand beside those who agree."""
    evidence = entry.lead.page.evidence
    own = DatedBy(
        date=reduced(entry.first, entry.precision),
        precision=entry.precision,
        evidence_id=evidence.id,
        publisher=evidence.document.publisher,
        quote=entry.lead.text,
    )
    found = {evidence.id: own}
    for each in (*supporters, *others):
        if each.when is not None:
            found.setdefault(each.account.page.evidence.id, dated_by(each.account, each.when))
    return tuple(found.values())


def reduced(day: date, precision: Precision) -> str:
    """Write a date as exactly as it is known: a year-only date is a year, not 1 January."""
    size = {"day": 10, "month": 7, "quarter": 7, "year": 4, "decade": 4}[precision]
    return day.isoformat()[:size]


def node_of(entry: Entry, thread: str, material: Material) -> Node:
    """Return a finished node; its significance is set beside the others."""
    told_by = _told_by(entry, material)
    held = [material.evidence[each.evidence_id] for each in told_by]
    days = [when for each in held if (when := published(each.document)) is not None]
    date = reduced(entry.first, entry.precision)
    return Node(
        id=short_id("tn", [date, entry.sentences[0].text]),
        date=date,
        precision=entry.precision,
        interval=Interval(begin=entry.first, end=entry.last),
        published=min(days, default=None),
        first_seen=min(each.document.fetched_at for each in held),
        title=entry.title,
        description=tuple(_weighed(each) for each in entry.sentences),
        standing=_standing(entry, held, material.today),
        thread=thread,
        by=entry.by,
        citations=tuple(each.evidence_id for each in told_by),
        told_by=told_by,
        origins=len({each.origin_id or each.id for each in held}),
        date_sources=entry.dates,
        history=entry.history,
    )


def _weighed(said: Sentence) -> Sentence:
    """Say of a sentence that admits to be hearsay or a guess that nobody vouches for it."""
    unsure = said.verdict == "supported" and is_unsure(said.text)
    return said.model_copy(update={"verdict": "qualified"}) if unsure else said


def _told_by(entry: Entry, material: Material) -> tuple[CitationView, ...]:
    """Quote from each source the sentence by which it tells of an event; one without such words is none."""
    found = {c.evidence_id: c for said in reversed(entry.sentences) for c in said.citations}
    for name, start in sorted(entry.told_by):
        for account in material.page(name).accounts:
            if account.start == start:
                found.setdefault(name, _quoted(account))
    for each in entry.dates:
        if entry.first <= interval_of(each.date, each.precision)[0] <= entry.last:
            accounts = material.page(each.evidence_id).accounts
            told = next((account for account in accounts if account.text == each.quote), None)
            if told is not None:
                found.setdefault(each.evidence_id, _quoted(told))
    ordered = dict.fromkeys([*entry.sources, *found])
    return tuple(found[name] for name in ordered if name in found)


def _quoted(account: Account) -> CitationView:
    return cited(account.page.evidence, account.text, account.start, account.end)


def _standing(entry: Entry, held: Sequence[Evidence], today: date) -> Standing:
    """Tell what became of it: what was announced may have been denied, or never be told of again."""
    days = [day for each in held if (day := publication_day(each.document)) is not None]
    ahead = is_plan(entry.lead, entry.first) and all(day < entry.first for day in days)
    if ahead and is_denied(entry.lead):
        return "denied"
    if entry.first > today:
        return "due"
    return "planned" if ahead else "happened"


def strengthened(node: Node, material: Material) -> Node:
    """Add the sources among these pages that tell of a node and were not known when it was made."""
    first = node.description[0].citations[0]
    lead = material.account(first)
    claimed = Claimed(lead, node.interval.begin, node.interval.end)
    supporters = material.shelf.supporters(claimed)
    dates = {each.evidence_id: each for each in node.date_sources}
    for each in (*supporters, *material.shelf.otherwise(claimed)):
        if each.when is not None:
            dates.setdefault(each.account.page.evidence.id, dated_by(each.account, each.when))
    told = {each.evidence_id: each for each in node.told_by}
    for each in supporters:
        told.setdefault(each.account.page.evidence.id, _quoted(each.account))
    sources = tuple(told)
    origins = {
        held.origin_id or held.id for each in sources if (held := material.evidence.get(each))
    }
    return node.model_copy(
        update={
            "citations": sources,
            "told_by": tuple(told.values()),
            "date_sources": tuple(dates.values()),
            "origins": len(origins),
        }
    )


def dated_by(account: Account, when: Stated) -> DatedBy:
    """Return the date of an event as a sentence gives it."""
    evidence = account.page.evidence
    return DatedBy(
        date=reduced(when.first, when.precision),
        precision=when.precision,
        evidence_id=evidence.id,
        publisher=evidence.document.publisher,
        quote=account.text,
    )
