"""How likely two tellings are of one event: both are read for the other, their days, figures and acts are compared.

What each sign is worth is data (`likeness.json`, learned by `lab.training.told_twice`); no sign speaks for both sides.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property, lru_cache
from importlib.resources import files

from groundwire.evidence.reading.analysis import Analysis, analyse
from groundwire.evidence.reading.analysis import Sentence as Clause
from groundwire.evidence.reading.comparison import compare
from groundwire.evidence.reading.encoder import weigh
from groundwire.evidence.reading.reader import Reading, claim_of, read
from groundwire.evidence.reading.synonyms import alternatives
from groundwire.jobs.timeline.acts import is_act
from groundwire.jobs.timeline.asides import is_zoned
from groundwire.jobs.timeline.mentions import is_told_beside as is_beside_news
from groundwire.jobs.timeline.mentions import told
from groundwire.jobs.timeline.pages import Account
from groundwire.jobs.timeline.plans import DENIALS

# A sign and which way it may speak: -1 against one event, 1 for it.
SIGNS: Mapping[str, int] = {
    "next_day": -1,  # their days are a day apart, as news of an event and the event are
    "days": -1,  # more than a day apart
    "weeks": -1,
    "months": -1,
    "wider": -1,  # one is a longer time, in which the other lies
    "named_apart": -1,  # each names a day of its own: no time zone and no late report explains that
    "names_day": 1,  # one of them names the other's day
    "stated": 1,  # the encoder: one states the headline of the other
    "stated_whole": 1,  # the encoder: each states all of the other, on average
    "covered": 1,  # what the headline of one says stands in the other
    "same": 1,  # the reader: of the same matter, on average
    "figures": -1,  # of theirs that differ
    "acts": -1,  # acts in both headlines, none of which is told by the other
    "act_missing": -1,  # the same for one of them
    "planned": -1,  # one is planned, the other is not
    "denied": -1,  # one is denied or called false, the other is not
    "bare": -1,  # no headline sums one of them up: it may only mention the other
    "across": 1,  # in two languages: words are harder to find
}
SURE = 0.5  # how likely, from which on two tellings are one event: chosen on pairs that were learned without
SUMMED = 0.7  # where headlines sum both up, of two days, and no act is the same
SURER = 0.9  # where no act in one stands in the other, and no headline sums them up
SAID = 0.38  # by the sentences alone, whatever stands above them
FAR = 45  # days between two dates of one event
_OPENING = 2  # sentences under a headline that it sums up
_RARE = 1.0  # weight of a verb that says what is done
_ANNOUNCES = frozenset({"announc", "宣布"})  # acts that say nothing of what is done
_TURNED = frozenset({"negates", "takes back"})
_SAYING = frozenset({"says", "tellings"})
_WEEK = 7
_PARTED = re.compile(r"[,，;；]|(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
_DAYS = frozenset({"next_day", "days", "weeks", "months", "wider", "named_apart"})


@dataclass(frozen=True)
class Telling:
    """An event as somebody tells it: a headline, its sentence, and the days that it is put on."""

    head: str
    text: str
    first: date
    last: date
    published: date | None
    named: frozenset[tuple[date, date]]  # times in the sentence
    zoned: bool = False  # whether it says in which zone its day is

    @property
    def is_bare(self) -> bool:
        """Whether no headline sums it up."""
        return self.head in (self.text, self.said)

    @property
    def is_double(self) -> bool:
        """Whether its headline has two parts: it may sum up another event beside that of its sentence."""
        return not self.is_bare and _PARTED.search(self.head) is not None

    @cached_property
    def said(self) -> str:
        """What its sentence tells, without what it mentions beside that."""
        return told(self.text)

    @property
    def whole(self) -> str:
        return self.said if self.is_bare else f"{self.head}. {self.said}"

    @cached_property
    def analysis(self) -> Analysis:
        return analyse(self.whole, whole=True, published=self.published)

    @cached_property
    def acts(self) -> tuple[str, ...]:
        """The acts that its headline names."""
        return tuple(each for each in _head(self).keys if is_act(each))

    @cached_property
    def doing(self) -> Clause:
        """The analysis of what its sentence tells."""
        return analyse(self.said, whole=True).lead

    @cached_property
    def verbs(self) -> tuple[str, ...]:
        """What is done in it, besides that somebody says so."""
        lead = self.doing
        saying = {n for cue in lead.cues if cue.kind in _SAYING for n in range(cue.first, cue.last)}
        words = zip(lead.words, lead.kinds, strict=True)
        return tuple(
            word.key
            for n, (word, kind) in enumerate(words)
            if is_act(word.key) or (kind == "v" and word.weight > _RARE and n not in saying)
        )

    @property
    def is_denial(self) -> bool:
        """Whether it says that something is not so."""
        return not (DENIALS | _TURNED).isdisjoint(self.doing.manners)

    @cached_property
    def denied(self) -> bool:
        return not DENIALS.isdisjoint(_head(self).manners)

    @cached_property
    def planned(self) -> bool:
        return "plans" in _head(self).manners


def telling_of(account: Account, first: date, last: date) -> Telling:
    """Return an event as a sentence tells it, under the headline that sums it up."""
    title = account.page.evidence.document.title if account.order < _OPENING else ""
    named = frozenset(
        (each.first, each.last)
        for each in account.times
        if not is_beside_news(account.text, each.start - account.start)
    )
    whole = account.page.text
    zoned = any(e.first == first and is_zoned(whole, e.start, e.end) for e in account.times)
    head = told(title) or told(account.text)
    return _telling(head, account.text, first, last, account.page.day, named, zoned)


# One telling for all who ask for it, so that it is analysed once.
_telling = lru_cache(maxsize=4_096)(Telling)


@dataclass(frozen=True)
class _Head:
    keys: tuple[str, ...]
    manners: frozenset[str]


def _head(telling: Telling) -> _Head:
    lead = analyse(telling.head, whole=True).lead
    return _Head(tuple(word.key for word in lead.words), lead.manners)


def distance(one: Telling, other: Telling) -> int:
    """Count the days between two tellings; 0 where their times overlap, or may in the zones in which they are told."""
    apart = max(0, (other.first - one.last).days, (one.first - other.last).days)
    return 0 if apart == 1 and (one.zoned or other.zoned) else apart


def _is_wider(one: Telling, other: Telling) -> bool:
    overlap = one.first <= other.last and other.first <= one.last
    return overlap and (one.first, one.last) != (other.first, other.last)


def names_day(one: Telling, other: Telling) -> bool:
    """Tell whether one of two tellings on different days names the other's."""
    if (one.first, one.last) == (other.first, other.last):
        return False
    return (other.first, other.last) in one.named or (one.first, one.last) in other.named


def names_apart(one: Telling, other: Telling) -> bool:
    """Tell whether each of two tellings names the day that it is put on, and not the other's."""
    both = (one, other)
    return all((e.first, e.last) in e.named for e in both) and not names_day(one, other)


def is_one(one: Telling, other: Telling, aside: frozenset[str] = frozenset()) -> bool:
    """Tell whether two tellings are of one event: the one judge of all that are compared in a history.

    What puts it on other days must tell of the same act: who only speaks of the matter later tells another event.
    Under a headline of two parts the sentences themselves must tell it.
    """
    if distance(one, other) and "other_party" in (_read(one, other).sign, _read(other, one).sign):
        return False  # one bank is closed on Friday, another on Sunday
    if not is_likely(one, other, aside):
        return False
    return not (one.is_double or other.is_double) or is_said(one, other, aside)


def is_said(one: Telling, other: Telling, aside: frozenset[str] = frozenset()) -> bool:
    """Tell whether two sentences may be of one event, whatever headlines and days say."""
    a, b = replace(one, head=one.said), replace(other, head=other.said)
    return likelihood(a, b, aside | _DAYS, SAID) >= SAID


def is_likely(one: Telling, other: Telling, aside: frozenset[str] = frozenset()) -> bool:
    """Tell whether two tellings, each with its headline, are of one event."""
    apart = distance(one, other)
    shared = _shared_acts(one, other)
    if apart > FAR or (one.first != other.first and one.is_denial != other.is_denial):
        return False
    reported = apart == 1 and not names_apart(one, other)
    wider = _is_wider(one, other)
    if wider or (apart and not reported and not names_day(one, other)):
        acts = shared - _ANNOUNCES
        known = any(is_act(form) for each in acts for form in (each, *alternatives(each)))
        summed = not one.is_bare and not other.is_bare
        least = SURE if known else SUMMED
        return (known or summed) and likelihood(one, other, aside, least) >= least
    summed = not one.is_bare and not other.is_bare
    least = SURE if shared or summed else SURER
    return likelihood(one, other, aside, least) >= least


def _shared_acts(one: Telling, other: Telling) -> frozenset[str]:
    """Return what is done in one and, in whatever words, in the other."""
    return _said_of(one, other) | _said_of(other, one)


def _said_of(one: Telling, other: Telling) -> frozenset[str]:
    forms = {form for word in other.analysis.lead.words for form in (word.key, word.root)}
    meant = {form for each in other.verbs for form in alternatives(each)}
    return frozenset(
        each
        for each in one.verbs
        if not forms.isdisjoint((each, *alternatives(each)))
        or (is_act(each) and not meant.isdisjoint(alternatives(each)))
    )


def likelihood(
    one: Telling, other: Telling, aside: frozenset[str] = frozenset(), least: float = 0.0
) -> float:
    """Return how likely two tellings are of one event, leaving some signs aside; 0 where it is surely below `least`.

    The encoder is asked last, and only where what it may say decides.
    """
    learned = weights()
    found = _plain(one, other)
    score = learned[""] + sum(learned[name] * found[name] for name in found if name not in aside)
    bound = math.log(least / (1 - least)) if least else -math.inf
    left = sum(learned[name] for name in _ENCODED if name not in aside)
    for name, sign in _ENCODED.items():
        if score + left < bound:
            return 0.0
        if name not in aside:
            left -= learned[name]
            score += learned[name] * sign(one, other)
    return 1 / (1 + math.exp(-score))


def signs(one: Telling, other: Telling) -> dict[str, float]:
    """Compute every sign, by name; the order of the two does not matter."""
    asked = {name: sign(one, other) for name, sign in _ENCODED.items()}
    return {**_plain(one, other), **asked}


@lru_cache(maxsize=16_384)
def _stated_whole(one: Telling, other: Telling) -> float:
    wholes = [
        weigh(one.whole, other.head, other.said).supports,
        weigh(other.whole, one.head, one.said).supports,
    ]
    return sum(wholes) / 2


@lru_cache(maxsize=16_384)
def _stated(one: Telling, other: Telling) -> float:
    return max(
        weigh(one.head, other.head, other.said).supports,
        weigh(other.head, one.head, one.said).supports,
    )


# The signs of the encoder, each at most 1, the weightier first.
_ENCODED: Mapping[str, Callable[[Telling, Telling], float]] = {
    "stated_whole": _stated_whole,
    "stated": _stated,
}


# Rounds ask for the same pairs again, and within one each pair is looked at from several sides.
@lru_cache(maxsize=16_384)
def _plain(one: Telling, other: Telling) -> Mapping[str, float]:
    """Compute the signs that need no encoder."""
    apart = distance(one, other)
    readings = [_read(one, other), _read(other, one)]
    missing = [_untold(one, other), _untold(other, one)]
    return {
        "next_day": float(apart == 1),
        "days": float(apart > 1),
        "weeks": float(apart > _WEEK),
        "months": float(apart > FAR),
        "wider": float(_is_wider(one, other)),
        "named_apart": float(apart > 0 and names_apart(one, other)),
        "names_day": float(names_day(one, other)),
        "covered": max(each.seen["covered_anywhere"] for each in readings),
        "same": sum(each.same for each in readings) / 2,
        "figures": math.log1p(_other_figures(one, other)),
        "acts": float(all(missing)),
        "act_missing": float(sum(missing)),
        "planned": float(one.planned != other.planned),
        "denied": float(one.denied != other.denied),
        "bare": float(one.is_bare or other.is_bare),
        "across": float(one.analysis.chinese != other.analysis.chinese),
    }


def _read(one: Telling, other: Telling) -> Reading:
    claim = claim_of(one.head, one.last)
    return read(claim, other.said, title=other.head, published=other.last)


def _untold(one: Telling, other: Telling) -> bool:
    """Tell whether the headline of one names acts, none of which the other tells in any word."""
    return bool(one.acts) and not any(_tells(other.analysis.lead, each) for each in one.acts)


def _tells(clause: Clause, act: str) -> bool:
    keys = {word.key for word in clause.words}
    words: Sequence[str] = (act, *alternatives(act))
    return any(
        each in keys if each.isascii() and " " not in each else each in clause.low for each in words
    )


def _other_figures(one: Telling, other: Telling) -> int:
    a, b = one.analysis.lead, other.analysis.lead
    compared = [*compare(a, [(0, b)]), *compare(b, [(0, a)])]
    return sum(
        each.outcome == "other" and each.kind != "date" and not each.time for each in compared
    )


@cache
def weights() -> Mapping[str, float]:
    """Load what each sign is worth, once; the empty name is what all start from."""
    path = files("groundwire.jobs.timeline").joinpath("likeness.json")
    found = json.loads(path.read_text("utf-8"))
    return {"": float(found["start"]), **{name: float(found["weights"][name]) for name in SIGNS}}
