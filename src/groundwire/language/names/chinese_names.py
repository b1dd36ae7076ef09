"""Chinese names that no glossary knows: people by their surnames, bodies by their endings."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import accumulate

from groundwire.language.data import data_lines, either, words
from groundwire.language.text.characters import HAN
from groundwire.language.text.chinese import tagged
from groundwire.language.text.spans import without_overlaps

_ENDING = re.compile(f"(?:{either('endings of bodies')})\\Z")
# Any word before these makes a name; before the others it must be a name itself (商业银行).
_STRONG = words("endings after any word")
_GENERIC = words("no names of bodies")
_PROPER = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz", "j", "eng"})
_HAN_RUN = re.compile(f"[{HAN}]+")


@cache
def _surnames() -> frozenset[str]:
    """Return the surnames of one character, and of two."""
    return frozenset(" ".join(data_lines("surnames.txt")).split())


@cache
def _person() -> re.Pattern[str]:
    family = "|".join(sorted(_surnames(), key=lambda name: (-len(name), name)))
    return re.compile(rf"(?<![{HAN}])(?:{family})[{HAN}]{{1,2}}(?={either('acts of people')})")


@lru_cache(maxsize=256)
def chinese_names(flat: str) -> tuple[tuple[int, int], ...]:
    """Find Chinese names in text that is already in its normal form."""
    if not _HAN_RUN.search(flat):
        return ()
    placed = _place_words(flat)
    spans = [match.span() for match in _person().finditer(flat) if _is_unknown(match.group())]
    spans.extend(_people(placed))
    spans.extend(_bodies(placed))
    return tuple(without_overlaps(spans))


def name_stem(name: str) -> str:
    """Return the distinctive part of a body's name: 华星 of 华星集团."""
    stem = _ENDING.sub("", name)
    return stem if len(stem) > 1 else name


def _place_words(flat: str) -> list[tuple[str, str, int]]:
    places = accumulate((len(word) for word, _ in tagged(flat)), initial=0)
    return [(word, tag, at) for (word, tag), at in zip(tagged(flat), places, strict=False)]


def _is_unknown(name: str) -> bool:
    """Tell whether no dictionary has it as a common word: 高管, 金价 and 马上 are no people."""
    return all(tag.startswith("nr") or len(word) == 1 for word, tag in tagged(name))


def _people(placed: list[tuple[str, str, int]]) -> list[tuple[int, int]]:
    known = _surnames()
    spans: list[tuple[int, int]] = []
    for index, (word, tag, at) in enumerate(placed):
        if not tag.startswith("nr") or not _HAN_RUN.fullmatch(word):
            continue
        if 2 <= len(word) <= 4 and (word[0] in known or word[:2] in known):
            spans.append((at, at + len(word)))
        elif (
            len(word) == 1
            and word in known
            and index + 1 < len(placed)
            and placed[index + 1][1].startswith("nr")
        ):
            spans.append((at, at + 1 + len(placed[index + 1][0])))
    return spans


def _bodies(placed: list[tuple[str, str, int]]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for index, (word, tag, at) in enumerate(placed):
        if tag in ("ns", "nt") and len(word) > 1 and _HAN_RUN.fullmatch(word):
            spans.append((at, at + len(word)))
        ending = _ENDING.search(word)
        if ending is None:
            continue
        if ending.start() > 0 and word not in _GENERIC and tag in ("nt", "nz"):
            spans.append((at, at + len(word)))
            continue
        before = placed[index - 1] if index and ending.start() == 0 else None
        if before is None or before[0] in _GENERIC or not _HAN_RUN.fullmatch(before[0]):
            continue
        named = before[1] in _PROPER or (word in _STRONG and before[1] in ("n", "vn", "b", "a"))
        if named and len(before[0]) > 1:
            spans.append((before[2], at + len(word)))
    return spans
