"""How likely each sentence is to hold the answer: a few bounded features, weighed by what was learned.

The features say how much of the question stands in a sentence, beside it, in its headline and on its page (rare words
weigh more; synonyms, inflection and the other language count), whether a value of the kind that is asked for is in
it, and how it compares with the best of all sentences. The weights are data (`ranking.json`, made by
`lab.training.answers`); every one of them is at least zero.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from groundwire.evidence.data import data_lines
from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.coverage import day_of, named_things
from groundwire.evidence.questions.facets import Facet, any_of, asking_words
from groundwire.evidence.questions.intent import LONGEST, Intent
from groundwire.evidence.reading.analysis import key_of
from groundwire.evidence.reading.synonyms import alternatives
from groundwire.jobs.ask.directness import NARROW, answering
from groundwire.jobs.ask.values import value_of
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.chinese import cut
from groundwire.language.text.tokens import is_stop_word

# own, near: the share of the question in the sentence, and what its neighbours and headline add to that;
# told, told_near: the share of its words that are no names in the sentence, there or beside it, and with its headline;
# before, after, title: what each of these adds alone; terms: `Candidate.coverage`; best: own and near beside the best;
# worth: `answering`; typed: the value that is asked for; rank: of its passage; page: the share on its page, beside the best.
NAMES = (
    "own", "near", "told", "told_near", "told_titled", "before", "after", "title", "terms", "best", "worth", "typed", "rank", "page", "complete",
)  # fmt: skip
_UNIT = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+(?:[.,]\d+)*")
_HAN = re.compile(f"[{HAN}]")
_TOLD = 0.15  # less than this of what is asked, and it is about the names only
_PLAINLY, _WHOLLY = (
    0.3,
    0.6,
)  # unless so much of the question stands in it, and with what is beside it
_SAME = 0.8  # from here on another word says the same, and is not only related
_UNKNOWN = 0.7  # what a word weighs that no sentence has, relative to a rare one
_Matched = Mapping[str, float]
_NOTHING: _Matched = {}


class Spread:
    """A text as it is compared: stems of words, and pairs of neighbouring Chinese characters."""

    __slots__ = ("flat", "units")

    def __init__(self, flat: str) -> None:
        units: set[str] = set()
        for run in _UNIT.findall(flat):
            if _HAN.match(run):
                units.update(run[at : at + 2] for at in range(len(run) - 1))
            elif not is_stop_word(run):
                units.add(key_of(run))
        self.flat = flat
        self.units = frozenset(units)


@lru_cache(maxsize=4096)
def spread(text: str) -> Spread:
    """Read a text for comparison."""
    return Spread(simplify(text).lower())


@dataclass(frozen=True, slots=True)
class Sought:
    """A word of the question: its units, and other words that may stand for it."""

    units: tuple[str, ...]
    named: bool  # part of a name, a day or an amount: many sentences on the subject have it
    keys: _Matched  # other words by their stems, with how well they stand for it
    forms: tuple[tuple[str, float], ...]  # the same, Chinese words


def sought(question: str, intent: Intent) -> tuple[Sought, ...]:
    """Return the words of a question, without those that only ask."""
    flat = simplify(question[:LONGEST]).lower()
    named = Spread(" ".join(simplify(t.written).lower() for t in intent.terms if t.kind != "word"))
    for pattern in (any_of(data_lines("question_phrases.txt")), asking_words()[0]):
        flat = pattern.sub(" ", flat)
    found: list[Sought] = []
    for run in _UNIT.findall(flat):
        if not _HAN.match(run):
            if not is_stop_word(run):
                found.append(_sought((key_of(run),), key_of(run), named))
            continue
        # A pair across two words belongs to the first; a single character has nothing else.
        pairs = [run[at : at + 2] for at in range(len(run) - 1)]
        at = 0
        for word in cut(run):
            if own := tuple(pairs[at : at + len(word)]):
                found.append(_sought(own, word, named))
            at += len(word)
    return tuple(found)


def _sought(units: tuple[str, ...], word: str, named: Spread) -> Sought:
    others = alternatives(word) if len(word) > 1 else {}
    forms = tuple((form, worth) for form, worth in others.items() if _HAN.match(form))
    keys = {key: worth for key, worth in others.items() if not _HAN.match(key)}
    return Sought(units, units[0] in named.units or word in named.flat, keys, forms)


class _Pool:
    """All sentences beside one question."""

    def __init__(self, question: str, intent: Intent, candidates: Sequence[Candidate]) -> None:
        self.words = sought(question, intent)
        self._telling = tuple(word for word in self.words if not word.named)
        self.candidates = candidates
        texts = [spread(each.text) for each in candidates]
        asked = [unit for word in self.words for unit in word.units]
        wanted = frozenset(asked)
        counts = Counter(unit for each in texts for unit in each.units & wanted)
        self.weights: dict[str, float] = {}
        for unit in asked:
            rare = math.log1p(len(texts) / (counts[unit] or 1))
            self.weights[unit] = rare if counts[unit] else rare * _UNKNOWN
        self.own = [self.matched(each) for each in texts]
        self._places = {
            (each.passage.passage_id, each.order): n for n, each in enumerate(candidates)
        }
        self.titles: dict[str, _Matched] = {}
        pages: dict[str, list[_Matched]] = {}
        for each, own in zip(candidates, self.own, strict=True):
            name = each.passage.evidence_id
            if name not in self.titles:
                self.titles[name] = self.matched(spread(each.passage.title))
            pages.setdefault(name, [self.titles[name]]).append(own)
        self.pages = {name: self.share(*found) for name, found in pages.items()}

    def matched(self, text: Spread) -> _Matched:
        """Return how far each unit of the question stands in a text, where it does."""
        found: dict[str, float] = {}
        for word in self.words:
            lacking = [unit for unit in word.units if unit not in text.units]
            found.update((unit, 1.0) for unit in word.units if unit in text.units)
            if not lacking:
                continue
            others = [worth for key, worth in word.keys.items() if key in text.units]
            others += [worth for form, worth in word.forms if form in text.flat]
            if others:
                found.update((unit, max(*others, found.get(unit, 0.0))) for unit in lacking)
        return found

    def share(self, *matched: _Matched) -> float:
        """Return the share of the question that these texts have together."""
        return self._share(self.words, matched)

    def told(self, *matched: _Matched) -> float:
        """Return the share of what is asked of the names, which is more than the names."""
        sure = [{u: worth for u, worth in each.items() if worth >= _SAME} for each in matched]
        return self._share(self._telling, sure) if self._telling else 1.0

    def _share(self, words: Sequence[Sought], matched: Sequence[_Matched]) -> float:
        got = total = 0.0
        for unit in (unit for word in words for unit in word.units):
            got += self.weights[unit] * max(each.get(unit, 0.0) for each in matched)
            total += self.weights[unit]
        return got / total if total else 0.0

    def beside(self, n: int, step: int) -> _Matched:
        each = self.candidates[n]
        place = self._places.get((each.passage.passage_id, each.order + step))
        return _NOTHING if place is None else self.own[place]


def features(
    question: str, intent: Intent, candidates: Sequence[Candidate]
) -> list[tuple[float, ...]]:
    """Compute the features of each candidate, in the order of `NAMES`."""
    pool = _Pool(question, intent, candidates)
    shares: list[tuple[float, ...]] = []
    for n, each in enumerate(candidates):
        own = pool.own[n]
        around = (pool.beside(n, -1), pool.beside(n, 1), pool.titles[each.passage.evidence_id])
        share = pool.share(own)
        near = pool.share(own, *around) - share
        told = pool.told(own), pool.told(own, *around[:2]), pool.told(own, *around)
        beside = (pool.share(own, more) - share for more in around)
        shares.append((share, near, *told, *beside))
    best = max((2 * own + near for own, near, *_ in shares), default=0.0) or 1.0
    best_page = max(pool.pages.values(), default=0.0) or 1.0
    return [
        (
            *found,
            min(1.0, each.coverage),
            (2 * found[0] + found[1]) / best,
            max(answering(intent, each).values(), default=0.0),
            _typed(intent, each),
            1.0 / max(1, each.passage.number),
            pool.pages[each.passage.evidence_id] / best_page,
            min(1.0, each.quality),
        )
        for found, each in zip(shares, candidates, strict=True)
    ]


def _typed(intent: Intent, candidate: Candidate) -> float:
    """Rate whether a sentence has a value of the kind that is asked for; where none is, it has."""
    kinds: list[Facet] = [
        facet for facet in intent.facets if facet in NARROW and facet != "whether"
    ]
    things = named_things(candidate.text, day_of(candidate.passage))
    values = (value_of(intent, facet, candidate.text, things) for facet in kinds)
    return max(values) if kinds else 1.0


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature is worth, what is taken off, and where this comes from."""

    values: tuple[float, ...]
    offset: float
    origin: str

    def likelihood(self, row: Sequence[float]) -> float:
        """Compute how likely a sentence with these features holds the answer, in [0, 1]."""
        total = sum(a * b for a, b in zip(self.values, row, strict=True)) - self.offset
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def weights() -> Weights:
    """Load the weights, once."""
    found = json.loads(files("groundwire.jobs.ask").joinpath("ranking.json").read_text("utf-8"))
    values = tuple(float(found["weights"][name]) for name in NAMES)
    return Weights(values, float(found["offset"]), str(found["origin"]))


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How likely a sentence holds the answer (.5 is as likely as not), and whether it tells what is asked."""

    chance: float
    telling: bool


def likelihoods(question: str, intent: Intent, candidates: Sequence[Candidate]) -> list[Likelihood]:
    """Compute how likely each candidate holds the answer."""
    learned = weights()
    told, titled, own, near = map(NAMES.index, ("told_near", "told_titled", "own", "near"))
    return [
        Likelihood(
            round(learned.likelihood(row), 6),
            row[told] >= _TOLD
            or (row[titled] >= _TOLD and row[own] >= _PLAINLY and row[own] + row[near] >= _WHOLLY),
        )
        for row in features(question, intent, candidates)
    ]
