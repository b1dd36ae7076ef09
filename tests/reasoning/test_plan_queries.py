"""Searches planned without a model: key words in both languages, directed at what is asked."""

from __future__ import annotations

import pytest

from groundwire.llm.prompts import load, render
from groundwire.reasoning.plan_queries import (
    LONGEST_QUERY,
    QUESTION,
    Plan,
    PlanInput,
    PlannedQuery,
    in_both_languages,
)
from groundwire.words import words


def given(question: str, most: int = 5, **more: tuple[str, ...]) -> PlanInput:
    return PlanInput(question=question, language="zh", today="2025-06-01", max_queries=most, **more)


def plan(question: str, most: int = 5, **more: tuple[str, ...]) -> list[tuple[str, str]]:
    found = QUESTION.embedded(given(question, most, **more))
    return [(query.text, query.language) for query in found.queries]


@pytest.mark.parametrize(
    ("question", "own", "other", "facet"),
    [
        # why, simplified
        ("USDC为什么会脱锚？", "USDC 脱锚", "USDC depeg", "USDC 脱钩 原因"),
        # why, traditional, polite; the person's own script is kept
        (
            "請問穩定幣USDC為什麼會脫鈎？",
            "穩定幣 USDC 脫鈎",
            "stablecoin USDC depeg",
            "穩定幣 USDC 脱锚 原因",
        ),
        # when; a name in Latin letters stays as it was written
        (
            "DeepSeek的R1是什么时候发布的？",
            "DeepSeek R1 发布",
            "DeepSeek R1 release",
            "DeepSeek R1 发布 日期",
        ),
        # when, traditional
        (
            "矽谷銀行在哪一天被關閉？",
            "矽谷銀行 被關閉",
            "Silicon Valley Bank closed",
            "矽谷銀行 被關閉 日期",
        ),
        # why, with a month
        (
            "Why did USDC lose its peg in March 2023?",
            "USDC lose its peg March 2023",
            "USDC 脱锚 2023年3月",
            "USDC depeg March 2023 cause",
        ),
        # how much, polite, with a day
        (
            "Could you please tell me how much Nvidia lost in market value on 27 January 2025?",
            "Nvidia lost market value 27 January 2025",
            "英伟达 损失 市值 2025年1月27日",
            "Nvidia lost market capitalisation 27 January 2025 amount",
        ),
        # yes or no; amounts are written as the other language writes them
        (
            "Circle有100亿美元卡在硅谷银行，是真的吗？",
            "Circle 100亿美元 卡在 硅谷银行",
            "Circle $10 billion held Silicon Valley Bank",
            "Circle 100亿美元 卡在 硅谷银行 回应 否认",
        ),
        (
            "Is it true that $3.3 billion was stuck at SVB?",
            "$3.3 billion stuck SVB",
            "33亿美元 存放 硅谷银行",
            "$3.3 billion stuck SVB confirmed denied",
        ),
        # who
        (
            "谁收购了硅谷银行？",
            "收购 硅谷银行",
            "acquisition Silicon Valley Bank",
            "收购 硅谷银行 人物",
        ),
    ],
)
def test_own_language_then_the_other_then_what_is_asked_for(
    question: str, own: str, other: str, facet: str
) -> None:
    assert [text for text, _ in plan(question)[:3]] == [own, other, facet]


def test_both_languages_are_named() -> None:
    assert [language for _, language in plan("USDC为什么会脱锚？")[:2]] == ["zh", "en"]
    assert [language for _, language in plan("Why did USDC depeg?")[:2]] == ["en", "zh"]


@pytest.mark.parametrize(
    "question", ["？？！", "what is it", "的", "…", "谁", "😀", "  why?  ", "0"]
)
def test_a_question_without_content_is_searched_for_as_it_stands(question: str) -> None:
    found = plan(question)
    assert found and found[0][0] == question.strip()


@pytest.mark.parametrize("most", [1, 2, 3, 5, 8])
def test_never_more_queries_than_allowed_and_none_twice(most: int) -> None:
    texts = [text for text, _ in plan("Why did Circle's USDC depeg in March 2023?", most)]
    assert 1 <= len(texts) <= most
    assert len({text.casefold() for text in texts}) == len(texts)


def test_a_later_round_is_directed_at_what_is_missing_and_repeats_nothing() -> None:
    first = tuple(text for text, _ in plan("USDC为什么会脱锚？"))
    later = plan("USDC为什么会脱锚？", missing=("日期：USDC 脱锚",), tried=first)
    texts = [text for text, _ in later]
    assert not set(texts) & set(first)
    assert "USDC" in texts[0] and "日期" in texts[0]


def test_a_round_that_has_tried_everything_still_searches() -> None:
    tried: tuple[str, ...] = ()
    for _ in range(12):
        texts = tuple(text for text, _ in plan("USDC为什么会脱锚？", tried=tried))
        assert texts
        tried = (*tried, *texts)


@pytest.mark.parametrize(
    "noise",
    [
        "xyz 硅谷 qwe! " * 8000,
        "a" * 100_000,
        "。" * 100_000,
        "的" * 100_000,
        "1,2.3% " * 15_000,
        "2023年3月" * 20_000,
        "\n \t" * 30_000 + "USDC",
        "((((" * 25_000,
    ],
    ids=["words", "letter", "stops", "de", "figures", "dates", "blanks", "brackets"],
)
@pytest.mark.timeout(20)
def test_a_hundred_kilobytes_of_nonsense_make_short_queries(noise: str) -> None:
    found = plan(noise)
    assert found and all(0 < len(text) <= LONGEST_QUERY for text, _ in found)


def test_an_address_in_the_question_is_not_searched_for() -> None:
    texts = [text for text, _ in plan("Why does https://evil.example/x?y=1 say USDC depegged?")]
    assert not any("evil" in text or "http" in text for text in texts)
    assert QUESTION.fault_of(given("x"), QUESTION.embedded(given("see www.a.com now"))) is None


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        ((), "no query"),
        (("  ",), "no query"),
        (("USDC", " "), "empty"),
        (("x" * 381,), "longer"),
        (("USDC https://circle.example/a",), "address"),
        (("circle.com USDC",), "address"),
        (("site:reuters.com USDC",), "address"),
        (("www.circle.example",), "address"),
    ],
)
def test_what_is_wrong_with_a_models_plan_is_named(texts: tuple[str, ...], word: str) -> None:
    made = Plan(queries=tuple(PlannedQuery(text=text, language="en") for text in texts))
    fault = QUESTION.fault_of(given("x"), made)
    assert fault is not None
    assert word in words("en").phrase(fault)


@pytest.mark.parametrize("text", ["USDC 脱锚 原因", "USDC $0.88 v3.5", "U.S. Treasury", "GPT-4.5"])
def test_figures_and_initials_are_no_addresses(text: str) -> None:
    made = Plan(queries=(PlannedQuery(text=text, language="en"),))
    assert QUESTION.fault_of(given("x"), made) is None


@pytest.mark.parametrize("language", ["zh", "en", "zh-Hant"])
def test_the_prompt_takes_exactly_what_is_given(language: str) -> None:
    plan_input = given("USDC为什么会脱锚？", missing=("日期",), tried=("USDC 脱锚",))
    shown = render(load(QUESTION.prompt, language), QUESTION.variables(plan_input, "seed"))
    assert "USDC为什么会脱锚？" in shown.user and "日期" in shown.user and "USDC 脱锚" in shown.user


@pytest.mark.parametrize(
    ("text", "own", "other"),
    [
        ("Euler Finance lost", "Euler Finance lost", "Finance 损失"),  # not 融资 下跌
        (
            "Orange County voted to raise taxes",
            "Orange County voted raise taxes",
            "County 投票 上调 税",
        ),
        ("Brill fired its chief", "Brill fired chief", ""),  # not 火灾
        ("Norland failed to vote", "Norland failed vote", "投票"),  # not 关闭
        ("苹果裁员", "苹果 裁员", "Apple layoffs"),
        ("蘋果裁員", "蘋果 裁員", "Apple layoffs"),
    ],
)
def test_a_word_of_a_name_is_not_translated(text: str, own: str, other: str) -> None:
    assert in_both_languages(text) == (own, other)


def test_words_of_our_own_are_in_the_script_of_the_question() -> None:
    question = "請問穩定幣USDC為什麼會脫鈎？"
    plan_input = PlanInput(question=question, language="zh-Hant", today="", max_queries=6)
    found = [query.text for query in QUESTION.embedded(plan_input).queries]
    assert "穩定幣 USDC 脫錨 原因" in found
    assert "USDC 官方 聲明" in found
