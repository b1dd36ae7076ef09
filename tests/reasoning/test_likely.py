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


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("What is the capital of Mongolia?", "The lender Norvik wanted to raise new capital."),
        ("蒙古国的首都是哪里？", "该首都银行在首都开设了新的分行。"),
        ("蒙古國的首都是哪裡？", "該首都銀行在首都開設了新的分行。"),
    ],
)
def test_a_sentence_about_something_else_is_not_near(question: str, other: str) -> None:
    written = answer(question, other)
    assert written.sentences == ()
    assert not [each for each in written.gaps if each.what == "ask.gap.nearest"]


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        (
            "What harm does Veltrin do?",
            "Veltrin may harm the liver and the kidneys. The first signs are fever and a rash.",
            "Veltrin was first sold in Norway.",
        ),
        (
            "Veltrin会造成什么伤害？",
            "Veltrin可造成肝肾损害。最早的表现为发热和皮疹。",
            "Veltrin最早在挪威上市。",
        ),
        (
            "Veltrin會造成什麼傷害？",
            "Veltrin可造成肝腎損害。最早的表現為發熱和皮疹。",
            "Veltrin最早在挪威上市。",
        ),
    ],
)
def test_an_answer_to_a_broad_question_runs_on_until_its_page_names_the_subject_again(
    question: str, told: str, other: str
) -> None:
    space = " " if told.isascii() else ""
    written = answer(question, page(f"{told}{space}{other}", day=""))
    assert written.sentences[0].text == told


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "What does a ride in a Jetta cost at night?",
            "A ride in a Jetta costs 2.20 dollars by day; a ride in it costs 3.64 dollars at night, it said.",
        ),
        (
            "捷达出租车夜间每公里多少钱？",
            "捷达出租车日间每公里2.20元；夜间每公里3.64元，超过十公里另计。",
        ),
        (
            "捷達計程車夜間每公里多少錢？",
            "捷達計程車日間每公里2.20元；夜間每公里3.64元，超過十公里另計。",
        ),
    ],
)
def test_no_quote_ends_inside_a_decimal(question: str, sentence: str) -> None:
    written = answer(question, page(sentence, day=""))
    assert written.sentences
    assert all(each.text.endswith((".", "。")) for each in written.sentences)
    assert not any(each.text.endswith(("2.", "3.")) for each in written.sentences)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "锦标赛由谁主办？",
            "锦标赛由羽毛球总会主办；自2011年起，赛事升格为「超级」系列赛。",
        ),
        (
            "錦標賽由誰主辦？",
            "錦標賽由羽毛球總會主辦；自2011年起，賽事升格為「超級」系列賽。",
        ),
        (
            "谁主办Orion公开赛？",
            "Orion公开赛由羽毛球总会主办；赛事自2011年起称为“超级”系列赛。",
        ),
    ],
)
def test_no_quote_ends_at_a_quotation_within_its_sentence(question: str, sentence: str) -> None:
    written = answer(question, page(sentence, day=""))
    assert written.sentences and written.sentences[0].text == sentence
