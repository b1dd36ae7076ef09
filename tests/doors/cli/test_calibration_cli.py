"""`gw calibration`: what confidences were worth so far, as figures and as a chart."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from .conftest import Gw


def verified(gw: Gw, count: int) -> list[str]:
    lines = "\n".join(
        json.dumps({"text": f"Exchange {at} lists the token number {at}", "source": f"tg:{at % 2}"})
        for at in range(count)
    )
    result = gw("verify", "-", "--no-tools", "--json", given=lines)
    assert result.code == 0, result.err
    return [json.loads(line)["run_id"] for line in result.out.splitlines()]


def label(home: Path, runs: list[str]) -> None:
    """Label the signals: two of three came true."""
    from groundwire.app import open_app

    async def work() -> None:
        async with open_app(overrides={"home": str(home), "offline": True}) as app:
            for number, run in enumerate(runs):
                outcome = "false" if number % 3 == 0 else "true"
                await app.judgements.label(run, outcome, by="test")
            assert (await app.judgements.calibration()).labels == len(runs)

    asyncio.run(work())


def test_without_labels_it_says_how_to_give_one(gw: Gw) -> None:
    result = gw("calibration")
    assert result.code == 0
    assert "0 signals with a known outcome" in result.out
    assert "nothing is changed" in result.out
    assert "gw feedback RUN true|false|partly" in result.out


def test_below_thirty_it_counts_and_changes_nothing(gw: Gw) -> None:
    label(gw.home, verified(gw, 3))
    result = gw("calibration")
    assert "3 signals with a known outcome" in result.out
    assert "fewer than 30" in result.out
    assert "Brier score" in result.out
    assert "calibrated on" not in result.out
    found = json.loads(gw("calibration", "--json").out)
    assert found["calibration"] is None
    assert found["labels"] == 3


@pytest.fixture
def thirty(gw: Gw) -> Gw:
    label(gw.home, verified(gw, 30))
    return gw


def test_from_thirty_on_there_are_steps_with_date_and_sample_size(thirty: Gw) -> None:
    result = thirty("calibration")
    assert result.code == 0
    assert re.search(r"calibrated on 30 labels, \d{4}-\d\d-\d\d", result.out)
    assert "after calibration" in result.out
    found = json.loads(thirty("calibration", "--json").out)
    assert found["calibration"]["samples"] == 30
    assert len(found["reliability"]) == 10
    assert sum(each["samples"] for each in found["reliability"]) == 30
    assert found["brier_calibrated"] <= found["brier"]
    rows = {each["source"]: each for each in found["sources"]}
    assert {"tg:0", "tg:1"} <= set(rows)
    assert rows["tg:0"]["hits"] + rows["tg:0"]["misses"] == 15


def test_the_chart_has_ten_rows_each_with_its_count_and_the_diagonal(thirty: Gw) -> None:
    rows = [line for line in thirty("calibration").out.splitlines() if re.match(r" *\d\.\d–", line)]
    assert len(rows) == 10
    assert all(row.count("│") == 1 for row in rows)
    places = [row.index("│") for row in rows]
    assert places == sorted(places), "the diagonal rises"
    assert sum(int(row.split()[-1]) for row in rows) == 30
    assert max(len(row) for row in rows) <= 80


def test_the_next_signal_shows_the_calibration_as_its_last_row(thirty: Gw) -> None:
    signal = json.loads(thirty("verify", "A new token is listed today", "--json").out)
    last = signal["waterfall"][-1]
    assert last["rule"] == "calibration"
    assert last["reason"] == "verify.reason.calibration"
    assert last["params"]["n"] == 30
    card = " ".join(thirty("show", "last").out.split())
    assert f"calibrated on 30 signals with a known outcome, {last['params']['day']}" in card
