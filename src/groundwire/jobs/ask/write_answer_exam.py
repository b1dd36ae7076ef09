"""The exam of written answers: only sentences that would be shown count."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import Field

from groundwire.evidence.citations.checker import check
from groundwire.model.base import JsonObject, Value, canonical
from groundwire.model.source import Evidence, NumberedPassage, Passage, Tier
from groundwire.reasoning.exam_pages import ExamPage, numbered, places
from groundwire.reasoning.exam_words import has_any, share

if TYPE_CHECKING:
    from groundwire.jobs.ask.write_answer import Proposed, WriteInput, Written

MAX_SENTENCES = 6
_AS_ANSWER, _BESIDE = 0.0, 0.5  # what is left of a score when it tells what is not so
_NEEDLESS_DISPUTE = 0.5

_Numbered = Mapping[int, tuple[Evidence, Passage]]


class ItemPassage(Value):
    """A passage as an examiner writes it, with the standing of its page."""

    title: str
    publisher: str
    date: str = ""
    language: str
    tier: Tier = "established"
    text: str


class ItemGiven(Value):
    """A question and its passages, unnumbered."""

    question: str
    language: str
    today: str
    passages: tuple[ItemPassage, ...]


class Expected(Value):
    """What a right answer says, begins with, leaves out and names as missing or disputed."""

    facts: tuple[tuple[str, ...], ...] = ()
    first: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    gaps: bool | tuple[str, ...] = Field(default=False)
    contested: bool = False


def numbered_passage(item: ItemPassage, number: int) -> NumberedPassage:
    """Give a passage its number, as a page of its own and of its own origin."""
    page = ExamPage(
        title=item.title,
        publisher=item.publisher,
        published=item.date,
        language=item.language,
        text=item.text,
    )
    return numbered(page, number, item.tier)


def score(given: WriteInput, written: Written, expect: JsonObject) -> float:
    """Score what of an answer would be shown: its facts twice, its first sentence, what it names."""
    expected = Expected.model_validate(expect)
    passages = places(given.passages)
    shown = [each.text for each in written.sentences if _stands(each, passages, given.question)]
    disputes = [
        sides
        for dispute in written.contested
        if len(sides := [s.text for s in dispute.sides if _stands(s, passages, given.question)]) > 1
    ]
    told = "\n".join([*shown, *(text for sides in disputes for text in sides)])
    first, others = (shown[0], "\n".join(shown[1:])) if shown else ("", "")
    parts: list[float] = []
    if expected.facts:
        parts += [share(told, expected.facts)] * 2
    if expected.first:
        parts.append(float(has_any(first, expected.first)))
    if expected.gaps:
        parts.append(float(_names_gap(written, expected.gaps)))
    if expected.contested:
        parts.append(float(bool(disputes)))
    worth = math.fsum(parts) / len(parts) if parts else 1.0
    if has_any(first, expected.never):
        worth *= _AS_ANSWER
    elif has_any(others, expected.never):
        worth *= _BESIDE
    if disputes and not expected.contested:
        worth *= _NEEDLESS_DISPUTE
    return worth


def _stands(proposed: Proposed, passages: _Numbered, question: str) -> bool:
    quotes = [(each.passage, each.quote) for each in proposed.quotes]
    return check(proposed.text, quotes, passages, question).result != "unsupported"


def _names_gap(written: Written, wanted: bool | tuple[str, ...]) -> bool:
    """Tell whether a gap is named; code's gaps are codes whose parameters hold the words."""
    if isinstance(wanted, bool):
        return bool(written.gaps)
    texts = (f"{gap.what} {gap.why} {canonical(gap.params).decode()}" for gap in written.gaps)
    return has_any("\n".join(texts), wanted)
