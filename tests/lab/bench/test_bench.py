"""Short versions of the benchmarks: they run and count what they must; nothing is timed here."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lab.bench.ask import AskPlan, bench_ask, ideal, question
from lab.bench.coldstart import bench_coldstart
from lab.bench.gateway import measure
from lab.bench.home import faults
from lab.bench.table import FigureRow, Report, number
from lab.stubs import Call
from lab.stubs.faults import Schedule

from lab.bench import process


@pytest.mark.parametrize(
    ("value", "target", "sense", "met"),
    [
        (1.0, 1.0, "at most", True),
        (1.1, 1.0, "at most", False),
        (1.0, 1.0, "at least", True),
        (0.9, 1.0, "at least", False),
        (0.9, None, "at most", None),
    ],
)
def test_a_figure_is_met_when_its_target_is_reached(value, target, sense, met) -> None:
    assert FigureRow("x", value, target=target, sense=sense).met is met


@pytest.mark.parametrize(
    ("value", "text"),
    [(3.0, "3"), (1234.0, "1,234"), (1234.5, "1,234"), (2.345, "2.35"), (0.0123, "0.012")],
)
def test_figures_are_shown_with_the_digits_that_matter(value: float, text: str) -> None:
    assert number(value) == text


def test_a_report_shows_every_figure_beside_its_target() -> None:
    report = Report("things")
    report.add("speed", 150.0, "runs/min", target=200, sense="at least", note="slow")
    report.add("count", 27)
    speed, count = (row.cells() for row in report.rows)
    assert speed == ("speed", "150", "runs/min", "≥ 200", "no", "slow")
    assert count == ("count", "27", "", "", "", "")
    assert json.loads(json.dumps(report.as_json()))["rows"][0]["met"] is False


def test_a_measured_process_is_accounted_for_with_what_it_said(tmp_path: Path) -> None:
    code = "import os, sys; print(os.environ['GROUNDWIRE_HOME']); sys.exit(3)"
    ended = process.run(["-c", code], process.environment(tmp_path))
    assert (ended.code, ended.out.strip()) == (3, str(tmp_path))
    assert ended.cpu > 0


def test_a_measured_process_sees_no_key_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    code = "import json, os; print(json.dumps(dict(os.environ)))"
    seen = process.run(["-c", code], process.environment(tmp_path)).json()
    assert "OPENAI_API_KEY" not in seen


def test_a_tree_is_weighed_with_its_children(tmp_path: Path) -> None:
    grown = "import time; data = bytearray(b'x' * 40_000_000); time.sleep(1.5)"
    code = f"import subprocess, sys; subprocess.run([{sys.executable!r}, '-c', {grown!r}])"
    ended = process.run(["-c", code], process.environment(tmp_path), weigh=True)
    assert ended.pss_mb > 40


def _call(index: int, stub: str, received: float, replied: float | None) -> Call:
    return Call(index, stub, "GET", "/", "", str(index), "", None, True, received, replied)


def test_the_ideal_waits_once_for_the_slowest_search_and_page_and_for_each_model_call() -> None:
    calls = [
        _call(0, "model", 0.0, 0.3),
        _call(1, "tavily", 0.5, 0.7),
        _call(2, "tavily", 0.6, 0.9),  # the slowest
        _call(3, "web", 1.0, 1.05),
        _call(4, "web", 2.0, 2.04),  # late by our own fault: no longer for that
        _call(5, "web", 2.0, None),
        _call(6, "model", 3.0, 3.3),
    ]
    assert ideal(calls) == pytest.approx(0.3 + 0.3 + 0.05 + 0.3)


def test_a_fifth_of_all_tries_fails_also_of_those_that_are_made_again() -> None:
    schedule = Schedule(faults(0.2))
    for _ in range(3):
        failed = sum(
            schedule.decide("web", f"/{n}", f"content {n}") is not None for n in range(2000)
        )
        assert 340 < failed < 460


async def test_the_gateway_is_measured_on_each_way_a_call_can_go(
    database_kind: str, request: pytest.FixtureRequest
) -> None:
    postgres = request.getfixturevalue("postgres") if database_kind == "postgres" else None
    report = await measure(40, postgres)
    figures = {row.name: row for row in report.rows}
    engine = "postgresql" if postgres else "sqlite"
    for how in ("one by one", "32 at once"):
        assert "40 sent" in figures[f"{engine}: sent, no cost, {how}"].note
        assert "40 sent" in figures[f"{engine}: sent, with three budgets, {how}"].note
        assert " 0 sent" in figures[f"{engine}: replayed from the record, {how}"].note
        assert " 0 sent" in figures[f"{engine}: cross-run cache hit, {how}"].note
    assert all(row.value > 0 for row in report.rows)


async def test_a_cold_answer_is_measured_with_the_sentences_it_gave() -> None:
    report = await bench_coldstart(1)
    done = next(row for row in report.rows if row.name.endswith("done"))
    assert " 0 sentences" not in done.note
    assert all(row.value > 0 for row in report.rows)


_FAST = AskPlan(
    cold=0, warm_up=0, warm=1, crowds=(), faulty=0, kills=(), latency=(0.05, 0.05, 0.02), pages=2000
)


async def test_a_run_is_measured_with_its_calls_counted() -> None:
    _counted(await bench_ask(_FAST))


@pytest.mark.slow  # by default `tests/kill` counts what a kill repeats
@pytest.mark.timeout(300)
async def test_a_run_that_is_killed_is_measured_with_its_calls_in_flight() -> None:
    report = await bench_ask(replace(_FAST, kills=(20,)))
    _counted(report)
    killed = next(row for row in report.rows if row.name.startswith("kill -9"))
    assert killed.value >= 1
    assert killed.met is True


def _counted(report: Report) -> None:
    # 2 model, 2 more for sentences that did not stand, 5 searches, 20 pages, robots.txt of 8 hosts
    assert report.value("warm: calls sent a run") == 37
    assert report.value("warm: pages read a run") == 20
    assert report.value("warm: events a run") > 20


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_crowds_and_faults_are_measured_with_what_was_done() -> None:
    report = await bench_ask(replace(_FAST, crowds=(2,), rounds=1, faulty=1))
    for pages in ("own pages", "shared pages"):
        assert report.value(f"2 at once, {pages}: pages read a run") == 20
    assert report.value("2 at once, shared pages: calls answered by the cache a run") > 10
    faulty = next(row for row in report.rows if row.name == "faults: sources kept")
    assert "calls failed" in faulty.note


def test_no_two_questions_are_alike() -> None:
    assert len({question(number) for number in range(500)}) == 500
