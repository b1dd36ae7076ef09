"""What the pages do not answer, and where the sentences that do answer differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundwire.evidence.questions.candidates import Candidate, usable
from groundwire.evidence.questions.contested import (
    Contradiction,
    Kind,
    StatedValue,
    contradictions,
    outweighs,
)
from groundwire.evidence.questions.coverage import day_of, named_in, named_things
from groundwire.evidence.questions.facets import asks
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.parts import AskedPart
from groundwire.jobs.ask.directness import NARROW, answering, in_passing, quoted_only, relevant
from groundwire.jobs.ask.extract import Chosen
from groundwire.jobs.ask.parts import gives
from groundwire.jobs.ask.ranking import likelihoods
from groundwire.jobs.ask.rumours import is_hearsay
from groundwire.jobs.ask.values import tells_change
from groundwire.language.text.characters import simplify
from groundwire.language.text.links import has_link
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage, Tier

_CLOSEST, _TITLE = 3, 80
NEAREST = "ask.gap.nearest"  # tells what was found, and steers no search
_LONGEST_QUESTION = 200

# What is missing, and why.
Lack = tuple[Phrase | str, Phrase]


def point(dispute: Contradiction, values: str) -> Phrase:
    """Name what is contested, and say so when one side is hearsay alone."""
    told = [side for side in dispute.sides if not all(is_hearsay(each.candidate) for each in side)]
    name = f"other_{dispute.kind}"
    first, *rest = [[_page(stated) for stated in side] for side in told] or [[]]
    if len(told) == 1:
        name = "rumour"
    elif told and all(outweighs(first, other) for other in rest):
        name = "settled"
    return phrase(f"ask.point.{name}", values=values)


def _page(stated: StatedValue) -> tuple[str, Tier]:
    passage = stated.candidate.passage
    return passage.origin_id, passage.tier


def shortened(question: str) -> str:
    flat = " ".join(question.split())
    return flat if len(flat) <= _LONGEST_QUESTION else f"{flat[: _LONGEST_QUESTION - 1]}…"


def is_bare(text: str, intent: Intent) -> bool:
    """Tell whether a text asks nothing and names nothing but one ordinary word: "hello test"."""
    return (
        not asks(simplify(text))
        and len(intent.terms) < 2
        and not intent.of_kind("name", "date", "figure")
    )


def opens_with(intent: Intent, passage: NumberedPassage) -> bool:
    """Tell whether a page is about what a bare word names: its headline opens with it."""
    opening = named_things(passage.title[: len(passage.title) // 2])
    return any(opening.names(term) for term in intent.terms)


def nothing(
    part: AskedPart,
    intent: Intent,
    passages: Sequence[NumberedPassage],
    absent: tuple[str, ...],
    found: Sequence[Candidate],
) -> tuple[Lack, ...]:
    """Explain why there is no answer at all, by the nearest sentence and what it lacks."""
    if absent:
        why = phrase("ask.gap.absent", names=absent)
    elif titles := _closest(intent, passages):
        why = phrase("ask.gap.unmatched_closest", titles=titles)
    else:
        why = phrase("ask.gap.unmatched")
    gaps: list[Lack] = [(shortened(part.text), why), *_nearest(part.alone, intent, found)]
    terms = intent.of_kind("name", "word")
    refused = [passage for passage in passages if not usable(passage)]
    if any(named_in(term, passage) for passage in refused for term in terms):
        gaps.append((phrase("ask.gap.reliable"), phrase("ask.gap.unreliable")))
    return tuple(gaps)


def _nearest(question: str, intent: Intent, found: Sequence[Candidate]) -> Iterator[Lack]:
    """Name the sentence that comes nearest, and the words or the value that it lacks."""
    scores = [each.chance for each in likelihoods(question, intent, found)]
    best = max(range(len(found)), key=lambda n: (scores[n], -n), default=None)
    if best is None or not found[best].own:
        return
    near = found[best]
    present = near.own | near.near
    names = [n for n, term in enumerate(intent.terms) if term.kind == "name"]
    if names and present.isdisjoint(names):
        return  # about something else altogether
    lacked = [t.written for n, t in enumerate(intent.terms) if n not in present and not t.light]
    what = phrase(NEAREST, text=shortened(near.text), publisher=near.passage.publisher)
    if lacked:
        yield what, phrase("ask.gap.lacks", words=lacked)
    elif tells_change(intent, near.text):
        yield what, phrase("ask.gap.lacks_level")
    else:
        yield what, phrase("ask.gap.lacks_value")


def _closest(intent: Intent, passages: Sequence[NumberedPassage]) -> list[Phrase]:
    """List the titles of the closest pages, for a person to look at."""
    names = intent.of_kind("name")
    near = [
        passage
        for passage in passages
        if usable(passage) and all(named_in(term, passage) for term in names)
    ]
    near.sort(key=lambda passage: (-passage.relevance, passage.number))
    titles = dict.fromkeys(
        " ".join(passage.title.split())[:_TITLE]
        for passage in near
        if passage.title.strip() and not has_link(passage.title)
    )
    return [phrase("ask.gap.title", title=title) for title in list(titles)[:_CLOSEST]]


def lacking(
    part: AskedPart,
    intent: Intent,
    chosen: Sequence[Chosen],
    absent: tuple[str, ...],
) -> tuple[Lack, ...]:
    """List what was asked and not found."""
    found: list[Lack] = []
    shown = [(each.first.text, each.first.passage.title) for each in chosen]
    for facet in intent.facets:
        if facet in ("what", "how") or any(gives(intent, facet, *each) for each in shown):
            continue
        what = phrase(f"ask.facet.{facet}", question=shortened(part.text))
        found.append((what, phrase("ask.gap.unsaid")))
    found += [(name, phrase("ask.gap.unmentioned")) for name in absent]
    return tuple(found)


def foreign(subject: str, shown: Sequence[Candidate], language: str) -> tuple[Lack, ...]:
    """Say how much of an answer is quoted from pages in another language."""
    own_language = "zh" if language.startswith("zh") else "en"
    n = sum(each.language != own_language for each in shown)
    if not n:
        return ()
    # The gap is in the language of the answer, whatever the reader's language.
    what = phrase(f"ask.gap.pages_{own_language}", about=subject)
    return ((what, phrase("ask.gap.foreign", n=n, of=len(shown))),)


def about(intent: Intent) -> str:
    """Name the subject of a question as a person would: by its names, else its words."""
    heavy = [term for term in intent.terms if not term.light]
    named = [term.written for term in heavy if term.kind == "name"]
    parts = named or [term.written for term in heavy] or [term.written for term in intent.terms]
    return re.sub(r"\s+", " ", " ".join(parts))


_WIDE = 0.6  # of the widest breadth; narrower sentences are about something else
_ONE_TIME = 60  # days within which pages speak of the same state of things


def disputed(intent: Intent, candidates: Sequence[Candidate]) -> tuple[Contradiction, ...]:
    """Find points on which answering sentences differ, rumours included."""
    if intent.sort == "meaning":
        return ()
    pool = [each for each in candidates if relevant(intent, each)]
    broad = [_breadth(intent, each) for each in pool]
    widest = max(broad, default=0.0)
    facets = frozenset(intent.facets)
    kinds: list[Kind] = ["figure"] if facets - {"when", "who", "where", "why"} else []
    # Whether it happened is not when: a false report of the day before is no rival date.
    asks_day = any(term.date is not None for term in intent.terms)
    if facets - {"who", "where", "why", *(() if asks_day else ("whether",))}:
        kinds.append("date")
    narrow = facets <= frozenset(NARROW)
    wide = [
        each
        for each, breadth in zip(pool, broad, strict=True)
        if breadth >= _WIDE * widest
        and not quoted_only(intent, each)
        and not in_passing(intent, each.text)
        and (not narrow or any(answering(intent, each).values()))
    ]
    found = [each for view in _views(intent) for each in contradictions(wide, kinds, view)]
    unique = {each.kind: each for each in reversed(found)}
    return tuple(
        dispute
        for kind in kinds
        if kind in unique and len((dispute := _of_one_time(unique[kind])).sides) > 1
    )


def _views(intent: Intent) -> Iterator[Intent]:
    """Yield the question as a whole, then each of its parts: any one may be disputed."""
    yield intent
    for _, words in intent.parts if len(intent.parts) > 1 else ():
        others = frozenset(intent.telling) - frozenset(words)
        terms = (replace(t, light=t.light or n in others) for n, t in enumerate(intent.terms))
        yield replace(intent, terms=tuple(terms))


def _of_one_time(dispute: Contradiction) -> Contradiction:
    """Drop the sides that speak of another time: prices change, and both are right."""
    first = dispute.sides[0]
    others = tuple(side for side in dispute.sides[1:] if _days_apart(first, side) <= _ONE_TIME)
    return replace(dispute, sides=(first, *others))


def _days_apart(one: Sequence[StatedValue], other: Sequence[StatedValue]) -> int:
    days = [[day_of(stated.candidate.passage) for stated in side] for side in (one, other)]
    return min((abs((a - b).days) for a in days[0] for b in days[1] if a and b), default=0)


def _breadth(intent: Intent, candidate: Candidate) -> float:
    """Return the share of what is asked that a sentence has, apart from disputed amounts."""
    terms = [(n, term.weight) for n, term in enumerate(intent.terms) if term.figure is None]
    total = sum(weight for _, weight in terms)
    present = sum(w if n in candidate.own else 0.5 * w * (n in candidate.near) for n, w in terms)
    return present / total if total else candidate.coverage
