"""Where pages of several origins put one event on different days: both accounts, side by side; pure.

Precision comes first. Two sentences are of one event where the clauses that name the days share most of what they are
about, and the reader, asked both ways, finds one matter told with another date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from groundwire.evidence.pages.presence import publication_day
from groundwire.evidence.questions.contested import (
    only_bounds,
    outweighs,
    subjects_of,
    tells_whose_clock,
)
from groundwire.evidence.questions.polarity import turns
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.reader import Reading, claim_of, read
from groundwire.gather.weighing import cited
from groundwire.language.text.characters import detect_language
from groundwire.language.text.script import language_distance
from groundwire.language.text.sentences import sentences
from groundwire.language.text.spans import blanked
from groundwire.language.text.tokens import best_relevance
from groundwire.language.time.dates import DateMention, date_mentions
from groundwire.model.claim import Verdict
from groundwire.model.result import Contested, Sentence
from groundwire.model.source import Evidence, Tier

_FAR = 14  # days between two accounts of one event: farther apart are two
_SHARED, _SHARE = 3, 0.65  # of what the shorter clause is about
_LIKELY, _LEAST = 0.5, 0.38  # likelihood of one matter: the surer way, and the other
_FIRM = _LIKELY + 0.4  # both together
_BREAK = re.compile(
    r"[,:](?!\d)|[，;；。：]"
    r"|\s(?=(?:after|when|where|because|that|which|who|before|since|until|while|and|as)\s)"
)
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|\"[^\"]*\"")  # what somebody else says in it
_CLOCK = frozenset({"当地", "时间", "local", "time"})
_DAY = re.compile(r"\d{4}-\d\d-\d\d")  # as `subjects_of` gives it
_NAMED = 0.5  # of a subject's words
_BARE = 8  # characters beside the day, of a clause that says no more than it
_SAYING = frozenset({"says", "tellings"})
_NO_EVENT = frozenset({"plans", "retells", "asks"})  # manners in which nothing is told that came


@dataclass(frozen=True, slots=True)
class Account:
    """A sentence that puts something on a day: the clause of the day, and what that is about."""

    page: Evidence
    text: str
    start: int  # in the page
    clause: str
    day: date
    about: frozenset[str]
    named: frozenset[date]  # every day in the sentence
    turned: bool

    @property
    def origin(self) -> str:
        return self.page.origin_id or self.page.id

    @property
    def published(self) -> date | None:
        return publication_day(self.page.document)


def differing(
    pages: Sequence[Evidence], names: Sequence[str], language: str
) -> tuple[Contested, ...]:
    """Return the events of a subject that pages put on different days, each side with every page that tells it so."""
    accounts = [each for page in pages for each in _accounts(page)]
    pairs = [
        pair
        for pair in combinations(accounts, 2)
        if _differ(*pair) and any(_is_about(each, names) for each in pair)
    ]
    return tuple(_point(group, language) for group in _groups(pairs))


def _is_about(account: Account, names: Sequence[str]) -> bool:
    """Tell whether an event is one of the subject: its clause names that, or the headline above it."""
    headline = account.page.document.title
    return any(best_relevance(names, each) >= _NAMED for each in (account.clause, headline))


def _accounts(page: Evidence) -> Iterator[Account]:
    text, published = page.document.text, publication_day(page.document)
    for first, last in sentences(text):
        sentence = text[first:last].strip()
        days = [d for d in date_mentions(sentence, published) if d.precision == "day" and d.date]
        named = frozenset(each.date for each in days if each.date is not None)
        for each in days:
            if each.date is None or only_bounds(sentence, each):
                continue
            clause = _clause(sentence, each)
            about = _about(clause)
            if len(about) >= _SHARED:
                start = text.index(sentence, first)
                yield Account(page, sentence, start, clause, each.date, about, named, turns(clause))


def _clause(sentence: str, day: DateMention) -> str:
    """Return the clause that names a day; one that says no more than the day goes with the next."""
    stops = [
        each.end() for each in _BREAK.finditer(sentence) if not day.start <= each.start() < day.end
    ]
    first = max((each for each in stops if each <= day.start), default=0)
    after = [each for each in stops if each >= day.end] + [len(sentence)]
    if len(sentence[first : after[0]].strip()) - len(day.text) < _BARE and len(after) > 1:
        return sentence[first : after[1]]
    return sentence[first : after[0]]


def _about(clause: str) -> frozenset[str]:
    """Return what a clause is about, besides that it is said, its days and by whose clock; nothing where no event is told."""
    lead = analyse(_QUOTED.sub(" ", clause), whole=True).lead
    if not _NO_EVENT.isdisjoint(lead.manners):
        return frozenset()
    dated = [(each.start, each.end) for each in lead.dates]
    said: set[str] = set()
    for cue in lead.cues:
        if cue.kind not in _SAYING:
            continue
        start, end = lead.words[cue.first].start, lead.words[cue.last - 1].end
        # The day of a saying: "The company said on Monday …", 公司3月19日宣布，…
        if not subjects_of(blanked(lead.text, dated)[end:]):
            return frozenset()
        said |= subjects_of(lead.text[start:end])
    aside = _CLOCK | said
    return frozenset(e for e in subjects_of(lead.text) if e not in aside and not _DAY.match(e))


def _differ(one: Account, other: Account) -> bool:
    """Tell whether two accounts put one event on different days, and neither knows the other's."""
    apart = abs((one.day - other.day).days)
    if one.origin == other.origin or not 0 < apart <= _FAR or one.turned != other.turned:
        return False
    if one.day in other.named or other.day in one.named:
        return False
    # Where it was evening in California, it was the next morning in Beijing.
    if apart == 1 and (tells_whose_clock(one.text) != tells_whose_clock(other.text)):
        return False
    shared = len(one.about & other.about)
    if shared < _SHARED or shared < _SHARE * min(len(one.about), len(other.about)):
        return False
    return _is_one(one, other)


def _is_one(one: Account, other: Account) -> bool:
    found = [_read(one, other), _read(other, one)]
    likely = sorted(each.same for each in found)
    dated = any(each.sign == "other_date" for each in found)
    return dated and likely[1] >= _LIKELY and likely[0] >= _LEAST and sum(likely) >= _FIRM


def _read(one: Account, other: Account) -> Reading:
    claim = claim_of(one.clause, one.published)
    return read(claim, other.text, title=other.page.document.title, published=other.published)


def _groups(pairs: Iterable[tuple[Account, Account]]) -> list[list[Account]]:
    """Join the pairs that share an account: one event, however many tell of it."""
    groups: list[list[Account]] = []
    for pair in pairs:
        met = [each for each in groups if any(one in each for one in pair)]
        joined = [one for each in met for one in each]
        joined.extend(one for one in pair if one not in joined)
        groups = [each for each in groups if each not in met] + [joined]
    return groups


def _point(accounts: Sequence[Account], language: str) -> Contested:
    by_day: dict[date, list[Account]] = {}
    for each in accounts:
        by_day.setdefault(each.day, []).append(each)
    sides = sorted(by_day.values(), key=lambda side: (-len(_origins(side)), side[0].day))
    return Contested(
        point="watch.point.date",
        sides=tuple(_side(side, _verdict(side, accounts), language) for side in sides),
    )


def _origins(side: Sequence[Account]) -> set[str]:
    return {each.origin for each in side}


def _verdict(side: Sequence[Account], accounts: Sequence[Account]) -> Verdict:
    """Rate a side: who did it and another origin settle a day against one lesser page; else it is open."""
    own: list[tuple[str, Tier]] = [(each.origin, each.page.tier) for each in side]
    other: list[tuple[str, Tier]] = [
        (each.origin, each.page.tier) for each in accounts if each not in side
    ]
    if outweighs(own, other):
        return "supported"
    return "contradicted" if outweighs(other, own) else "contested"


def _side(side: Sequence[Account], verdict: Verdict, language: str) -> Sentence:
    """Tell a side in the sentence that is nearest to the reader's language."""
    once = {each.page.id: each for each in reversed(side)}
    ordered = sorted(
        once.values(),
        key=lambda each: (
            language_distance(detect_language(each.text), language),
            each.published or date.max,
            each.page.id,
        ),
    )
    citations = tuple(
        cited(each.page, each.text, each.start, each.start + len(each.text)) for each in ordered
    )
    return Sentence(text=ordered[0].text, verdict=verdict, citations=citations)
