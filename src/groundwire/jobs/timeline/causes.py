"""What a sentence, or two that follow each other, says of cause and effect, in the words of `causes.txt`; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

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
            match = _cues[heading].search(text) if heading in _HEADINGS else None
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


def _in_two(before: Account, account: Account) -> Caused | None:
    """Take a sentence that begins with what follows from the one before it."""
    follows = account.order == before.order + 1 and account.end - before.start <= _LONGEST
    passages = account.page.evidence.passages
    inside = any(p.start <= before.start and account.end <= p.end for p in passages)
    for relation in _RELATIONS if follows and inside else ():
        heading = f"{relation} onward"
        match = _cues[heading].search(account.text) if heading in _HEADINGS else None
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
