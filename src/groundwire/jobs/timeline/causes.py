"""What a sentence, or two that follow each other, says of cause and effect, in the words of `causes.txt`; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from groundwire.evidence.reading.analysis import Sentence, analyse
from groundwire.evidence.reading.standing import (
    ASKED,
    DENIED,
    FALSE,
    HEDGED,
    NEGATED,
    RETOLD,
    SUPPOSED,
)
from groundwire.jobs.timeline.pages import Account, Page
from groundwire.jobs.timeline.result import Relation
from groundwire.jobs.timeline.stated import Stated
from groundwire.language.text.phrases import patterns

_cues = patterns("causes.txt", "groundwire.jobs.timeline", re.IGNORECASE)
_RELATIONS: tuple[Relation, ...] = ("caused", "enabled", "responded_to")
_PLACES = ("onward", "opening", "backward", "forward")
_HEADINGS = frozenset(
    {
        "caused forward", "caused backward", "caused opening", "caused onward", "enabled forward",
        "enabled backward", "enabled opening", "responded_to backward", "responded_to opening",
        "responded_to onward",
    }
)  # fmt: skip
_COMMA = re.compile(r"[,，]")
_LONGEST = 500  # characters of a quote
_UNSAID = NEGATED | DENIED | FALSE | RETOLD | HEDGED | ASKED | SUPPOSED
_TURNS = frozenset({"negates", "denies", "false"})
_UNSURE = _TURNS | {"retells", "hedges", "asks", "supposes"}


@dataclass(frozen=True, slots=True)
class Part:
    """What a sentence says on one side of the words that link."""

    text: str
    times: tuple[Stated, ...]
    page: Page


@dataclass(frozen=True, slots=True)
class Caused:
    """A cause and its effect as a page tells them, and the stretch that says so."""

    relation: Relation
    cause: Part
    effect: Part
    start: int
    end: int


def causes_in(page: Page) -> Iterator[Caused]:
    """Yield what a page says of causes."""
    before: Account | None = None
    for account in page.accounts:
        found = divided(account) or (before and _in_two(before, account))
        if found:
            yield found
        before = account


def divided(account: Account) -> Caused | None:
    """Divide a sentence into cause and effect by the first words that link them."""
    text = account.text
    for relation in _RELATIONS:
        for place in _PLACES[1:]:
            heading = f"{relation} {place}"
            match = _stated(heading, text)
            if match is None:
                continue
            left, right = (0, match.start()), (match.end(), len(text))
            if place == "opening":
                comma = _COMMA.search(text, match.end())
                if comma is None:
                    continue
                right, left = (comma.end(), len(text)), (match.end(), comma.start())
            cause, effect = (right, left) if place == "backward" else (left, right)
            parts = (_part(account, *cause), _part(account, *effect))
            return Caused(relation, *parts, account.start, account.end)
    return None


def befell(text: str) -> bool:
    """Tell whether something came over somebody, so that one asks why: what fell, failed or was forbidden."""
    return _cues["befell"].search(text) is not None


def is_unsaid(text: str) -> bool:
    """Tell whether a text has words that link, none of which is meant."""
    matched = [each for each in sorted(_HEADINGS) if _cues[each].search(text)]
    return bool(matched) and all(_stated(each, text) is None for each in matched)


def plainly_told(text: str) -> str:
    """Leave out the words of which a text says that they are denied, doubted, asked or handed on."""
    kept: list[str] = []
    for sentence in analyse(text).sentences:
        told = sentence.text
        for word, mark in zip(reversed(sentence.words), reversed(sentence.marks), strict=True):
            if mark & _UNSAID:
                told = f"{told[: word.start]} {told[word.end :]}"
        kept.append(told)
    return "\n".join(kept)


def _stated(heading: str, text: str) -> re.Match[str] | None:
    """Find the first words that link and are meant: "not because of", "is rumoured to have caused" are not."""
    found = list(_cues[heading].finditer(text)) if heading in _HEADINGS else []
    if not found:
        return None
    sentences = analyse(text).sentences
    return next((each for each in found if _is_meant(heading, each, found, sentences)), None)


def _is_meant(
    heading: str,
    match: re.Match[str],
    found: Sequence[re.Match[str]],
    sentences: Sequence[Sentence],
) -> bool:
    # Analysis has its own form of the text: the same words are found again by their order.
    again = [(each, one) for each in sentences for one in _cues[heading].finditer(each.text)]
    if len(again) != len(found):
        return all(each.manners.isdisjoint(_UNSURE) for each in sentences)
    sentence, own = again[found.index(match)]
    places = [
        place
        for place, word in enumerate(sentence.words)
        if word.start < own.end() and own.start() < word.end
    ]
    if not places:
        return sentence.manners.isdisjoint(_UNSURE)
    first, last = places[0], places[-1] + 1
    if any(mark & _UNSAID for mark in sentence.marks[max(0, first - 1) : last]):
        return False
    return not any(
        cue.kind in _TURNS and (cue.last == first or cue.first == last) for cue in sentence.cues
    )


def _in_two(before: Account, account: Account) -> Caused | None:
    """Take a sentence that begins with what follows from the one before it."""
    follows = account.order == before.order + 1 and account.end - before.start <= _LONGEST
    passages = account.page.evidence.passages
    inside = any(p.start <= before.start and account.end <= p.end for p in passages)
    for relation in _RELATIONS if follows and inside else ():
        heading = f"{relation} onward"
        match = _stated(heading, account.text)
        if match is not None:
            cause = _part(before, 0, len(before.text))
            effect = _part(account, match.end(), len(account.text))
            return Caused(relation, cause, effect, before.start, account.end)
    return None


def _part(account: Account, start: int, end: int) -> Part:
    times = tuple(each for each in account.times if start <= each.start - account.start < end)
    return Part(account.text[start:end], times, account.page)


def part_on(account: Account, day: date) -> Part | None:
    """Return the part of a sentence that names a day, where it tells of a cause and its effect on two."""
    found = divided(account)
    if found is None:
        return None
    sides = [each for each in (found.cause, found.effect) if any(t.day for t in each.times)]
    named = [each for each in sides if any(t.first == day for t in each.times)]
    return named[0] if len(sides) > 1 and len(named) == 1 else None
