"""A question that follows an earlier run: what it takes from it, and whose runs it may follow."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from groundwire.app import App, open_app
from groundwire.app.exports import replay_run
from groundwire.errors import InputError, NotFoundHere
from groundwire.evidence.questions.completion import complete
from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.sections import Settings
from groundwire.model.access import Caller

EULER = "When was Euler Finance hacked in March 2023?"
USDC = "USDC 为什么在2023年3月脱锚？"
TSMC = "台積電昨天股價為什麼下跌？"
ASKED_ON = date(2024, 5, 10)


@pytest.mark.parametrize(
    ("question", "earlier", "completed"),
    [
        # Names nothing: names and dates of the earlier question.
        ("And how much was recovered?", EULER, " (Euler Finance, March 2023)"),
        ("And the CEO?", EULER, " (Euler Finance, March 2023)"),
        ("What was its price?", "How much is the iPhone 16?", " (iPhone 16)"),
        ("追回了多少？", USDC, "（USDC，2023年3月）"),
        ("那賠了多少？", TSMC, "（台積電，2024-05-09）"),  # yesterday was another day then
        # Says nothing but that it asks: the words, too.
        ("Why?", EULER, " (Euler Finance, hacked, March 2023)"),
        ("Who did it?", EULER, " (Euler Finance, hacked, March 2023)"),
        ("为什么？", USDC, "（USDC，脱锚，2023年3月）"),
        ("真的嗎？", TSMC, "（台積電，股價，下跌，2024-05-09）"),
        # What came next is not of that day.
        ("What happened next?", EULER, " (Euler Finance, hacked)"),
        ("后来呢？", USDC, "（USDC，脱锚）"),
        ("後來呢？", TSMC, "（台積電，股價，下跌）"),
        # A day or a name of its own in place of the earlier one.
        ("And in 2024?", EULER, " (Euler Finance, hacked)"),
        # A name of its own, and a word that points back.
        ("Did the SEC approve it?", "When will the spot bitcoin ETF launch?", " (bitcoin, ETF)"),
        # Names its own things: stands alone.
        ("How much did Binance lose in 2022?", EULER, ""),
        ("Who is Jeremy Allaire?", EULER, ""),
        ("币安为什么下架USDT？", USDC, ""),
        ("聯發科昨天股價漲了多少？", TSMC, ""),
        # The earlier one names nothing either: its words.
        ("How long did it last?", "why is the sky blue?", " (sky, blue)"),
        ("Why?", "?", ""),
    ],
)
def test_a_question_is_completed_by_the_earlier_one(question: str, earlier: str, completed: str):
    assert complete(question, earlier, ASKED_ON) == question + completed


@pytest.mark.parametrize(
    ("question", "earlier", "read_as"),
    [
        ("What about Circle?", EULER, "When was Circle hacked in March 2023?"),
        ("那 Circle 呢？", USDC, "Circle 为什么在2023年3月脱锚？"),
        ("那聯發科呢？", TSMC, "聯發科2024-05-09股價為什麼下跌？"),
        ("那簽名銀行呢？", "矽谷銀行何時被關閉？", "簽名銀行何時被關閉？"),
        # Another place of the same thing.
        ("And in China?", "What does the iPhone 15 cost in Japan?", "What does the iPhone 15 cost in China?"),
        ("那在日本呢？", "iPhone 15在中国卖多少钱？", "iPhone 15在日本卖多少钱？"),
        ("那在日本呢？", "iPhone 15在中國賣多少錢？", "iPhone 15在日本賣多少錢？"),
        ("What about South Korea?", "When was DeepSeek banned in Italy?", "When was DeepSeek banned in South Korea?"),
        ("那韩国呢？", "DeepSeek在意大利为什么被封？", "DeepSeek在韩国为什么被封？"),
        ("義大利呢？", "韓國為什麼暫停DeepSeek？", "義大利為什麼暫停DeepSeek？"),
        # Another model of it.
        ("那 Pro 呢？", "iPhone 16 多少钱？", "iPhone 16 Pro 多少钱？"),
        ("And the Pro?", "What does the iPhone 16 cost?", "What does the iPhone 16 Pro cost?"),
        ("那 Pro 呢？", "iPhone 15卖多少钱？", "iPhone 15 Pro卖多少钱？"),
        ("那 Pro Max 呢？", "iPhone 15賣多少錢？", "iPhone 15 Pro Max賣多少錢？"),
        ("And the Pro Max?", "What does the iPhone 15 Pro cost?", "What does the iPhone 15 Pro Max cost?"),
        ("那 Pro Max 呢？", "iPhone 15 Pro 卖多少钱？", "iPhone 15 Pro Max 卖多少钱？"),
        ("那 Plus 呢？", "iPhone 15 Pro Max 賣多少錢？", "iPhone 15 Plus 賣多少錢？"),
        ("And the iPhone 15 Pro?", "How much is the iPhone 15?", "How much is the iPhone 15 Pro?"),
    ],
)  # fmt: skip
def test_a_question_that_only_exchanges_a_name_is_the_earlier_one_with_it(
    question: str, earlier: str, read_as: str
):
    assert complete(question, earlier, ASKED_ON) == read_as


def test_completing_twice_adds_nothing():
    once = complete("And how much was recovered?", EULER)
    assert complete(once, EULER) == once


@pytest.fixture
def settings(tmp_path: Path):
    env = {"GROUNDWIRE_HOME": str(tmp_path / "data"), "GROUNDWIRE_OFFLINE": "1"}
    return Settings.load({}, tmp_path, env)


async def _asked(app: App, **given: object) -> AskResult:
    run = await app.finished((await app.submit("ask", given)).id)
    return AskResult.model_validate(run.result)


async def test_a_follow_up_has_the_earlier_pages_at_hand_and_replays(settings: Settings):
    async with open_app(settings) as app:
        await app.archive.add_sample()
        first = await _asked(app, question="Did Euler Finance lose money in a flash loan attack?")
        result = await _asked(app, question="And how much was returned?", after="last")
        assert result.question == "And how much was returned?"
        assert result.after is not None
        assert (result.after.run_id, result.after.question) == (first.run_id, first.question)
        assert result.after.understood == "And how much was returned? (Euler Finance)"
        assert any("$240 million" in each.text for each in result.answer)
        held = {each.document_id for each in result.evidence}
        assert {each.document_id for each in first.evidence} <= held
        # What followed a completed question is completed by what that one was completed by.
        third = await _asked(app, question="后来呢？", after=result.run_id)
        assert third.after is not None and "Euler Finance" in third.after.understood
        # The earlier run is in the record of the later one.
        run = await app.runs.find(result.run_id)
        await app.runs.delete(first.run_id)
        replayed = await replay_run(app, run)
        assert (replayed.identical, replayed.differences) == (True, ())


async def test_the_run_of_another_owner_does_not_exist(settings: Settings):
    ann, ben = (Caller(id=name, name=name, scope="run") for name in ("ann", "ben"))
    async with open_app(settings) as app:
        run = await app.submit("ask", {"question": "Why?"}, owner=ann)
        for exact in (True, False):
            with pytest.raises(NotFoundHere):
                given = {"question": "And then?", "after": run.id}
                await app.submit("ask", given, owner=ben, exact=exact)
        own = await app.submit("ask", {"question": "And then?", "after": run.id}, owner=ann)
        assert own.input["after"] == run.id
        with pytest.raises(NotFoundHere):  # a program writes whole ids
            given = {"question": "And then?", "after": run.id[:-3]}
            await app.submit("ask", given, owner=ann, exact=True)
        with pytest.raises(InputError):
            await app.submit("ask", {"question": "And then?", "after": "x" * 100}, owner=ann)


async def test_an_earlier_run_that_is_gone_is_named_and_the_question_stands_alone(
    settings: Settings,
):
    async with open_app(settings) as app:
        await app.archive.add_sample()
        first = await _asked(app, question=EULER)
        waiting = await app.submit(
            "ask", {"question": "Why did USDC depeg?", "after": first.run_id}
        )
        await app.runs.delete(first.run_id)
        run = await app.finished(waiting.id)
        result = AskResult.model_validate(run.result)
        assert result.after is None and result.answer
        assert [each.part for each in result.degraded] == ["earlier_run"]
