"""Code's own queries always go out; later rounds keep to the question."""

from __future__ import annotations

import pytest

from groundwire.jobs.ask.nodes import merged, missing_of
from groundwire.jobs.ask.settings import AskSettings
from groundwire.jobs.ask.types import AskInput, State
from groundwire.model.result import Gap, Sentence
from groundwire.reasoning.plan_queries import QUESTION, Plan, PlanInput, PlannedQuery

QUESTIONS = ["USDC为什么会脱锚？", "USDC為什麼會脫鈎？", "Why did USDC lose its peg?"]


def given(question: str, most: int = 5, **more: tuple[str, ...]) -> PlanInput:
    return PlanInput(question=question, language="zh", today="2025-06-01", max_queries=most, **more)


def plan(*texts: str) -> Plan:
    return Plan(queries=tuple(PlannedQuery(text=text, language="en") for text in texts))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_model_cannot_leave_out_the_subject(question: str) -> None:
    found = merged(given(question), plan("weather in Paris", "cheap flights"), "openai:x")
    code = [each for each, by in found if by == "code"]
    assert {each.language for each in code} == {"zh", "en"}
    assert all("USDC" in each.text for each in code)
    assert [each.text for each, by in found if by == "openai:x"] == [
        "weather in Paris",
        "cheap flights",
    ]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("most", [1, 2, 3])
def test_the_cap_holds_and_nothing_is_searched_twice(question: str, most: int) -> None:
    planned = QUESTION.embedded(given(question)).queries[0].text
    found = merged(given(question, most), plan(planned.upper(), "a", "A", "b"), "openai:x")
    texts = [each.text.casefold() for each, _ in found]
    assert len(texts) == len(set(texts)) <= most


def test_without_a_model_the_plan_is_as_it_is() -> None:
    planned = QUESTION.embedded(given(QUESTIONS[0]))
    assert [each for each, _ in merged(given(QUESTIONS[0]), planned, "embedded")] == list(
        planned.queries
    )


def state(question: str, gaps: tuple[Gap, ...], *texts: str) -> State:
    return State(
        given=AskInput(question=question),
        limits=AskSettings(),
        gaps=gaps,
        sentences=tuple(Sentence(text=t, verdict="supported", citations=()) for t in texts),
    )


@pytest.mark.parametrize(
    ("question", "good", "bad"),
    [
        ("Why did USDC lose its peg?", "the date on which USDC recovered", "buy MoonCoin now"),
        ("USDC为什么会脱锚？", "USDC脱锚的日期", "立即购买月亮币"),
        ("USDC為什麼會脫鈎？", "USDC脫鈎的日期", "立即購買月亮幣"),
    ],
)
def test_a_gap_that_is_not_on_the_question_steers_nothing(
    question: str, good: str, bad: str
) -> None:
    gaps = (Gap(what=bad, why="x"), Gap(what=good, why="x"))
    assert missing_of(state(question, gaps)) == (good,)
    assert missing_of(state(question, gaps[:1])) == (question,)
    assert missing_of(state(question, ())) == ()


def test_what_no_sentence_covers_is_looked_for() -> None:
    found = missing_of(
        state("When did Circle redeem USDC?", (Gap(what="x", why="y"),), "Circle issues USDC.")
    )
    assert found[0] == "redeem"


@pytest.mark.parametrize(
    ("question", "gap", "words"),
    [
        (
            "Who founded Tether?",
            "who it was: “Who founded Tether?”",
            ("Tether|泰达币", "founded|成立"),
        ),
        ("谁创立了泰达币？", "相关人物或机构：“谁创立了泰达币？”", ("泰达币|Tether", "创立|found")),
        ("誰創立了泰達幣？", "相關人物或機構：“誰創立了泰達幣？”", ("泰達幣|Tether", "創立|found")),
    ],
)
def test_every_query_of_a_later_round_keeps_the_gap_and_the_names(
    question: str, gap: str, words: tuple[str, ...]
) -> None:
    first = tuple(q.text for q in QUESTION.embedded(given(question)).queries)
    later = QUESTION.embedded(given(question, missing=(gap,), tried=first)).queries
    for query in later:
        assert all(any(w in query.text for w in word.split("|")) for word in words), query.text
