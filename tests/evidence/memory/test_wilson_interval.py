"""How sure a share is: the Wilson interval."""

from __future__ import annotations

import pytest

from groundwire.evidence.memory.calibration import interval


@pytest.mark.parametrize(
    ("share", "samples", "expected"),
    [
        (0.5, 10, (0.236593, 0.763407)),  # as every textbook has it
        (0.0, 10, (0.0, 0.277533)),  # none of ten is not never
        (1.0, 10, (0.722467, 1.0)),
        (0.35, 20, (0.181193, 0.567145)),
        (0.25, 2, (0.026677, 0.802133)),  # one partly true of two
        (0.0, 0, (0.0, 1.0)),  # nothing is known
        (0.5, -1, (0.0, 1.0)),
    ],
)
def test_the_interval_is_that_of_wilson(share: float, samples: int, expected: tuple[float, float]):
    assert interval(share, samples) == pytest.approx(expected, abs=2e-5)


def test_more_samples_make_it_narrower_and_never_leave_the_scale():
    before = 1.0
    for samples in (1, 3, 10, 100, 10_000):
        low, high = interval(0.9, samples)
        assert 0 <= low <= 0.9 <= high <= 1
        assert high - low < before
        before = high - low
