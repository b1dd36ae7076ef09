"""A short version of `gw bench verify`: it runs and counts what it must; nothing is timed here."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lab.bench.rumours import PREFERRED, SITES, Rumour, chatter, write_press
from lab.bench.table import FigureRow, Report
from lab.bench.verify import VerifyPlan, bench_verify
from lab.stubs.articles import load

from groundwire.evidence.memory.dedup import NEAR, near_duplicate

_NOTHING = VerifyPlan(
    warm_up=1,
    deep=0,
    chatter=0,
    waiting=0,
    crowd=0,
    faulty=0,
    kills=(),
    killed=1,
    latency=(0.02, 0.02, 0.01),
)


def _row(report: Report, name: str) -> FigureRow:
    return next(row for row in report.rows if row.name == name)


def test_no_two_messages_of_the_benchmark_are_alike() -> None:
    rumours = [Rumour(number).text for number in range(200)]
    assert len(set(rumours)) == 200
    texts = [chatter(number) for number in range(60)]
    assert not any(
        near_duplicate(one, other).reaches(NEAR)
        for number, one in enumerate(texts)
        for other in texts[:number]
        if (number - texts.index(other)) % 2 == 0
    )


def test_each_report_of_an_event_is_on_a_site_of_its_own(tmp_path: Path) -> None:
    write_press(tmp_path, [Rumour(0), Rumour(1, listed=2)], datetime(2026, 11, 16, tzinfo=UTC))
    articles = load(tmp_path)
    hosts = [article.host for article in articles]
    assert len(set(hosts[:SITES])) == len(set(hosts[SITES:])) == SITES
    assert set(hosts[:SITES]) == set(PREFERRED)
    assert len(set(hosts[SITES:]) & set(PREFERRED)) == 2
    assert {article.chinese for article in articles} == {True, False}


async def test_what_is_gated_out_or_known_again_is_measured_without_a_call() -> None:
    report = await bench_verify(replace(_NOTHING, chatter=12))
    assert "0 calls outside" in _row(report, "gated out: messages a second").note
    assert "12 of 12 known again" in _row(report, "duplicates: messages a second").note


@pytest.mark.slow  # by default the crowd below is read for, and paid for
@pytest.mark.timeout(600)
async def test_messages_are_measured_with_what_was_done_for_them() -> None:
    report = await bench_verify(replace(_NOTHING, deep=1, waiting=1))
    assert report.value("deep: pages read a message") == SITES
    assert report.value("deep, two rounds: pages read a message") == SITES
    assert "1 supported" in _row(report, "deep: pages read a message").note
    assert "2 search" in _row(report, "deep, two rounds: pages read a message").note
    assert report.value("simple: rounds of tools a message") == 1
    assert report.value("with the open round: rounds of tools a message") == 2
    assert report.value("simple: from gate to signal") > 0
    assert 0 < report.value("simple: cost a message") < 0.05


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("crowd", "usd"), [(3, 0.015), pytest.param(6, 0.03, marks=pytest.mark.slow)]
)
async def test_a_crowd_ends_in_signals_and_within_its_budget(crowd: int, usd: float) -> None:
    report = await bench_verify(replace(_NOTHING, crowd=crowd, crowd_usd=usd))
    assert report.value(f"{crowd} at once: messages with a signal") == 100
    spent = _row(report, f"{crowd} at once: the month's budget spent")
    assert spent.met is True
    assert not spent.note.startswith("0 ")


@pytest.mark.slow  # by default `tests/kill` kills verify, and counts what was asked twice
@pytest.mark.timeout(180)
async def test_after_a_kill_only_calls_in_flight_are_counted_twice_and_every_message_ends() -> None:
    report = await bench_verify(replace(_NOTHING, kills=(12,), killed=3))
    assert _row(report, "kill -9 at call 12: calls repeated").met is True
    assert report.value("kill -9 at call 12: messages with a signal") == 100


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_with_failing_calls_every_message_ends_in_a_signal() -> None:
    report = await bench_verify(replace(_NOTHING, faulty=4))
    assert report.value("20 % of calls failing: messages with a signal") == 100
    assert report.value("20 % of calls failing: verdicts that only the errors brought") == 0
