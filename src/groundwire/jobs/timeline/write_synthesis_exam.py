"""The exam of syntheses: only what would be shown counts; the course of events, and what joins them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundwire.language.text.sentences import sentences
from groundwire.language.text.wording import is_han
from groundwire.model.base import JsonObject, Value
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam_pages import OnPages, places
from groundwire.reasoning.exam_words import Telling, share
from groundwire.reasoning.quoting import Said, stands

if TYPE_CHECKING:
    from groundwire.jobs.timeline.write_synthesis import Overview, OverviewInput


class ItemGiven(OnPages):
    """A topic and its events in their order, each a page that tells it."""

    topic: str
    language: str


class RightSentence(Value):
    """A right sentence, and the passage that it stands on."""

    text: str
    passage: int


class Expected(Telling):
    """A right synthesis; what any tells, what an insight says, and what none may say."""

    right: tuple[RightSentence, ...]
    insight: tuple[RightSentence, ...] = ()
    joined: tuple[tuple[str, ...], ...] = ()  # of the insight; (): nothing joins these events


def drafted(passages: Sequence[NumberedPassage], most: int) -> list[tuple[int, str]]:
    """Tell the events as code does: each by the first sentence of its passage, but for orders to machines."""
    found: list[tuple[int, str]] = []
    for each in (one for one in passages if "injection" not in one.flags):
        start, end = next(iter(sentences(each.text)))
        found.append((each.number, each.text[start:end]))
    return found[:most]


def score(given: OverviewInput, written: Overview, expect: JsonObject) -> float:
    """Score what of a synthesis would be shown: its facts twice, its language, its insight twice."""
    expected = Expected.model_validate(expect)
    pages = places(given.passages)

    def holds(said: Said) -> bool:
        return stands(said.text, said.quotes, pages, given.topic)

    shown = [each.text for each in written.summary if holds(each)]
    if not shown:
        return 0.0
    whole = written.joins and all(holds(each) for each in written.insight)
    insight = "\n".join(each.text for each in written.insight if whole)
    told = "\n".join(shown)
    facts = share(told, expected.facts)
    own = sum(is_han(each) == given.language.startswith("zh") for each in shown) / len(shown)
    joined = share(insight, expected.joined) if expected.joined else float(not insight)
    worth = math.fsum((facts, facts, own, joined, joined)) / 5
    return expected.left_of(worth, f"{told}\n{insight}")
