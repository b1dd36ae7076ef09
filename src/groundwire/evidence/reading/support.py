"""Whether quotes say what a sentence says: its words, its direction, who did it, and how surely."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from groundwire.evidence.citations.problems import problem
from groundwire.evidence.citations.quotes import QuotedText
from groundwire.evidence.reading.meaning import Pool, Unit, amounts_in, forms, named, pool, units
from groundwire.language.amounts.counts import counts
from groundwire.language.amounts.numbers import same_figure
from groundwire.language.data import words
from groundwire.language.names.names import has_name
from groundwire.language.text.clauses import Clause, clauses
from groundwire.language.text.opposites import opposites
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import tokens
from groundwire.language.text.wording import is_han
from groundwire.model.phrase import Phrase

# The share of a sentence's content words that its quotes must have, tuned on tests/evidence/claims.
COVERAGE = 0.67
# Across languages a missing word may only be one that the glossary renders differently.
FOREIGN_COVERAGE = 0.5
FOREIGN_KNOWN = 0.5

_LEAD = re.compile(
    r"\A(?:according to (?:the |this |its |that )?(?:source|page|article|report|text|passage|document|statement|quote)s?,? ?"
    r"|the (?:source|page|article|report|passage|document|text) (?:says|said|states|reports|notes|shows)(?: that)? "
    r"|(?:据|根据)(?:该|这)?(?:来源|报道|消息|原文|文章|资料|网页|公开资料)(?:称|显示|报道|表示)?,?"
    r"|(?:来源|报道|原文|文章|资料)(?:称|显示|指出|表示|提到),?)",
    re.IGNORECASE,
)


@dataclass
class Weighed:
    """What speaks against a sentence, and what only keeps it from being certain."""

    problems: list[Phrase] = field(default_factory=list[Phrase])
    doubts: list[Phrase] = field(default_factory=list[Phrase])


def statement(flat: str) -> str:
    """The sentence without words that only say that a source says it."""
    return _LEAD.sub("", flat)


def weigh(flat: str, places: Sequence[QuotedText]) -> Weighed:
    """Compare a sentence in its normal form with the sentences its quotes were taken from."""
    said = statement(flat)
    whole = pool("\n".join(place.whole for place in places))
    found = Weighed()
    _cover(said, whole, found)
    theirs = [clause for place in places for clause in clauses(place.whole)]
    if said.rstrip("\"' ").endswith("?"):
        theirs = []
    if theirs and (_contradicted(said, whole) or _only_negated(said, theirs)):
        found.problems.append(problem("opposite"))
    for mine in clauses(said):
        near = _nearest(mine, theirs)
        if not near:
            continue
        verdicts = [_conflicts(mine, other, said) for other in near]
        best = min(verdicts, key=lambda pair: (len(pair.problems), len(pair.doubts)))
        found.problems.extend(p for p in best.problems if p not in found.problems)
        found.doubts.extend(d for d in best.doubts if d not in found.doubts)
    return found


def _contradicted(said: str, whole: Pool) -> bool:
    """Whether the quotes have the opposite of a word and nowhere the word itself."""
    here = pool(said)
    return any(
        whole.wording.has_any(side) and not here.wording.has_any(side)
        for unit in units(said)
        if not whole.wording.has_any(unit.forms)
        for side in opposites(unit.text)
    )


def _only_negated(said: str, theirs: Sequence[Clause]) -> bool:
    """Whether what the sentence states stands in the quotes only where it is negated."""
    own = {word for clause in clauses(said) for word in clause.negated}
    for unit in _stated(said):
        if own & {stem(unit.text), *unit.forms}:
            continue
        holders = [clause for clause in theirs if pool(clause.text).has(unit)]
        if holders and all(set(clause.negated) & set(unit.forms) for clause in holders):
            return True
    return False


def _cover(said: str, whole: Pool, found: Weighed) -> None:
    """Whether enough of the words, and what each clause states, stand in the quotes."""
    content = units(said)
    if not content:
        return
    mine = pool(said)
    foreign = mine.chinese != whole.chinese
    known = [
        unit for unit in content if not foreign or unit.known_in(whole.chinese) or whole.has(unit)
    ]
    if foreign and len(known) < FOREIGN_KNOWN * len(content):
        found.doubts.append(problem("undecided"))
        return
    share = sum(whole.has(unit) for unit in known) / len(known)
    least = FOREIGN_COVERAGE if foreign else COVERAGE
    lacking = [unit for unit in _stated(said) if unit in known and not whole.has(unit)]
    # Across languages the glossary may render the act otherwise, when all the rest is there.
    excused = foreign and sum(whole.has(unit) for unit in known) >= max(2, len(known) - 1)
    if share < least or (lacking and not excused):
        found.problems.append(problem("other"))
    elif lacking or (foreign and any(unit not in known for unit in _stated(said))):
        found.doubts.append(problem("undecided"))


def _stated(said: str) -> list[Unit]:
    """What each clause states: its first predicate."""
    content = units(said)
    found: list[Unit] = []
    for clause in clauses(said):
        inside = [unit for unit in content if clause.start <= unit.start < clause.end]
        first = next((unit for unit in inside if unit.predicate), None)
        if first is not None:
            found.append(first)
    return found


def _nearest(mine: Clause, theirs: Sequence[Clause]) -> list[Clause]:
    """The clauses that speak most clearly of the same thing."""
    scores = [_score(mine.text, other.text) for other in theirs]
    best = max(scores, default=0.0)
    return [other for other, score in zip(theirs, scores, strict=True) if best and score == best]


@lru_cache(maxsize=4096)
def _score(mine: str, other: str) -> float:
    there = pool(other)
    score = 0.0
    for unit in units(mine):
        if there.has(unit):
            score += 1.5 if unit.predicate else 1.0
        elif any(_opposed(unit.text, there)):
            score += 1.0
    theirs = amounts_in(other)
    score += sum(2.0 for f in amounts_in(mine) if any(same_figure(f, g) for g in theirs))
    score += sum(0.75 for name in named(mine) if has_name(name.text, other))
    numbers = {(count.kind, count.value) for count in counts(other)}
    return score + sum(0.5 for count in counts(mine) if (count.kind, count.value) in numbers)


def _conflicts(mine: Clause, other: Clause, said: str) -> Weighed:
    found = Weighed()
    negated = _negates(other, mine) or _negates(mine, other)
    if (other.denied and not mine.denied) or negated or _turned(mine.text, other.text):
        found.problems.append(problem("opposite"))
    if other.asked and not mine.asked:
        found.problems.append(problem("question"))
    if _swapped(mine.text, other.text):
        found.problems.append(problem("roles"))
    own = clauses(said)
    hedged = mine.hedged or mine.rumour or any(clause.rumour for clause in own)
    unsure = (other.hedged and not hedged) or (
        other.planned and not (mine.planned or mine.hedged or mine.negated)
    )
    if unsure:
        found.doubts.append(problem("uncertain"))
    return found


def _negates(one: Clause, other: Clause) -> bool:
    """Whether `one` negates what `other` says without negation."""
    there = pool(other.text)
    plain = {stem(token) for token in tokens(other.text)} - set(other.negated)
    for word in one.negated:
        if word in plain:
            return True
        ways = [way for way in forms(word) if way not in other.negated]
        if not other.negated and any(
            way in plain or (is_han(way) and len(way) > 1 and way in there.text) for way in ways
        ):
            return True
    return False


def _opposed(word: str, there: Pool) -> list[bool]:
    return [there.wording.has_any(side) for side in opposites(word)]


def _turned(mine: str, other: str) -> bool:
    """Whether the quote has the opposite word and not this one."""
    there, here = pool(other), pool(mine)
    for unit in units(mine):
        if _by_wording(unit, there):
            continue
        for side in opposites(unit.text):
            if there.wording.has_any(side) and not here.wording.has_any(side):
                return True
    return False


def _by_wording(unit: Unit, there: Pool) -> bool:
    return there.wording.has_any(unit.forms)


# Who did it to whom.

_PASSIVE = re.compile(r"\b(?:was|were|been|being|is|are|be|get|got)\b[^,;]{0,24}\Z", re.IGNORECASE)


def _swapped(mine: str, other: str) -> bool:
    """Whether two names stand the other way round about the same act."""
    listed = list(dict.fromkeys(name.text for name in named(mine)))
    if len(listed) < 2:
        return False
    for unit in units(mine):
        if not unit.predicate:
            continue
        agent, patient = _roles(mine, unit, listed)
        if (
            not agent
            or not patient
            or has_name(agent, patient)
            or not has_name(agent, other)
            or not has_name(patient, other)
        ):
            continue
        theirs = list(dict.fromkeys(name.text for name in named(other)))
        for act in units(other):
            if not set(act.forms) & set(unit.forms):
                continue
            their_agent, their_patient = _roles(other, act, theirs)
            if not their_agent or not their_patient:
                continue
            if has_name(agent, their_patient) and has_name(patient, their_agent):
                return True
    return False


def _roles(text: str, act: Unit, listed: Sequence[str]) -> tuple[str, str]:
    """The names before and after an act, turned round where it is passive."""
    end = act.start + len(act.text)
    places = [(text.find(name), name) for name in listed]
    before = [name for at, name in sorted(places) if 0 <= at < act.start]
    after = [name for at, name in sorted(places) if at >= end]
    if re.search(r"被|由|遭", text[: act.start]) and len(before) > 1:
        return before[-1], before[-2]
    if not before or not after:
        return "", ""
    tail = text[end : text.find(after[0])]
    if re.search(r"\bby\b", tail) and _PASSIVE.search(text[: act.start]):
        return after[0], before[-1]
    return before[-1], after[0]


def apart(flat: str, places: Sequence[QuotedText]) -> list[Phrase]:
    """Figures whose subject is in another quote, or has another figure in the same one."""
    found: list[Phrase] = []
    for clause in clauses(statement(flat)):
        stated = amounts_in(clause.text)
        listed = [name for name in named(clause.text) if not _is_titled(name.text)]
        for figure in stated:
            subject = next((name.text for name in listed if name.start < figure.start), "")
            if not subject:
                continue
            holders = [
                p for p in places if any(same_figure(figure, g) for g in amounts_in(p.whole))
            ]
            if not holders:
                continue
            if not any(has_name(subject, _around(place)) for place in holders) or all(
                _has_another(subject, figure.start, clause.text, place) for place in holders
            ):
                found.append(
                    problem(
                        "apart",
                        what=figure.text or clause.text[figure.start : figure.end],
                        whom=subject,
                    )
                )
    return found


def misplaced(flat: str, places: Sequence[QuotedText]) -> list[Phrase]:
    """Figures that the quotes give for another act, while they give this act another figure."""
    found: list[Phrase] = []
    theirs = [clause.text for place in places for clause in clauses(place.whole)]
    for clause in clauses(statement(flat)):
        acts = [unit for unit in units(clause.text) if unit.predicate]
        for figure in amounts_in(clause.text) if acts else ():
            same = [t for t in theirs if any(same_figure(figure, g) for g in amounts_in(t))]
            apart_from = [
                text
                for text in theirs
                if text not in same and any(g.unit == figure.unit for g in amounts_in(text))
            ]
            stands = any(pool(text).has(act) for text in same for act in acts)
            elsewhere = any(pool(text).has(act) for text in apart_from for act in acts)
            busy = all(any(unit.predicate for unit in units(text)) for text in same)
            if same and not stands and elsewhere and busy:
                found.append(problem("bound", what=clause.text[figure.start : figure.end]))
    return found


def _is_titled(name: str) -> bool:
    return name.lower() in words("titles and calendar")


def _around(place: QuotedText) -> str:
    return "\n".join((place.whole, place.before, place.title))


def _has_another(subject: str, at: int, text: str, place: QuotedText) -> bool:
    """Whether the quote gives this figure to another name, and another figure to this one."""
    figure = next(f for f in amounts_in(text) if f.start == at)
    own = other = False
    for clause in clauses(place.whole):
        stated = amounts_in(clause.text)
        mine = has_name(subject, clause.text)
        same = [g for g in stated if same_figure(figure, g)]
        if same and mine:
            return False
        if same and any(name.start < same[0].start for name in named(clause.text)):
            other = True
        if mine and any(g.unit == figure.unit for g in stated):
            own = True
    return own and other
