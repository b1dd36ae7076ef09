"""What a prompt shows: its blocks of data, its claims and its numbered passages, as the product writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lab.stubs.keys import MessageKey, PageKey, fold
from lab.stubs.terms import sentences, terms

_BLOCK = re.compile(r"<<data (\w+)>>\n(.*?)\n<</data \1>>", re.DOTALL)
_HEADING = re.compile(r"^【(\d+)】[^\S\n]*(.*)$", re.MULTILINE)
_CLAIM = re.compile(r"^\((\d+)\) (.+)$", re.MULTILINE)
_TOWARDS = re.compile(r"^【 ?(\d+)】→ \((\d+)\)$", re.MULTILINE)  # in a block it has a space
_SHORT = 8  # characters below which a piece of text says nothing of where it is from
_SAME_PAGE = 0.5  # share of a passage's sentences that stand on its page
_COVERED = 0.75  # share of a claim's words in another claim that includes it
_LONGEST_QUOTE = 400


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage as the prompt shows it."""

    number: int
    head: str  # title, publisher, date
    text: str


def message_in(text: str) -> str:
    """Return the message: the first block of data."""
    found = _BLOCK.search(text)
    return found[2].strip() if found else ""


def passages_in(text: str) -> list[Shown]:
    """List the numbered passages: those of the last block that has any."""
    blocks = [match[2] for match in _BLOCK.finditer(text)]
    block = next((each for each in reversed(blocks) if _HEADING.search(each)), "")
    heads = list(_HEADING.finditer(block))
    ends = [match.start() for match in heads[1:]] + [len(block)]
    return [
        Shown(int(match[1]), match[2].strip(), block[match.end() : end].strip())
        for match, end in zip(heads, ends, strict=True)
    ]


def claims_in(text: str) -> dict[int, str]:
    """List the numbered claims: those of the first block after the message that has any."""
    blocks = [match[2] for match in _BLOCK.finditer(text)][1:]
    found = ({int(m[1]): m[2].strip() for m in _CLAIM.finditer(block)} for block in blocks)
    return next(filter(None, found), dict[int, str]())


def listed_in(text: str) -> dict[int, str]:
    """List the numbered lines of the first block of data."""
    return {int(match[1]): match[2].strip() for match in _CLAIM.finditer(message_in(text))}


def asked_pairs(text: str) -> list[tuple[int, int]]:
    """List which passage is to be read beside which claim; empty where each is, beside each."""
    return [(int(match[1]), int(match[2])) for match in _TOWARDS.finditer(text)]


def page_of(shown: Shown, keys: Iterable[MessageKey]) -> tuple[MessageKey, PageKey] | None:
    """Find the page that a passage is from, by its sentences; of copies, the one with its title."""
    pieces = [each for s in sentences(shown.text) if len(each := fold(s)[0]) >= _SHORT]
    pieces = pieces or [fold(shown.text)[0]]
    head = fold(shown.head)[0]
    best, found = 0.0, None
    for key in keys:
        for page in key.pages:
            share = sum(piece in page.folded for piece in pieces) / len(pieces)
            titled = bool(page.title) and fold(page.title)[0] in head
            if share >= _SAME_PAGE and share + titled > best:
                best, found = share + titled, (key, page)
    return found


def claims_meant(asked: str, known: tuple[str, ...]) -> list[int]:
    """List the places of the known claims that a claim of the prompt states: all that it includes."""
    plain = fold(asked)[0]
    exact = [place for place, claim in enumerate(known, 1) if fold(claim)[0] == plain]
    if exact or not known:
        return exact or [1]
    words = set(terms(asked))
    own = [set(terms(claim)) for claim in known]
    covered = [n for n, each in enumerate(own, 1) if len(each & words) >= _COVERED * len(each)]
    likeness = [len(each & words) / (len(each | words) or 1) for each in own]
    return covered or [1 + likeness.index(max(likeness))]


def best_sentence(text: str, *near: str) -> tuple[float, str]:
    """Return the sentence of a text that shares most with others, and the share of their words."""
    wanted = [words for each in near if (words := set(terms(each)))]
    best, chosen = 0.0, ""
    for sentence in sentences(text):
        words = set(terms(sentence))
        share = max((len(words & each) / len(each) for each in wanted), default=0.0)
        if len(sentence) <= _LONGEST_QUOTE and len(sentence) >= _SHORT and share > best:
            best, chosen = share, sentence
    return best, chosen


def first_sentence(text: str) -> str:
    """Return the first sentence that can be quoted."""
    return next((each for each in sentences(text) if len(each) >= _SHORT), text.strip())
