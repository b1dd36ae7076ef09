"""Weekdays and days without a year follow the tense of their sentence."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from groundwire.language.time.dates import date_mentions
from groundwire.language.time.expressions import expressions

# A Wednesday.
PUBLISHED = datetime(2024, 1, 10, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        # Said on Wednesday, Thursday is tomorrow when it is still to come …
        ("Approved, trading starts Thursday.", "2024-01-11"),
        ("The funds will begin trading on Thursday.", "2024-01-11"),
        ("The company said it will list the token on Thursday.", "2024-01-11"),
        ("Acme to publish results Thursday", "2024-01-11"),
        ("Officials are expected to meet Thursday after the panel voted.", "2024-01-11"),
        ("The vote is scheduled for Thursday.", "2024-01-11"),
        ("基金周四将开始交易。", "2024-01-11"),
        ("该公司宣布，代币将于周四上线。", "2024-01-11"),
        ("已获批准，周四起交易。", "2024-01-11"),
        ("基金週四將開始交易。", "2024-01-11"),
        ("預計週四公布結果。", "2024-01-11"),
        # A weekday beside a day without a year says of which year it is.
        ("The lender was attacked on Monday 13 March and lost millions.", "2023-03-13"),
        ("The vote is scheduled for Monday, May 13.", "2024-05-13"),
        ("它在3月13日星期一遭到攻击。", "2023-03-13"),
        ("它於3月13日（週一）遭攻擊。", "2023-03-13"),
        # … and last week's when it has happened, or nothing is said.
        ("On Thursday the company said it was sold.", "2024-01-04"),
        ("On Thursday, the company said that it will list the token.", "2024-01-04"),
        ("The company said Thursday it will list the token.", "2024-01-04"),
        ("Shares fell on Thursday.", "2024-01-04"),
        ("It will list the token, the company said on Thursday.", "2024-01-04"),
        ("公司周四表示将上线该代币。", "2024-01-04"),
        ("該公司週四宣布辭職。", "2024-01-04"),
        ("上周四将军队调往边境。", "2024-01-04"),
        ("周四股价下跌。", "2024-01-04"),
        ("Operations resume when banks open on Thursday morning.", "2024-01-11"),
        ("Operations resumed when banks opened on Thursday.", "2024-01-04"),
        # Who says something on a day says it then, whatever is to come of it.
        ("发言人9日称，欧方坚持错误做法，将采取必要措施。", "2024-01-09"),
        ("發言人9日回應稱，將採取必要措施。", "2024-01-09"),
        ("发言人周二在北京表示，会谈即将结束。", "2024-01-09"),
        ("公司将于12日宣布结果。", "2024-01-12"),
        ("公司12日将宣布结果。", "2024-01-12"),
        # What is said in another clause tells of days to come as well.
        ("商务部表示坚决反对加税，1月12日继续谈判。", "2024-01-12"),
        ("商務部表示堅決反對加稅，1月12日繼續談判。", "2024-01-12"),
        ("The ministry opposed the duty, talks on January 12.", "2024-01-12"),
        # Today is today in either.
        ("The council will vote on Wednesday.", "2024-01-10"),
        ("The council voted on Wednesday.", "2024-01-10"),
        # What is on a day, said in the present, is on the coming one.
        ("The vote is on March 3.", "2024-03-03"),
        ("The vote was on March 3.", "2023-03-03"),
        ("The election is in September.", "2024-09-01"),
        ("It is the worst day since March 3.", "2023-03-03"),
        ("投票日是3月3日。", "2024-03-03"),
        ("截止日期為3月3日。", "2024-03-03"),
        ("事发时间是3月3日。", "2023-03-03"),
        # Days and months without a year.
        ("The plant will open on March 5.", "2024-03-05"),
        ("The plant opened on March 5.", "2023-03-05"),
        ("The minister resigned on January 20.", "2023-01-20"),
        ("The minister will resign on January 20.", "2024-01-20"),
        ("工厂将于3月5日投产。", "2024-03-05"),
        ("工廠將於3月5日投產。", "2024-03-05"),
        ("公司12月20日宣布裁员。", "2023-12-20"),
        ("该厂计划9月投产。", "2024-09-01"),
        ("The plant opened in September.", "2023-09-01"),
        ("公司将于28日公布结果。", "2024-01-28"),
        # The third of a month, and what was planned once, for a day that may be over.
        ("公司打算在5月初推出新机。", "2024-05-01"),
        ("公司原本打算在5月初推出新機，後來延後。", "2024-05-01"),
        ("該廠預計9月下旬投產。", "2024-09-21"),
        ("The firm plans to release it in early May.", "2024-05-01"),
        ("The firm plans to release it in the first week of May.", "2024-05-01"),
        ("The firm opened its code in the last week of February.", "2023-02-21"),
        ("公司在12月最后一个星期公开代码。", "2023-12-21"),
        ("公司在12月最後一週公開程式碼。", "2023-12-21"),
        ("該廠於9月的第一個禮拜投產。", "2023-09-01"),
        ("公司宣布自1月15日起降价。", "2024-01-15"),
        ("公司宣佈自12月15日起降價。", "2023-12-15"),
        ("It was due to open in November.", "2023-11-01"),
        ("该桥原定11月通车。", "2023-11-01"),
        ("The firm had planned to release it on March 5.", "2024-03-05"),
        ("公司28日公布了结果。", "2023-12-28"),
    ],
)
def test_which_day_is_meant(text: str, day: str) -> None:
    (found,) = [each for each in expressions(text, PUBLISHED, UTC) if each.resolved]
    assert found.first_day == date.fromisoformat(day)


@pytest.mark.parametrize("text", ["Trading starts Thursday.", "周四起交易。", "週四起交易。"])
def test_a_weekday_to_come_is_compared_by_its_name(text: str) -> None:
    """What lies ahead is announced, and then moved."""
    (found,) = date_mentions(text, PUBLISHED.date())
    assert (found.date, found.weekday) == (None, 3)
