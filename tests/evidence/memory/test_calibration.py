"""Calibration, held to a naive reference; below thirty labels it changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.evidence.memory.calibration import (
    FEWEST,
    Pair,
    apply,
    brier,
    fit,
    isotonic,
    pairs_of,
    reliability,
)
from groundwire.model.outcome import Labelled, Outcome

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


def numbers(seed: int, count: int) -> list[int]:
    """Draw from a linear congruential generator: the same histories on every machine."""
    found: list[int] = []
    for _ in range(count):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        found.append(seed >> 33)
    return found


def history(seed: int, count: int, *, honest: bool) -> list[Pair]:
    """Draw scores in hundredths, with outcomes as often true as the score says, or the reverse."""
    draws = iter(numbers(seed, 3 * count))
    pairs: list[Pair] = []
    for _ in range(count):
        score = next(draws) % 101 / 100
        chance = score if honest else 1 - score
        value = float(next(draws) % 1000 < chance * 1000)
        pairs.append(Pair(score, 0.5 if next(draws) % 10 == 0 else value))
    return pairs


def reference(pairs: list[Pair], score: float) -> float:
    """Compute isotonic regression at a point by its min-max formula, from its definition."""
    points = sorted({pair.score for pair in pairs})
    at = max((point for point in points if point <= score), default=points[0])

    def mean(low: float, high: float) -> float:
        inside = [pair.value for pair in pairs if low <= pair.score <= high]
        return sum(inside) / len(inside)

    return max(min(mean(low, high) for high in points if high >= at) for low in points if low <= at)


@pytest.mark.parametrize("honest", [True, False])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("count", [30, 47, 120])
def test_the_fit_is_the_isotonic_regression_of_its_definition(seed: int, count: int, honest: bool):
    pairs = history(seed, count, honest=honest)
    calibration = fit(pairs, NOW)
    assert calibration is not None
    for step in range(0, 101, 3):
        assert apply(calibration, step / 100) == pytest.approx(
            reference(pairs, step / 100), abs=1e-5
        )


@pytest.mark.parametrize("seed", range(5))
def test_the_fit_never_falls_and_stays_within_zero_and_one(seed: int):
    calibration = fit(history(seed, 200, honest=True), NOW)
    assert calibration is not None
    assert list(calibration.values) == sorted(calibration.values)
    assert list(calibration.scores) == sorted(set(calibration.scores))
    assert all(0 <= value <= 1 for value in calibration.values)
    assert (calibration.samples, calibration.fitted_at) == (200, NOW)


@pytest.mark.parametrize("count", [0, 1, FEWEST - 1])
def test_fewer_than_thirty_labels_change_nothing(count: int):
    assert fit(history(1, count, honest=False), NOW) is None
    assert apply(None, 0.73) == 0.73


def test_thirty_labels_are_enough():
    assert fit(history(1, FEWEST, honest=True), NOW) is not None


def test_the_order_of_the_labels_is_no_matter():
    pairs = history(3, 90, honest=True)
    assert fit(pairs, NOW) == fit(pairs[::-1], NOW)


def test_an_overconfident_desk_is_pulled_down():
    pairs = [Pair(0.9, float(n % 2)) for n in range(40)]  # right in half of the cases
    assert apply(fit(pairs, NOW), 0.9) == 0.5


def test_a_desk_that_is_always_wrong_learns_one_value_for_all():
    pairs = [Pair(n / 40, 1 - n / 40) for n in range(41)]
    assert len(isotonic(pairs)) == 1


@pytest.mark.parametrize(
    ("pairs", "score"),
    [
        ([], None),
        ([Pair(1.0, 1.0), Pair(0.0, 0.0)], 0.0),
        ([Pair(1.0, 0.0)], 1.0),
        ([Pair(0.5, 1.0), Pair(0.5, 0.0)], 0.25),  # a coin
        ([Pair(0.5, 0.5)], 0.0),  # partly true, and half believed
        ([Pair(0.8, 1.0), Pair(0.6, 0.0)], 0.2),  # (0.04 + 0.36) / 2
    ],
)
def test_brier_is_the_mean_squared_distance(pairs: list[Pair], score: float | None):
    assert brier(pairs) == score


def test_reliability_has_ten_bins_with_their_counts():
    bins = reliability([Pair(0.0, 0.0), Pair(0.3, 1.0), Pair(0.35, 0.0), Pair(1.0, 1.0)])
    assert [each.samples for each in bins] == [1, 0, 0, 2, 0, 0, 0, 0, 0, 1]
    assert (bins[3].score, bins[3].value) == (0.325, 0.5)
    assert (bins[1].score, bins[1].value) == (None, None)
    assert [(each.low, each.high) for each in bins][::9] == [(0.0, 0.1), (0.9, 1.0)]


@pytest.mark.parametrize("tenths", range(11))
def test_the_lower_end_of_a_bin_belongs_to_it(tenths: int):
    (found,) = [at for at, each in enumerate(reliability([Pair(tenths / 10, 1.0)])) if each.samples]
    assert found == min(9, tenths)


@pytest.mark.parametrize(("outcome", "value"), [("true", 1.0), ("false", 0.0), ("partly", 0.5)])
def test_partly_true_counts_half(outcome: Outcome, value: float):
    labelled = Labelled(run_id="r", score=0.4, outcome=outcome, labelled_at=NOW)
    assert pairs_of([labelled]) == (Pair(0.4, value),)
