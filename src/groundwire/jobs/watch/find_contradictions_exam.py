"""The exam of contradictions: points whose sides would be shown, and no point where nothing contradicts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from groundwire.jobs.watch.ledger.claims import Claim, Today
from groundwire.jobs.watch.ledger.comparison import compare
from groundwire.jobs.watch.opposition import can_be_opposed
from groundwire.jobs.watch.plan_watch import names_of
from groundwire.jobs.watch.subject import spellings
from groundwire.model.base import JsonObject, Value
from groundwire.model.source import NumberedPassage
from groundwire.reasoning.exam_pages import OnPages
from groundwire.reasoning.exam_words import agreement, has_any
from groundwire.reasoning.quoting import Quoted

if TYPE_CHECKING:
    from groundwire.jobs.watch.find_contradictions import Point, Points

_AT = datetime(2026, 12, 31, tzinfo=UTC)  # after every page of the items


class ItemGiven(OnPages):
    """A subject, and pages about it."""

    subject: str
    language: str


class ExpectedSide(Value):
    """What one side says, and the passages that say it."""

    passages: tuple[int, ...]
    says: tuple[str, ...]


class ExpectedPoint(Value):
    """One contradiction: at least two sides."""

    sides: tuple[ExpectedSide, ...]


class Expected(Value):
    """All contradictions of an item; whatever else is said to be one is none."""

    points: tuple[ExpectedPoint, ...] = ()


def contested(item: ItemGiven) -> list[Claim]:
    """List the claims that code holds as contested when it reads these pages in a run."""
    pages = tuple(item.pages())
    names = spellings(names_of(item.subject), (each.document.text for each in pages))
    found = compare(None, Today(names=names, at=_AT, pages=pages))
    claims = (each for each in found.ledger.claims if each.state == "contested")
    return [each for each in claims if each.citations and each.denials]


def score(passages: tuple[NumberedPassage, ...], found: Points, expect: JsonObject) -> float:
    """Score the points that would be shown: how many are right, and how many were to be had."""
    texts = {each.number: each.text for each in passages}
    shown = [each for each in found.points if _would_be_shown(each, texts)]
    wanted = Expected.model_validate(expect).points
    return agreement(shown, wanted, lambda point, each: _is(point, each, texts))


def _would_be_shown(point: Point, texts: dict[int, str]) -> bool:
    quotes = [each.quote for each in _standing(point, texts).values()]
    return len(quotes) > 1 and can_be_opposed(quotes)


def _standing(point: Point, texts: dict[int, str]) -> dict[int, Quoted]:
    """Return the sides whose quote stands, one for each passage."""
    return {e.passage: e for e in point.sides if e.quote.strip() in texts.get(e.passage, "")}


def _is(point: Point, wanted: ExpectedPoint, texts: dict[int, str]) -> bool:
    """Tell whether a point sets two of these sides next to each other, and nothing that is of neither."""
    sides = _standing(point, texts).values()
    met = [next((n for n, w in enumerate(wanted.sides) if _says(s, w)), None) for s in sides]
    return None not in met and len(set(met)) > 1


def _says(side: Quoted, wanted: ExpectedSide) -> bool:
    return side.passage in wanted.passages and has_any(side.quote, wanted.says)
