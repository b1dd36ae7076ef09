"""The laws of marks: what scores say of a model beside the embedded answer, and what that gives it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import IllegalState
from groundwire.jobs import examined
from groundwire.llm import prompts
from groundwire.model.exam import Grade, Marks, question_name
from groundwire.reasoning import exam
from groundwire.reasoning.exam import FEWEST, ahead_interval, grade_of, marked, standing_of
from groundwire.words import LANGUAGES, words

SCORE = st.floats(0, 1, allow_nan=False)
BLANK = Marks(
    model="openai:m",
    question="quiz/is_even",
    prompts="p",
    items="i",
    reader="",
    count=0,
    failures=0,
    score=0,
    low=0,
    high=1,
    embedded=0,
    ahead_low=-1,
    ahead_high=1,
    cost_micro=0,
    taken_at=datetime(2026, 11, 18, tzinfo=UTC),
    run_id="r",
    scores=(),
)


def marks(scores: Sequence[float], embedded: Sequence[float]) -> Marks:
    return marked(BLANK, scores, embedded, "reader")


def won(count: int, wins: int, losses: int = 0) -> Marks:
    """Make marks of items that are right or wrong: some won, some lost, both wrong on the rest."""
    mine = [1.0] * wins + [0.0] * (count - wins)
    other = [0.0] * wins + [1.0] * losses + [0.0] * (count - wins - losses)
    return marks(mine, other)


@pytest.mark.parametrize(
    ("count", "wins", "losses", "grade"),
    [
        (24, 24, 0, "decides"),
        (24, 6, 0, "decides"),
        (24, 5, 0, "advises"),
        (60, 6, 0, "decides"),
        (60, 5, 0, "advises"),
        (12, 6, 0, "decides"),
        (12, 5, 0, "advises"),
        (24, 12, 12, "advises"),
        (24, 10, 5, "advises"),
        (40, 20, 5, "decides"),
        (24, 0, 6, "not_asked"),
        (24, 0, 5, "advises"),
        (24, 0, 0, "advises"),
        (3, 3, 0, "advises"),
        (3, 0, 3, "advises"),
        (FEWEST - 1, FEWEST - 1, 0, "advises"),
        (FEWEST - 1, 0, FEWEST - 1, "advises"),
    ],
)
def test_policy(count: int, wins: int, losses: int, grade: Grade) -> None:
    assert grade_of(won(count, wins, losses)) == grade


def test_equal_differences_have_a_spread_all_the_same() -> None:
    low, high = ahead_interval([0.55] * 24, [0.5] * 24)
    assert low < 0 < high  # a twentieth on each item: too little to tell
    assert ahead_interval([0.8] * 24, [0.5] * 24)[0] > 0


def test_the_reasons_are_named() -> None:
    few, clear = standing_of(won(3, 3)), standing_of(won(24, 24))
    assert (few.why.code, clear.why.code) == ("standing.why.few", "standing.why.decides")
    assert (clear.why.params["score"], clear.why.params["embedded"]) == ("1.00", "0.00")


@given(st.lists(st.tuples(SCORE, SCORE), min_size=1, max_size=60))
def test_intervals_hold_their_mean_and_turn_with_the_sides(
    pairs: list[tuple[float, float]],
) -> None:
    mine, other = [a for a, _ in pairs], [b for _, b in pairs]
    found = marks(mine, other)
    assert 0 <= found.low <= found.score + 1e-3 and found.score - 1e-3 <= found.high <= 1
    low, high = ahead_interval(mine, other)
    assert -1 <= low <= high <= 1
    back = ahead_interval(other, mine)
    assert back == (pytest.approx(-high, abs=2e-4), pytest.approx(-low, abs=2e-4))


@given(st.lists(SCORE, min_size=1, max_size=60))
def test_nobody_is_better_than_themselves(scores: list[float]) -> None:
    assert grade_of(marks(scores, scores)) == "advises"


def test_scores_that_are_not_paired_are_refused() -> None:
    with pytest.raises(IllegalState):
        ahead_interval([1.0], [])


def test_every_exam_belongs_to_a_question_whose_name_has_words() -> None:
    questions = examined()
    assert {each.exam.items for each in questions if each.exam} <= set(exam.names())
    assert {each.prompt for each in questions} <= set(prompts.names())
    for each in questions:
        for language in LANGUAGES:
            assert words(language).has(question_name(each.prompt).code), each.prompt


def test_an_exam_that_is_not_there_is_refused() -> None:
    with pytest.raises(IllegalState):
        exam.paper("nobody/nothing")
