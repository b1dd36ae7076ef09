"""The first line of an answer: one sentence, of the thing asked, in the reader's writing, not overtaken."""

from __future__ import annotations

import pytest
from tests.reasoning.pages import answer, first, page


@pytest.mark.parametrize(
    ("question", "pages", "opening"),
    [
        (
            "When did Norfield return the deposits?",
            (
                page("诺菲尔德（Norfield）2024年4月3日宣布，全部存款已经归还给客户。"),
                page("All deposits taken from Norfield have been returned, Norfield Trust said on Wednesday 3 April 2024."),
            ),
            "All deposits",
        ),
        (
            "北岭公司什么时候归还存款？",
            (
                page("北嶺公司2024年4月3日宣布，全部存款已經歸還給客戶，客戶不必另外申請。"),
                page("北岭公司2024年4月3日宣布，全部存款已经归还。"),
            ),
            "北岭公司",
        ),
        (
            "北嶺公司什麼時候歸還存款？",
            (
                page("北岭公司2024年4月3日宣布，全部存款已经归还给客户，客户不必另外申请。"),
                page("北嶺公司2024年4月3日宣布，全部存款已經歸還。"),
            ),
            "北嶺公司",
        ),
    ],
)  # fmt: skip
def test_a_page_in_the_readers_writing_opens(question, pages, opening) -> None:
    assert first(question, *pages).startswith(opening)


@pytest.mark.parametrize(
    ("question", "text", "line"),
    [
        (
            "How much does the Orlan 16 Pro cost?",
            "The Orlan 16 Pro costs $999 in every shop. The Orlan 16 Pro was shown in Harrow with a larger screen.",
            "The Orlan 16 Pro costs $999 in every shop.",
        ),
        (
            "Orlan 16 Pro多少钱？",
            "Orlan 16 Pro售价为7999元。Orlan 16 Pro在北岭发布，屏幕更大。",
            "Orlan 16 Pro售价为7999元。",
        ),
        (
            "Orlan 16 Pro多少錢？",
            "Orlan 16 Pro售價為36,900元。Orlan 16 Pro在北嶺發表，螢幕更大。",
            "Orlan 16 Pro售價為36,900元。",
        ),
    ],
)
def test_the_first_line_is_one_sentence(question: str, text: str, line: str) -> None:
    assert first(question, text) == line


@pytest.mark.parametrize(
    ("question", "range_of_all", "own"),
    [
        (
            "How much does the Orlan 16 Pro cost?",
            "Orlan kept its prices, from $799 for the Orlan 16 to $1,199 for the Orlan 16 Pro Max, it said; they cost the same.",
            "The Orlan 16 Pro costs $999 and the 16 Pro Max $1,199.",
        ),
        (
            "Orlan 16 Pro多少钱？",
            "Orlan公布价格，Orlan 16 Pro Max售价为9999元，与上一代相同。",
            "Orlan 16 Pro售价为7999元，Orlan 16 Pro Max售价为9999元。",
        ),
        (
            "Orlan 16 Pro多少錢？",
            "Orlan公布價格，Orlan 16 Pro Max售價為44,900元，與上一代相同。",
            "Orlan 16 Pro售價為36,900元，Orlan 16 Pro Max售價為44,900元。",
        ),
    ],
)
def test_another_model_does_not_give_its_price_for_the_one_asked(
    question: str, range_of_all: str, own: str
) -> None:
    assert first(question, range_of_all) == ""
    assert first(question, range_of_all, own) == own


@pytest.mark.parametrize(
    ("question", "change", "level"),
    [
        (
            "What is Norfield's market value?",
            "Norfield lost about $593 billion of market value on Monday.",
            "Norfield's market value rose by $20 billion to $2.9 trillion on Friday.",
        ),
        (
            "北岭公司的市值是多少？",
            "北岭公司股价下跌约17%，市值一日蒸发约5930亿美元。",
            "北岭公司市值上涨200亿美元，至2.9万亿美元。",
        ),
        (
            "北嶺公司的市值是多少？",
            "北嶺公司股價下跌約17%，市值一日蒸發約5,930億美元。",
            "北嶺公司市值上漲200億美元，至2.9兆美元。",
        ),
    ],
)
def test_a_change_of_a_quantity_is_not_the_quantity(question: str, change: str, level: str) -> None:
    nothing = answer(question, change)
    assert nothing.sentences == ()
    assert "ask.gap.lacks_level" in [gap.why for gap in nothing.gaps]
    assert first(question, change, level) == level


@pytest.mark.parametrize(
    ("question", "change"),
    [
        ("How much market value did Norfield lose?", "Norfield lost $593 billion of market value on Monday."),
        ("北岭公司市值蒸发了多少？", "北岭公司市值一日蒸发约5930亿美元。"),
        ("北嶺公司市值蒸發了多少？", "北嶺公司市值一日蒸發約5,930億美元。"),
    ],
)  # fmt: skip
def test_a_change_that_is_asked_for_answers(question: str, change: str) -> None:
    assert first(question, change) == change


@pytest.mark.parametrize(
    ("question", "false_report", "later"),
    [
        (
            "Did the Harrow agency approve the Orlan fund?",
            page("The chair of the Harrow agency said on 9 January 2024 that its account was hacked and that it has not approved the Orlan fund.", day="2024-01-09"),
            page("The Harrow agency approved the Orlan fund on 10 January 2024.", day="2024-01-10"),
        ),
        (
            "北岭监管局批准奥兰基金了吗？",
            page("北岭监管局主席2024年1月9日表示，账号遭到入侵，监管局没有批准奥兰基金。", day="2024-01-09"),
            page("北岭监管局2024年1月10日批准奥兰基金。", day="2024-01-10"),
        ),
        (
            "北嶺監管局批准奧蘭基金了嗎？",
            page("北嶺監管局主席2024年1月9日表示，帳號遭到入侵，監管局沒有批准奧蘭基金。", day="2024-01-09"),
            page("北嶺監管局2024年1月10日批准奧蘭基金。", day="2024-01-10"),
        ),
    ],
)  # fmt: skip
def test_what_a_later_report_turned_does_not_open(question, false_report, later) -> None:
    found = answer(question, false_report, later)
    assert found.sentences[0].text == later.text
    assert found.contested == ()


@pytest.mark.parametrize(
    ("question", "denial"),
    [
        ("Will Norfield release R2 on 17 March?", "Norfield has denied that it will release R2 on 17 March."),
        ("北岭公司会在3月17日发布R2吗？", "北岭公司否认将在3月17日发布R2。"),
        ("北嶺公司會在3月17日發布R2嗎？", "北嶺公司否認將在3月17日發布R2。"),
    ],
)  # fmt: skip
def test_a_day_without_a_year_is_that_of_the_pages(question: str, denial: str) -> None:
    assert first(question, page(denial, day="2023-03-12")) == denial


@pytest.mark.parametrize(
    ("question", "earlier", "answering"),
    [
        (
            "When did Norfield return the deposits?",
            "Norfield returned what was recovered after the theft of 13 March 2024.",
            "Norfield returned the deposits on 3 April 2024.",
        ),
        (
            "北岭公司什么时候归还存款？",
            "北岭公司在2024年3月13日失窃之后，归还了存款。",
            "北岭公司2024年4月3日归还了存款。",
        ),
        (
            "北嶺公司什麼時候歸還存款？",
            "北嶺公司在2024年3月13日失竊之後，歸還了存款。",
            "北嶺公司2024年4月3日歸還了存款。",
        ),
    ],
)
def test_the_day_of_what_came_before_is_not_the_day_asked_for(
    question: str, earlier: str, answering: str
) -> None:
    assert first(question, earlier, answering) == answering


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hello test", "In the test at a distance of five millimetres the phone met its limit of 4.0 watts."),
        ("你好 测试", "七部门要求企业在2023年8月15日以前完成测试。"),
        ("你好 測試", "七部門要求企業在2023年8月15日以前完成測試。"),
    ],
)  # fmt: skip
def test_a_bare_word_that_no_page_is_about_is_told_so(text: str, sentence: str) -> None:
    found = answer(text, page(sentence, title="Norfield 2023"))
    assert found.sentences == ()
    assert [gap.why for gap in found.gaps] == ["ask.gap.no_subject"]
