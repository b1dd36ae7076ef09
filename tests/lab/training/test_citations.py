"""The curve over the signs of a cited sentence: each counts in its own direction, and learning finds that."""

from __future__ import annotations

import pytest
from lab.training.citations import Row, fit, table

from groundwire.evidence.citations.likelihood import Signs, likelihood, values
from groundwire.model.stance import StanceScores


def scores(supports: float, contradicts: float = 0.0) -> StanceScores:
    rest = (1 - supports - contradicts) / 2
    return StanceScores(supports=supports, contradicts=contradicts, qualifies=rest, unrelated=rest)


SURE = Signs(shown=scores(0.95), alone=scores(0.9))


@pytest.mark.parametrize(
    "worse",
    [
        Signs(shown=scores(0.5), alone=scores(0.9)),
        Signs(shown=scores(0.95), alone=scores(0.3)),
        Signs(shown=scores(0.5, 0.4), alone=scores(0.5, 0.4)),
        Signs(shown=SURE.shown, alone=SURE.alone, unsure=True),
        Signs(shown=SURE.shown, alone=SURE.alone, uncertain=True),
        Signs(shown=SURE.shown, alone=SURE.alone, denied=True),
        Signs(shown=SURE.shown, alone=SURE.alone, sentences=12),
    ],
)
def test_each_sign_counts_in_its_direction(worse: Signs) -> None:
    assert likelihood(worse) < likelihood(SURE)


def test_what_separates_the_others_is_learned_for_the_set_left_out() -> None:
    rows = [
        Row(name, right, values(Signs(shown=scores(0.9 if right else share), alone=scores(share))))
        for name in ("one", "two", "three")
        for right in (True, False)
        for share in (0.2, 0.3, 0.4)
    ]
    curve = fit(rows)
    assert all((curve.of(row.seen) >= 0.5) == row.right for row in rows if row.seen)
    assert [line.partition(":")[0] for line in table(rows)[1:]] == ["one", "two", "three"]
    assert all("1.000 / 0.000" in line for line in table(rows)[1:])
