"""A sentence as stretches: each clause with the short ones around it that belong to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from groundwire.language.text.characters import HAN

_CLAUSE = re.compile(r"[,，;；。!?！？](?!\d)|\.(?=\s|$)|\n")
_SHORT_HAN, _SHORT_WORDS = 16, 6
_NO_SUBJECT = 8
_EVENT = re.compile(
    r"\W*(?:it|this|that) (?:happened|occurred|took place|came|followed)\b|\W*(?:这|此)[^,，]{0,4}发生",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A clause, and the same with the short ones around it: a day before it, a name beside it."""

    core: str
    text: str


@lru_cache(maxsize=4096)
def stretches(text: str) -> tuple[Stretch, ...]:
    """Every clause of a sentence, in order."""
    stops = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    spans = [(a, b) for a, b in pairwise(stops) if text[a:b].strip()]
    found: list[Stretch] = []
    for at, (start, end) in enumerate(spans):
        core = text[start:end]
        # "It happened on …" is about what the sentence before says.
        if at and _EVENT.match(core):
            start = 0
        for back in (1, 2):
            if at < back or not _short(text[slice(*spans[at - back])]):
                break
            start = min(start, spans[at - back][0])
        if at + 1 < len(spans) and _short(text[slice(*spans[at + 1])]):
            end = spans[at + 1][1]
        found.append(Stretch(core, text[start:end]))
    return tuple(found) or (Stretch(text, text),)


def _short(clause: str) -> bool:
    han = len(re.findall(f"[{HAN}]", clause))
    return han <= _SHORT_HAN and len(re.findall(r"[A-Za-z0-9]+", clause)) <= _SHORT_WORDS


def goes_on(clause: str) -> bool:
    """Whether a clause is too short to have a subject of its own: 超过2.7万美元."""
    han = len(re.findall(f"[{HAN}]", clause))
    return han <= _NO_SUBJECT and len(re.findall(r"[A-Za-z]+", clause)) <= _NO_SUBJECT // 2
