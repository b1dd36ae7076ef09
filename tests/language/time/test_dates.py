"""Dates in text, with their precision, and when two of them agree."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.language.time.dates import agrees, date_mentions, date_spans, is_finer

MONDAY = date(2023, 3, 13)


@pytest.mark.parametrize(
    ("text", "day", "precision"),
    [
        ("11 March 2023", "2023-03-11", "day"),
        ("11th of March 2023", "2023-03-11", "day"),
        ("March 11, 2023", "2023-03-11", "day"),
        ("Mar. 11, 2023", "2023-03-11", "day"),
        ("据悉，2023年3月11日", "2023-03-11", "day"),
        ("據悉，2023年3月11日", "2023-03-11", "day"),
        ("数据显示，2024年一季度", "2024-01-01", "quarter"),
        ("In March, 2023", "2023-03-01", "month"),
        ("2023-03-11", "2023-03-11", "day"),
        ("2023/3/11", "2023-03-11", "day"),
        ("2023年3月11日", "2023-03-11", "day"),
        ("２０２３年３月１１號", "2023-03-11", "day"),
        ("二〇二三年三月十一日", "2023-03-11", "day"),
        ("3月11日", "2023-03-11", "day"),
        ("三月十一日", "2023-03-11", "day"),
        ("March 11", "2023-03-11", "day"),
        ("12月28日", "2022-12-28", "day"),  # lies in the past of the text
        ("April 2", "2023-04-02", "day"),  # or a little ahead of it
        ("Feb. 29", "2020-02-29", "day"),
        ("10日，", "2023-03-10", "day"),
        ("28日，", "2023-02-28", "day"),
        ("31日，", "2023-01-31", "day"),
        ("March 2023", "2023-03-01", "month"),
        ("2023年3月", "2023-03-01", "month"),
        ("2023-03", "2023-03-01", "month"),
        ("去年3月", "2022-03-01", "month"),
        ("今年3月11日", "2023-03-11", "day"),
        ("3月份", "2023-03-01", "month"),
        ("in May", "2022-05-01", "month"),
        ("since June", "2022-06-01", "month"),
        ("Q1 2023", "2023-01-01", "quarter"),
        ("first quarter of 2022", "2022-01-01", "quarter"),
        ("2023年第二季度", "2023-04-01", "quarter"),
        ("三季度", "2022-07-01", "quarter"),
        ("in 2023.", "2023-01-01", "year"),
        ("2023年", "2023-01-01", "year"),
        ("于2023宣布", "2023-01-01", "year"),
        ("the 2023 budget", "2023-01-01", "year"),
        ("去年", "2022-01-01", "year"),
        ("last year", "2022-01-01", "year"),
        ("this month", "2023-03-01", "month"),
        ("上个月", "2023-02-01", "month"),
        ("next month", "2023-04-01", "month"),
        ("Saturday", "2023-03-11", "day"),
        ("Monday", "2023-03-13", "day"),
        ("last Monday", "2023-03-06", "day"),
        ("周六", "2023-03-11", "day"),
        ("星期六", "2023-03-11", "day"),
        ("週日", "2023-03-12", "day"),
        ("星期天", "2023-03-12", "day"),
        ("上周五", "2023-03-10", "day"),
        ("today", "2023-03-13", "day"),
        ("yesterday", "2023-03-12", "day"),
        ("今天", "2023-03-13", "day"),
        ("昨日", "2023-03-12", "day"),
        ("前天", "2023-03-11", "day"),
        ("明天", "2023-03-14", "day"),
        # Nothing is sure of a festival and of a fiscal year but the year
        ("2022年春节", "2022-01-01", "year"),
        ("去年中秋節", "2022-01-01", "year"),
        ("2024财年", "2024-01-01", "year"),
        ("FY2024", "2024-01-01", "year"),
        # A part of a month, a half of a year: their month, their year
        ("3月中旬", "2023-03-01", "month"),
        ("late last month", "2023-02-01", "month"),
        ("2022年上半年", "2022-01-01", "year"),
        ("影集第一季開播", "2023-01-01", "quarter"),
        ("last night", "2023-03-12", "day"),
    ],
)
def test_one_date(text: str, day: str, precision: str) -> None:
    (mention,) = date_mentions(text, MONDAY)
    assert (str(mention.date), mention.precision) == (day, precision)
    assert text[mention.start : mention.end] == mention.text


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("March 10-11", "2023-03-10", "2023-03-11"),
        ("10-15 March 2022", "2022-03-10", "2022-03-15"),
        ("2022年3月10-15日", "2022-03-10", "2022-03-15"),
        ("2022年3月10、11日", "2022-03-10", "2022-03-11"),
        ("2022年1-9月", "2022-01-01", "2022-09-01"),
        ("2022年1至9月份", "2022-01-01", "2022-09-01"),
        ("2022年前三季度", "2022-01-01", "2022-07-01"),
    ],
)
def test_a_stretch_is_its_first_and_its_last_date(text: str, first: str, last: str) -> None:
    found = date_mentions(text, MONDAY)
    assert [str(each.date) for each in found] == [first, last]
    assert {each.text for each in found} == {text}


@pytest.mark.parametrize(
    "text",
    ["March 11", "周六", "Saturday", "today", "去年", "last month", "10日，", "同年3月", "Q3"],
)
def test_without_a_reference_the_year_stays_open(text: str) -> None:
    (mention,) = date_mentions(text)
    assert mention.date is None


@pytest.mark.parametrize(
    "text",
    [
        "next Friday",
        "下周一",
        "同年",
    ],
)
def test_days_ahead_are_not_resolved(text: str) -> None:
    (mention,) = date_mentions(text, MONDAY)
    assert mention.date is None


@pytest.mark.parametrize(
    "text",
    [
        "they may 5 times",  # verbs
        "May 5 percent",
        "2023-13-45",
        "13月40日",
        "2月30日",
        "45日，",
        "2000人 2000 people $2000 2,000 2000万 2000%",
        "1980s 10:30",
        "3个月 10日元",
        "三天前 two weeks ago 近日 春节 上半年",  # no dates that could be compared
        "",
    ],
)
def test_no_date(text: str) -> None:
    assert date_mentions(text, MONDAY) == []


def test_two_years_of_a_span() -> None:
    assert [m.year for m in date_mentions("2019-2023")] == [2019, 2023]


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("11 March 2023", "2023年3月11日", True),
        ("11 March 2023", "2023年3月12日", False),
        ("2023", "11 March 2023", True),
        ("March 2023", "2023年3月11日", True),
        ("March 2023", "2023年4月11日", False),
        ("Q1 2023", "2023年3月11日", True),
        ("Q2 2023", "2023年3月11日", False),
        ("March 11", "2023年3月11日", True),  # open year
        ("March 11", "2023年3月12日", False),
        ("Saturday", "周六", True),
        ("Saturday", "周日", False),
        ("Saturday", "2023年3月11日", True),
        ("Saturday", "2023年3月12日", False),
        ("Saturday", "2023年3月", False),
        ("去年", "今天", False),  # nothing is known of either
    ],
)
def test_agreement_at_the_coarser_precision(one: str, other: str, agree: bool) -> None:
    (a,), (b,) = date_mentions(one), date_mentions(other)
    assert agrees(a, b) is agree
    assert agrees(b, a) is agree


def test_a_day_is_finer_than_its_month() -> None:
    (day,), (month,) = date_mentions("11 March 2023"), date_mentions("March 2023")
    assert is_finer(day, month)
    assert not is_finer(month, day)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("at 10:30 a.m. on March 11", ["10:30 a.m.", "March 11"]),
        ("the 1980s", ["1980s"]),
        ("下午3点20分", ["下午3点20分"]),
        ("80年代", ["80年代"]),
    ],
)
def test_times_and_decades_are_taken_too(text: str, taken: list[str]) -> None:
    assert [text[start:end] for start, end in date_spans(text)] == taken


@given(
    st.text(st.sampled_from(list("2023年3月11日周六-/. 0Mar今天昨一十二Q")), max_size=24),
    st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 1, 1)),
)
def test_any_text_can_be_read(text: str, reference: date) -> None:
    start = end = 0
    for mention in date_mentions(text, reference):
        ends = (mention.start, mention.end) == (start, end)  # of one stretch: 1-2月
        assert ends or end <= mention.start < mention.end
        assert text[mention.start : mention.end] == mention.text
        start, end = mention.start, mention.end


@given(st.dates(min_value=date(1950, 1, 1), max_value=date(2099, 12, 31)))
def test_a_full_date_is_read_back(day: date) -> None:
    for text in (
        day.isoformat(),
        f"{day.year}年{day.month}月{day.day}日",
        f"{day:%B} {day.day}, {day.year}",
    ):
        (mention,) = date_mentions(text)
        assert mention.date == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("It was signed on 4 July 1776.", "1776-07-04"),
        ("On October 12, 1492 they landed.", "1492-10-12"),
        ("In July 1776, Congress met.", "1776-07-01"),
        ("The battle was fought in 1066.", "1066-01-01"),
        ("In 1492 Columbus sailed west.", "1492-01-01"),
        ("The city was Ottoman after 1453.", "1453-01-01"),
        ("1066-10-14", "1066-10-14"),
        ("舰队于1492年10月12日登陆。", "1492-10-12"),
        ("艦隊於1492年10月12日登陸。", "1492-10-12"),
        ("1644年明朝灭亡。", "1644-01-01"),
        # Counts are no years.
        ("In May 1500 workers left.", None),
        ("It stood in 1500 homes.", None),
        ("At least 1200 people came.", None),
        ("这座城已有1500年历史。", None),
        ("這座城有1200年的歷史。", None),
    ],
)
def test_years_of_long_ago_are_dates_too(text: str, day: str | None) -> None:
    assert [str(each.date) for each in date_mentions(text)] == ([day] if day else [])
