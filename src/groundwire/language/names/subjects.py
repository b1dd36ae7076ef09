"""Who or what a message opens with: the subject of its first statements, known or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, islice
from typing import NamedTuple

from groundwire.language.names.names import is_country
from groundwire.language.text.characters import HAN
from groundwire.language.text.chinese import tagged
from groundwire.language.text.phrases import patterns
from groundwire.language.text.stems import is_irregular
from groundwire.language.text.tokens import stop_words


class Subject(NamedTuple):
    """Where it stands, and whether its form alone shows that it is a name."""

    start: int
    end: int
    sure: bool


_patterns = patterns("subjects.txt")
# English: a run of capitalised words. "of" and the like only join two of them.
_CAPITAL = r"[A-Z\u00c0-\u00de][A-Za-z0-9\u00c0-\u024f&]*(?:[.'-][A-Za-z0-9\u00c0-\u024f&]+)*"
# "Barclays 40 million pounds": the number is an amount's, not the name's.
_NO_AMOUNT = r"(?![.,]?\d|%|[ -]?(?:k|m|bn|thousand|million|billion|trillion|per ?cent|percent)\b)"
_RUN = re.compile(
    rf"(?<![A-Za-z0-9$@#-])(?<![A-Za-z]')(?:i(?=[A-Z]))?{_CAPITAL}(?: (?:(?:of|de|da|and the|&) )?(?:{_CAPITAL}|\d{{1,3}}\b{_NO_AMOUNT}))*"
)
_OWNER = re.compile(r"'s?$")
_WORD = re.compile(r"\S+")
_AFTER = re.compile(r"(?:,|'s)? ([a-z][a-z'-]*)")
_SENTENCE = re.compile(r"(?:^|[.!?:;\n]\s*|[-|]\s)[\"'(\[]*(?=\S)")
_TITLE_CASE = 0.7
_MANY = 8
_LONGEST = 5
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_JOINS = ("of", "de", "da", "and", "the", "&")


def latin_subjects(flat: str) -> Iterator[Subject]:
    """Yield capitalised names, whole, without titles and owners before them."""
    openings = {match.end() for match in _SENTENCE.finditer(flat)}
    words = re.findall("[A-Za-z]+", flat)
    # Where every word has a capital, a capital means nothing.
    shouted = len(words) > _MANY and sum(w[0].isupper() for w in words) > _TITLE_CASE * len(words)
    for match in _RUN.finditer(flat):
        parts = list(_parts(flat, *match.span()))
        for number, (start, end) in enumerate(parts):
            # In "Tokyo's Narita" the town only says where.
            owner = flat.startswith("'", end) and number + 1 < len(parts)
            if not (owner and (is_region(flat[start:end]) or is_country(flat[start:end]))):
                yield from _subjects_in(flat, start, end, start in openings, shouted)


def _parts(flat: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a run at possessives and titles: Tokyo's Narita, Marlow CEO Ines Calder."""
    at = start
    for word in _WORD.finditer(flat, start, end):
        mark = _OWNER.search(word[0])
        cut = word.start() + mark.start() if mark else word.start()
        if mark or (at < word.start() and word[0].lower() in _patterns.words("titles")):
            if at < cut:
                yield at, cut - (0 if mark else 1)
            at = min(word.end() + 1, end)
    if at < end:
        yield at, end


def _subjects_in(flat: str, start: int, end: int, opens: bool, shouted: bool) -> Iterator[Subject]:
    words = list(_WORD.finditer(flat, start, end))
    following = _AFTER.match(flat, end)
    # "First Citizens buys": between an ordinal and a verb one word is no thing that is counted.
    whole = len(words) == 2 and words[0][0].lower() in _ORDINALS and _acts(words[1][0], following)
    while words and not whole and _is_common(words[0][0], opens, shouted, len(words)):
        words.pop(0)
        opens = False
    kept: list[re.Match[str]] = []
    for word in words:
        low = word[0].lower()
        plain = shouted or not word[0].isupper()
        if plain and low not in _JOINS and (low in stop_words() or low in _patterns.words("verbs")):
            break
        kept.append(word)
    if not kept or len(kept) > _LONGEST or not kept[0][0][0].isalpha():
        return
    first, last = kept[0].start(), kept[-1].end()
    following = _AFTER.match(flat, last)
    is_agent = following is not None and (
        following[0].startswith((",", "'s"))
        or _patterns["states"].fullmatch(following[1]) is not None
    )
    several = len(kept) > 1 and not shouted
    yield Subject(first, last, several or not opens or is_agent)


def _acts(name: str, following: re.Match[str] | None) -> bool:
    """Tell whether a capitalised word, no abbreviation or people, stands before its verb."""
    if following is None or not name[1:].islower() or is_people(name):
        return False
    verb = following[1]
    return _patterns["states"].fullmatch(verb) is not None or is_irregular(verb)


def _is_common(word: str, opens: bool, shouted: bool, size: int) -> bool:
    """Tell whether the word is no part of a name: an opener, a title or a people."""
    low = word.lower().rstrip(".")
    if low in _patterns.words("titles"):
        return True
    if low in _patterns.words("peoples"):
        return size > 1
    if word.isupper() and len(word) > 1 and not shouted and low not in _patterns.words("openers"):
        return False  # WHO
    return opens and (
        low in stop_words() or low in _patterns.words("openers") or low.endswith("ologist")
    )


def opening_length(text: str) -> int:
    """Count the characters of a capitalised run that belong to no name: Hearing, Warning."""
    words = _WORD.finditer(text)
    named = (word.start() for word in words if word[0].lower() not in _patterns.words("openers"))
    return next(named, len(text.rstrip()))


def is_people(text: str) -> bool:
    """Tell whether it only says of which country something is: Finnish."""
    return text.lower() in _patterns.words("peoples")


def is_region(text: str) -> bool:
    """Tell whether it is a well-known town, state or part of the world, in English."""
    return text.lower().rstrip(".") in _patterns.words("places")


# Chinese: what stands before the first verb, time, adverb or preposition.
_CLAUSE = re.compile(rf"(?:^|[。!?;:,\n\]】/])[\"'(\s]*(?=[{HAN}])")
_STOP = re.compile(r"[。!?;:,\n]")
_HAN_WORD = re.compile(f"[{HAN}]+")
_BORDERS = frozenset(
    {"t", "d", "p", "c", "uj", "ul", "uv", "ud", "ug", "m", "f", "r", "y", "q", "ad", "s", "e", "o"}
)
_PROPER = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz", "x", "eng", "j"})
_FEW = 3  # clauses that say what the message is about
_SIZES = range(2, 13)


def chinese_subjects(flat: str) -> Iterator[Subject]:
    """Yield the subjects of the first clauses, by how they end and what follows."""
    for match in islice(_CLAUSE.finditer(flat), _FEW):
        lead = _LEAD.match(flat, match.end())
        start = lead.end() if lead else match.end()
        stop = _STOP.search(flat, start)
        subject = _subject(flat[start : stop.start() if stop else len(flat)])
        if subject is not None:
            yield Subject(start + subject.start, start + subject.end, subject.sure)


# Calls, hedges and times before the subject.
_LEAD = re.compile(rf"(?:(?:{_patterns('leads')})[,:!/ ]*)+")
_SHARES = ("子公司", "分公司", "母公司", "总公司", "热钱包", "冷钱包")


def _has_ending(name: str) -> bool:
    """Tell whether a stem of two characters or more and an ending make up the name."""
    if len(name) > 2 and name in _patterns.words("endings"):
        return True  # 教育部
    endings = _patterns.words("endings")
    return not name.endswith(_SHARES) and any(name[at:] in endings for at in range(2, len(name)))


def _subject(clause: str) -> Subject | None:
    taken: list[tuple[str, str]] = []
    for word, tag in tagged(clause):
        if _is_border(word, tag, first=not taken):
            break
        taken.append((word, tag))
    start = 0
    while len(taken) > 1 and taken[0][0] in _patterns.words("titles of people"):
        start += len(taken.pop(0)[0])
    return _cut_name(taken, start) if taken else None


def _is_border(word: str, tag: str, *, first: bool) -> bool:
    if word in _patterns.words("endings") or _has_ending(word):
        return False
    if not _HAN_WORD.fullmatch(word) or word in _patterns.words("borders"):
        return True
    verb = tag == "v" and len(word) < _FEW if first else tag.startswith("v")
    return verb or tag in _BORDERS


def _cut_name(taken: list[tuple[str, str]], start: int) -> Subject | None:
    """Cut the name from the head of the words: up to its last ending, else before common nouns."""
    whole = "".join(word for word, _ in taken)
    borders = list(accumulate(len(word) for word, _ in taken))
    ends = [end for end in borders if _has_ending(whole[:end])]
    if ends:
        size = ends[-1]
        place = borders[0] if taken[0][1] == "ns" else 0
        skip = place if place and _has_ending(whole[place:size]) else 0
        return Subject(start + skip, start + size, True) if size - skip in _SIZES else None
    while len(taken) > 1 and taken[-1][1] in ("n", "vn", "b", "a", "an", "ng"):
        taken = taken[:-1]
    name = "".join(word for word, _ in taken)
    if name in _patterns.words("common") or len(name) not in _SIZES:
        return None
    return Subject(start, start + len(name), taken[0][1] in _PROPER and len(taken) < _FEW)


_VENUES = frozenset({"交易所", "交易平台", "协议", "钱包", "跨链桥"})


def chinese_venues(flat: str) -> Iterator[Subject]:
    """Yield trading venues and protocols by their Chinese names: 鲸丰 of 鲸丰虚拟资产交易所."""
    if not any(word in flat for word in _VENUES):
        return
    words = tagged(flat)
    at = 0
    for number, (word, _) in enumerate(words):
        at += len(word)
        if word not in _VENUES:
            continue
        back, start = number - 1, at - len(word)
        while back >= 0 and words[back][0] in _patterns.words("of a venue"):
            start -= len(words[back][0])
            back -= 1
        name, tag = words[back] if back >= 0 else ("", "")
        named = _HAN_WORD.fullmatch(name) and len(name) > 1 and tag not in _BORDERS
        common = name in _patterns.words("common") or (tag == "v" and len(name) < _FEW)
        if named and not common:
            yield Subject(start - len(name), at if back == number - 1 else start, True)


def priced_things(flat: str) -> Iterator[Subject]:
    """Yield what has a price: an index, a currency, a commodity."""
    return (Subject(*match.span(), True) for match in _patterns["priced"].finditer(flat))
