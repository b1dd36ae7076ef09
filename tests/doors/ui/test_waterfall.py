"""The drawing of a confidence: every rule has its bar, and the bars lead from nothing to the score."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from groundwire.doors.ui.waterfall import bars, signed, skyline
from groundwire.model.result import WaterfallRow
from tests.made_signals import contradicted, plain, supported


def row(rule: str, delta: float, *ids: str) -> WaterfallRow:
    return WaterfallRow(rule=rule, delta=delta, reason=f"because of {rule}", evidence_ids=ids)


@pytest.mark.parametrize("signal", [supported(), contradicted(), plain()], ids=lambda s: s.verdict)
def test_each_bar_begins_where_the_one_before_it_ended(signal):
    found = bars(signal.waterfall, {})
    assert len(found) == len(signal.waterfall)
    assert found[0].before == 0
    for before, after in pairwise(found):
        assert after.before == before.after
    assert found[-1].total == f"{signal.confidence:.2f}"


def test_a_bar_stands_between_two_sums():
    first, up, down, none = bars(
        [row("preliminary", 0.5), row("a", 0.25), row("b", -0.6), row("c", 0.0)], {}
    )
    assert (first.left, first.width, first.tone) == (0, 50, "base")
    assert (up.left, up.width, up.tone, up.delta) == (50, 25, "up", "+0.25")
    assert (down.left, down.width, down.tone, down.delta) == (15, 60, "down", "−0.60")
    assert (none.tone, none.delta, none.total) == ("none", "±0.00", "0.15")
    assert none.width > 0  # it is seen


def test_sums_that_leave_the_scale_stay_on_the_paper():
    found = bars([row("preliminary", 0.9), row("a", 0.3), row("clamp", -0.2)], {})
    assert [bar.after for bar in found] == [90, 100, 100]
    for bar in found:
        assert 0 <= bar.left <= 100
        assert bar.left + bar.width <= 100.01


def test_marks_are_the_numbers_of_the_sources():
    (bar,) = bars(
        [row("preliminary", 0.5, "ev_b", "ev_a", "ev_unknown", "ev_a")], {"ev_a": 2, "ev_b": 1}
    )
    assert bar.marks == (1, 2)


@pytest.mark.parametrize(("delta", "said"), [
    (0.1, "+0.10"), (-0.2, "−0.20"), (0.0, "±0.00"), (0.0858, "+0.0858"), (-0.125, "−0.125"),
])  # fmt: skip
def test_a_change_is_said_with_its_sign(delta: float, said: str):
    assert signed(delta) == said


def test_the_skyline_follows_the_sums():
    path = skyline(bars([row("preliminary", 0.5), row("a", 0.5)], {}), width=10, height=10)
    assert path == "M0 10 L0.0 5.0 L5.0 5.0 L5.0 0.0 L10.0 0.0 L10 10 Z"
    assert re.fullmatch(r"[MLZ0-9. ]+", path)
    assert skyline([]) == ""
