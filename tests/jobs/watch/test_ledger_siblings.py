"""Which of several a value is of: siblings of one subject are claims of their own, and one thing keeps one."""

from __future__ import annotations

import pytest
from watch_days import Days, page

SIBLINGS = [
    ("Tickets for Norvale's day tour cost $40.", "Tickets for Norvale's night tour cost $65."),
    ("The north tower of Norvale will open on 3 May 2027.", "The south tower of Norvale will open on 9 June 2027."),
    ("Norvale reactor 2 will restart on 14 October.", "Norvale reactor 3 will restart on 20 November."),
    ("The vaccine of Norvale was 91% effective in adults.", "The vaccine of Norvale was 74% effective in children."),
    ("Norvale recalled 4,000 cots.", "Norvale recalled 900 prams."),
    ("Norvale's tram carried 40,000 passengers a day in September.", "Norvale's ferry carried 3,000 passengers a day in September."),
    ("Norvale released its R1 model on 2 October 2026.", "Norvale released its V3 model on 4 October 2026."),
    ("Norvale的6号线票价为7元。", "Norvale的机场线票价为25元。"),
    ("Norvale召回4000张婴儿床。", "Norvale召回900辆婴儿车。"),
    ("Norvale于10月2日发布R1模型。", "Norvale于10月4日发布V3模型。"),
    ("Norvale的《归潮》售价198元。", "Norvale的《铁脊》售价268元。"),
    ("Norvale 的成人票價為 300 元。", "Norvale 的兒童票價為 150 元。"),
    ("Norvale 二號機組將於10月14日重啟。", "Norvale 三號機組將於11月20日重啟。"),
    ("Norvale於10月2日開設里斯本分店。", "Norvale將於10月20日開設波爾圖分店。"),
]  # fmt: skip

ONE_THING = [
    ("Tickets for Norvale's night tour cost $40.", "The night tour of Norvale now costs $45."),
    ("Norvale's plant in Porto employs 300 people.", "Norvale's Porto plant now employs 340 people."),
    ("The north tower of Norvale will open on 3 May 2027.", "The opening of Norvale's north tower was put off to 9 June 2027."),
    ("Norvale reactor 2 will restart on 14 October.", "Norvale has delayed the restart of reactor 2 to 20 November."),
    ("Norvale的6号线票价为7元。", "Norvale 6号线票价上调至8元。"),
    ("Norvale一期工程将于2027年3月1日投产。", "Norvale一期工程推迟至2027年5月1日投产。"),
    ("Norvale 的兒童票價為 150 元。", "Norvale 兒童票調漲為 180 元。"),
    ("Norvale 二號機組將於10月14日重啟。", "Norvale 二號機組重啟時間延後至11月20日。"),
]  # fmt: skip


def told(one: str, other: str) -> list[str]:
    days = Days()
    first = page("harbour", 1, one)
    days.look(1, first)
    return [each[0] for each in days.look(5, first, page("meridian", 5, other))]


@pytest.mark.parametrize(("one", "other"), SIBLINGS)
def test_a_value_of_a_sibling_is_a_claim_of_its_own(one: str, other: str) -> None:
    assert set(told(one, other)) == {"new"}


@pytest.mark.parametrize(("one", "other"), ONE_THING)
def test_a_value_of_the_same_one_changes_its_claim(one: str, other: str) -> None:
    assert told(one, other) == ["changed"]


@pytest.mark.parametrize(
    "texts",
    [
        ("Norvale released its R1 model on 20 May 2026.", "Norvale released its V3 model on 2 June 2026."),
        ("Norvale于2026年5月20日发布R1模型。", "Norvale于2026年6月2日发布V3模型。"),
        ("Norvale 於2026年5月20日發布 R1 模型。", "Norvale 於2026年6月2日發布 V3 模型。"),
    ],
)  # fmt: skip
def test_the_brief_keeps_siblings_apart(texts: tuple[str, str]) -> None:
    days = Days()
    days.look(1, page("harbour", 1, texts[0]), page("meridian", 1, texts[1]))
    dates = [each for each in days.ledger.claims if each.kind == "date"] if days.ledger else []
    assert [(each.state, each.past) for each in dates] == [("standing", ())] * 2
