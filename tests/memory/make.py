"""Lessons, sightings and remembered claims with sensible defaults; invented, zh and en."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from groundwire.evidence.memory.beliefs import belief, lesson
from groundwire.model.base import short_id
from groundwire.model.claim import Claim, Verdict
from groundwire.model.ending import Ending
from groundwire.model.memory import Ground, Lesson, Remembered, Sighting
from groundwire.store import Store
from tests.store.make import Make

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
PAGE = "https://bank.example/rates"
OTHER = "https://paper.example/story"

RATE_OLD = "The savings rate of Harbor Light Bank is 4.2%."
RATE_NEW = "The savings rate of Harbor Light Bank is 4.5%."
FARE = "海角渡轮公司的单程票价为12元。"
FARE_HANT = "海角渡輪公司的單程票價為12元。"
FARE_NEW = "海角渡轮公司的单程票价为15元。"


def minutes(count: float) -> datetime:
    return NOON + timedelta(minutes=count)


def ground(text: str, url: str = PAGE, published: datetime | None = None) -> Ground:
    return Ground(
        evidence_id=short_id("ev", [url, text]),
        document_id=short_id("doc", [url, text]),
        url=url,
        title="A page",
        publisher=url.split("/")[2],
        published_at=published,
        quote=text,
        start=0,
        end=len(text),
    )


def taught(
    text: str,
    *,
    url: str = PAGE,
    published: datetime | None = None,
    verdict: Verdict = "supported",
    confidence: float | None = None,
    **claim: Any,
) -> Lesson:
    made = Claim(text=text, verdict=verdict, **claim)
    return lesson(made, [ground(text, url, published)], confidence)


def seen(
    lesson: Lesson, at: datetime, run: str = "run-1", verdict: Verdict | None = None
) -> Sighting:
    dates = [each.published_at for each in lesson.grounds if each.published_at is not None]
    return Sighting(
        run_id=run,
        attempt=1,
        job="ask",
        learned_at=at,
        said_at=max(dates, default=None),
        verdict=verdict or lesson.verdict,
        confidence=lesson.confidence,
        grounds=lesson.grounds,
    )


def remembered(
    text: str, at: datetime = NOON, *, url: str = PAGE, reference: date | None = None, **claim: Any
) -> Remembered:
    made = taught(text, url=url, **claim)
    known = made.belief
    if reference is not None:
        known = belief(Claim(text=text, **claim), reference)
    return Remembered(belief=known, sightings=(seen(made, at),))


async def teach(store: Store, name: str, at: datetime, *lessons: Lesson, kind: str = "ask") -> None:
    """End a run at a moment, having learned this."""
    make = Make()
    lease = await make.lease(store, name, kind=kind)
    await store.runs.finish(lease, Ending("complete", at, {"said": name}, lessons=lessons))
