"""What a sentence tells, what stands beside it, and what dates nothing."""

from __future__ import annotations

import pytest
from timeline_pages import read

from groundwire.jobs.timeline.mentions import told


@pytest.mark.parametrize(
    ("text", "news"),
    [
        ("The law, agreed in talks in May, was passed by the house.", "The law was passed by the house"),
        ("Orlo was closed on 12 March, after Nordo Bank had failed.", "Orlo was closed on 12 March"),
        ("签名银行在诺多银行倒闭两天之后，于3月12日被关闭。", "签名银行于3月12日被关闭"),
        ("簽名銀行在諾多銀行倒閉兩天之後，於3月12日被關閉。", "簽名銀行於3月12日被關閉"),
        ("由于储备困在诺多银行，帕洛币3月11日跌至0.9美元。", "帕洛币3月11日跌至0.9美元"),
        ("由於儲備困在諾多銀行，帕洛幣3月11日跌至0.9美元。", "帕洛幣3月11日跌至0.9美元"),
    ],
)  # fmt: skip
def test_what_is_told_stands_without_what_is_beside(text: str, news: str) -> None:
    assert told(text) == news


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("The agency must decide on the filing by Wednesday 10 January 2024.", []),
        ("监管机构须在1月10日之前对申请作出决定。", []),
        ("監管機構須在1月10日之前對申請作出決定。", []),
        ("模型在2024年美国数学邀请赛题目上的正确率为79.8%。", []),
        ("模型在2024年美國數學邀請賽題目上的正確率為79.8%。", []),
        ("The new chip beats last year's platform by 20 percent.", []),
        ("In 2019 the company moved to Leiden.", ["2019-01-01"]),
        ("公司在2019年迁往莱顿。", ["2019-01-01"]),
    ],
)
def test_what_dates_nothing(text: str, dates: list[str]) -> None:
    found = [each.first.isoformat() for a in read(text, "2024-01-05").accounts for each in a.times]
    assert found == dates
