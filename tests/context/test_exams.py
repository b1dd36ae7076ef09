"""Who decides: a model sits an exam before its first vote, once, and runs can be resumed and replayed."""

from __future__ import annotations

import asyncio
import dataclasses
import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.app.exports import replay_run
from groundwire.context.sitting import Sitting
from groundwire.errors import (
    BudgetReached,
    OutsideFailure,
    PoorAnswer,
    RateLimited,
    ServerFault,
    Timeout,
)
from groundwire.jobs import examined
from groundwire.llm import prompts
from groundwire.llm.tiers import parse
from groundwire.model.base import JsonObject
from groundwire.model.call import MICRO, CallRecord
from groundwire.model.phrase import Phrase
from groundwire.model.run import Run
from groundwire.settings.schema import ModelSettings
from groundwire.words import words

from .conftest import MODEL, Desk, agrees, right, wrong

EMBEDDED = "embedded"


def result(run: Run) -> JsonObject:
    assert run.result is not None, run.error
    return run.result


def whys(run: Run) -> list[JsonObject]:
    return [why for each in result(run)["decided"] for why in each["why"]]


def codes(run: Run) -> list[str]:
    return [why["code"] for why in whys(run)]


async def told(app: Any, run: Run) -> list[JsonObject]:
    events = await app.store.journal.read(run.id, limit=1000)
    return [each.payload for each in events if each.payload.get("phase") == "examination"]


@pytest.mark.parametrize(
    ("says", "vote", "code"),
    [(right, "decides", "standing.why.decides"), (agrees, "advises", "standing.why.advises")],
)
async def test_marks_decide_what_an_answer_counts_for(
    desk: Desk, says: Callable[[int], object], vote: str, code: str
) -> None:
    desk.says = says
    async with desk.open() as app:
        run = await desk.quiz(app)
        assert (set(result(run)["by"]), set(result(run)["votes"])) == ({MODEL}, {vote})
        assert codes(run) == [code]


async def test_the_first_use_sits_the_exam_once_and_the_run_pays_for_it(desk: Desk) -> None:
    async with desk.open() as app:
        first = await desk.quiz(app)
        assert sorted(desk.items()) == list(range(1, 25))
        assert result(first)["cost"]["calls"] == 24 + 3
        assert result(first)["cost"]["usd"] == pytest.approx(27 * 50e-6)
        begun, over = await told(app, first)
        assert (begun["items"], begun["done"], begun["usd"] > 0) == (24, False, True)
        assert (over["done"], over["grade"], over["usd"]) == (True, "decides", 0.0012)
        second = await desk.quiz(app, 201)
        assert len(desk.items()) == 24
        assert result(second)["votes"] == ["decides"]
        assert await told(app, second) == []
        (kept,) = await app.store.exams.all_marks()
        assert (kept.model, kept.question, kept.run_id) == (MODEL, "quiz/is_even", first.id)
        assert (kept.count, kept.score, kept.embedded, kept.failures) == (24, 1.0, 0.5, 0)


async def test_two_runs_at_once_sit_it_once(desk: Desk) -> None:
    async with desk.open() as app:
        runs = await asyncio.gather(desk.quiz(app, 101), desk.quiz(app, 102))
        assert len(desk.items()) == 24
        assert [result(run)["votes"] for run in runs] == [["decides"], ["decides"]]


async def test_a_run_that_was_stopped_in_its_exam_pays_for_no_item_twice(desk: Desk) -> None:
    reached, never = asyncio.Event(), asyncio.Event()

    async def hold(_number: int) -> None:
        if len(desk.asked) > 10:
            reached.set()
            await never.wait()

    desk.hold = hold
    async with desk.open() as app:
        run = await app.submit("quiz", {})
        await app.engine.ensure_executed(run.id)
        async with asyncio.timeout(30):
            await reached.wait()
            while len(await app.store.ledger.records(run.id)) < 13:
                await asyncio.sleep(0.01)
        answered = _answered(await app.store.ledger.records(run.id))
        for flight in list(app.outside.gateway._flights.values()):  # pyright: ignore[reportPrivateUsage]
            flight.cancel()
    desk.hold, desk.asked = None, []
    async with desk.open() as app:
        ended = await app.finished(run.id)
        # What was on its way when it stopped may have been recorded since.
        assert 0 < len(desk.asked) <= 27 - answered
        assert _answered(await app.store.ledger.records(run.id)) == 27
        assert result(ended)["votes"] == ["decides"] * 3


def _answered(records: Sequence[CallRecord]) -> int:
    return sum(1 for each in records if each.kind == "model" and each.outcome == "ok")


async def test_a_replay_sees_the_same_standings_and_asks_nothing(desk: Desk) -> None:
    async with desk.open() as app:
        sat, later = await desk.quiz(app), await desk.quiz(app, 201, 203)
        asked = len(desk.asked)
        for run in (sat, later):
            replayed = await replay_run(app, run)
            assert replayed.identical, replayed.differences
        assert len(desk.asked) == asked
        assert len(await app.store.exams.all_marks()) == 1


async def test_answers_that_are_cut_off_are_wrong_and_no_outage(desk: Desk) -> None:
    """A vendor is not left alone for what its model says: a weak one could never end its exam."""
    desk.says = lambda _n: PoorAnswer("outside.model_cut", who=MODEL)
    async with desk.open() as app:
        run = await desk.quiz(app)
        (marks,) = await app.store.exams.all_marks()
        assert (marks.count, marks.failures, marks.score) == (24, 24, 0.0)
        assert codes(run) == ["standing.why.not_asked"]


@pytest.mark.parametrize(
    "failure",
    [RateLimited("outside.no_answer"), ServerFault(), Timeout(), BudgetReached()],
    ids=lambda each: each.code,
)
async def test_an_outage_leaves_no_marks_and_an_adviser(
    desk: Desk, failure: OutsideFailure
) -> None:
    desk.says = lambda n: failure if n == 7 else right(n)
    async with desk.open() as app:
        run = await desk.quiz(app)
        assert codes(run) == ["standing.why.outage"]
        assert result(run)["votes"] == ["advises"] * 3
        assert result(run)["by"] == [MODEL] * 3
        assert max(desk.items()) == 8  # the rest of its group, and no item more
        assert not await app.store.exams.all_marks()
        assert (await told(app, run))[-1]["says"]["code"] == "standing.why.outage"
        assert (await replay_run(app, run)).identical
        # The next run does not pay for half an exam again, and says the same.
        asked = len(desk.items())
        after = await desk.quiz(app, 201)
        assert (codes(after), len(desk.items())) == (["standing.why.outage"], asked)


async def test_a_model_that_answers_badly_has_its_items_wrong(desk: Desk) -> None:
    desk.says = lambda n: {"parity": "?"} if n % 2 else right(n)
    async with desk.open() as app:
        await desk.quiz(app, 102)
        (kept,) = await app.store.exams.all_marks()
        assert (kept.failures, kept.score) == (12, 0.5)


async def test_an_exam_that_does_not_fit_in_its_budget_is_left_to_a_person(desk: Desk) -> None:
    async with desk.open(**{"models.exam_usd": 0.01}) as app:
        run = await desk.quiz(app, 101)
        assert (desk.items(), result(run)["by"]) == ([], [MODEL])
        assert codes(run) == ["standing.why.dear"]
        assert "$0.0100" in words("en").phrase(Phrase.model_validate(whys(run)[0]))
        assert (await replay_run(app, run)).identical


async def test_an_exam_takes_nothing_from_the_budget_of_the_run_that_needs_it(desk: Desk) -> None:
    """The run has room for its own three calls only; day and month count every call."""
    desk.cost = 2_000
    async with desk.open(**{"budget.run_usd": 0.03}) as app:
        run = await desk.quiz(app)
        assert (codes(run), result(run)["votes"]) == (["standing.why.decides"], ["decides"] * 3)
        assert result(run)["cost"]["usd"] == pytest.approx(27 * 2_000e-6)
        assert await app.costs.of_run(run.id) == await app.costs.of_day() == 27 * 2_000
        assert (await replay_run(app, run)).identical


async def test_the_day_limits_exams_too(desk: Desk) -> None:
    async with desk.open(**{"budget.day_usd": 0.0}) as app:
        run = await desk.quiz(app, 101)
        assert (desk.asked, codes(run)) == ([], ["standing.why.outage"])


@pytest.mark.parametrize("model", ["openai:never-heard-of", "anthropic:claude-opus-5-5"])
async def test_a_dear_model_and_one_without_a_price_sit_their_exam_by_default(
    desk: Desk, model: str
) -> None:
    given = {"models.light": [model], "models.providers.anthropic.api_key": "sk-stub"}
    async with desk.open(**given) as app:
        run = await desk.quiz(app, 101)
        assert (len(desk.items()), codes(run)) == (24, ["standing.why.decides"])
        unpriced = "never" in model
        (begun, _) = await told(app, run)
        assert (begun["says"]["code"] == "standing.begins_unpriced") == unpriced
        for language in ("en", "zh", "zh-Hant"):
            assert model in words(language).phrase(Phrase.model_validate(begun["says"]))


def test_every_exam_fits_in_the_default_budget_with_the_dearest_listed_model() -> None:
    limit = round((ModelSettings().exam_usd or 0) * MICRO)
    spec = parse("openai:never-heard-of")
    for question in examined():
        if question.exam is not None and question.tier != "vision":
            cost = Sitting(question, question.exam, spec).expected()
            assert cost.likely + cost.held <= limit, (question.prompt, cost)


async def test_off_asks_no_item_and_every_model_advises(desk: Desk) -> None:
    async with desk.open(**{"models.exam": "off"}) as app:
        run = await desk.quiz(app)
        assert (desk.items(), result(run)["votes"]) == ([], ["advises"] * 3)
        assert codes(run) == ["standing.why.off"]


async def test_a_clearly_worse_model_is_left_out_and_the_run_says_why(desk: Desk) -> None:
    desk.says = wrong
    async with desk.open() as app:
        run = await desk.quiz(app)
        assert desk.asked == desk.items()
        assert (set(result(run)["by"]), codes(run)) == ({EMBEDDED}, ["standing.why.not_asked"])
        (decided,) = result(run)["decided"]
        assert (decided["by"], decided["vote"]) == (EMBEDDED, "decides")
        for language in ("en", "zh", "zh-Hant"):
            text = words(language)(decided["why"][0]["code"], **decided["why"][0]["params"])
            assert all(each in text for each in (MODEL, "0.00", "0.50", "24"))


async def test_the_next_of_the_ladder_is_asked_where_the_first_is_not(desk: Desk) -> None:
    other = "openai:gpt-4.1"
    desk.says = lambda n: wrong(n) if desk.model == MODEL else right(n)
    async with desk.open(**{"models.light": [MODEL, other]}) as app:
        run = await desk.quiz(app)
        assert set(result(run)["by"]) == {other}
        assert codes(run) == ["standing.why.not_asked", "standing.why.decides"]


async def test_another_prompt_or_other_items_void_the_marks(
    desk: Desk, quiz: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk.open() as app:
        await desk.quiz(app)
        parse = prompts.parse

        def changed(text: str, name: str, language: str) -> prompts.Prompt:
            return parse(text.replace("Say whether", "Tell whether"), name, language)

        with monkeypatch.context() as patch:
            patch.setattr(prompts, "parse", changed)
            prompts.load.cache_clear()
            await desk.quiz(app)
        prompts.load.cache_clear()
        assert len(desk.items()) == 48
        assert len(await app.store.exams.all_marks()) == 2
        await desk.quiz(app)
        assert len(desk.items()) == 48  # the old prompt again: its marks hold again


async def test_a_better_embedded_answer_is_compared_anew_without_another_exam(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from groundwire.context import exams

    async with desk.open() as app:
        await desk.quiz(app)
        app.outside.examiner.reader = lambda: "another version"
        monkeypatch.setattr(exams, "embedded_scores", lambda _question: (1.0,) * 24)
        run = await desk.quiz(app, 201)
        assert (codes(run), len(desk.items())) == (["standing.why.advises"], 24)
        (kept,) = await app.store.exams.all_marks()
        assert (kept.embedded, kept.reader) == (1.0, "another version")


@pytest.mark.parametrize(
    ("says", "by"), [(right, MODEL), (agrees, EMBEDDED)], ids=["decides", "advises"]
)
async def test_a_question_that_takes_no_advice_is_asked_of_deciders_only(
    desk: Desk, says: Callable[[int], object], by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.says = says
    async with desk.open() as app:
        quiz_job = importlib.import_module("groundwire.jobs.quiz.job")
        strict = dataclasses.replace(quiz_job.QUESTION, takes_advice=False)
        monkeypatch.setattr(quiz_job, "QUESTION", strict)
        run = await desk.quiz(app, 101)
        assert result(run)["by"] == [by]
        assert (101 in desk.asked) == (by == MODEL)
