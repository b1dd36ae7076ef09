"""`gw models --exam`: the cost first, a yes, a run, and the table of marks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from typer.testing import CliRunner, Result

from groundwire.doors.cli import cli

from .conftest import MODEL, Desk


@pytest.fixture
def gw(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Call `gw` with a model that is set, on a data folder of its own."""
    monkeypatch.chdir(desk.home)
    env = {
        "HOME": str(desk.home),
        "GROUNDWIRE_HOME": str(desk.home / "home"),
        "GROUNDWIRE_MODELS__LIGHT": MODEL,
        "GROUNDWIRE_SEARCH__CHAIN": "archive",
        "OPENAI_API_KEY": "sk-stub",
        "COLUMNS": "200",
    }

    def call(*args: str, answer: str | None = None, **more: str) -> Result:
        runner = CliRunner(env={**env, **more})
        return runner.invoke(cli, ["models", *args], input=answer, prog_name="gw")

    return call


QUIZ = ("--exam", "--question", "quiz/is_even")


def test_it_states_the_cost_and_asks(gw: Callable[..., Result], desk: Desk) -> None:
    done = gw(*QUIZ, answer="n\n")
    assert done.exit_code == 0, done.output
    assert "Is it even? · " + MODEL in done.stderr
    assert "1 exam, 24 questions to the model" in done.stderr
    assert "about $" in done.stderr and "at most $" in done.stderr
    assert re.search(r"at most \$(0\.00\d\d|\d+\.\d\d)\s", done.stderr), done.stderr  # in cents
    assert "Nothing was asked." in done.stderr
    assert desk.asked == []
    assert gw(*QUIZ).exit_code != 0  # nobody to ask
    assert desk.asked == []


def test_after_a_yes_it_shows_the_marks_and_models_lists_them(
    gw: Callable[..., Result], desk: Desk
) -> None:
    before = gw()
    assert "no exam yet" in before.stdout, before.output
    done = gw(*QUIZ, "--yes")
    assert done.exit_code == 0, done.output
    assert len(desk.asked) == 24
    for text in (done.stdout, gw().stdout):
        assert all(each in text for each in (MODEL, "1.00", "0.50", "decides", "$0.0012")), text
    again = gw(*QUIZ, "--yes")
    assert "nothing to sit" in again.stderr
    assert len(desk.asked) == 24
    rows = json.loads(gw("--json").stdout)["exams"]
    assert [(row["who"], row["grade"]) for row in rows if row["question"] == "quiz/is_even"] == [
        ("embedded", None),
        (MODEL, "decides"),
    ]


@pytest.mark.parametrize(
    ("period", "language", "said"),
    [
        ("DAY", "en", "the day has $0.00 left"),
        ("MONTH", "zh", "本月只剩 $0.00"),
        ("DAY", "zh-Hant", "今天只剩 $0.00"),
    ],
)
def test_exams_that_the_day_would_cut_short_are_refused_before_anything_is_spent(
    gw: Callable[..., Result], desk: Desk, period: str, language: str, said: str
) -> None:
    done = gw(
        *QUIZ,
        "--yes",
        **{f"GROUNDWIRE_BUDGET__{period}_USD": "0.0001", "GROUNDWIRE_LANGUAGE": language},
    )
    assert done.exit_code == 2, done.output
    assert said in done.stderr, done.stderr
    assert f"budget.{period.lower()}_usd" in done.stderr
    assert desk.asked == []


def test_a_person_gets_what_was_stated_and_agreed_to(gw: Callable[..., Result], desk: Desk) -> None:
    done = gw(*QUIZ, "--yes", GROUNDWIRE_BUDGET__RUN_USD="0.0001")
    assert done.exit_code == 0, done.output
    assert len(desk.asked) == 24
    assert "$0.0012 in all" in done.stdout


def test_an_assumed_price_is_said_to_be_one(gw: Callable[..., Result], desk: Desk) -> None:
    assert "not known" not in gw(*QUIZ, answer="n\n").stderr
    unpriced = gw(*QUIZ, answer="n\n", GROUNDWIRE_MODELS__LIGHT="openai:never-heard-of")
    assert "The price of openai:never-heard-of is not known" in unpriced.stderr


@pytest.mark.parametrize(
    ("args", "env", "said"),
    [
        (("openai:gpt-4.1",), {}, "add --exam"),
        ((*QUIZ, "--json"), {}, "--json asks nobody"),
        ((*QUIZ, "--yes"), {"GROUNDWIRE_OFFLINE": "1"}, "offline"),
        (("--exam", "nobody:x", "--yes"), {}, "nobody"),
        (
            (*QUIZ, "--yes"),
            {"GROUNDWIRE_MODELS__LIGHT": "", "OPENAI_API_KEY": ""},
            "no model is set",
        ),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_asked(
    gw: Callable[..., Result], desk: Desk, args: tuple[str, ...], env: dict[str, str], said: str
) -> None:
    done = gw(*args, **env)
    assert done.exit_code != 0
    assert said in done.stderr, done.output
    assert desk.asked == []
