"""What the pages do not answer, and where the sentences that do answer differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundwire.evidence.questions.candidates import Candidate, usable
from groundwire.evidence.questions.contested import Contradiction, Kind, StatedValue, contradictions
from groundwire.evidence.questions.coverage import day_of, named_in
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.polarity import hedges
from groundwire.jobs.ask.directness import NARROW, answering, quoted_only, relevant
from groundwire.jobs.ask.extract import Chosen, answers
from groundwire.language.text.links import has_link
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import NumberedPassage

_CLOSEST, _TITLE = 3, 80
_LONGEST_QUESTION = 200

# What and why; a writer makes its own noun of it.
Lack = tuple[Phrase | str, Phrase]


def point(dispute: Contradiction, values: str) -> Phrase:
    """Return what is contested; when one side is hearsay alone, that is said."""
    rumours = [all(hearsay(said.candidate) for said in side) for side in dispute.sides]
    is_rumour = any(rumours) and rumours.count(False) == 1
    name = "rumour" if is_rumour else f"other_{dispute.kind}"
    return phrase(f"ask.point.{name}", values=values)


def shortened(question: str) -> str:
    flat = " ".join(question.split())
    return flat if len(flat) <= _LONGEST_QUESTION else f"{flat[: _LONGEST_QUESTION - 1]}…"


def nothing(
    question: str,
    asked: Intent,
    passages: Sequence[NumberedPassage],
    absent: tuple[str, ...],
) -> tuple[Lack, ...]:
    """Why there is no answer at all."""
    if absent:
        why = phrase("ask.gap.absent", names=absent)
    elif titles := _closest(asked, passages):
        why = phrase("ask.gap.unmatched_closest", titles=titles)
    else:
        why = phrase("ask.gap.unmatched")
    gaps: list[Lack] = [(shortened(question), why)]
    terms = asked.of_kind("name", "word")
    refused = [passage for passage in passages if not usable(passage)]
    if any(named_in(term, passage) for passage in refused for term in terms):
        gaps.append((phrase("ask.gap.reliable"), phrase("ask.gap.unreliable")))
    return tuple(gaps)


def _closest(asked: Intent, passages: Sequence[NumberedPassage]) -> list[Phrase]:
    """The titles of the pages that come closest, so that a person can look for themselves."""
    names = asked.of_kind("name")
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
    question: str,
    asked: Intent,
    chosen: Sequence[Chosen],
    absent: tuple[str, ...],
    language: str,
) -> tuple[Lack, ...]:
    """What was asked for and not found, and where the answer had to quote another language."""
    found: list[Lack] = []
    worth = [answering(asked, each.first) for each in chosen]
    for facet in asked.facets:
        if facet not in (*NARROW, "why") or any(answers(facet, each) for each in worth):
            continue
        what = phrase(f"ask.facet.{facet}", question=shortened(question))
        found.append((what, phrase("ask.gap.unsaid")))
    found += [(name, phrase("ask.gap.unmentioned")) for name in absent]
    home = "zh" if language.startswith("zh") else "en"
    foreign = sum(each.first.language != home for each in chosen)
    if foreign:
        # Pages in the language of the answer are missing, whoever reads it in which.
        what = phrase(f"ask.gap.pages_{home}", about=about(asked))
        found.append((what, phrase("ask.gap.foreign", n=foreign, of=len(chosen))))
    return tuple(found)


def about(asked: Intent) -> str:
    """The subject of a question as a person would name it: its names, else its words."""
    heavy = [term for term in asked.terms if not term.light]
    named = [term.written for term in heavy if term.kind == "name"]
    parts = named or [term.written for term in heavy] or [term.written for term in asked.terms]
    return re.sub(r"\s+", " ", " ".join(parts))


_WIDE = 0.6  # of the widest breadth; narrower sentences are about something else
_ONE_TIME = 60  # days within which pages speak of the same state of things


def disputed(asked: Intent, candidates: Sequence[Candidate]) -> tuple[Contradiction, ...]:
    """Points on which sentences that answer the question differ; rumours take part here."""
    if asked.sort == "meaning":
        return ()
    pool = [each for each in candidates if relevant(asked, each)]
    broad = [_breadth(asked, each) for each in pool]
    widest = max(broad, default=0.0)
    facets = frozenset(asked.facets)
    kinds: list[Kind] = ["figure"] if facets - {"when", "who", "where"} else []
    if facets - {"who", "where"}:
        kinds.append("date")
    narrow = facets <= frozenset(NARROW)
    wide = [
        each
        for each, breadth in zip(pool, broad, strict=True)
        if breadth >= _WIDE * widest
        and not quoted_only(asked, each)
        and (not narrow or any(answering(asked, each).values()))
    ]
    found = [each for view in _views(asked) for each in contradictions(wide, kinds, view)]
    unique = {each.kind: each for each in reversed(found)}
    return tuple(
        dispute
        for kind in kinds
        if kind in unique and len((dispute := _of_one_time(unique[kind])).sides) > 1
    )


def _views(asked: Intent) -> Iterator[Intent]:
    """The question as a whole, then each of its parts: one of two questions may be disputed."""
    yield asked
    for _, words in asked.parts if len(asked.parts) > 1 else ():
        others = frozenset(asked.telling) - frozenset(words)
        terms = (replace(t, light=t.light or n in others) for n, t in enumerate(asked.terms))
        yield replace(asked, terms=tuple(terms))


def _of_one_time(dispute: Contradiction) -> Contradiction:
    """Without the sides that are told of another time: prices change, and both are right."""
    first = dispute.sides[0]
    others = tuple(side for side in dispute.sides[1:] if _days_apart(first, side) <= _ONE_TIME)
    return replace(dispute, sides=(first, *others))


def _days_apart(one: Sequence[StatedValue], other: Sequence[StatedValue]) -> int:
    days = [[day_of(said.candidate.passage) for said in side] for side in (one, other)]
    return min((abs((a - b).days) for a in days[0] for b in days[1] if a and b), default=0)


def hearsay(candidate: Candidate) -> bool:
    """Whether nobody stands behind a sentence: a post, or words that are only heard."""
    return candidate.passage.tier == "social" or hedges(candidate.text)


def _breadth(asked: Intent, candidate: Candidate) -> float:
    """Share of what is asked that a sentence has; a doubted amount is what the sides differ in."""
    terms = [(n, term.weight) for n, term in enumerate(asked.terms) if term.figure is None]
    total = sum(weight for _, weight in terms)
    here = sum(w if n in candidate.own else 0.5 * w * (n in candidate.near) for n, w in terms)
    return here / total if total else candidate.coverage
