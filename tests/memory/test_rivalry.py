"""Which claims cannot both be current; precision before recall, in both languages and scripts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from groundwire.evidence.memory.rivals import difference, rivals
from groundwire.model.memory import Remembered

from .make import NOON, OTHER, remembered

LATER = NOON + timedelta(hours=1)


def pair(one: str, other: str, *, one_page: bool = False) -> tuple[Remembered, Remembered]:
    reference = NOON.date()
    old = remembered(one, NOON, reference=reference)
    url = old.sightings[0].grounds[0].url if one_page else OTHER
    return old, remembered(other, LATER, url=url, reference=reference)


RIVALS = [
    ("figure", "Harbor Light Bank's deposit rate is 4.2%.", "Harbor Light Bank's deposit rate is 4.5%."),
    ("figure", "港灯银行的一年期存款利率为1.2%。", "港灯银行的一年期存款利率为1.5%。"),
    ("figure", "港灯银行的一年期存款利率为1.2%。", "港燈銀行的一年期存款利率為1.5%。"),
    ("figure", "Acme Robotics has 3,000 employees.", "Acme Robotics has 4,200 employees."),
    ("figure", "海港大桥的造价为12亿元。", "海港大桥的造价为15亿元。"),
    ("figure", "The ferry carries 400 passengers.", "The ferry carries 450 passengers."),
    ("name", "The chief executive of Acme Robotics is Li Wei.",
     "The chief executive of Acme Robotics is Wang Fang."),
    ("name", "海象机器人公司的首席执行官是李伟。", "海象机器人公司的首席执行官是王芳。"),
    ("polarity", "Acme Robotics has approved the merger.", "Acme Robotics has not approved the merger."),
    ("polarity", "海象机器人公司批准了合并。", "海象机器人公司没有批准合并。"),
    ("polarity", "海象機器人公司批准了合併。", "海象機器人公司沒有批准合併。"),
    # A day that has not come is moved.
    ("date", "The Harbor Line will open on 3 December 2026.", "The Harbor Line will open on 20 December 2026."),
    ("date", "海港线将于2026年12月3日开通。", "海港线将于2026年12月20日开通。"),
]  # fmt: skip
BESIDE = [
    # Two days of the world: no change of mind.
    ("Acme Robotics closed at $12.40 on 10 November 2026.", "Acme Robotics closed at $13.10 on 11 November 2026."),
    ("Acme Robotics earned $5 billion in 2025.", "Acme Robotics earned $6 billion in 2026."),
    ("海象机器人公司2025年营收50亿元。", "海象机器人公司2026年营收60亿元。"),
    # A month is part of its year.
    ("In 2025 Acme Robotics earned $5 billion.", "In March 2025 Acme Robotics earned $400 million."),
    # Another thing, another party, another place.
    ("港灯银行的一年期存款利率为1.2%。", "港灯银行的三年期存款利率为1.5%。"),
    ("港灯银行的一年期存款利率为1.2%。", "海角银行的一年期存款利率为1.5%。"),
    ("The fare from Marlow to Quay is $4.", "The fare from Marlow to Hill is $6."),
    ("Acme Robotics opened 3 factories in Poland.", "Acme Robotics opened 5 factories in Spain."),
    ("Acme Robotics' revenue in Asia was $5 million.", "Acme Robotics' revenue in Europe was $7 million."),
    ("Acme Robotics' imports rose 3%.", "Acme Robotics' exports rose 5%."),
    ("海象机器人公司国内收入为4亿元。", "海象机器人公司国际收入为7亿元。"),
    ("海象機器人公司男性員工平均年薪為80萬元。", "海象機器人公司女性員工平均年薪為75萬元。"),
    # Another part of the year, day of the week or round of money, though no year is named.
    ("Acme Robotics' shares rose 3% on Monday.", "Acme Robotics' shares rose 5% on Tuesday."),
    ("Acme Robotics' first-half profit was $3 million.", "Acme Robotics' second-half profit was $4 million."),
    ("Acme Robotics raised $5 million in a seed round.", "Acme Robotics raised $20 million in a Series A round."),
    ("海象机器人公司第三季度营收为9亿元。", "海象机器人公司第四季度营收为11亿元。"),
    ("海象機器人公司上半年營收為9億元。", "海象機器人公司下半年營收為11億元。"),
    # Rounded, bounded or uncertain.
    ("Acme Robotics has about 3,000 employees.", "Acme Robotics has 3,100 employees."),
    ("Acme Robotics reportedly has 3,000 employees.", "Acme Robotics has 4,200 employees."),
    ("据传海象机器人公司有3000名员工。", "海象机器人公司有4200名员工。"),
    # Many can be partners; only one is chief executive.
    ("The partner of Acme Robotics is Li Wei.", "The partner of Acme Robotics is Wang Fang."),
    # What has happened can happen again.
    ("The Harbor Line opened on 3 November 2026.", "The Harbor Line opened on 5 November 2026."),
    # The same again.
    ("港灯银行的利率为4.2%。", "港燈銀行的利率為4.2%。"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "old", "new"), RIVALS)
def test_one_value_differs_and_all_else_is_the_same(kind: str, old: str, new: str):
    found = difference(*pair(old, new))
    assert found is not None
    assert found.kind == kind
    assert found.mine != found.theirs


@pytest.mark.parametrize(("one", "other"), BESIDE)
def test_claims_that_may_both_be_true_stand_beside_each_other(one: str, other: str):
    assert difference(*pair(one, other)) is None


@pytest.mark.parametrize(("kind", "old", "new"), RIVALS)
def test_the_order_of_the_two_does_not_matter(kind: str, old: str, new: str):
    a, b = pair(old, new)
    assert rivals(a, b) == rivals(b, a)


def test_a_page_that_was_changed_corrects_a_day_that_has_passed():
    """Two pages may report two events; one page that says otherwise now has changed its mind."""
    old, new = (
        "The Marlow blackout began on 3 November 2026.",
        "The Marlow blackout began on 4 November 2026.",
    )
    assert difference(*pair(old, new)) is None
    found = difference(*pair(old, new, one_page=True))
    assert found is not None and found.kind == "date"


def test_a_writer_that_names_the_attribute_leaves_nothing_to_guess():
    def claimed(predicate: str, value: str, text: str) -> Remembered:
        return remembered(text, subject="Acme Robotics", predicate=predicate, value=value)

    first = claimed("share price", "$12", "Acme trades at $12.")
    assert difference(first, claimed("share price", "$13", "Shares of Acme cost $13 now."))
    assert (
        difference(first, claimed("share price", "12 dollars", "An Acme share is 12 dollars."))
        is None
    )
    assert difference(first, claimed("employees", "$13", "Acme trades at $13.")) is None


def test_days_named_as_predicates_of_two_times_do_not_differ():
    one = remembered("On 3 May 2026 it was $5.", subject="Acme", predicate="price", value="$5")
    two = remembered("On 4 May 2026 it was $6.", subject="Acme", predicate="price", value="$6")
    assert difference(one, two) is None
