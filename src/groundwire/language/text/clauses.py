"""A sentence by its clauses: what each of them negates, denies, hedges, plans or merely asks."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache

from groundwire.language.text.phrases import patterns
from groundwire.language.text.polarity import negations
from groundwire.language.text.sentences import sentences

_said = patterns("clauses.txt", flags=re.IGNORECASE)
_AND = re.compile(r"(?<!between) (?:and|then) (?=[^\W\d])")
# Signs of a finite verb, enough to tell two statements from a list of two nouns.
_VERB = re.compile(_said("verb"))
_CONTRAST = re.compile(r"\b(?:but|however|although|whereas)\b|但|不过|然而|;")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause in its normal form, with its place in the text it stands in."""

    text: str
    start: int
    negated: tuple[str, ...]  # stems of what it negates
    denied: bool
    rumour: bool
    modal: bool
    planned: bool
    asked: bool

    @property
    def hedged(self) -> bool:
        return self.rumour or self.modal

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@lru_cache(maxsize=256)
def clauses(flat: str) -> tuple[Clause, ...]:
    """Return all clauses of text that is already in its normal form."""
    found: list[Clause] = []
    for start, end in sentences(flat):
        found.extend(_of_sentence(flat[start:end], start))
    return tuple(found)


def denies(flat: str) -> bool:
    """Tell whether the text itself says that something is denied or false."""
    return (
        _said["deny after"].search(flat) is not None
        or _said["deny before"].search(flat) is not None
    )


def _of_sentence(sentence: str, offset: int) -> list[Clause]:
    denied = _denied(sentence)
    rumoured = _onwards(_said["rumour"], sentence)
    conditional = _said["if"].search(sentence) is not None
    asks = sentence.rstrip("\"' )").endswith("?")
    found: list[Clause] = []
    for start, end in _pieces(sentence):
        piece = sentence[start:end]
        negated = tuple(word for item in negations(piece) if not item.denial for word in item.words)
        found.append(
            Clause(
                text=piece,
                start=offset + start,
                negated=negated,
                denied=any(a < end and start < b for a, b in denied),
                rumour=any(a < end and start < b for a, b in rumoured),
                modal=conditional or _said["modal"].search(piece) is not None,
                planned=_said["plan"].search(piece) is not None,
                asked=asks,
            )
        )
    return found


def _pieces(sentence: str) -> list[tuple[int, int]]:
    edges = [0]
    for match in _said["break"].finditer(sentence):
        edges.append(match.end())
    edges.append(len(sentence))
    spans: list[tuple[int, int]] = []
    for start, end in itertools.pairwise(edges):
        spans.extend(_by_and(sentence, start, end))
    return [(a, b) for a, b in spans if re.search(r"\w", sentence[a:b])]


def _by_and(sentence: str, start: int, end: int) -> list[tuple[int, int]]:
    """Parts around "and" when each of them has a verb of its own."""
    spans: list[tuple[int, int]] = []
    for match in _AND.finditer(sentence, start, end):
        left, right = sentence[start : match.start()], sentence[match.end() : end]
        near = " ".join(right.split()[:6])
        if (_VERB.search(left) and _VERB.search(near)) or (
            re.search(r"\d", left) and re.search(r"\d", right)
        ):
            spans.append((start, match.start()))
            start = match.end()
    return [*spans, (start, end)]


def _onwards(pattern: re.Pattern[str], sentence: str) -> list[tuple[int, int]]:
    """From each sign to the next contrast, or to the end."""
    spans: list[tuple[int, int]] = []
    for match in pattern.finditer(sentence):
        stop = _CONTRAST.search(sentence, match.end())
        spans.append(
            (_clause_start(sentence, match.start()), stop.start() if stop else len(sentence))
        )
    return spans


def _clause_start(sentence: str, at: int) -> int:
    return max((match.end() for match in _said["break"].finditer(sentence, 0, at)), default=0)


def _denied(sentence: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for match in _said["deny after"].finditer(sentence):
        stop = re.compile(r"[,;。]|\bbut\b|但").search(sentence, match.end())
        spans.append((match.end(), stop.start() if stop else len(sentence)))
    for match in _said["deny before"].finditer(sentence):
        start = _clause_start(sentence, match.start())
        frame = _said["frame"].search(sentence, 0, match.start())
        spans.append((min(start, frame.start()) if frame else start, match.end()))
    return [(a, b) for a, b in spans if b > a]
