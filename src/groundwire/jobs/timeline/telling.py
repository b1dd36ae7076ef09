"""How an event is told: by its main sentence, in the reader's language where a page has it, with the most exact date; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date

from groundwire.evidence.questions.quotable import completeness
from groundwire.evidence.reading.reader import claim_of, read
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.timeline.collection import added, cosine, unit
from groundwire.jobs.timeline.entries import MOST_SOURCES, Entry, Material, check_quotes, place_of
from groundwire.jobs.timeline.likeness import likelihood, telling_of
from groundwire.jobs.timeline.pages import Account, words_of
from groundwire.jobs.timeline.periods import interval_of
from groundwire.jobs.timeline.result import DatedBy
from groundwire.jobs.timeline.support import Claimed
from groundwire.jobs.timeline.wholes import begins, goes_on, is_told_beside
from groundwire.language.text.script import language_distance

_READ = 3  # sentences in the reader's language that are compared closely
_SURE = 0.6  # how likely one event, before a sentence that was no source tells it in the reader's language
_FOREIGN = 2  # how far another language is
_FINE = ("decade", "year", "quarter", "month", "day")


def retold(entries: Sequence[Entry], material: Material, topic: Sequence[str]) -> list[Entry]:
    """Tell each event by the sentence that says it best for the reader; what only another's sentence tells is that one."""
    common = frozenset(word for each in topic for word in words_of(each))
    taken: dict[tuple[str, int], list[Entry]] = {}
    for entry in sorted(entries, key=lambda each: (-each.milestone.score, each.milestone.id)):
        every = list(_tellings(entry, material))
        told: list[Account] = [each for each in every if _holder(each, entry, taken) is None]
        holder = _holder(entry.lead, entry, taken)
        if not told and holder is not None:
            holder.absorb(entry)
            continue
        if far := _nearest(told, entry, material.language):
            told += _translated(entry, material, taken.keys(), far)
        best = max(
            told,
            key=lambda each: (
                _worth(each, entry, material.language, common) * _shared(each, told),
                each is entry.lead,
            ),
        )
        taken.setdefault(place_of(best), []).append(entry)
        _tell(entry, best, material)
        date_exactly(entry)
    kept = {id(each) for told in taken.values() for each in told}
    return [each for each in entries if id(each) in kept]


def _holder(
    account: Account, entry: Entry, taken: Mapping[tuple[str, int], Sequence[Entry]]
) -> Entry | None:
    """Return who is told by a sentence already, of the same time: of two days, it may tell two events."""
    same = (
        each
        for each in taken.get(place_of(account), ())
        if each.first <= entry.last and entry.first <= each.last
    )
    return next(same, None)


def _tellings(entry: Entry, material: Material) -> Iterator[Account]:
    """Yield its sentence, and those that say the whole of it on its date."""
    yield entry.lead
    for name, start in sorted(entry.told_by):
        for account in material.page(name).accounts:
            if account.start == start and account is not entry.lead and _is_on(account, entry):
                yield account


def _is_on(account: Account, entry: Entry) -> bool:
    return any(entry.first <= each.first and each.last <= entry.last for each in account.times)


def _nearest(told: Sequence[Account], entry: Entry, language: str) -> int:
    """Return how far the nearest language is in which a sentence tells an event, and does not only mention it."""
    main = (each for each in told if not is_told_beside(each, entry.first))
    return min((_far(each, language) for each in main), default=_FOREIGN)


def _far(account: Account, language: str) -> int:
    return language_distance(account.page.evidence.document.language, language)


def _translated(
    entry: Entry, material: Material, taken: Collection[tuple[str, int]], far: int
) -> Iterator[Account]:
    """Yield the likeliest telling among the sentences of its date in a language that is nearer to the reader's."""
    claim = claim_of(entry.lead.text, entry.lead.page.day)
    named: dict[tuple[str, int], Account] = {}
    for account, when in material.shelf.agreeing(entry.first, entry.last):
        exact = when is not None and entry.first <= when.first and when.last <= entry.last
        place = account.page.evidence.id, account.start
        if exact and place not in taken and _far(account, material.language) < far:
            named[place] = account
    own = telling_of(entry.lead, entry.first, entry.last)
    for step in range(far):
        near = [one for one in named.items() if _far(one[1], material.language) == step]
        rated = sorted(near, key=lambda one: (-read(claim, one[1].text).same, one[0]))
        likely = [
            (likelihood(own, telling_of(each, entry.first, entry.last), least=_SURE), place)
            for place, each in rated[:_READ]
            if begins(each) is not None
        ]
        surest, place = max(likely, default=(0.0, ("", 0)))
        if surest >= _SURE:
            yield named[place]
            return


def _worth(account: Account, entry: Entry, language: str, common: frozenset[str]) -> float:
    """Rate how well a sentence tells an event: its main clause before a remark, in words that the reader reads."""
    written = account.page.evidence.document.language
    worth = completeness(account.text) if begins(account) is not None else 0.0
    if is_told_beside(account, entry.first):
        worth *= 0.5
    if common.isdisjoint(account.words):
        worth *= 0.8
    if account.order == 0:
        worth *= 1.2
    nearness = 2 ** -language_distance(written, language)
    return worth * nearness


def _shared(account: Account, told: Sequence[Account]) -> float:
    """Rate how much of a sentence the others of its language say too: what most tell is the event."""
    own = account.page.evidence.document.language
    alike = [e for e in told if language_distance(e.page.evidence.document.language, own) <= 1]
    centre = unit(added(unit(Counter(each.words)) for each in alike))
    return cosine(unit(Counter(account.words)), centre)


def _tell(entry: Entry, best: Account, material: Material) -> None:
    """Show an event by a sentence and what goes on about it; who said it before stays cited."""
    entry.add(best)
    start = begins(best) or best
    supporters = material.shelf.supporters(Claimed(best, entry.first, entry.last))
    quotes = [(best.page.evidence, start.start, best.end)]
    quotes += [(s.account.page.evidence, s.account.start, s.account.end) for s in supporters]
    checked = [check_quotes(quotes[:MOST_SOURCES])]
    after = goes_on(best)
    if after is not None:
        checked.append(check_quotes([(after.page.evidence, after.start, after.end)]))
    if checked[0].result == "unsupported":
        return
    holders = material.evidence.values()
    passed = [each for each in checked if each.result != "unsupported"]
    entry.sentences = tuple(sentence_of(each, holders, None) for each in passed)


def date_exactly(entry: Entry) -> None:
    """Put an event on the most exact date that a source gives within its own, where those agree."""
    inside = [
        each
        for each in entry.dates
        if _FINE.index(each.precision) > _FINE.index(entry.precision)
        and entry.first <= _span(each)[0]
        and _span(each)[1] <= entry.last
    ]
    if not inside or entry.by_publication:
        return
    finest = max(_FINE.index(each.precision) for each in inside)
    counts = Counter(each.date for each in inside if _FINE.index(each.precision) == finest)
    (day, most), *others = counts.most_common(2)
    if others and others[0][1] == most:
        return
    given = next(each for each in inside if each.date == day)
    entry.first, entry.last = _span(given)
    entry.precision = given.precision


def _span(given: DatedBy) -> tuple[date, date]:
    return interval_of(given.date, given.precision)
