"""Names of the other script that are written by their sound: 杰里米·阿莱尔 for Jeremy Allaire."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal

from groundwire.language.data import data_lines
from groundwire.language.text.characters import HAN

Heard = Literal["same", "other", ""]
_DOTTED = re.compile(rf"(?<![{HAN}·])[{HAN}]+(?:·[{HAN}]+)+")
_LETTERS = re.compile(r"sch|ch|sh|th|ph|ck|gh|qu|ts|tz|x|([bcdfghjklmnpqrstvwz])\1?", re.IGNORECASE)
# What consonants sound like: each letter one of the classes of `sounds.txt`, or any of several.
_CLASSES = {
    "ch": "KS", "sch": "S", "sh": "S", "th": "TS", "ph": "F", "ck": "K", "gh": "KH", "qu": "K", "ts": "S", "tz": "S",
    "x": "KS", "b": "P", "c": "KS", "d": "T", "f": "F", "g": "KS", "h": "H", "j": "KSH", "k": "K", "l": "L", "m": "MN",
    "n": "N", "p": "P", "q": "K", "r": "L", "s": "S", "t": "TS", "v": "FP", "w": "F", "z": "S",
}  # fmt: skip
_WEAK = frozenset("HFL")  # sounds that either script may leave out: Hugh, Owen, Carter
_LITTLE = 0.5  # what one of them counts
_ALIKE, _UNLIKE = 0.3, 0.6
_SHORT = 2  # consonants that tell too little


@cache
def _sounds() -> dict[str, str]:
    known: dict[str, str] = {}
    for line in data_lines("sounds.txt"):
        sound, written = line.split(" ")
        known.update(dict.fromkeys(written, sound))
    return known


def dotted_names(flat: str) -> list[tuple[int, int]]:
    """Locate the parts of names that are joined by a dot; what stands before and behind is cut off by its sound."""
    found: list[tuple[int, int]] = []
    for match in _DOTTED.finditer(flat):
        parts = match.group().split("·")
        at = match.start()
        for number, part in enumerate(parts):
            start, end = 0, len(part)
            if number == 0:
                start = next((n for n in range(end, 0, -1) if part[n - 1] not in _sounds()), 0)
            if number == len(parts) - 1:
                end = next((n for n in range(end) if part[n] not in _sounds()), end)
            if start < end:
                found.append((at + start, at + end))
            at += len(part) + 1
    return found


@lru_cache(maxsize=4096)
def is_by_sound(name: str) -> bool:
    """Tell whether every character of a Chinese name may stand for a sound."""
    return len(name) > 1 and all(character in _sounds() for character in name)


@lru_cache(maxsize=8192)
def compare_sounds(name: str, other: str) -> Heard:
    """Tell whether two names, one of them Chinese by its sound, are the same; empty where sounds do not decide."""
    one, two = _sounds_of(name), _sounds_of(other)
    longer = max(sum(map(_worth, one)), sum(map(_worth, two)), 1.0)
    if min(len(one), len(two)) < _SHORT:
        return ""
    far = _distance(one, two) / longer
    return "same" if far <= _ALIKE else "other" if far >= _UNLIKE else ""


def _sounds_of(name: str) -> tuple[str, ...]:
    """Return the consonants of a name; none of a Chinese one that has a meaning."""
    if name.isascii():
        return _of_latin(name)
    return _of_chinese(name) if is_by_sound(name) else ()


def _of_latin(word: str) -> tuple[str, ...]:
    found = (match[1] or match[0] for match in _LETTERS.finditer(word))
    return tuple(_CLASSES[each.lower()] for each in found)


def _of_chinese(name: str) -> tuple[str, ...]:
    found: list[str] = []
    for character in name:
        sound = _sounds()[character]
        found.extend([sound.strip("+-")] if sound.strip("+-") else [])
        found.extend(["N"] if sound.endswith("+") else [])
    return tuple(found)


def _worth(sound: str) -> float:
    return _LITTLE if set(sound) <= _WEAK else 1.0


def _distance(one: tuple[str, ...], two: tuple[str, ...]) -> float:
    """Count the sounds that differ, those that are often left out by half."""
    row = [0.0]
    for sound in two:
        row.append(row[-1] + _worth(sound))
    for here in one:
        above, row = row, [row[0] + _worth(here)]
        for at, there in enumerate(two):
            swap = 0.0 if set(here) & set(there) else max(_worth(here), _worth(there))
            row.append(min(above[at] + swap, above[at + 1] + _worth(here), row[at] + _worth(there)))
    return row[-1]
