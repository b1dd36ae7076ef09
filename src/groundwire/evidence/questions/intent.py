"""What a question asks: its facets (why, when, how much…) and the terms an answer must be about."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from groundwire.evidence.data import data_lines
from groundwire.evidence.questions.facets import (
    Facet,
    Sort,
    any_of,
    asking_words,
    bare,
    facet_words,
    noun_asked,
    sort_of,
)
from groundwire.language.amounts.numbers import Figure, figures
from groundwire.language.names.glossary import equivalents, known_names
from groundwire.language.names.names import is_country
from groundwire.language.text.characters import HAN, Normalised, normalise
from groundwire.language.text.chinese import cut
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import is_stop_word
from groundwire.language.text.wording import (
    has_relatives,
    is_han,
    is_proper,
    related_spans,
    stemmed,
    ways,
)
from groundwire.language.time.dates import DateMention, date_mentions

Kind: TypeAlias = Literal["name", "figure", "date", "word"]

# Longer questions are judged by their beginning; a pasted page is no question.
LONGEST = 2000
_MOST_TERMS = 40
_LIGHT = 0.3
_WEIGHT: dict[Kind, float] = {"name": 2.0, "figure": 2.0, "date": 1.5, "word": 1.0}
# Circle2024年: the year does not belong to the name.
_GLUED = re.compile(r"(?<=[A-Za-z])(?=\d{1,4}\s?[年月日号號])")
_PLURAL = re.compile(r"\b[A-Za-z]{3,}s\b")
_ASIDE = re.compile(r"\b(?:after|during|amid|following|before|since) (?:the |its |their )?$", re.I)
_WHILE = re.compile("期间|之后|以后|之前|以前")
_CLAUSES = re.compile(r"[,;?，；？。]|\band\b")
_COMPANY = re.compile("(?:股份|科技|控股)?(?:有限)?(?:公司|集团|银行|基金会)")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_WORD = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+(?:[.\-'][^\W_{HAN}]+)*")


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that the question is about, and every way in which a page may write it."""

    written: str
    kind: Kind
    names: tuple[str, ...]  # stemmed; empty for dates and figures, which are compared by value
    weight: float
    figure: Figure | None = None
    date: DateMention | None = None
    exact: bool = False  # a name like Wells, which no inflection makes another: not "well"
    light: bool = False  # says little of what is asked: "company", 期间, the US of the US Treasury


@dataclass(frozen=True, slots=True)
class Intent:
    """A question taken apart."""

    facets: tuple[Facet, ...]
    terms: tuple[Term, ...]
    sort: Sort = ""
    act: int | None = None  # the term that says what is done, after "who"
    missing: frozenset[int] = frozenset()  # terms that no passage names, once that is known
    # Of a question of several parts: the words that stand beside each asking word.
    parts: tuple[tuple[Facet, tuple[int, ...]], ...] = ()

    @property
    def telling(self) -> tuple[int, ...]:
        """The words that say what is asked; without them a sentence is about something else."""
        return tuple(n for n, t in enumerate(self.terms) if t.kind == "word" and not t.light)

    def words(self, facet: Facet) -> tuple[int, ...]:
        """The telling words of this part of the question: of 何时发布，花了多少钱 when has 发布."""
        return dict(self.parts).get(facet) or self.telling

    def of_kind(self, *kinds: Kind) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.kind in kinds)


@lru_cache(maxsize=256)
def asked(question: str, reference: date | None = None) -> Intent:
    """Take a question apart; `reference` is the day from which "yesterday" is reckoned."""
    question = _GLUED.sub(" ", question[:LONGEST])
    normal = normalise(question)
    left = _Left(question, normal)
    facets, places = _facets(left)
    terms = [*_values(left, reference), *_known(left), *_words(left)]
    ordered = _lightened(normal.text, sorted(terms, key=lambda pair: pair[0]))
    unique: dict[tuple[str, tuple[str, ...]], Term] = {}
    for term in ordered:
        unique.setdefault((term.written.lower() if not term.names else "", term.names), term)
    kept = tuple(unique.values())[:_MOST_TERMS]
    spots = {term.names: at for at, term in sorted(terms, key=lambda p: p[0], reverse=True)}
    found = Intent(facets, kept, sort_of(facets, normal.text))
    words = [(spots[kept[n].names], n) for n in found.telling]
    act = next((n for at, n in words if -1 < places.get("who", len(question)) < at), None)
    return replace(found, act=act, parts=_parts(normal.text, places, words))


def _parts(
    text: str, places: dict[Facet, int], words: list[tuple[int, int]]
) -> tuple[tuple[Facet, tuple[int, ...]], ...]:
    """The words of each facet's own clause, where every facet that has a clause has words."""
    stops = [match.start() for match in _CLAUSES.finditer(text)]
    found: dict[Facet, tuple[int, ...]] = {}
    for facet, place in places.items():
        clause = bisect_left(stops, place)
        found[facet] = tuple(n for at, n in words if bisect_left(stops, at) == clause)
    shared = len(frozenset(found.values())) < len(found)
    return () if shared or not all(found.values()) else tuple(found.items())


def _lightened(text: str, placed: list[tuple[int, Term]]) -> list[Term]:
    """The terms; some only say whose or when: the US of the US Treasury, "after the depeg"."""
    found: list[Term] = []
    for (start, term), following in zip(placed, [*placed[1:], None], strict=False):
        end = start + len(term.written)
        owner = (
            term.kind == "name"
            and following is not None
            and following[1].kind == "name"
            and not text[end : following[0]].strip()
            and is_country(term.written)
        )
        aside = term.kind == "word" and (_ASIDE.search(text[:start]) or _WHILE.match(text, end))
        light = owner or aside
        found.append(replace(term, light=True, weight=_LIGHT) if light else term)
    telling = any(not term.light and term.kind != "date" for term in found)
    return found if telling else [term for _, term in placed]


@cache
def _light() -> frozenset[str]:
    return frozenset(word for line in data_lines("light.txt") for word in line.split())


class _Left:
    """The part of a question that no rule has taken yet; taken parts become spaces."""

    def __init__(self, question: str, normal: Normalised) -> None:
        self.question = question
        self.normal = normal
        self.text = normal.text

    def take(self, start: int, end: int) -> str:
        """Give the words as the person wrote them, and leave blanks in their place."""
        self.text = self.text[:start] + " " * (end - start) + self.text[end:]
        begin, stop = self.normal.original(start, end)
        return self.question[begin:stop]


def _facets(left: _Left) -> tuple[tuple[Facet, ...], dict[Facet, int]]:
    """What is asked for, and where each of it is asked."""
    found: list[tuple[int, Facet]] = []
    # Politeness around a question is nothing to search for.
    for pattern in (_ADDRESS, any_of(data_lines("question_phrases.txt"))):
        for match in list(pattern.finditer(left.text)):
            left.take(*match.span())
    verbs = "|".join(facet_words("start")["whether"])
    if re.match(rf"\W*(?:{verbs})\b", left.text, re.IGNORECASE):
        found.append((0, "whether"))
    shouting = left.text.upper() == left.text
    pattern, whose = asking_words()
    for match in list(pattern.finditer(left.text)):
        word = match.group()
        # WHO is an organisation, who is a question.
        if word.isupper() and len(word) > 1 and not shouting and not is_han(word):
            continue
        found.append((match.start(), whose[word.lower()]))
        left.take(*match.span())
    for facet, words in facet_words("keep").items():
        match = any_of(words).search(left.normal.text)
        if match is not None:
            found.append((match.start(), facet))
    # What the noun asks for says more than "what": the price, the date, the founder.
    if not found or (
        {facet for _, facet in found} <= {"what", "how"} and noun_asked(left.normal.text)
    ):
        found.extend(bare(left.normal.text))
    facets: tuple[Facet, ...] = tuple(dict.fromkeys(facet for _, facet in sorted(found)))
    # "What" and "how" say little beside a facet that says more.
    sharp: tuple[Facet, ...] = tuple(facet for facet in facets if facet not in ("what", "how"))
    kept = sharp or facets or ("what",)
    return kept, {facet: at for at, facet in sorted(found, reverse=True) if facet in kept}


def _values(left: _Left, reference: date | None) -> list[tuple[int, Term]]:
    """Days, then what is an amount without them."""
    found: list[tuple[int, Term]] = []
    for mention in date_mentions(left.text, reference):
        written = left.take(mention.start, mention.end)
        found.append((mention.start, Term(written, "date", (), _WEIGHT["date"], date=mention)))
    for figure in figures(left.text):
        written = left.take(figure.start, figure.end)
        found.append((figure.start, Term(written, "figure", (), _WEIGHT["figure"], figure=figure)))
    return found


def _known(left: _Left) -> list[tuple[int, Term]]:
    """Names of the glossary, then words that have relatives; the longer where they overlap."""
    found: list[tuple[int, Term]] = []
    singular = _PLURAL.sub(_singular, left.text)
    shouting = _shouting(left.normal.text)
    phrases = [span for span in related_spans(left.text) if " " in left.text[slice(*span)]]
    for start, last in known_names(singular):
        word = singular[start:last]
        end = last + (singular[last:] != left.text[last:] and left.text[last : last + 1] == "s")
        within = any(a <= start and end <= b and b - a > end - start for a, b in phrases)
        if word == "us" or is_stop_word(word.lower()) or within:
            continue
        inside = bool(left.normal.text[:start].strip())
        capital = word[0].isupper() and inside and not shouting and not is_han(word)
        kind: Kind = "name" if is_proper(word) or capital else "word"
        if kind == "word" and _compound(word):
            continue
        found.append((start, _term(left.take(start, end), word, kind)))
    for start, end in related_spans(left.text):
        word = left.text[start:end]
        if end - start == 1 and not _alone(left.normal.text, start):
            continue
        found.append((start, _term(left.take(start, end), word, "word")))
    return found


def _shouting(text: str) -> bool:
    """Whether it is written like a headline, so that capitals tell nothing."""
    latin = re.findall(rf"[^\W\d_{HAN}]{{2,}}", text)
    # The first word is a capital anyway: "Who founded Acme Corporation?" is no headline.
    capitals = sum(word[0].isupper() for word in latin[1:])
    return len(latin) > 3 and capitals > 0.7 * (len(latin) - 1)


def _singular(match: re.Match[str]) -> str:
    """A plural that the glossary knows in the singular alone, of the same length: ETFs, iPhones."""
    word = match.group()
    known = len(equivalents(word)) == 1 and len(equivalents(word[:-1])) > 1
    return word[:-1] + " " if known else word


def _alone(text: str, at: int) -> bool:
    """Whether a single character is a word there: 跌 in 跌了多少, not 拟 in 虚拟."""
    done = 0
    for word in cut(text):
        if done == at:
            return len(word) == 1
        done += len(word)
    return False


def _compound(word: str) -> bool:
    """Whether each part of it has relatives of its own: 训练成本, training cost."""
    if not is_han(word):
        parts = word.split()
        return len(parts) > 1 and all(has_relatives(part) for part in parts)
    spans = related_spans(word)
    return len(spans) > 1 and sum(end - start for start, end in spans) == len(word)


def _term(written: str, word: str, kind: Kind) -> Term:
    names = tuple(dict.fromkeys(stemmed(name) for name in ways(word)))
    low = word.lower()
    # It looks like a form of another word; ETFs, in capitals, is one.
    inflected = word.isascii() and word.isalpha() and word[1:].islower() and stem(low) != low
    if kind == "name" and len(names) == 1 and inflected:
        return Term(written, kind, (low,), _WEIGHT[kind], exact=True)
    if low in _light():
        return Term(written, kind, names, _LIGHT, light=True)
    return Term(written, kind, names, _WEIGHT[kind])


def _words(left: _Left) -> list[tuple[int, Term]]:
    """What is left: capitals and codes are names, the rest are words."""
    found: list[tuple[int, Term]] = []
    text = left.text
    chinese = is_han(left.normal.text)
    shouting = _shouting(left.normal.text)
    for match in _WORD.finditer(text):
        if len(found) >= _MOST_TERMS:
            break
        if is_han(match.group()):
            found.extend(_chinese_words(left, match.start(), match.group()))
            continue
        word = match.group().removesuffix("'s")
        acronym = word.isupper() and len(word) > 1 and not shouting
        if (is_stop_word(word.lower()) and not acronym) or (len(word) == 1 and not word.isdigit()):
            continue
        coded = any(char.isdigit() for char in word) or any(char.isupper() for char in word[1:])
        first = not left.normal.text[: match.start()].strip(" \"'(")
        named = coded or chinese or (word[0].isupper() and not first and not shouting)
        written = left.take(match.start(), match.start() + len(word))
        found.append((match.start(), _term(written, word, "name" if named else "word")))
    return found


def _chinese_words(left: _Left, start: int, run: str) -> list[tuple[int, Term]]:
    found: list[tuple[int, Term]] = []
    at = start
    for word in cut(run):
        if len(word) > 1 and not is_stop_word(word):
            # What stands before 公司 is the name of a company, known or not.
            named = _COMPANY.match(left.normal.text, at + len(word)) and word not in _light()
            kind: Kind = "name" if named else "word"
            found.append((at, _term(left.take(at, at + len(word)), word, kind)))
        at += len(word)
    return found
