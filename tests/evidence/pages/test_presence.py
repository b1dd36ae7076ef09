"""When a page appeared: its day is that of its own "today", in the zone that it wrote or in its language's."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from lab.archives import document

from groundwire.evidence.pages.presence import appeared, publication_day, published
from groundwire.model.base import canonical
from groundwire.model.source import Document

_NOW = datetime(2026, 1, 1, tzinfo=UTC)


def page(when: str | datetime, language: str) -> Document:
    return document("https://a.example/x", "", "text", _NOW, language=language, published_at=when)


@pytest.mark.parametrize(
    ("when", "language", "day"),
    [
        ("2024-05-02T07:00:00+08:00", "zh", date(2024, 5, 2)),
        ("2024-05-02T07:00:00+08:00", "zh-Hant", date(2024, 5, 2)),
        ("2024-05-06T22:00:00-05:00", "en", date(2024, 5, 6)),
        ("2024-05-07T01:00:00+09:00", "en", date(2024, 5, 7)),
        # Written in UTC: the page's day is that of its language, where that has one.
        ("2024-05-01T23:00:00Z", "zh", date(2024, 5, 2)),
        ("2024-05-01T23:00:00Z", "zh-Hant", date(2024, 5, 2)),
        ("2024-05-01T23:00:00Z", "en", date(2024, 5, 1)),
        # A Chinese page that writes its zone is read in that zone.
        ("2024-05-01T19:00:00-04:00", "zh", date(2024, 5, 1)),
        # A date without a time is that day.
        ("2024-05-02T00:00:00Z", "zh", date(2024, 5, 2)),
        ("2024-05-02T00:00:00Z", "en", date(2024, 5, 2)),
    ],
)
def test_the_day_of_a_page_is_the_day_where_it_was_written(
    when: str, language: str, day: date
) -> None:
    found = page(when, language)
    assert publication_day(found) == day
    # The same after it was kept as JSON, and the moment itself is unchanged.
    assert publication_day(Document.model_validate_json(found.model_dump_json())) == day
    assert published(found) == datetime.fromisoformat(when)


def test_a_day_alone_counts_from_its_noon_in_every_language() -> None:
    noon = datetime(2024, 5, 2, 12, tzinfo=UTC)
    assert [appeared(page("2024-05-02T00:00:00Z", each)) for each in ("zh", "en")] == [noon, noon]


def test_an_odd_zone_of_seconds_is_kept_as_utc() -> None:
    shanghai = timezone(timedelta(hours=8, minutes=5, seconds=43))
    found = page(datetime(2024, 5, 2, 7, tzinfo=shanghai), "en")
    assert found.published_at is not None
    assert found.published_at.utcoffset() == timedelta()
    assert b"2024-05-01T22:54:17Z" in canonical(found.model_dump(mode="json"))
