"""The exam of briefs: only sentences that would be shown count; what changed first, in the reader's language."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from groundwire.language.text.wording import is_han
from groundwire.model.base import JsonObject, Value
from groundwire.reasoning.exam_pages import OnPages, places
from groundwire.reasoning.exam_words import Telling, has_any, share
from groundwire.reasoning.quoting import stands

if TYPE_CHECKING:
    from groundwire.jobs.watch.write_brief import Brief, BriefInput


class ItemClaim(Value):
    """A claim as code has read it: how it stands, and the words of a passage that say it."""

    part: str
    passage: int
    quote: str


class ItemGiven(OnPages):
    """A watch, its pages, and the claims that were read in them, most important first."""

    command: str
    subject: str
    language: str
    today: str
    claims: tuple[ItemClaim, ...]


class RightSentence(Value):
    """A sentence of a right brief, and the words of the passage that it stands on."""

    text: str
    passage: int
    quote: str


class Expected(Telling):
    """What a right brief tells, what its first sentence says, and what it must not say."""

    right: tuple[RightSentence, ...]  # such a brief

    first: tuple[str, ...]


def score(given: BriefInput, brief: Brief, expect: JsonObject) -> float:
    """Score what of a brief would be shown: its facts twice, its first sentence, its language, no word too many."""
    expected = Expected.model_validate(expect)
    pages = places(given.passages)
    shown = [
        each.text
        for each in brief.sentences
        if stands(each.text, each.quotes, pages, given.subject)
    ]
    if not shown:
        return 0.0
    facts = share("\n".join(shown), expected.facts)
    own = [is_han(each) == given.language.startswith("zh") for each in shown]
    parts = (
        facts,
        facts,
        float(has_any(shown[0], expected.first)),
        sum(own) / len(shown),
        _telling(shown, expected),
    )
    worth = math.fsum(parts) / len(parts)
    return expected.left_of(worth, "\n".join(shown))


def _telling(shown: list[str], expected: Expected) -> float:
    """Return the share of sentences that tell a fact which none before them has told."""
    left = list(expected.facts)
    told = 0
    for each in shown:
        new = [ways for ways in left if has_any(each, ways)]
        left = [ways for ways in left if ways not in new]
        told += bool(new)
    return told / len(shown)
