"""Sentences of pages as possible answers: what each says of the question, and how well it stands alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from math import prod

from groundwire.evidence.questions.coverage import NamedThings, day_of, reading
from groundwire.evidence.questions.facets import Facet, Sort, any_of, facet_words
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.openings import Opening, parts
from groundwire.evidence.questions.surroundings import Surroundings
from groundwire.language.amounts.numbers import Figure
from groundwire.language.names.names import names
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.wording import stemmed
from groundwire.language.time.dates import DateMention
from groundwire.model.source import NumberedPassage, Tier

TIER_WEIGHT: dict[Tier, float] = {
    "primary": 1.0,
    "wire": 0.97,
    "established": 0.92,
    "trade": 0.86,
    "aggregator": 0.66,
    "unknown": 0.66,
    "social": 0.4,
    "satire": 0.0,
}
_NOT_MONEY = frozenset({"", "%", "pp", "bp", "x", "nm", "km", "kg", "t", "MW", "GW", "kWh", "GB"})
# A copy of a report is made within days; later it is an old one that is shown as new.
_NEWS, _VERBATIM = timedelta(days=30), 0.85
_NONE: frozenset[int] = frozenset()
_FLAG_WEIGHT = {
    "opinion": 0.7,
    "stale": 0.5,
    "repost": 0.5,
    "snippet": 0.8,
    "correction": 1.05,
    "retraction": 0.2,
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sentence (or two that belong together), verbatim, with what it says of the question."""

    passage: NumberedPassage
    order: int  # its place in the passage
    text: str
    language: str  # zh or en
    own: frozenset[int]  # terms of the question that it names itself
    near: frozenset[int]  # terms named only by its title or by what stands before it
    coverage: float
    facets: tuple[tuple[Facet, float], ...]  # how well it answers each facet asked for
    quality: float
    figures: tuple[Figure, ...]
    dates: tuple[DateMention, ...]
    stems: frozenset[str]
    carried: frozenset[int] = _NONE  # of its own, those that its headline says for it

    @property
    def facet(self) -> float:
        return max((value for _, value in self.facets), default=0.0)


def candidates(asked: Intent, passages: Sequence[NumberedPassage]) -> list[Candidate]:
    """Every sentence that can be quoted; satire and pages with injected instructions give none."""
    named = frozenset(n for n, term in enumerate(asked.terms) if term.kind == "name")
    pages: dict[str, frozenset[int]] = {}
    if len(passages) > 1 and named:
        for each in passages:
            here = reading(f"{each.title}\n{each.text}", day_of(each)).matched(asked) & named
            pages[each.evidence_id] = pages.get(each.evidence_id, _NONE) | here
    found = [
        candidate
        for passage in passages
        if usable(passage)
        for candidate in _of_passage(asked, passage, pages.get(passage.evidence_id, _NONE))
    ]
    days = [day for each in passages if (day := day_of(each)) is not None]
    if not days or max(days) - min(days) <= _NEWS:
        return found
    return [each for each in found if not _published_again(each, found)]


def _published_again(late: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether an old report's sentence comes as news: its "yesterday" is not that of the page."""
    day = day_of(late.passage)
    if day is None or not late.stems:
        return False
    return any(
        early.language == late.language
        and (before := day_of(early.passage)) is not None
        and day - before > _NEWS
        and len(early.stems & late.stems) >= _VERBATIM * max(len(late.stems), len(early.stems))
        for early in found
    )


def usable(passage: NumberedPassage) -> bool:
    """Whether an answer may stand on this page at all."""
    return passage.tier != "satire" and not {"satire", "injection"} & frozenset(passage.flags)


def _of_passage(asked: Intent, passage: NumberedPassage, page: frozenset[int]) -> list[Candidate]:
    found: list[Candidate] = []
    around = Surroundings(asked, passage, page)
    before = _NONE
    for part in parts(passage.text):
        read = reading(part.text, day_of(passage))
        before = around.referred(read) | (before if part.refers else _NONE)
        found.append(_candidate(asked, part, read, around, before))
        before |= found[-1].own
    return found


def _candidate(
    asked: Intent, part: Opening, read: NamedThings, around: Surroundings, before: frozenset[int]
) -> Candidate:
    passage = around.passage
    carried = around.carried(read)
    own = around.own(part.text, read) | carried
    near = around.near(own, before, read, part.order == 0)
    total = sum(term.weight for term in asked.terms)
    said = sum(asked.terms[number].weight for number in sorted(own))
    implied = sum(asked.terms[n].weight * around.credit(n, before) for n in sorted(near))
    han, latin = (len(re.findall(f"[{each}]", part.text)) for each in (HAN, "A-Za-z"))
    facts = read.figures or read.dates or read.counts or _names(part.text)
    return Candidate(
        passage=passage,
        order=part.order,
        text=part.text,
        language="zh" if han and 4 * han >= latin else "en",
        own=own,
        near=near,
        coverage=(said + implied) / total if total else 0.0,
        facets=tuple((facet, _answers(facet, asked, part, read)) for facet in asked.facets),
        quality=part.standing
        * TIER_WEIGHT[passage.tier]
        * prod(_FLAG_WEIGHT.get(flag, 1.0) for flag in passage.flags)
        * max(0.85, 1 - 0.02 * part.order)
        * _leading(asked, part.text, own)
        * (1.0 if facts or around.speaks(part.text) else 0.7),
        figures=read.figures,
        dates=read.dates,
        stems=read.content,
        carried=carried,
    )


def _leading(asked: Intent, text: str, own: frozenset[int]) -> float:
    """Less for a sentence that comes to the subject only towards its end: it has another one."""
    named = [asked.terms[n] for n in sorted(own) if asked.terms[n].kind == "name"]
    if not named:
        return 1.0
    cut = len(text) * 3 // 5
    while cut < len(text) and (text[cut].isascii() and text[cut] not in " ,."):
        cut += 1
    opening = reading(text[:cut])
    return 1.0 if any(opening.names(term) for term in named) else 0.85


# Whether a sentence has what the question asks for.


def is_of_sort(sort: Sort, figure: Figure) -> bool:
    """Whether a figure can be what is asked for: an amount of money, a share, a number of things."""
    if sort == "money":
        return figure.unit not in _NOT_MONEY
    if sort == "percent":
        return figure.unit in ("%", "pp")
    return sort != "count" or figure.unit in ("", "x")


def _answers(facet: Facet, asked: Intent, part: Opening, read: NamedThings) -> float:
    if facet in ("why", "whether"):
        flat = simplify(part.text)
        for role, worth in (("strong", 1.0), ("weak", 0.5)):
            words = facet_words(role).get(facet)
            if words and any_of(words).search(flat):
                return worth
        # To "is it true that it was so much" a sentence with another amount is an answer.
        units = {term.figure.unit for term in asked.terms if term.figure is not None}
        if facet == "whether" and any(figure.unit in units for figure in read.figures):
            return 1.0
        return 0.3 if facet == "whether" else 0.0
    if facet == "when":
        exact = {"day": 1.0, "month": 0.8, "quarter": 0.6, "year": 0.6}
        days = (0.3 if day.weekday is not None else exact[day.precision] for day in read.dates)
        return max(days, default=0.0)
    if facet == "how_much":
        sorted_so = any(is_of_sort(asked.sort, figure) for figure in read.figures)
        return 1.0 if sorted_so else 0.5 if read.figures or read.counts else 0.0
    if facet == "who":  # a name that the question does not have
        asked_for = {name for term in asked.terms for name in term.names}
        return float(any(name not in asked_for for name in _names(part.text)))
    # What happened: the lead of a report, and what has a day and a figure.
    dated = any(day.weekday is None for day in read.dates)
    base = 0.6 if asked.of_kind("word") else 0.3
    more = 0.35 * dated + 0.2 * bool(read.figures) + 0.45 * (part.order == 0)
    return base + (1 - base) * more


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    return tuple(stemmed(name.text) for name in names(text))
