"""The words of a passage that stand for words of a claim, across inflection, synonyms and languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache

from groundwire.evidence.reading.analysis import Analysis, Sentence, Word, analyse
from groundwire.evidence.reading.comparison import Compared, compare
from groundwire.evidence.reading.synonyms import alternatives, chinese_forms, phrases_of
from groundwire.language.text.chinese import is_chinese

_LIGHT = 0.5  # words that weigh less do not choose a sentence
_SPELT = 0.9  # of a match, where only pairs of characters tell it
_KEPT = 4  # sentences looked at for figures and dates besides the best one


@dataclass(slots=True)
class Sought:
    """A word of the claim and everything that may stand for it."""

    word: Word
    weight: float
    keys: dict[str, float]
    phrases: dict[str, float]
    value: bool = False  # part of a figure, a date or a count: compared there
    pairs: tuple[
        str, ...
    ] = ()  # of Chinese characters: each with the one before it, the last with the one after it


class Claim:
    """A claim prepared for the search once, for all passages."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.sentence = analysis.lead
        self.low = self.sentence.low

    @cached_property
    def sought(self) -> list[Sought]:
        taken = [
            (each.start, each.end)
            for each in (*self.sentence.figures, *self.sentence.dates, *self.sentence.counts)
        ]
        cued = {
            at
            for cue in self.sentence.cues
            if cue.kind in _GRAMMAR
            for at in range(cue.first, cue.last)
        }
        found: list[Sought] = []
        for at, word in enumerate(self.sentence.words):
            value = any(start < word.end and word.start < end for start, end in taken)
            found.append(
                _sought(
                    word, 0.05 if at in cued else min(word.weight, 1.5) if value else word.weight
                )
            )
            found[-1].value = value
            found[-1].pairs = _pairs(self.low, word)
        for start, end, form in chinese_forms(self.low):
            inside = [e for e in found if e.word.start >= start and e.word.end <= end]
            _add_phrase(inside, form)
        for first, last, form in phrases_of([word.key for word in self.sentence.words]):
            _add_phrase(found[first:last], form)
        return found

    @cached_property
    def total(self) -> float:
        return sum(each.weight for each in self.sought) or 1.0


@lru_cache(maxsize=512)
def claim_of(text: str, said: date | None = None) -> Claim:
    """Prepare a claim, once for all passages; `said` is the day of its message."""
    return Claim(analyse(text, published=said, whole=True))


# Words that only say how something is told are compared as standing, not as words.
_GRAMMAR = frozenset(
    {"negates", "denies", "false", "retells", "hedges", "plans", "asks", "supposes", "passive"}
)


def _add_phrase(words: Sequence[Sought], form: str) -> None:
    """Let each word of a phrase be matched by anything that stands for the whole phrase."""
    others = alternatives(form)
    phrases = {other: s for other, s in others.items() if " " in other or not other.isascii()}
    for each in words:
        if each.value:
            continue
        each.phrases.update(phrases)
        for key, strength in others.items():
            if " " not in key and strength > each.keys.get(key, 0.0):
                each.keys[key] = strength


def _pairs(low: str, word: Word) -> tuple[str, ...]:
    if word.key.isascii():
        return ()
    return tuple(
        pair if len(pair := low[max(0, n - 1) : n + 1]) == 2 and not pair.isascii() else "\0"
        for n in range(word.start, word.end + 1)
    )


def _sought(word: Word, weight: float) -> Sought:
    others = alternatives(word.key)
    keys = {word.key: 1.0} | {key: s for key, s in others.items() if " " not in key}
    phrases = {key: s for key, s in others.items() if " " in key or not key.isascii()}
    return Sought(word, weight, keys, phrases)


@dataclass
class Alignment:
    """A claim laid beside a passage: the sentence that covers it best, and what the others add."""

    claim: Claim
    passage: Analysis
    best: int
    covered: list[float]  # of each sentence, by words that weigh something
    values: list[Compared]
    anywhere: list[float]  # how well each claim word is matched, headline included

    @property
    def sentence(self) -> Sentence:
        return self.passage.sentences[self.best]


def align(claim: Claim, passage: Analysis) -> Alignment:
    """Align a claim with the best sentence of a passage."""
    hits = _hits(claim, passage)
    size = len(passage.sentences)
    covered = [0.0] * size
    for number, words in hits.items():
        covered[number] = sum(s * claim.sought[i].weight for i, s in words.items()) / claim.total
    best = max(range(size), key=lambda number: (covered[number], -number))
    order = sorted(range(size), key=lambda number: (abs(number - best) > 1, -covered[number]))
    near = [best, *(n for n in order if n != best)][: 1 + _KEPT]
    beside = [(size, passage.title)] if passage.title is not None else []
    values = compare(claim.sentence, [*((n, passage.sentences[n]) for n in near), *beside])
    anywhere = [0.0] * len(claim.sought)
    if passage.title is not None:
        title = Analysis("", passage.normal, [passage.title], None, is_chinese(passage.title.text))
        hits = {**hits, size: _hits(claim, title).get(0, {})}
    for words in hits.values():
        for i, strength in words.items():
            anywhere[i] = max(anywhere[i], strength)
    for value in values:
        if value.outcome in ("same", "near"):
            for i, each in enumerate(claim.sought):
                if each.word.start < value.end and value.start < each.word.end:
                    anywhere[i] = 1.0
    return Alignment(claim, passage, best, covered, values, anywhere)


def _hits(claim: Claim, passage: Analysis) -> dict[int, dict[int, float]]:
    """Map sentences to the claim words they hold, with strengths; longer passages are not searched for light words."""
    index = passage.index
    found: dict[int, dict[int, float]] = {}
    for i, each in enumerate(claim.sought):
        if each.weight < _LIGHT and len(passage.sentences) > 1:
            continue
        for key, strength in each.keys.items():
            for number, _ in index.get(key, ()):
                words = found.setdefault(number, {})
                if strength > words.get(i, 0.0):
                    words[i] = strength
        if each.phrases or passage.chinese:
            # Chinese words stand in Chinese sentences only, and the other way round.
            phrases = [
                (_search_form(phrase), strength)
                for phrase, strength in each.phrases.items()
                if phrase.isascii() != passage.chinese and _search_form(phrase) in passage.whole
            ]
            chinese_key = (
                each.word.key if len(each.word.key) > 1 and not each.word.key.isascii() else ""
            )
            for number, sentence in enumerate(passage.sentences):
                words = found.get(number, {})
                if words.get(i, 0.0) >= 1.0:
                    continue
                low = sentence.low
                if chinese_key and chinese_key in low:
                    found.setdefault(number, {})[i] = 1.0
                    continue
                text = low if passage.chinese else sentence.keyed
                if each.pairs and passage.chinese and (spelling := _spelling_match(each, sentence)):
                    words = found.setdefault(number, {})
                    words[i] = max(spelling, words.get(i, 0.0))
                for phrase, strength in phrases:
                    if strength > words.get(i, 0.0) and phrase in text:
                        words = found.setdefault(number, {})
                        words[i] = strength
    return found


def _spelling_match(each: Sought, sentence: Sentence) -> float:
    """Tell how well a Chinese word stands there by its pairs of characters, however both were segmented."""
    low = sentence.low
    present = [pair in low for pair in each.pairs]
    size = len(each.word.key)
    # A character counts when a pair that it is in stands there.
    matched = sum(present[n] or present[n + 1] for n in range(size))
    return _SPELT * matched / size if matched * 2 >= size else 0.0


def _search_form(phrase: str) -> str:
    """Return a phrase as it appears among the keys of a sentence, or unchanged if it is Chinese."""
    return f" {phrase} " if phrase.isascii() else phrase
