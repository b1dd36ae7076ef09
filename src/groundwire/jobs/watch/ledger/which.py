"""Which of several a value is of, where a subject has many of a kind: the day tour or the night tour, reactor 2 or 3.

No list says what tells siblings apart; their sentences do, set side by side. Two are of siblings where one place in
them is filled by different nouns: before the same noun, behind the same noun as its number, behind the figure as what
it counts, or between the same words. Where one says nothing in that place, both can be of one thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from groundwire.evidence.reading.analysis import Sentence, analyse
from groundwire.jobs.watch.ledger.attributes import named
from groundwire.jobs.watch.ledger.matter import forms
from groundwire.jobs.watch.ledger.subject import Subject
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.spans import Span, overlaps
from groundwire.language.text.wording import is_han
from groundwire.language.time.dates import date_spans

_SAYS = 0.45  # what a word weighs that can tell things apart
_MOST = 3  # words that fill one place
_FEWEST = 2  # words of a clause that say what it is about
_VALUE, _SUBJECT = "#", "@"
_ITS = re.compile(r"(?:'s|\b(?:the|an?|its|their|of)) $", re.IGNORECASE)
_NOUN = re.compile(r" [a-z]{3,}")
_CODE = re.compile(
    r"《[^《》]{1,30}》|(?<![A-Za-z0-9])[A-Za-z]{1,3}\d{1,4}(?:\.\d+)?[A-Za-z]{0,2}(?![A-Za-z0-9])"
)
_NUMBER = re.compile(r"[\d.,]+[a-z]?|[第]?[一二三四五六七八九十]+[号期座]?|[a-z]\d*")
_WHOLE = r"(?<!\d)(?<!\d[.,])", r"(?!\d|[.,]\d)"  # what no figure goes on beyond


class _Word(NamedTuple):
    key: str
    start: int
    end: int
    tells: bool  # a noun, an adjective or a number that can say which
    is_cue: bool  # it names an attribute


@lru_cache(maxsize=4096)
def clause_of(text: str, value: str) -> Span:
    """Return where the clause of a value stands in its sentence."""
    sentence = analyse(text, whole=True).lead
    return _clause(sentence, place_of(sentence, value))


def are_siblings(one: tuple[str, str], other: tuple[str, str], subject: str) -> bool:
    """Tell whether two sentences, each with its value, tell it of two things of one kind."""
    if have_other_codes(one, other):
        return True
    ours, theirs = _words(*one, subject), _words(*other, subject)
    if _is_chinese(ours) != _is_chinese(theirs):
        return False
    mine, its = _only(ours, theirs), _only(theirs, ours)
    if not mine or not its:
        return False
    return any(
        a in mine and b in its
        for pairs in (_before_one_noun, _numbered, _counted, _between)
        for a, b in pairs(ours, theirs)
    )


def frame_of(text: str, value: str) -> str:
    """Return a sentence without its value."""
    flat, written = normalise(text, fold=True).text, normalise(value, fold=True).text
    return flat.replace(written, "", 1)


def unsaid(places: Iterable[str], text: str) -> frozenset[str]:
    """Return the places that a sentence does not name anywhere."""
    low = folded(normalise(text).text)
    return frozenset(each for each in places if each not in low)


def have_other_codes(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Tell whether two sentences name, each with its value, other models or titles."""
    codes = _codes(*one), _codes(*other)
    return all(codes) and codes[0].isdisjoint(codes[1])


@lru_cache(maxsize=4096)
def _codes(text: str, value: str) -> frozenset[str]:
    """Return the codes of models and the titles in a value's own clause, in any script, else the last before it: R1."""
    sentence = analyse(text, whole=True).lead
    span = place_of(sentence, value)
    hidden = (span, *date_spans(sentence.text))
    first, last = _clause(sentence, span)
    found = [each for each in _CODE.finditer(sentence.text) if not overlaps(each.span(), hidden)]
    own = [each for each in found if first <= each.start() < last]
    before = [each for each in found if each.end() <= first][-1:]
    return frozenset(each.group().lower() for each in own or before)


def place_of(sentence: Sentence, value: str) -> Span:
    """Find where a sentence has a value; a figure is no part of a longer one: the 5 of "of 15, 5 are shut"."""
    written = normalise(value).text
    found = re.search(rf"{_WHOLE[0]}{re.escape(written)}{_WHOLE[1]}", sentence.text)
    at = found.start() if found and written else sentence.text.find(written) if written else -1
    return (at, at + len(written)) if at >= 0 else (0, 0)


@lru_cache(maxsize=4096)
def _words(text: str, value: str, subject: str) -> tuple[_Word, ...]:
    """Return the words of a value's own clause, the value and the subject as one word each, without times."""
    sentence = analyse(text, whole=True).lead
    span = place_of(sentence, value)
    subjects = Subject((subject,)).places(sentence.text)
    times = [
        each
        for each in date_spans(sentence.text)
        if not overlaps(each, (span,)) and not _says_which(sentence.text, each)
    ]
    cues = [(cue.start, cue.end) for cue in named().find(sentence)]
    marks = [*((each, _SUBJECT) for each in subjects), *([(span, _VALUE)] if span[1] else [])]
    found = list(_marked(sentence, marks, times, cues))
    inside = _clause(sentence, span)
    clause = tuple(each for each in found if inside[0] <= each.start < inside[1])
    return clause if sum(each.tells for each in clause) >= _FEWEST else tuple(found)


def _says_which(text: str, time: Span) -> bool:
    """Tell whether a time is no time of the sentence, but a part of a name: the night tour."""
    named_so = _ITS.search(text[: time[0]]) is not None and _NOUN.match(text, time[1]) is not None
    return named_so and not any(char.isdigit() for char in text[slice(*time)])


def _marked(
    sentence: Sentence,
    marks: Sequence[tuple[Span, str]],
    times: Sequence[Span],
    cues: Sequence[Span],
) -> Iterator[_Word]:
    done: set[Span] = set()
    for word, kind in zip(sentence.words, sentence.kinds, strict=True):
        place = word.start, word.end
        mark = next(((span, sign) for span, sign in marks if overlaps(place, (span,))), None)
        if mark is not None:
            if mark[0] not in done:
                done.add(mark[0])
                yield _Word(mark[1], *mark[0], tells=False, is_cue=False)
        elif not overlaps(place, times):
            tells = word.weight >= _SAYS and (kind != "v" or word.key[0].isdigit())
            yield _Word(word.key, word.start, word.end, tells, overlaps(place, cues))


def _clause(sentence: Sentence, span: Span) -> Span:
    first = max((edge for edge in sentence.edges if edge <= span[0]), default=0)
    return first, min((edge for edge in sentence.edges if edge >= span[1]), default=1 << 30)


def _is_chinese(words: Sequence[_Word]) -> bool:
    return any(is_han(each.key) for each in words)


def _only(ours: Sequence[_Word], theirs: Sequence[_Word]) -> frozenset[str]:
    """Return what only one of two says, in whatever form of the word."""
    known = {form for each in theirs for form in forms(each.key)}
    return frozenset(e.key for e in ours if e.tells and forms(e.key).isdisjoint(known))


_Pairs = Iterator[tuple[str, str]]


def _shared(ours: Sequence[_Word], theirs: Sequence[_Word]) -> Iterator[tuple[int, int]]:
    for i, one in enumerate(ours):
        for j, other in enumerate(theirs):
            if one.key == other.key and (one.tells or one.is_cue):
                yield i, j


def _before_one_noun(ours: Sequence[_Word], theirs: Sequence[_Word]) -> _Pairs:
    """Yield what stands right before the same noun: the day tour, the night tour."""
    for i, j in _shared(ours, theirs):
        if i and j and _touch(ours[i - 1], ours[i]) and _touch(theirs[j - 1], theirs[j]):
            yield ours[i - 1].key, theirs[j - 1].key


def _numbered(ours: Sequence[_Word], theirs: Sequence[_Word]) -> _Pairs:
    """Yield the numbers right behind the same noun: reactor 2, reactor 3."""
    for i, j in _shared(ours, theirs):
        behind = ours[i + 1 : i + 2], theirs[j + 1 : j + 2]
        if all(each and _NUMBER.fullmatch(each[0].key) for each in behind):
            yield behind[0][0].key, behind[1][0].key


def _counted(ours: Sequence[_Word], theirs: Sequence[_Word]) -> _Pairs:
    """Yield what the figures count: 4,000 cots, 900 prams."""
    one, other = _thing(ours), _thing(theirs)
    if one and other and not (one.is_cue or other.is_cue):
        yield one.key, other.key


def _thing(words: Sequence[_Word]) -> _Word | None:
    """Return the noun behind a value: the last of those that stand together."""
    at = next((n for n, each in enumerate(words) if each.key == _VALUE), len(words))
    run: list[_Word] = []
    for each in words[at + 1 :]:
        if not each.tells or (run and not _touch(run[-1], each)):
            break
        run.append(each)
    return run[-1] if run else None


def _between(ours: Sequence[_Word], theirs: Sequence[_Word]) -> _Pairs:
    """Yield what fills one place between the same words."""
    matcher = SequenceMatcher(
        None, [each.key for each in ours], [each.key for each in theirs], autojunk=False
    )
    for how, a, b, c, d in matcher.get_opcodes():
        if how == "replace" and max(b - a, d - c) <= _MOST:
            mine, its = ours[a:b], theirs[c:d]
            if all(each.tells for each in (*mine, *its)):
                yield from ((x.key, y.key) for x in mine for y in its)


def _touch(one: _Word, other: _Word) -> bool:
    return other.start - one.end <= 1
