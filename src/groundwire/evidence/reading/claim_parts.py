"""A claim taken apart for reading pages: who and what it names, what is done, its figures, its other words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from groundwire.evidence.reading.claim_words import Detail, cut_names, people_in, telling
from groundwire.evidence.reading.meaning import amounts_in, named, units
from groundwire.evidence.reading.name_patterns import (
    GENERIC,
    Anchor,
    anchor,
    is_generic,
    named_anchor,
    party_ways,
)
from groundwire.evidence.reading.predicates import Act, Done, done_in, pattern
from groundwire.evidence.reading.terms import Term, reading
from groundwire.language.amounts.numbers import Figure
from groundwire.language.data import words
from groundwire.language.names.names import written_ways
from groundwire.language.text.characters import normalise
from groundwire.language.text.rarity import UNLISTED, rarity
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import stop_words
from groundwire.language.text.wording import is_han
from groundwire.language.time.dates import date_mentions, date_spans

_JOINS = re.compile(r"[ &/'.-]{1,3}|(?: of | and the )")
_ALIAS = re.compile(r" ?[(\[]?\$?")
LIGHT = words("light acts")  # said beside what is done: agreed to buy, ordered to close
SAID = LIGHT | {"release"}
_LATER, _OPENS = 0.4, 0.6
_WHERE = 0.5  # a name that says where, of the weight it would have
_WHERE_BEFORE = re.compile(r" (on|in|at|off|near|outside|across) (?:the )?(?:[a-z]+ ){0,2}\Z")
_PLAIN = re.compile("[A-Z][a-z]+")
_CAUSED = re.compile(
    r"\b(?:caused|triggered|set off) by (?P<by>[^,.;]+)|\b(?:result|work) of (?P<of>[^,.;]+)|"
    "由(?P<zh>[^,。]{2,16}?)(?:引起|引发|导致|造成|所致)|(?:原因|起因)(?:是|为|系)(?P<why>[^,。]{2,16})"
)
_COMMA = re.compile(r",(?!\d{3})")  # not the one of 52,000
_ALIAS_REACH = 12
_PAIR = 2  # characters of a body's name that are enough to know it by
_WILL = re.compile(
    r"\b(?:will|to|plans?|planning|considering|weighs?|may|could|expected|in talks|proposes?|set to|about to|soon)\b|"
    r"将|要上|拟|计划|考虑|预计|即将|准备|洽|正谈|谈"
)
_AGAIN = re.compile(
    r"\b(?:again|second (?:time|attack|hack|breach|dns)|another|once more)\b|又|再次|再度|第二次"
)
_OPENING = re.compile(r" [a-z\d$]")
_AFTERWARDS = re.compile("(?:之|以)?后(?!续)|期间")
_WHEN = re.compile(r"(?:after|following|amid|in the wake of|when|as|because of|due to)\b|[因由]于?")
_LIVE = re.compile(
    r"\b(?:right now|as we speak|just (?:hit|struck|happened|broke|collapsed|exploded|crashed)|(?:is|are) (?:now )?\w{3,}ing|this (?:morning|evening|afternoon)|tonight|minutes ago)\b|"
    "刚刚|正在|正遭|正被|今早|今晚|此刻|现在"
)


@dataclass(frozen=True)  # what is worked out of it is remembered
class ClaimParts:
    """What a page must speak of to speak of the claim."""

    claim: str  # as it is written
    flat: str
    low: str
    han: bool
    anchors: tuple[Anchor, ...]
    done: tuple[Done, ...]
    figures: tuple[Figure, ...]
    details: tuple[Detail, ...]
    ahead: bool  # it speaks of what is to come
    again: bool  # it happened before
    live: bool  # it happens as it is told

    @cached_property
    def cause(self) -> tuple[Act, ...]:
        """What it says brought the event about: a blast that was caused by a strike."""
        spans = [match.span(match.lastgroup or 0) for match in _CAUSED.finditer(self.low)]
        inside = [d for d in self.done if any(a <= d.start and d.end <= b for a, b in spans)]
        first = self.done[0].acts if self.done else ()
        return tuple(act for each in inside for act in each.acts if act not in first)

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Families of what it says was done."""
        return tuple(dict.fromkeys(act for each in self.done for act in each.acts))

    @cached_property
    def subject(self) -> int:
        """The name that comes first in the claim, by its number."""
        places = [self.flat.find(each.text) for each in self.anchors]
        return min(range(len(places)), key=places.__getitem__, default=-1)

    @cached_property
    def unfamiliar(self) -> bool:
        """Whether no family has what it says was done, or only one that says that something was said."""
        return all(act.name.startswith("to ") or act.name in SAID for act in self.acts)

    @cached_property
    def later(self) -> tuple[Act, ...]:
        """Families of what only a later clause says was done: a key leaked, coins were taken."""
        comma = self.low.find(",", self.done[0].end) if self.done else -1
        first = {
            act.name for each in self.done if comma < 0 or each.start < comma for act in each.acts
        }
        return tuple(a for a in self.acts if a.name not in first and a.name not in LIGHT)

    def _frames(self, done: Done) -> bool:
        """Whether an act only says when another happened: 升空后, after the hack, …"""
        if _AFTERWARDS.match(self.low, done.end):
            return True
        comma = self.low.find(",", done.end)
        return comma >= 0 and "," not in self.low[: done.end] and bool(_WHEN.match(self.low))

    @cached_property
    def main(self) -> tuple[Act, ...]:
        """Families of the act that the claim is about."""
        if not self.done:
            return ()
        news = [e for e in self.done if not self._frames(e)] or list(self.done)
        comma = self.low.find(",", news[0].end)
        first = [e for e in news if comma < 0 or e.start < comma]
        heavy = [e for e in first if any(act.name not in LIGHT for act in e.acts)]
        return (heavy or first)[0].acts


@lru_cache(maxsize=256)
def parts_of(claim: str) -> ClaimParts:
    """The parts of a claim, remembered: every page of a message is read with them."""
    flat = normalise(claim).text
    low = flat.lower()
    runs = _name_runs(flat)
    amounts = amounts_in(flat)
    done = _done(flat, low, runs) or _other_acts(flat)
    spent = [*((each.start, each.end) for each in done), *date_spans(flat)]
    spent.extend((figure.start, figure.end) for figure in amounts)
    terms = [term for term in reading(claim).terms if term.weight and not _inside(term, spent)]
    anchors = [named_anchor(flat, run) for run in runs]
    spent.extend((run[0][0], run[-1][1]) for run in runs)
    cut = cut_names(flat, terms)
    people = [(a, b) for a, b in people_in(flat) if not any(a < d and c < b for c, d in cut)]
    cut = sorted({*cut, *people})
    anchors.extend(anchor((flat[a:b],), 1.0) for a, b in cut)
    terms = [t for t in terms if not any(t.start < b and a < t.end for a, b in cut)]
    rest = [term for term in terms if not _inside(term, spent)]
    more, details = telling(flat, rest)
    anchors.extend(more)
    anchors = _weighed(flat, _one_of_both(flat, anchors), done)
    return ClaimParts(
        claim=claim,
        flat=flat,
        low=low,
        han=is_han(flat),
        anchors=tuple(anchors),
        done=done,
        figures=tuple(amounts),
        details=details,
        ahead=_WILL.search(low) is not None,
        again=_AGAIN.search(low) is not None,
        live=_LIVE.search(low) is not None,
    )


def _done(flat: str, low: str, runs: list[list[tuple[int, int]]]) -> tuple[Done, ...]:
    """What it says was done; a word inside a name says nothing, unless nothing else does."""
    found = done_in(low) if len(low) == len(flat) else ()
    spans = [(run[0][0], run[-1][1]) for run in runs]
    spans.extend((day.start, day.end) for day in date_mentions(flat))
    spans.extend(people_in(flat))
    found = tuple(each for each in found if not _is_across(flat, each))
    outside = tuple(
        each for each in found if not any(a <= each.start and each.end <= b for a, b in spans)
    )
    return outside or found


def _is_across(flat: str, done: Done) -> bool:
    """Whether Chinese words are cut through by what looks like an act: 配发|现金 is no 发现."""
    if not is_han(flat[done.start : done.end]):
        return False
    before = [t for t in reading(flat).terms if t.start < done.start < t.end < done.end]
    return any(
        t.start < done.end < t.end and t.start > done.start for t in reading(flat).terms
    ) and bool(before)


def _other_acts(flat: str) -> tuple[Done, ...]:
    """What a claim says in words that no family has: its verbs, in every wording that is known."""
    found: list[Done] = []
    for unit in units(flat):
        if unit.predicate:
            ways = [_verb(form) for form in unit.forms if len(form) > 1]
            said = re.compile("|".join(ways))
            never = pattern("")
            act = Act(f"to {unit.forms[0]}", said, never, never)
            found.append(Done(unit.start, unit.start + len(unit.text), (act,)))
    return tuple(found)


def _verb(form: str) -> str:
    """A stemmed word as a pattern of its inflections."""
    if is_han(form):
        return re.escape(form)
    if form.endswith("y"):
        return rf"(?<![a-z]){re.escape(form[:-1])}(?:y|ies|ied|ying|ications?)(?![a-z])"
    return (
        rf"(?<![a-z]){re.escape(form)}(?:e|ed|es|s|ing|{re.escape(form[-1])}(?:ed|ing))?(?![a-z])"
    )


def _one_of_both(flat: str, anchors: list[Anchor]) -> list[Anchor]:
    """A Chinese name with its Latin one in brackets, or right behind it at the beginning, is one name."""
    found = list(anchors)
    for latin in [each for each in anchors if not is_han(each.text)]:
        at = flat.find(latin.text)
        bracketed = flat[at - 1 : at] == "(" and is_han(flat[max(0, at - 2) : at])
        opening = flat[:at] if _PAIR <= at <= _PAIR + 1 else ""
        if bracketed:
            near = [
                a for a in found if is_han(a.text) and 0 < at - flat.find(a.text) <= _ALIAS_REACH
            ]
            if near:
                found.remove(near[-1])
                found[found.index(latin)] = _both(latin, near[-1])
        elif opening and is_han(opening[0]) and opening not in GENERIC:
            own = [a for a in found if is_han(a.text) and opening in (a.text, a.text[:at])]
            for each in own:
                found.remove(each)
            found[found.index(latin)] = _both(latin, anchor((opening,), 1.0))
    return found


def _both(one: Anchor, other: Anchor) -> Anchor:
    written = re.compile(f"{one.written.pattern}|{other.written.pattern}")
    known = (one.known[0] or other.known[0], one.known[1] or other.known[1])
    return Anchor(one.text, written, max(one.weight, other.weight), known)


def _weighed(flat: str, anchors: list[Anchor], done: tuple[Done, ...]) -> list[Anchor]:
    """Names of a clause that goes on after the act tell less; so does a capital that opens the claim."""
    heavy = [each for each in done if any(act.name not in LIGHT for act in each.acts)] or done
    behind = _COMMA.search(flat, heavy[0].end) if heavy else None
    comma = behind.start() if behind else -1
    found: list[Anchor] = []
    for each in anchors:
        at = flat.find(each.text)
        weight = each.weight
        if comma >= 0 and at > comma:
            weight *= _LATER
        elif at == 0 and each.known == (True, False) and _PLAIN.fullmatch(each.text):
            weight *= _OPENS
        elif len(anchors) > 1 and _says_where(flat, at, found[-1].text if found else "", done):
            weight *= _WHERE
        found.append(replace(each, weight=weight))
    return found


def _says_where(flat: str, at: int, last: str, done: tuple[Done, ...]) -> bool:
    """Whether a name only says where: Morrow Lend on Arbitrum, a plant in Leeds; not a stake in it."""
    match = _WHERE_BEFORE.search(flat, 0, at)
    if match is None:
        return False
    if match.group(1) in ("off", "near", "outside"):
        return True
    if match.group(1) == "on":
        return bool(last) and flat[: match.start()].endswith(last)
    # The only name of a claim is who it speaks of: a strike at Corvane.
    return bool(last) and not any(each.end == match.start() for each in done)


def _name_runs(flat: str) -> list[list[tuple[int, int]]]:
    """Names that are known or capitalised, each with the words and the ticker that belong to it."""
    runs: list[list[tuple[int, int]]] = []
    for name in named(flat):
        if flat[max(0, name.start - 1) : name.start].isdigit():
            continue  # a unit: 190Wh
        if name.text.isupper() and _is_shouted(name.text.lower()):
            continue
        if not name.start and _is_opener(flat, name.text):
            continue
        between = flat[runs[-1][-1][1] : name.start] if runs else "x"
        joined = _JOINS.fullmatch(between) or (between and _ALIAS.fullmatch(between))
        if runs and joined and not is_han(name.text):
            runs[-1].append((name.start, name.end))
        else:
            runs.append([(name.start, name.end)])
    return [run for run in _joined(flat, runs) if not all(is_generic(flat[a:b]) for a, b in run)]


def _joined(flat: str, runs: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Chinese names side by side that are one party's: 中国|证监会."""
    found: list[list[tuple[int, int]]] = []
    for run in runs:
        start = found[-1][0][0] if found else 0
        beside = bool(found) and found[-1][-1][1] == run[0][0]
        if beside and party_ways(flat[start : run[-1][1]]):
            found[-1] = [(start, run[-1][1])]
        else:
            found.append(run)
    return found


def _is_shouted(low: str) -> bool:
    """Whether a word in capitals is an ordinary one: IS, HACKED."""
    if _is_act(low):
        return True
    known = len(written_ways(low.upper())) > 1 or party_ways(low.upper())
    return low in stop_words() and not known  # WHO is known


def _is_opener(flat: str, word: str) -> bool:
    """Whether a word has its capital only from its place: Quake off …, Train derails …"""
    if not word.istitle() or not _OPENING.match(flat, len(word)):
        return False
    known = len(written_ways(word)) > 1 or party_ways(word)
    return _is_act(word.lower()) or (rarity(stem(word.lower())) < UNLISTED and not known)


def _is_act(low: str) -> bool:
    return any(each.end - each.start == len(low) for each in done_in(low))


def _inside(term: Term, spans: list[tuple[int, int]]) -> bool:
    return any(start <= term.start and term.end <= end for start, end in spans)
