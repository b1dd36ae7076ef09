"""The exam of written answers: only sentences that would be shown count."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import Field

from groundwire.model.base import JsonObject, canonical
from groundwire.reasoning.exam_pages import OnPages, places
from groundwire.reasoning.exam_words import Telling, has_any, share
from groundwire.reasoning.quoting import stands

if TYPE_CHECKING:
    from groundwire.jobs.ask.write_answer import Proposed, WriteInput, Written

MAX_SENTENCES = 6
_AS_ANSWER, _BESIDE = 0.0, 0.5  # what is left of a score when it tells what is not so
_NEEDLESS_DISPUTE = 0.5


class ItemGiven(OnPages):
    """A question and its passages, unnumbered."""

    question: str
    language: str
    today: str


class Expected(Telling):
    """What a right answer says, begins with, leaves out and names as missing or disputed."""

    facts: tuple[tuple[str, ...], ...] = ()
    first: tuple[str, ...] = ()
    gaps: bool | tuple[str, ...] = Field(default=False)
    contested: bool = False


def score(given: WriteInput, written: Written, expect: JsonObject) -> float:
    """Score what of an answer would be shown: its facts twice, its first sentence, what it names."""
    expected = Expected.model_validate(expect)
    passages = places(given.passages)

    def standing(proposed: Iterable[Proposed]) -> list[str]:
        return [e.text for e in proposed if stands(e.text, e.quotes, passages, given.question)]

    shown = standing(written.sentences)
    disputes = [sides for each in written.contested if len(sides := standing(each.sides)) > 1]
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


def _names_gap(written: Written, wanted: bool | tuple[str, ...]) -> bool:
    """Tell whether a gap is named; code's gaps are codes whose parameters hold the words."""
    if isinstance(wanted, bool):
        return bool(written.gaps)
    texts = (f"{gap.what} {gap.why} {canonical(gap.params).decode()}" for gap in written.gaps)
    return has_any("\n".join(texts), wanted)
