"""What no rule finds directly: likely sentences answer, siblings do not, and the nearest says what it lacks."""

from __future__ import annotations

import pytest
from tests.reasoning.pages import answer, page

from groundwire.words import words


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (
            "Who may hand out scheduled drugs to the public?",
            "Only pharmacists may supply scheduled drugs to the public.",
            "Many drugs are made in two large plants near the coast.",
        ),
        (
            "哪些人可以向公众提供处方药？",
            "只有药剂师可以向公众提供处方药。",
            "许多药品在沿海的两家工厂里生产。",
        ),
        (
            "哪些人可以向公眾提供處方藥？",
            "只有藥劑師可以向公眾提供處方藥。",
            "許多藥品在沿海的兩家工廠裡生產。",
        ),
    ],
)
def test_the_likely_sentence_answers(question: str, right: str, wrong: str) -> None:
    written = answer(question, page(wrong, day=""), page(right, day=""))
    assert written.sentences[0].text == right


@pytest.mark.parametrize(
    ("question", "sibling"),
    [
        ("How much does the Nova 16 cost?", "The Nova 15 costs $799, as the company said."),
        ("Nova 16 多少钱？", "公司表示，Nova 15 的售价为5999元。"),
        ("Nova 16 多少錢？", "公司表示，Nova 15 的售價為5999元。"),
    ],
)
def test_a_sibling_is_no_answer(question: str, sibling: str) -> None:
    assert answer(question, page(sibling, "Nova 15")).sentences == ()


@pytest.mark.parametrize(
    ("question", "near", "lacked"),
    [
        ("Who founded Tether?", "Tether has no exposure to the bank, it said.", "founded"),
        ("泰达公司的创办人是谁？", "泰达公司表示在该银行没有存款。", "创办人"),
        ("泰達公司的創辦人是誰？", "泰達公司表示在該銀行沒有存款。", "創辦人"),
    ],
)
def test_the_nearest_sentence_says_what_it_lacks(question: str, near: str, lacked: str) -> None:
    written = answer(question, near)
    assert written.sentences == ()
    gap = next(each for each in written.gaps if each.what == "ask.gap.nearest")
    say = words("en")
    assert near.rstrip(".。") in say(gap.what, **gap.params)
    assert lacked in say(gap.why, **gap.params)
