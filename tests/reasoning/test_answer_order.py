"""What an answer must not confuse: a rumour and its denial, siblings, another clock, another cause, another act."""

from __future__ import annotations

import pytest
from tests.reasoning.pages import answer, page


@pytest.mark.parametrize(
    ("question", "rumour", "denial"),
    [
        (
            "When will the Nova 3 be released?",
            "The Nova 3 will be released on 17 March 2025, a widely shared post says.",
            "Halcyon has denied that the Nova 3 will be released on 17 March 2025.",
        ),
        (
            "Nova 3 什么时候发布？",
            "网传Nova 3将于2025年3月17日发布。",
            "公司否认Nova 3将于2025年3月17日发布。",
        ),
        (
            "Nova 3 何時發布？",
            "網傳Nova 3將於2025年3月17日發布。",
            "公司否認Nova 3將於2025年3月17日發布。",
        ),
    ],
)
def test_a_rumour_stands_behind_its_denial(question: str, rumour: str, denial: str) -> None:
    told = answer(question, page(rumour, day="2025-03-11"), page(denial, day="2025-03-12"))
    assert told.sentences[0].text == denial


@pytest.mark.parametrize(
    ("question", "answers", "sibling"),
    [
        ("How much does the iPhone 17 Pro cost?", "The Air costs $999 and the 17 Pro $1,099.", "The iPhone 17 starts at $799 with 256 gigabytes."),
        ("iPhone 17 Pro 多少钱？", "Air 售价7999元，17 Pro 售价8999元。", "iPhone 17 售价5999元起，配备256GB存储。"),
        ("iPhone 17 Pro 多少錢？", "Air 售價7999元，17 Pro 售價8999元。", "iPhone 17 售價5999元起，配備256GB儲存空間。"),
    ],
)  # fmt: skip
def test_the_plain_model_is_no_answer_for_its_variant(
    question: str, answers: str, sibling: str
) -> None:
    title = "Apple: iPhone 17 Pro, iPhone Air"
    told = answer(question, page(sibling, title), page(answers, title)).sentences
    assert [each.text for each in told] == [answers]


@pytest.mark.parametrize(
    ("question", "there", "here"),
    [
        (
            "When was the Nova 16 introduced?",
            "The company introduced the Nova 16 on 9 September 2024.",
            "The company introduced the Nova 16 on 10 September 2024, Beijing time.",
        ),
        ("Nova 16 什么时候发布的？", "公司2024年9月9日发布Nova 16。", "公司北京时间2024年9月10日发布Nova 16。"),
        ("Nova 16 何時發布？", "公司2024年9月9日發布Nova 16。", "公司台北時間2024年9月10日發布Nova 16。"),
    ],
)  # fmt: skip
def test_the_next_morning_by_another_clock_is_no_other_date(
    question: str, there: str, here: str
) -> None:
    assert answer(question, there, here).contested == ()
    later = here.replace("10", "14")
    assert answer(question, there, later).contested != ()


@pytest.mark.parametrize(
    ("question", "cause", "consequence"),
    [
        (
            "Why did the Orion bank fail?",
            "The Orion bank failed because of a run.",
            "The token fell because the Orion bank failed.",
        ),
        (
            "猎户银行为什么倒闭？",
            "猎户银行因遭遇挤兑而倒闭。",
            "代币下跌的直接原因，是其储备存放在刚刚倒闭的猎户银行。",
        ),
        (
            "獵戶銀行為什麼倒閉？",
            "獵戶銀行因遭遇擠兌而倒閉。",
            "代幣下跌的直接原因，是其儲備存放在剛剛倒閉的獵戶銀行。",
        ),
    ],
)
def test_what_it_caused_is_not_told_beside_its_cause(
    question: str, cause: str, consequence: str
) -> None:
    assert [each.text for each in answer(question, consequence, cause).sentences] == [cause]


@pytest.mark.parametrize(
    ("question", "another", "asked"),
    [
        (
            "When did Acme file to list?",
            "Regulators let Acme list its shares on 10 January 2024.",
            "Acme 2023年6月15日申请上市。",
        ),
        (
            "Acme什么时候申请上市？",
            "监管机构2024年1月10日批准Acme上市。",
            "Acme filed on 15 June 2023 to list its shares.",
        ),
        (
            "Acme何時申請上市？",
            "監管機構2024年1月10日批准Acme上市。",
            "Acme filed on 15 June 2023 to list its shares.",
        ),
    ],
)
def test_the_day_of_another_act_is_no_answer(question: str, another: str, asked: str) -> None:
    assert answer(question, another, asked).sentences[0].text == asked


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("There is a rumour that Acme holds $10 billion at Orion Bank, is that true?", "Acme holds $3.3 billion at Orion Bank, it said."),
        ("有传闻说Acme有100亿美元在猎户银行，是真的吗？", "Acme表示，有33亿美元存放在猎户银行。"),
        ("據傳Acme有100億美元在獵戶銀行，是真的嗎？", "Acme表示，有33億美元存放在獵戶銀行。"),
    ],
)  # fmt: skip
def test_a_rumour_that_is_asked_about_is_answered_by_the_amount(question: str, told: str) -> None:
    assert [each.text for each in answer(question, told).sentences] == [told]


@pytest.mark.parametrize(
    ("question", "when", "fine", "again", "own"),
    [
        (
            "When does the Orion act take effect, and how high is the fine?",
            "The Orion act takes effect on 1 August 2024.",
            "A breach of the Orion act is fined with up to 35 million euros, or 7% of turnover.",
            "A breach of the Orion act is fined with up to 35 million euros or 7% of its turnover.",
            0,
        ),
        (
            "猎户法案何时生效？罚款多少？",
            "猎户法案2024年8月1日生效。",
            "違反獵戶法案的業者，罰款最高3500萬歐元或營業額的7%。",
            "违反猎户法案的业者，罚款最高3500万欧元或营业额的7%。",
            1,
        ),
        (
            "獵戶法案何時生效？罰款多少？",
            "獵戶法案2024年8月1日生效。",
            "违反猎户法案的业者，罚款最高3500万欧元或营业额的7%。",
            "違反獵戶法案的業者，罰款最高3500萬歐元或營業額的7%。",
            1,
        ),
    ],
)
def test_nothing_is_told_twice_in_two_scripts(
    question: str, when: str, fine: str, again: str, own: int
) -> None:
    told = [each.text for each in answer(question, when, fine, again).sentences]
    assert told[0] == when
    assert len([each for each in (fine, again) if each in told]) == 1
    assert (fine, again)[own] in told
