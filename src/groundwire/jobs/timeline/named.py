"""Whom and what sentences name: people with their roles, the place, words to find an event by; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.names.names import is_country, name_key, names
from groundwire.language.names.subjects import (
    chinese_subjects,
    is_people,
    is_region,
    latin_subjects,
)
from groundwire.language.text.characters import normalise, simplify
from groundwire.language.text.chinese import tagged
from groundwire.language.text.phrases import patterns
from groundwire.language.text.wording import is_han, is_proper

_signs = patterns("detail.txt", "groundwire.jobs.timeline", re.IGNORECASE)
_TAGS = 5
_LATIN_NAME = r"(?P<name>[A-Z][\w.'’-]+(?: (?:[A-Z]\.|[A-Z][\w'’-]+)){1,3})"
_SURNAME = r"(?P<name>[A-Z][a-z][\w'’-]+)\b(?! [A-Z])(?!['’]s [A-Z])"
_ROLE_BEFORE = re.compile(rf"\b(?i:{_signs('role')}),? {_LATIN_NAME}")
_ROLE_ALONE = re.compile(rf"\b(?i:{_signs('role')}) {_SURNAME}")
_ROLE_AFTER = re.compile(
    rf"{_LATIN_NAME}, (?:the |its |then |former |[\w'’.-]+ ){{0,4}}?(?i:{_signs('role')})\b"
)
_ROLE_ZH = re.compile(rf"(?:{_signs('role zh')})$")
_ROLE = 10  # characters before a Chinese name
_PERSON = frozenset({"nr", "nrt", "nrfg"})
_PROPER = _PERSON | {"ns", "nt", "nz"}
_PLACE = re.compile(r"\b(?:in|at|near) (?:the )?((?:[A-Z][\w'’-]+)(?: [A-Z][\w'’-]+){0,2})")
_AT = frozenset({"在", "于", "位于", "赴", "到"})
_DAY = re.compile(
    r"\d{1,2} [A-Z]|day\b|January|February|March|April|May|June|July|August|September|October|November|December"
)


def named(text: str) -> Iterator[tuple[str, str]]:
    """Yield the people that a sentence names with a role, and the role in its words."""
    yield from _named_zh(text) if is_han(text) else _named_en(text)


def _named_en(text: str) -> Iterator[tuple[str, str]]:
    for pattern in (_ROLE_BEFORE, _ROLE_AFTER, _ROLE_ALONE):
        for match in pattern.finditer(text):
            name, role = match["name"], match["role"].lower()
            # General Motors, Director Park: what firms and places are called, too.
            vague = pattern is _ROLE_ALONE and role in _signs.words("said of many")
            if not vague and not is_country(name) and not is_people(name):
                yield name.removesuffix("'s").removesuffix("’s"), role


def _named_zh(text: str) -> Iterator[tuple[str, str]]:
    normal = normalise(simplify(text))
    for start, end in sorted({*chinese_names(normal.text), *_tagged_names(normal.text)}):
        before = _ROLE_ZH.search(normal.text[max(0, start - _ROLE) : start])
        if before is not None:
            first, last = normal.original(start, end)
            yield text[first:last], before["role"]


def _tagged_names(flat: str) -> Iterator[tuple[int, int]]:
    """Yield the places of foreign names in Chinese characters, whole: 约翰·霍普菲尔德."""
    at, start, last = 0, -1, 0
    for word, tag in tagged(flat):
        end = at + len(word)
        if tag in _PERSON:
            start = at if start < 0 or at != last else start
            last = end
        elif word == "·" and start >= 0 and at == last:
            last = end
        elif start >= 0:
            yield start, last
            start = -1
        at = end
    if start >= 0:
        yield start, last


def place_in(text: str) -> str:
    """Return where a sentence says that something was; "": it names no place, or only one of a thing."""
    if not is_han(text):
        found = (each[1] for each in _PLACE.finditer(text))
        return next((each for each in found if is_country(each) or is_region(each)), "")
    normal = normalise(simplify(text))
    words = tagged(normal.text)
    at = 0
    for (word, _), (after, tag) in pairwise(words):
        at += len(word)
        if word in _AT and tag == "ns":
            first, last = normal.original(at, at + len(after))
            return text[first:last]
    return ""


def is_of_another(text: str, known: str) -> bool:
    """Tell whether a sentence opens with a name that what is known does not have."""
    if is_han(text):
        first = next(chinese_subjects(simplify(text)), None)
        own, known = simplify(text), simplify(known)
    else:
        first, own = next(iter(latin_subjects(text)), None), text
    if first is None or first.start or not (" " in own[: first.end] or names(own[: first.end])):
        return False
    name = own[first.start : first.end]
    return name not in known and name_key(name) not in {
        name_key(each.text) for each in names(known)
    }


def tags_of(texts: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the names that sentences have most often, those of the reader's language first."""
    counts: dict[str, int] = {}
    shown: dict[str, str] = {}
    for text in texts:
        for name in dict.fromkeys(_names_in(text)):
            key = name_key(name)
            counts[key] = counts.get(key, 0) + 1
            if key not in shown or (is_han(name) and not is_han(shown[key])) == language.startswith(
                "zh"
            ):
                shown[key] = name
    own = language.startswith("zh")
    ordered = sorted(
        counts,
        key=lambda key: (
            own and not is_han(shown[key]) and shown[key].islower(),
            -counts[key],
            key,
        ),
    )
    readable = [key for key in ordered if own or not is_han(shown[key])]
    return tuple(shown[key] for key in readable[:_TAGS])


def _names_in(text: str) -> Iterator[str]:
    whole = names(text)
    for each in latin_subjects(text):
        # The Securities and Exchange Commission is one.
        wider = (one for one in whole if one.start <= each.start and each.end <= one.end)
        spans = [(one.start, one.end) for one in wider]
        start, end = max([(each.start, each.end), *spans], key=lambda span: span[1] - span[0])
        name = re.sub(r"['’]s$", "", text[start:end])
        opens = not start and " " not in name and name.isalpha() and name[1:] == name[1:].lower()
        known = not opens or is_proper(name) or name in {one.text for one in names(text[end:])}
        if known and not _DAY.search(name) and not is_people(name):
            yield name
    if is_han(text):
        flat = simplify(text)
        kept = {word for word, tag in tagged(flat) if tag in _PROPER and len(word) > 1}
        for found in names(text):
            if is_han(found.text) and (is_proper(found.text) or simplify(found.text) in kept):
                yield found.text
