"""A short version of `gw bench timeline`: it runs and builds histories; nothing is timed here."""

from __future__ import annotations

from lab.bench.timeline import bench_timeline


async def test_histories_are_built_and_counted() -> None:
    report = await bench_timeline(quick=True)
    assert report.value("nodes of a history") >= 1
    assert report.value("tagged, clustered and ranked") > 0
    assert report.value("peak memory of a process") > 0
