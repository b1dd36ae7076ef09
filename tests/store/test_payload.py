"""Column values: times and JSON round-trip exactly, large JSON is compressed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from groundwire.errors import CorruptStore
from groundwire.model.base import canonical
from groundwire.store.payload import from_us, pack, to_us, unpack


@pytest.mark.parametrize(
    "at",
    [
        datetime(2026, 11, 16, 12, 0, 0, 123456, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),  # before the epoch
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    ],
)
def test_times_round_trip_to_the_microsecond(at: datetime):
    assert from_us(to_us(at)) == at


def test_a_zone_changes_nothing():
    local = datetime(2026, 11, 16, 20, 0, tzinfo=timezone(timedelta(hours=8)))
    assert from_us(to_us(local)) == local
    assert from_us(to_us(local)).tzinfo is UTC


@pytest.mark.parametrize(
    "value",
    [{}, [], None, 0, 1.5, "x", "xxxx", True, {"a": "稳定币\x00", "b": [1, {"c": None}]}],
)
def test_json_round_trips(value: object):
    assert unpack(pack(value)) == value


def test_only_large_json_is_compressed():
    small, large = {"x": "y" * 100}, {"x": "稳定币" * 5_000}
    assert pack(small) == canonical(small)
    assert len(pack(large)) < len(canonical(large)) / 10
    assert unpack(pack(large)) == large


@pytest.mark.parametrize("data", [b"", b"{", b"x", pack({"x": "y" * 5_000})[:-5]])
def test_damage_is_said(data: bytes):
    with pytest.raises(CorruptStore):
        unpack(data)
