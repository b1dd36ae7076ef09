"""Which of several figures a claim follows, what goes on about the subject, and what is too old to be news."""

from __future__ import annotations

import pytest
from tests.jobs.watch.watch_days import Days, page

_RIVALS = [
    ("Norvale", "Norvale has a quota of 950 tonnes of tuna and landed 430 tonnes.", "By Wednesday Norvale had landed 610 tonnes of tuna."),
    ("东滨渔会", "东滨渔会今年的鲔鱼配额是950吨，已捕获430吨。", "东滨渔会表示，截至周三已捕获鲔鱼610吨。"),
    ("東濱漁會", "東濱漁會今年的鮪魚配額是950公噸，已捕獲430公噸。", "東濱漁會表示，截至週三已捕獲鮪魚610公噸。"),
]  # fmt: skip
_GOES_ON = [
    ("Norvale", "Norvale is losing its conductor. She will give her last concert on 12 December.", "12 December"),
    ("东滨渔会", "东滨渔会换了会长。她将于12月12日搬走。", "12月12日"),
    ("東濱漁會", "東濱漁會換了會長。她將於12月12日搬走。", "12月12日"),
]  # fmt: skip
_OLD = [
    ("Norvale", "Norvale was fined £900,000. In 2015 it was fined £200,000.", "£900,000"),
    ("东滨渔会", "东滨渔会被罚款90万元。2015年它被罚款20万元。", "90万元"),
    ("東濱漁會", "東濱漁會被罰款90萬元。2015年它被罰款20萬元。", "90萬元"),
]
_TWO = [
    ("Norvale", "Norvale feeds 42 schools.", "11 schools have left Norvale, and Norvale feeds 31 schools now.", "31"),
    ("绿禾餐饮", "绿禾餐饮目前为42所学校提供午餐。", "已有11所学校离开了绿禾餐饮，绿禾餐饮现在只给31所学校提供午餐。", "31"),
    ("綠禾餐飲", "綠禾餐飲目前為42所學校提供午餐。", "已有11所學校離開了綠禾餐飲，綠禾餐飲現在只給31所學校提供午餐。", "31"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "after"), _RIVALS)
def test_a_figure_follows_the_one_that_is_told_in_its_words(
    name: str, before: str, after: str
) -> None:
    days = Days(name)
    days.look(1, page("a", 1, before))
    changes = days.look(8, page("b", 8, after))
    assert [(kind, old[:3], new[:3]) for kind, _, old, new in changes] == [
        ("changed", "430", "610")
    ]


@pytest.mark.parametrize(("name", "text", "day"), _GOES_ON)
def test_a_planned_day_is_news_where_a_sentence_goes_on_about_the_subject(
    name: str, text: str, day: str
) -> None:
    days = Days(name)
    days.look(1, page("a", 1, f"{name} 2026."))
    assert ("new", "first_seen", "", day) in days.look(5, page("b", 5, text))


@pytest.mark.parametrize(("name", "text", "value"), _OLD)
def test_what_was_so_years_ago_is_no_news(name: str, text: str, value: str) -> None:
    days = Days(name)
    days.look(1, page("a", 1, f"{name} 2026."))
    assert [new for *_, new in days.look(5, page("b", 5, text))] == [value]


@pytest.mark.parametrize(("name", "before", "after", "value"), _TWO)
def test_a_claim_takes_one_value_of_a_sentence(
    name: str, before: str, after: str, value: str
) -> None:
    days = Days(name)
    days.look(1, page("a", 1, before))
    changes = days.look(5, page("b", 5, after))
    assert [new for kind, _, _, new in changes if kind == "changed"] == [value]
