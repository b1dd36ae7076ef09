"""The drawing of a confidence: every rule has its bar, and the bars lead from nothing to the score."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

import pytest
from tests.made_signals import contradicted, plain, supported

from groundwire.report.blocks import Waterfall, WaterfallStep
from groundwire.report.waterfall import bars, printed_bars, signed, skyline, written


def steps(*rows: tuple[str, float]) -> list[WaterfallStep]:
    sums = accumulate(delta for _, delta in rows)
    return [
        WaterfallStep(rule=rule, delta=delta, total=total, reason=f"because of {rule}")
        for (rule, delta), total in zip(rows, sums, strict=True)
    ]


@pytest.mark.parametrize("signal", [supported(), contradicted(), plain()], ids=lambda s: s.verdict)
def test_each_bar_begins_where_the_one_before_it_ended(signal):
    found = bars(steps(*((row.rule, row.delta) for row in signal.waterfall)))
    assert len(found) == len(signal.waterfall)
    assert found[0].before == 0
    for before, after in pairwise(found):
        assert after.before == before.after
    assert found[-1].total == f"{signal.confidence:.2f}"


def test_a_bar_stands_between_two_sums():
    first, up, down, none = bars(steps(("preliminary", 0.5), ("a", 0.25), ("b", -0.6), ("c", 0.0)))
    assert (first.left, first.width, first.tone) == (0, 50, "base")
    assert (up.left, up.width, up.tone, up.delta) == (50, 25, "up", "+0.25")
    assert (down.left, down.width, down.tone, down.delta) == (15, 60, "down", "−0.60")
    assert (none.tone, none.delta, none.total) == ("none", "±0.00", "0.15")
    assert none.width > 0  # it is seen


def test_sums_that_leave_the_scale_stay_on_the_paper():
    found = bars(steps(("preliminary", 0.9), ("a", 0.3), ("clamp", -0.2)))
    assert [bar.after for bar in found] == [90, 100, 100]
    for bar in found:
        assert 0 <= bar.left <= 100
        assert bar.left + bar.width <= 100.01


@pytest.mark.parametrize(("delta", "expected"), [
    (0.1, "+0.10"), (-0.2, "−0.20"), (0.0, "±0.00"), (0.0858, "+0.0858"), (-0.125, "−0.125"),
])  # fmt: skip
def test_a_change_is_said_with_its_sign(delta: float, expected: str):
    assert signed(delta) == expected


@pytest.mark.parametrize(
    ("total", "expected"), [(0.6, "0.60"), (0.0, "0.00"), (0.8125, "0.8125"), (-0.1, "−0.10")]
)
def test_a_sum_is_written_to_its_last_place(total: float, expected: str):
    assert written(total) == expected


def test_a_rule_that_changes_nothing_is_neither_for_nor_against():
    fall = Waterfall(
        head=("", "", "", ""),
        tone="contradicted",
        steps=tuple(steps(("preliminary", 0.6), ("denied", 0.0), ("cap", -0.4))),
    )
    assert [each.tone for each in printed_bars(fall)] == ["soft", "soft", "contradicted"]


def test_the_skyline_follows_the_sums():
    path = skyline(steps(("preliminary", 0.5), ("a", 0.5)), width=10, height=10)
    assert path == "M0 10 L0.0 5.0 L5.0 5.0 L5.0 0.0 L10.0 0.0 L10 10 Z"
    assert re.fullmatch(r"[MLZ0-9. ]+", path)
    assert skyline([]) == ""
