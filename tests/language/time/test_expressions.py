"""Expressions of time against a table in three scripts, and what holds for any text."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.language.time.calendars import months_from
from groundwire.language.time.expressions import Expression, expressions

TABLE = Path(__file__).with_name("date_expressions.tsv")
MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120}
LENGTHS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
}


@dataclass(frozen=True)
class Case:
    line: int
    base: datetime
    zone: ZoneInfo
    language: str
    text: str
    found: str
    precision: str
    when: str


@cache
def cases() -> list[Case]:
    found: list[Case] = []
    base, zone, language = datetime(2023, 3, 13, tzinfo=UTC), ZoneInfo("UTC"), ""
    for number, line in enumerate(TABLE.read_text("utf-8").splitlines(), 1):
        if line.startswith("@ "):
            moment, key, language = line[2:].split(" ")
            zone = ZoneInfo(key)
            base = datetime.fromisoformat(moment)
            base = base if base.tzinfo else base.replace(tzinfo=zone)
        elif line and not line.startswith("#"):
            text, expected, precision, when = line.split("\t")
            found.append(Case(number, base, zone, language, text, expected, precision, when))
    return found


def wanted(case: Case) -> tuple[datetime, datetime]:
    begin, _, finish = case.when.partition("/")
    start = moment(begin, case.zone)
    if finish:
        return start, moment(finish, case.zone)
    if case.precision in MONTHS:
        after = months_from(start.year, start.month, MONTHS[case.precision])[1]
        return start, datetime(after.year, after.month, after.day, tzinfo=start.tzinfo)
    return start, start + LENGTHS[case.precision]


def moment(text: str, zone: ZoneInfo) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=zone)


def check(case: Case) -> str:
    """Describe what is wrong; empty if nothing is."""
    found = expressions(case.text, case.base, case.zone, case.language)
    if not case.found:
        return "" if not found else f"nothing expected, found {found}"
    if [each.text for each in found] != [case.found]:
        return f"expected {case.found}, found {found}"
    (one,) = found
    if one.precision != case.precision:
        return f"precision {one.precision}"
    if case.when.startswith("?"):
        reason = case.when.removeprefix("? ")
        fits = not one.resolved and reason in one.why_unresolved
        return "" if fits else f"expected no date for {reason}, found {one}"
    if not one.resolved or one.begin is None or one.finish is None:
        return f"unresolved: {one.why_unresolved}"
    begin, finish = wanted(case)
    same = (one.begin, one.finish) == (begin, finish)
    return "" if same else f"expected {begin}/{finish}, found {one.begin}/{one.finish}"


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.line}:{case.text}")
def test_the_table(case: Case) -> None:
    assert check(case) == ""


def test_the_table_is_balanced() -> None:
    counts = dict.fromkeys(("zh", "zh-Hant", "en"), 0)
    for case in cases():
        if case.language in counts:
            counts[case.language] += 1
    assert sum(counts.values()) >= 300
    assert min(counts.values()) >= 100, counts


SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")
BASE = datetime(2023, 3, 13, 2, 0, tzinfo=UTC)


def read(text: str, zone: ZoneInfo = SHANGHAI, language: str = "") -> list[tuple[str, str]]:
    return [
        (each.text, f"{each.begin:%Y-%m-%d}" if each.begin else each.why_unresolved)
        for each in expressions(text, BASE, zone, language)
    ]


def test_a_paragraph_gives_its_dates_in_order() -> None:
    zh = "上周五，硅谷银行被接管。3月12日晚，三家机构发表联合声明；近日，监管层再度表态。去年底曾有预警。"
    assert [text for text, _ in read(zh)] == ["上周五", "3月12日晚", "近日", "去年底"]
    hant = "上週五，矽谷銀行被接管。3月12日晚間，三家機構發表聯合聲明；日前，主管機關再度表態。民國111年曾有預警。"
    assert [text for text, _ in read(hant)] == ["上週五", "3月12日晚間", "日前", "民國111年"]
    en = (
        "Last Friday the bank failed. At 6:15 p.m. on Sunday, three agencies said depositors would "
        "have access from Monday. In late 2022 it had 209 billion dollars; recently less."
    )
    assert [text for text, _ in read(en, NEW_YORK)] == [
        "Last Friday", "6:15 p.m. on Sunday", "Monday", "late 2022", "recently",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "zone", "day"),
    [
        ("今天", SHANGHAI, "2023-03-13"),
        ("今天", NEW_YORK, "2023-03-12"),
        ("昨天", SHANGHAI, "2023-03-12"),
        ("yesterday", NEW_YORK, "2023-03-11"),
        ("yesterday", ZoneInfo("UTC"), "2023-03-12"),
        # New York's Sunday is Shanghai's Monday.
        ("Monday", NEW_YORK, "2023-03-06"),
        ("周一", SHANGHAI, "2023-03-13"),
        ("本月", NEW_YORK, "2023-03-01"),
    ],
)
def test_the_zone_decides_the_day(text: str, zone: ZoneInfo, day: str) -> None:
    assert read(text, zone) == [(text, day)]


def test_without_a_zone_the_moment_brings_its_own() -> None:
    (one,) = expressions("今天", BASE.astimezone(NEW_YORK))
    assert one.first_day == date(2023, 3, 12)
    with pytest.raises(ValueError, match="zone"):
        expressions("今天", datetime(2023, 3, 13))  # noqa: DTZ001 - it is refused for that


@pytest.mark.parametrize(
    ("text", "relative"),
    [
        ("2023年3月11日", False),
        ("March 11, 2023", False),
        ("2023年第一季", False),
        ("the 1990s", False),
        ("3月11日", True),
        ("March 11", True),
        ("上週五", True),
        ("two weeks ago", True),
        ("下午3点", True),
        ("2019年至2021年", False),
        ("3月11日至13日", True),
    ],
)
def test_what_another_moment_would_change_is_relative(text: str, relative: bool) -> None:
    (one,) = expressions(text, BASE, SHANGHAI)
    assert one.relative is relative


@pytest.mark.parametrize("text", ["FY2024", "2024财年", "2024會計年度", "fiscal year 2024"])
def test_a_fiscal_year_has_its_label_and_no_days(text: str) -> None:
    (one,) = expressions(text, BASE, SHANGHAI)
    assert (one.year, one.precision, one.resolved) == (2024, "fiscal_year", False)
    assert (one.begin, one.first_day, one.last_day) == (None, None, None)


def test_a_stretch_ends_before_its_finish() -> None:
    (one,) = expressions("3月11日至13日", BASE, SHANGHAI)
    assert (one.first_day, one.last_day) == (date(2023, 3, 11), date(2023, 3, 13))
    assert one.finish == datetime(2023, 3, 14, tzinfo=SHANGHAI)


def test_china_time_is_china_s_in_asia() -> None:
    (in_shanghai,) = expressions("9:00 CST on March 10", BASE, SHANGHAI)
    (in_new_york,) = expressions("9:00 CST on March 10", BASE, NEW_YORK)
    assert in_shanghai.begin == datetime(2023, 3, 10, 1, 0, tzinfo=UTC)
    assert in_new_york.begin == datetime(2023, 3, 10, 15, 0, tzinfo=UTC)


ALPHABET = [
    *"2023年3月11日号周五上下午点时分前后至到-/.: 0MarchQ1H今昨天一二十半个小近去底初中旬民國農曆禮拜週點",
    " ago", " days", "Friday", "last ", "next ", " to ", " p.m.", " ET", "two ", "March 1", "北京时间",
    "星期", "季度", "1990s", "'", "FY", "2023-03-11", "T09:00Z", "+08:00", "between ", " and ", "early ",
]  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(
    st.lists(st.sampled_from(ALPHABET), max_size=14).map("".join),
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)),  # noqa: DTZ001
    st.sampled_from(["Asia/Shanghai", "America/New_York", "UTC", "Asia/Taipei", "Europe/London"]),
)
def test_any_text_can_be_read(text: str, moment: datetime, key: str) -> None:
    base = moment.replace(tzinfo=UTC)
    found = expressions(text, base, ZoneInfo(key))
    done = 0
    for each in found:
        assert done <= each.start < each.end
        assert text[each.start : each.end] == each.text
        assert each.resolved is (each.begin is not None) is (each.finish is not None)
        assert each.resolved is (each.why_unresolved == "")
        if each.begin is not None and each.finish is not None:
            assert each.begin.astimezone(UTC) < each.finish.astimezone(UTC)
        done = each.end
    assert expressions(text, base, ZoneInfo(key)) == found


@given(st.text(max_size=60))
def test_any_characters_can_be_read(text: str) -> None:
    for each in expressions(text, BASE, SHANGHAI):
        assert text[each.start : each.end] == each.text


@given(st.dates(date(1950, 1, 1), date(2099, 12, 31)))
def test_a_full_date_is_read_back(day: date) -> None:
    texts = (
        day.isoformat(),
        f"{day.year}年{day.month}月{day.day}日",
        f"民國{day.year - 1911}年{day.month}月{day.day}日",
        f"{day:%B} {day.day}, {day.year}",
    )
    for text in texts:
        (one,) = expressions(text, BASE, SHANGHAI)
        assert (one.text, one.first_day, one.last_day) == (text, day, day)


@given(st.datetimes(datetime(2000, 1, 1), datetime(2050, 1, 1)), st.integers(1, 60))  # noqa: DTZ001
def test_days_are_counted_on_the_calendar_of_the_zone(moment: datetime, count: int) -> None:
    base = moment.replace(tzinfo=UTC)
    for zone in (SHANGHAI, NEW_YORK):
        day = base.astimezone(zone).date() - timedelta(days=count)
        (zh,) = expressions(f"{count}天前", base, zone)
        (en,) = expressions(f"{count} days ago", base, zone)
        assert zh.first_day == en.first_day == day


@pytest.mark.parametrize(
    "piece",
    [
        "上周五3月11日晚8时30分，",
        "一二三四五六七八九十",
        "1",
        "2023-",
        "March ",
        "Friday, ",
        "至",
        "3月11日至",
        "last next this ",
        "two weeks ago ",
        "農曆正月初一 ",
        "的" * 50,
        "no dates at all in here ",
        "9:30 ",
        " ",
    ],
)
@pytest.mark.parametrize("length", [24_000, pytest.param(120_000, marks=pytest.mark.slow)])
def test_dense_text_is_read_in_linear_time(piece: str, length: int) -> None:
    """Four times the text, about four times the time; a quadratic rule would need sixteen."""
    _seconds(piece * 100)
    quarter, whole = (_seconds(piece * (size // len(piece))) for size in (length // 4, length))
    assert whole < max(9 * quarter, length / 60_000)


def test_a_megabyte_is_read() -> None:
    """Prose of both languages with a date in every second sentence."""
    zh = "上周五，监管机构接管了这家银行，储户排起长队，市场随之下跌，分析人士认为影响有限。" * 2
    en = "The regulator took over the bank on Friday, March 10, and depositors queued outside. " * 2
    text = (
        zh + "目前尚无更多消息，记者将继续跟进。" + en + "Nobody would say more about it. "
    ) * 4_000
    assert len(text) > 1_000_000
    begun = time.process_time()
    found = expressions(text, BASE, SHANGHAI)
    spent = time.process_time() - begun
    assert len(found) == 16_000
    assert spent < 40 * max(_seconds(text[: len(text) // 10]), 0.02)


def _seconds(text: str) -> float:
    start = time.process_time()
    expressions(text, BASE, SHANGHAI)
    return time.process_time() - start


def test_an_expression_is_a_value() -> None:
    one: Expression = expressions("昨天", BASE, SHANGHAI)[0]
    assert one == expressions("昨天", BASE, SHANGHAI)[0]
    assert hash(one) == hash(expressions("昨天", BASE, SHANGHAI)[0])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("approved on Thursday 11 January 2024, and", {"Thursday 11 January 2024": "2024-01-11"}),
        ("on Thursday, January 11, 2024.", {"Thursday, January 11, 2024": "2024-01-11"}),
        ("2024年1月11日（星期四）批准", {"2024年1月11日（星期四）": "2024-01-11"}),
        ("於2024年1月11日（週四）核准", {"2024年1月11日（週四）": "2024-01-11"}),
        # Another weekday than that day's belongs to something else.
        ("on Monday 11 January 2024", {"Monday": "2024-01-29", "11 January 2024": "2024-01-11"}),
    ],
)  # fmt: skip
def test_a_weekday_beside_its_full_date_is_no_other_day(text: str, found: dict[str, str]) -> None:
    base = datetime(2024, 2, 2, 10, tzinfo=UTC)
    assert {each.text: str(each.first_day) for each in expressions(text, base)} == found
