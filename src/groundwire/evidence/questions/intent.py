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
    asks_by_noun,
    facet_words,
    keyword_facets,
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
    variants,
)
from groundwire.language.time.dates import DateMention, date_mentions

Kind: TypeAlias = Literal["name", "figure", "date", "word"]

# Longer questions are judged by their beginning; a pasted page is no question.
LONGEST = 2000
_MOST_TERMS = 40
_LIGHT = 0.3
_CARRIED = 0.4  # of its weight: a name that another part of the question has given already
_SUBJECT = re.compile("[的所是]")  # what follows a subject of one character
_WEIGHT: dict[Kind, float] = {"name": 2.0, "figure": 2.0, "date": 1.5, "word": 1.0}
# Circle2024年: the year does not belong to the name.
_GLUED = re.compile(r"(?<=[A-Za-z])(?=\d{1,4}\s?[年月日号號])")
_PLURAL = re.compile(r"\b[A-Za-z]{3,}s\b")
_ASIDE = re.compile(r"\b(?:after|during|amid|following|before|since) (?:the |its |their )?$", re.I)
_CONTEXT = re.compile(r"[?？]?\s*[（(][^（）()]*[）)]\s*$")
_WHILE = re.compile("期间|之后|以后|之前|以前")
_CLAUSES = re.compile(r"[,;?，；？。]|\band\b")
_COMPANY = re.compile("(?:股份|科技|控股)?(?:有限)?(?:公司|集团|银行|基金会)")
_TITLED = re.compile("《[^》]*》")  # the Sunday of a programme's name is no day
_ERA = re.compile(r"(?:世纪|年代|'?s\b)")  # the 15th century, the 70s: no number of a thing
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
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
    exact: bool = False  # a name that only looks inflected: Wells is not "well"
    light: bool = False  # says little: "company", 期间, the US of the US Treasury


@dataclass(frozen=True, slots=True)
class Intent:
    """A parsed question."""

    facets: tuple[Facet, ...]
    terms: tuple[Term, ...]
    sort: Sort = ""
    act: int | None = None  # the term that says what is done, after "who"
    missing: frozenset[int] = frozenset()  # terms that no passage names, once that is known
    # For a question of several parts: the words beside each asking word.
    parts: tuple[tuple[Facet, tuple[int, ...]], ...] = ()

    @property
    def telling(self) -> tuple[int, ...]:
        """The words that say what is asked; without them a sentence is about something else."""
        return tuple(n for n, t in enumerate(self.terms) if t.kind == "word" and not t.light)

    def words(self, facet: Facet) -> tuple[int, ...]:
        """Return the telling words of this part of the question: of 何时发布，花了多少钱 when has 发布."""
        return dict(self.parts).get(facet) or self.telling

    def of_kind(self, *kinds: Kind) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.kind in kinds)


@lru_cache(maxsize=256)
def parse_question(question: str, reference: date | None = None) -> Intent:
    """Parse a question; `reference` is the day from which "yesterday" counts."""
    question = _GLUED.sub(" ", question[:LONGEST])
    normal = normalise(question)
    rest = _Remainder(question, normal)
    facets, places = _facets(rest)
    terms = [*_take_values(rest, reference), *_take_known(rest), *_take_words(rest)]
    ordered = _lighten(normal.text, sorted(terms, key=lambda pair: pair[0]))
    unique: dict[tuple[str, tuple[str, ...]], Term] = {}
    for term in ordered:
        unique.setdefault((term.written.lower() if not term.names else "", term.names), term)
    kept = tuple(unique.values())[:_MOST_TERMS]
    places_of = {term.names: at for at, term in sorted(terms, key=lambda p: p[0], reverse=True)}
    intent = Intent(facets, kept, sort_of(facets, normal.text))
    words = [(places_of[kept[n].names], n) for n in intent.telling]
    act = next((n for at, n in words if -1 < places.get("who", len(question)) < at), None)
    return replace(intent, act=act, parts=_parts(normal.text, places, words))


def _parts(
    text: str, places: dict[Facet, int], words: list[tuple[int, int]]
) -> tuple[tuple[Facet, tuple[int, ...]], ...]:
    """Assign the words of each facet's clause, if every clause has words of its own."""
    stops = [match.start() for match in _CLAUSES.finditer(text)]
    by_facet: dict[Facet, tuple[int, ...]] = {}
    for facet, place in places.items():
        clause = bisect_left(stops, place)
        by_facet[facet] = tuple(n for at, n in words if bisect_left(stops, at) == clause)
    shared = len(frozenset(by_facet.values())) < len(by_facet)
    return () if shared or not all(by_facet.values()) else tuple(by_facet.items())


def _lighten(text: str, placed_terms: list[tuple[int, Term]]) -> list[Term]:
    """Reduce terms that only say whose or when: the US of the US Treasury, "after the depeg".

    What stands in brackets after a question with words of its own is what it follows on from.
    """
    terms: list[Term] = []
    context = _CONTEXT.search(text)
    asked = context.start() if context else len(text)
    own = any(term.kind == "word" and not term.light and at < asked for at, term in placed_terms)
    for (start, term), following in zip(placed_terms, [*placed_terms[1:], None], strict=False):
        end = start + len(term.written)
        owner = (
            term.kind == "name"
            and following is not None
            and following[1].kind == "name"
            and not text[end : following[0]].strip()
            and is_country(term.written)
        )
        aside = term.kind == "word" and (_ASIDE.search(text[:start]) or _WHILE.match(text, end))
        beside = own and start > asked
        if beside and term.kind == "name":
            term = replace(term, weight=term.weight * _CARRIED)
        light = owner or aside or (beside and term.kind == "word")
        terms.append(replace(term, light=True, weight=_LIGHT) if light else term)
    telling = any(not term.light and term.kind != "date" for term in terms)
    return terms if telling else [term for _, term in placed_terms]


@cache
def _light_words() -> frozenset[str]:
    return frozenset(word for line in data_lines("light.txt") for word in line.split())


class _Remainder:
    """The part of a question that no rule has taken yet; taken parts become spaces."""

    def __init__(self, question: str, normal: Normalised) -> None:
        self.question = question
        self.normal = normal
        self.text = normal.text

    def take(self, start: int, end: int) -> str:
        """Return the words as the person wrote them, and leave blanks in their place."""
        self.text = self.text[:start] + " " * (end - start) + self.text[end:]
        begin, stop = self.normal.original(start, end)
        return self.question[begin:stop]


def _facets(rest: _Remainder) -> tuple[tuple[Facet, ...], dict[Facet, int]]:
    """Find what is asked for, and where each facet is asked."""
    found: list[tuple[int, Facet]] = []
    # Polite phrases around a question are nothing to search for.
    for pattern in (_ADDRESS, any_of(data_lines("question_phrases.txt"))):
        for match in list(pattern.finditer(rest.text)):
            rest.take(*match.span())
    verbs = "|".join(facet_words("start")["whether"])
    if re.match(rf"\W*(?:{verbs})\b", rest.text, re.IGNORECASE):
        found.append((0, "whether"))
    shouting = rest.text.upper() == rest.text
    pattern, facet_by_word = asking_words()
    for match in list(pattern.finditer(rest.text)):
        word = match.group()
        # WHO is an organisation, who is a question.
        if word.isupper() and len(word) > 1 and not shouting and not is_han(word):
            continue
        found.append((match.start(), facet_by_word[word.lower()]))
        rest.take(*match.span())
    for facet, words in facet_words("keep").items():
        match = any_of(words).search(rest.normal.text)
        if match is not None:
            found.append((match.start(), facet))
    # A noun says more than "what": the price, the date, the founder.
    if not found or (
        {facet for _, facet in found} <= {"what", "how"} and asks_by_noun(rest.normal.text)
    ):
        found.extend(keyword_facets(rest.normal.text))
    facets: tuple[Facet, ...] = tuple(dict.fromkeys(facet for _, facet in sorted(found)))
    # "What" and "how" say little beside a facet that says more.
    sharp: tuple[Facet, ...] = tuple(facet for facet in facets if facet not in ("what", "how"))
    kept = sharp or facets or ("what",)
    return kept, {facet: at for at, facet in sorted(found, reverse=True) if facet in kept}


def _take_values(rest: _Remainder, reference: date | None) -> list[tuple[int, Term]]:
    """Take the dates, then the amounts among the rest."""
    terms: list[tuple[int, Term]] = []
    titles = [match.span() for match in _TITLED.finditer(rest.text)]

    def titled(start: int) -> bool:
        return any(first <= start < last for first, last in titles)

    # "On 17 March": which year it was, the pages know better than the day of asking.
    unread = {(each.start, each.end): each for each in date_mentions(rest.text)}
    for near in date_mentions(rest.text, reference):
        if titled(near.start):
            continue
        plain = unread.get((near.start, near.end))
        open_year = plain is not None and plain.year is None and plain.month is not None
        mention = plain if plain is not None and open_year else near
        written = rest.take(mention.start, mention.end)
        terms.append((mention.start, Term(written, "date", (), _WEIGHT["date"], date=mention)))
    for figure in figures(rest.text):
        if titled(figure.start):
            continue
        era = _ERA.match(rest.text, figure.end) is not None
        written = rest.take(figure.start, figure.end)
        term = Term(written, "figure", (), _WEIGHT["figure"], figure=figure)
        terms.append((figure.start, replace(term, light=True, weight=_LIGHT) if era else term))
    return terms


def _take_known(rest: _Remainder) -> list[tuple[int, Term]]:
    """Take the names of the glossary, then words with relatives; the longer where they overlap."""
    terms: list[tuple[int, Term]] = []
    singular = _PLURAL.sub(_singular, rest.text)
    shouting = _is_headline(rest.normal.text)
    phrases = [span for span in related_spans(rest.text) if " " in rest.text[slice(*span)]]
    for start, last in known_names(singular):
        word = singular[start:last]
        end = last + (singular[last:] != rest.text[last:] and rest.text[last : last + 1] == "s")
        within = any(a <= start and end <= b and b - a > end - start for a, b in phrases)
        if word == "us" or is_stop_word(word.lower()) or within:
            continue
        inside = bool(rest.normal.text[:start].strip())
        capital = word[0].isupper() and inside and not shouting and not is_han(word)
        kind: Kind = "name" if is_proper(word) or capital else "word"
        if kind == "word" and _is_compound(word):
            continue
        terms.append((start, _term(rest.take(start, end), word, kind)))
    for start, end in related_spans(rest.text):
        word = rest.text[start:end]
        if end - start == 1 and not _is_single_word(rest.normal.text, start):
            continue
        terms.append((start, _term(rest.take(start, end), word, "word")))
    return terms


def _is_headline(text: str) -> bool:
    """Tell whether it is written like a headline, so that capitals mean nothing."""
    latin = re.findall(rf"[^\W\d_{HAN}]{{2,}}", text)
    # The first word is a capital anyway: "Who founded Acme Corporation?" is no headline.
    capitals = sum(word[0].isupper() for word in latin[1:])
    return len(latin) > 3 and capitals > 0.7 * (len(latin) - 1)


def _singular(match: re.Match[str]) -> str:
    """Make a plural singular if the glossary knows only that, keeping the length: ETFs, iPhones."""
    word = match.group()
    known = len(equivalents(word)) == 1 and len(equivalents(word[:-1])) > 1
    return word[:-1] + " " if known else word


def _is_single_word(text: str, at: int) -> bool:
    """Tell whether a single character is a word there: 跌 in 跌了多少, not 拟 in 虚拟."""
    done = 0
    for word in cut(text):
        if done == at:
            return len(word) == 1
        done += len(word)
    return False


def _is_compound(word: str) -> bool:
    """Tell whether each part of it has relatives of its own: 训练成本, training cost."""
    if not is_han(word):
        parts = word.split()
        return len(parts) > 1 and all(has_relatives(part) for part in parts)
    spans = related_spans(word)
    return len(spans) > 1 and sum(end - start for start, end in spans) == len(word)


def _term(written: str, word: str, kind: Kind) -> Term:
    # "Return the money": what is returned may be called otherwise, or not be said again.
    act = word.split(" the ")[:1] if kind == "word" and " the " in word else []
    names = tuple(dict.fromkeys(stemmed(name) for each in (word, *act) for name in variants(each)))
    low = word.lower()
    # It looks like a form of another word; ETFs, in capitals, is one.
    inflected = word.isascii() and word.isalpha() and word[1:].islower() and stem(low) != low
    if kind == "name" and len(names) == 1 and inflected:
        return Term(written, kind, (low,), _WEIGHT[kind], exact=True)
    if low in _light_words():
        return Term(written, kind, names, _LIGHT, light=True)
    return Term(written, kind, names, _WEIGHT[kind])


def _take_words(rest: _Remainder) -> list[tuple[int, Term]]:
    """Take what remains: capitals and codes are names, the rest are words."""
    terms: list[tuple[int, Term]] = []
    text = rest.text
    chinese = is_han(rest.normal.text)
    shouting = _is_headline(rest.normal.text)
    for match in _WORD.finditer(text):
        if len(terms) >= _MOST_TERMS:
            break
        if is_han(match.group()):
            terms.extend(_take_chinese_words(rest, match.start(), match.group()))
            continue
        word = match.group().removesuffix("'s")
        acronym = word.isupper() and len(word) > 1 and not shouting
        if (is_stop_word(word.lower()) and not acronym) or (len(word) == 1 and not word.isdigit()):
            continue
        ordinal = _ORDINAL.fullmatch(word) is not None
        coded = not ordinal and (
            any(char.isdigit() for char in word) or any(char.isupper() for char in word[1:])
        )
        first = not rest.normal.text[: match.start()].strip(" \"'(")
        named = (
            coded or (chinese and not ordinal) or (word[0].isupper() and not first and not shouting)
        )
        written = rest.take(match.start(), match.start() + len(word))
        terms.append((match.start(), _term(written, word, "name" if named else "word")))
    return terms


def _take_chinese_words(rest: _Remainder, start: int, run: str) -> list[tuple[int, Term]]:
    terms: list[tuple[int, Term]] = []
    at = start
    for word in cut(run):
        # A question may begin with the one character that is its subject: 铜的熔点.
        first = len(word) == 1 and not rest.normal.text[:at].strip()
        alone = first and _SUBJECT.match(rest.normal.text, at + 1) is not None
        if (len(word) > 1 or alone) and not is_stop_word(word):
            # What stands before 公司 is the name of a company, known or not.
            named = _COMPANY.match(rest.normal.text, at + len(word)) and word not in _light_words()
            kind: Kind = "name" if named or len(word) == 1 else "word"
            terms.append((at, _term(rest.take(at, at + len(word)), word, kind)))
        at += len(word)
    return terms
