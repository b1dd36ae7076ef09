"""The words of a passage that stand for words of a claim, across inflection, synonyms and languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from groundwire.evidence.reading.analysis import Analysis, Sentence, Word
from groundwire.evidence.reading.comparison import Compared, compare
from groundwire.evidence.reading.synonyms import alternatives, chinese_forms, opposed, phrases_of

_LIGHT = 0.5  # words that weigh less do not choose a sentence
_PREFIX = 5
_CONTAINED, _ALIKE, _SPELT = 0.8, 0.6, 0.9
_KEPT = 4  # sentences looked at for figures and dates besides the best one


@dataclass
class Sought:
    """A word of the claim and everything that may stand for it."""

    word: Word
    weight: float
    keys: dict[str, float]
    phrases: dict[str, float]
    against: frozenset[str]
    value: bool = False  # part of a figure, a date or a count: compared there
    pairs: tuple[
        str, ...
    ] = ()  # of Chinese characters: each with the one before it, the last with the one after it

    @cached_property
    def strongest(self) -> list[tuple[str, float]]:
        """Its phrases, the strongest first."""
        return sorted(self.phrases.items(), key=lambda pair: -pair[1])

    @cached_property
    def strongest_ascii(self) -> list[tuple[str, float]]:
        """Those of them that can stand in a text without Chinese characters."""
        return [each for each in self.strongest if each[0].isascii()]


@dataclass(slots=True)
class Link:
    """A word of the claim paired with the word of the sentence that stands for it."""

    claim: int
    at: int
    strength: float


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
    return Sought(word, weight, keys, phrases, opposed(word.key))


@dataclass
class Alignment:
    """A claim laid beside a passage: the sentence that covers it best, and what the others add."""

    claim: Claim
    passage: Analysis
    best: int
    covered: list[float]  # of each sentence, by words that weigh something
    links: list[Link]
    against: list[Link]  # words of the sentence that oppose words of the claim
    values: list[Compared]
    strengths: list[float]  # of each claim word in the best sentence
    around: list[float]  # with its neighbours and the title
    anywhere: list[float]
    hits: dict[int, dict[int, float]]  # sentence to claim word to strength: the same for every `at`

    @property
    def sentence(self) -> Sentence:
        return self.passage.sentences[self.best]


def align(
    claim: Claim, passage: Analysis, at: int | None = None, known: Alignment | None = None
) -> Alignment:
    """Align a claim with the best sentence of a passage, or with sentence `at`.

    `known` is an earlier alignment of the same two, whose hits are reused.
    """
    hits = known.hits if known else _hits(claim, passage)
    size = len(passage.sentences)
    covered = [0.0] * size
    for number, words in hits.items():
        covered[number] = sum(s * claim.sought[i].weight for i, s in words.items()) / claim.total
    best = max(range(size), key=lambda number: (covered[number], -number)) if at is None else at
    sentence = passage.sentences[best]
    order = sorted(range(size), key=lambda number: (abs(number - best) > 1, -covered[number]))
    near = [best, *(n for n in order if n != best)][: 1 + _KEPT]
    values = compare(claim.sentence, [(n, passage.sentences[n]) for n in near])
    links, against = _links(claim, sentence, [v for v in values if v.place and v.place[0] == best])
    strengths = [0.0] * len(claim.sought)
    for link in links:
        strengths[link.claim] = link.strength
    around, anywhere = list(strengths), list(strengths)
    for number, words in hits.items():
        for i, strength in words.items():
            anywhere[i] = max(anywhere[i], strength)
            if abs(number - best) <= 1:
                around[i] = max(around[i], strength)
    for value in values:
        if value.outcome in ("same", "near"):
            for i, each in enumerate(claim.sought):
                if each.word.start < value.end and value.start < each.word.end:
                    anywhere[i] = 1.0
                    if value.place and abs(value.place[0] - best) <= 1:
                        around[i] = 1.0
    if passage.title is not None:
        for link in _links(claim, passage.title, [])[0]:
            around[link.claim] = max(around[link.claim], link.strength)
    return Alignment(
        claim, passage, best, covered, links, against, values, strengths, around, anywhere, hits
    )


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
                    words[i] = max(spelling[1], words.get(i, 0.0))
                for phrase, strength in phrases:
                    if strength > words.get(i, 0.0) and phrase in text:
                        words = found.setdefault(number, {})
                        words[i] = strength
    return found


def _links(
    claim: Claim, sentence: Sentence, values: list[Compared]
) -> tuple[list[Link], list[Link]]:
    places: dict[str, list[int]] = {}
    for at, word in enumerate(sentence.words):
        places.setdefault(word.key, []).append(at)
        if word.root and word.root != word.key:
            places.setdefault(word.root, []).append(at)
    low = sentence.low
    links: list[Link] = []
    against: list[Link] = []
    last = -1
    for i, each in enumerate(claim.sought):
        if each.value:
            found = _value_counterpart(each.word, sentence, values)
        else:
            found = _counterpart(each, sentence, places, low, last)
            for at in _opposing(each, sentence, places, low):
                against.append(Link(i, at, 1.0))
        if found is not None:
            links.append(Link(i, *found))
            if each.weight > _LIGHT:
                last = found[0]
    return links, against


def _value_counterpart(
    word: Word, sentence: Sentence, values: list[Compared]
) -> tuple[int, float] | None:
    for value in values:
        if value.outcome in ("same", "near") and word.start < value.end and value.start < word.end:
            assert value.place is not None
            at = _word_at(sentence, value.place[1])
            return None if at is None else (at, 1.0 if value.outcome == "same" else 0.9)
    return None


def _counterpart(
    each: Sought, sentence: Sentence, places: dict[str, list[int]], low: str, last: int
) -> tuple[int, float] | None:
    """Find the word that stands for a claim word: the strongest match, then the nearest after the previous one."""
    best: tuple[float, float, int] | None = None
    for key, strength in each.keys.items():
        for at in places.get(key, ()):
            distance = at - last if at > last else 2.5 * (last - at)
            rank = (strength, -distance, at)
            if best is None or rank > best:
                best = rank
    if best is not None and best[0] >= 1.0:
        return best[2], best[0]
    key = each.word.key
    if len(key) > 1 and not key.isascii() and (found := low.find(key)) >= 0:
        at = _word_at(sentence, found)
        if at is not None:
            return at, 1.0
    for phrase, strength in each.strongest_ascii if low.isascii() else each.strongest:
        if best is not None and strength <= best[0]:
            break
        at = _phrase_at(sentence, phrase)
        if at is not None:
            best = (strength, 0.0, at)
            break
    if best is not None:
        return best[2], best[0]
    return _spelling_match(each, sentence) or _similar_word(each, sentence)


def _spelling_match(each: Sought, sentence: Sentence) -> tuple[int, float] | None:
    """Find a Chinese word by its pairs of characters, however claim and sentence were segmented."""
    if not each.pairs:
        return None
    low = sentence.low
    offsets = [low.find(pair) for pair in each.pairs]
    size = len(each.word.key)
    # A character counts when a pair that it is in stands there.
    matched = sum(offsets[n] >= 0 or offsets[n + 1] >= 0 for n in range(size))
    if matched * 2 < size:
        return None
    at = _word_at(sentence, max(offsets))
    return None if at is None else (at, _SPELT * matched / size)


def _similar_word(each: Sought, sentence: Sentence) -> tuple[int, float] | None:
    """Find a word that begins like the claim's, or a Chinese one that is contained in it."""
    key = each.word.key
    if each.weight <= _LIGHT or len(key) < 2:
        return None
    if key.isascii():
        if len(key) <= _PREFIX or not key.isalpha():
            return None
        for at, word in enumerate(sentence.words):
            if word.key[:_PREFIX] == key[:_PREFIX] and abs(len(word.key) - len(key)) <= 4:
                return at, _ALIKE
        return None
    for at, word in enumerate(sentence.words):
        if (
            len(word.key) > 1
            and not word.key.isascii()
            and (word.key in key or (len(key) > 2 and key[:2] == word.key[:2]))
        ):
            return at, _CONTAINED * (min(len(word.key), len(key)) / max(len(word.key), len(key)))
    return None


def _opposing(
    each: Sought, sentence: Sentence, places: dict[str, list[int]], low: str
) -> list[int]:
    found: list[int] = []
    for key in each.against:
        if key in places:
            found.extend(places[key])
        elif not key.isascii() and len(key) > 1 and (start := low.find(key)) >= 0:
            at = _word_at(sentence, start)
            if at is not None and each.word.key not in sentence.words[at].key:
                found.append(at)
    return found


def _search_form(phrase: str) -> str:
    """Return a phrase as it appears among the keys of a sentence, or unchanged if it is Chinese."""
    return f" {phrase} " if phrase.isascii() else phrase


def _phrase_at(sentence: Sentence, phrase: str) -> int | None:
    """Find the first word of a phrase in a sentence."""
    if not phrase.isascii():
        found = sentence.low.find(phrase)
        return _word_at(sentence, found) if found >= 0 else None
    found = sentence.keyed.find(_search_form(phrase))
    return sentence.keyed.count(" ", 0, found) if found >= 0 else None


def _word_at(sentence: Sentence, place: int) -> int | None:
    for at, word in enumerate(sentence.words):
        if word.end > place:
            return at
    return None
