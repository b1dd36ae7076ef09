"""What messages say was done, by families of words in both languages, with their opposites and first steps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby

from groundwire.evidence.data import data_lines

_BETWEEN = r"(?:\W+[\w'’-]+){0,4}?\W+"
_NEVER = re.compile(r"(?!)")
# What a word may end in and still be the same: electing and election, not electric.
_ENDINGS = (
    r"(?:[a-z]?(?:e|es|s|ed|d|ing|ings|er|ers|or|ors|al|als|y|ies|ied|ion|ions)?|[aiu]tions?|[szl]?ations?|sitions?"
    r"|ments?|ures?|ured|anc[ey]s?|enc(?:e|es|y|ies)|c(?:y|ies|e|es)|i[sz](?:e|ed|es|ing)|re[sd]?|ring|ships?|it(?:y|ies)"
    r"|t(?:ed|ing|s|y|ies|ory)?|ive|able|ful)(?:'s)?"
)


@dataclass(frozen=True, slots=True, eq=False)  # each is one thing; a pattern's hash reads all of it
class Act:
    """One family: words that say it was done, that say the opposite, and that come before it.

    A pattern is compiled when it is first looked for: few texts ask for more than some of them.
    """

    name: str
    said: re.Pattern[str]
    opposite: re.Pattern[str] | str
    first: re.Pattern[str] | str

    @property
    def against(self) -> re.Pattern[str]:
        return pattern(self.opposite) if isinstance(self.opposite, str) else self.opposite

    @property
    def before(self) -> re.Pattern[str]:
        return pattern(self.first) if isinstance(self.first, str) else self.first


@dataclass(frozen=True, slots=True)
class Done:
    """Where a text says that something was done; the same words may belong to several families."""

    start: int
    end: int
    acts: tuple[Act, ...]


@cache
def families() -> tuple[Act, ...]:
    """All families, as the data file has them."""
    found: list[Act] = []
    for line in data_lines("acts.tsv"):
        name, english, chinese, against, before = line.split("\t")
        said = pattern(f"{english}|{chinese}")
        found.append(Act(name, said, against, before))
    return tuple(found)


@lru_cache(maxsize=512)
def done_in(low: str) -> tuple[Done, ...]:
    """What a text in small letters and normal form says was done, in its order."""
    places: dict[tuple[int, int], list[Act]] = {}
    for act in families():
        for match in act.said.finditer(low):
            places.setdefault(match.span(), []).append(act)
    # Words within a longer phrase say what the phrase says: cuts 300 jobs is no cut of a rate.
    inner = [
        span
        for span in places
        if any(a <= span[0] and span[1] <= b and b - a > span[1] - span[0] for a, b in places)
    ]
    for span in inner:
        del places[span]
    merged: list[tuple[int, int, list[Act]]] = []
    for (start, end), acts in sorted(places.items(), key=lambda item: (item[0][0], -item[0][1])):
        if merged and start < merged[-1][1]:
            last = merged[-1]
            merged[-1] = (last[0], max(last[1], end), [*last[2], *acts])
        else:
            merged.append((start, end, acts))
    return tuple(Done(start, end, tuple(dict.fromkeys(acts))) for start, end, acts in merged)


@cache
def pattern(cell: str) -> re.Pattern[str]:
    """A list of words as one pattern: * is an ending, _ some words between."""
    words = _words(cell)
    if not words:
        return _NEVER
    words.sort(key=lambda word: "_" not in word and "[^" not in word)  # phrases before their words
    # Words with the same borders share them: looked at once a place, not once a word.
    runs = [
        f"{head}(?:{'|'.join(map(_body, group))}){tail}"
        for (head, tail), group in groupby(words, _borders)
    ]
    return re.compile("|".join(runs))


def _words(cell: str) -> list[str]:
    """The words of a list: a | within brackets is a choice inside one word."""
    found, depth = [""], 0
    for char in cell:
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            found.append("")
        else:
            found[-1] += char
    return [word for word in found if word]


def _body(word: str) -> str:
    return word.replace("*", _ENDINGS).replace("_", _BETWEEN)


def _borders(word: str) -> tuple[str, str]:
    """What must not stand before and after a word."""
    if not word.isascii():
        return "", ""  # Chinese stands beside anything
    head = r"(?<![a-z0-9])" if word[0].isalnum() or word[0] == "(" else ""
    tail = r"(?![a-z0-9])" if word[-1].isalnum() or word[-1] in ")*?" else ""
    return head, tail
