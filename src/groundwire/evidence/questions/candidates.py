"""Sentences of pages as possible answers: what each says of the question, and how well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from math import prod

from groundwire.evidence.questions.coverage import NamedThings, day_of, named_things
from groundwire.evidence.questions.facets import Facet, Sort, any_of, facet_words
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.quotable import Quotable, quotable_sentences
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
# A report is copied within days; a later copy shows an old report as new.
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
    carried: frozenset[int] = _NONE  # those of its own that only its headline says

    @property
    def facet(self) -> float:
        return max((value for _, value in self.facets), default=0.0)


def candidates(intent: Intent, passages: Sequence[NumberedPassage]) -> list[Candidate]:
    """List every quotable sentence; satire and pages with injected instructions give none."""
    named = frozenset(n for n, term in enumerate(intent.terms) if term.kind == "name")
    pages: dict[str, frozenset[int]] = {}
    if len(passages) > 1 and named:
        for each in passages:
            things = named_things(f"{each.title}\n{each.text}", day_of(each))
            known = pages.get(each.evidence_id, _NONE)
            pages[each.evidence_id] = known | (things.matched(intent) & named)
    sentences = [
        candidate
        for passage in passages
        if usable(passage)
        for candidate in _in_passage(intent, passage, pages.get(passage.evidence_id, _NONE))
    ]
    days = [day for each in passages if (day := day_of(each)) is not None]
    if not days or max(days) - min(days) <= _NEWS:
        return sentences
    return [each for each in sentences if not _is_republished(each, sentences)]


def _is_republished(late: Candidate, all_candidates: Sequence[Candidate]) -> bool:
    """Tell whether an old report's sentence comes as news, so that its "yesterday" misleads."""
    day = day_of(late.passage)
    if day is None or not late.stems:
        return False
    return any(
        early.language == late.language
        and (before := day_of(early.passage)) is not None
        and day - before > _NEWS
        and len(early.stems & late.stems) >= _VERBATIM * max(len(late.stems), len(early.stems))
        for early in all_candidates
    )


def usable(passage: NumberedPassage) -> bool:
    """Tell whether an answer may rest on this page at all."""
    return passage.tier != "satire" and not {"satire", "injection"} & frozenset(passage.flags)


def _in_passage(intent: Intent, passage: NumberedPassage, page: frozenset[int]) -> list[Candidate]:
    sentences: list[Candidate] = []
    around = Surroundings(intent, passage, page)
    before = _NONE
    for part in quotable_sentences(passage.text):
        things = named_things(part.text, day_of(passage))
        before = around.referred(things) | (before if part.refers_back else _NONE)
        sentences.append(_candidate(intent, part, things, around, before))
        before |= sentences[-1].own
    return sentences


def _candidate(
    intent: Intent,
    part: Quotable,
    things: NamedThings,
    around: Surroundings,
    before: frozenset[int],
) -> Candidate:
    passage = around.passage
    carried = around.carried(things)
    own = around.own(part.text, things) | carried
    near = around.near(own, before, things, part.order == 0)
    total = sum(term.weight for term in intent.terms)
    named = sum(intent.terms[number].weight for number in sorted(own))
    implied = sum(intent.terms[n].weight * around.credit(n, before) for n in sorted(near))
    han, latin = (len(re.findall(f"[{each}]", part.text)) for each in (HAN, "A-Za-z"))
    facts = things.figures or things.dates or things.counts or _names(part.text)
    return Candidate(
        passage=passage,
        order=part.order,
        text=part.text,
        language="zh" if han and 4 * han >= latin else "en",
        own=own,
        near=near,
        coverage=(named + implied) / total if total else 0.0,
        facets=tuple((facet, _answers(facet, intent, part, things)) for facet in intent.facets),
        quality=part.completeness
        * TIER_WEIGHT[passage.tier]
        * prod(_FLAG_WEIGHT.get(flag, 1.0) for flag in passage.flags)
        * max(0.85, 1 - 0.02 * part.order)
        * _lead_weight(intent, part.text, own)
        * (1.0 if facts or around.speaks(part.text) else 0.7),
        figures=things.figures,
        dates=things.dates,
        stems=things.content,
        carried=carried,
    )


def _lead_weight(intent: Intent, text: str, own: frozenset[int]) -> float:
    """Return less than 1 for a sentence that comes to the subject only towards its end."""
    named = [intent.terms[n] for n in sorted(own) if intent.terms[n].kind == "name"]
    if not named:
        return 1.0
    cut = len(text) * 3 // 5
    while cut < len(text) and (text[cut].isascii() and text[cut] not in " ,."):
        cut += 1
    opening = named_things(text[:cut])
    return 1.0 if any(opening.names(term) for term in named) else 0.85


def is_of_sort(sort: Sort, figure: Figure) -> bool:
    """Tell whether a figure can be what is asked for: money, a share, a number of things."""
    if sort == "money":
        return figure.unit not in _NOT_MONEY
    if sort == "percent":
        return figure.unit in ("%", "pp")
    return sort != "count" or figure.unit in ("", "x")


def _answers(facet: Facet, intent: Intent, part: Quotable, things: NamedThings) -> float:
    if facet in ("why", "whether"):
        flat = simplify(part.text)
        for role, worth in (("strong", 1.0), ("weak", 0.5), ("later", 0.4)):
            words = facet_words(role).get(facet)
            if words and any_of(words).search(flat):
                return worth
        # Another amount answers "is it true that it was so much".
        units = {term.figure.unit for term in intent.terms if term.figure is not None}
        if facet == "whether" and any(figure.unit in units for figure in things.figures):
            return 1.0
        return 0.3 if facet == "whether" else 0.0
    if facet == "when":
        exact = {"day": 1.0, "month": 0.8, "quarter": 0.6, "year": 0.6}
        days = (0.3 if day.weekday is not None else exact[day.precision] for day in things.dates)
        return max(days, default=0.0)
    if facet == "how_much":
        of_sort = any(is_of_sort(intent.sort, figure) for figure in things.figures)
        return 1.0 if of_sort else 0.5 if things.figures or things.counts else 0.0
    if facet == "who":  # a name that the question does not have
        known = {name for term in intent.terms for name in term.names}
        return float(any(name not in known for name in _names(part.text)))
    # What happened: the lead of a report, and what has a day and a figure.
    dated = any(day.weekday is None for day in things.dates)
    base = 0.6 if intent.of_kind("word") else 0.3
    more = 0.35 * dated + 0.2 * bool(things.figures) + 0.45 * (part.order == 0)
    return base + (1 - base) * more


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    return tuple(stemmed(name.text) for name in names(text))
