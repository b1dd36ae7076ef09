"""How often, as people write it in Chinese and English, and the hours in which they sleep."""

from __future__ import annotations

from datetime import time

import pytest

from groundwire.language.time.recurrence import quiet_hours, recurrence
from groundwire.model.schedule import QuietHours, Recurrence

HOUR = 3_600


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("every 6h", 6 * HOUR),
        ("6h", 6 * HOUR),
        ("Every 6 hours", 6 * HOUR),
        ("every six hours", 6 * HOUR),
        ("every other day", 48 * HOUR),
        ("every half hour", HOUR // 2),
        ("hourly", HOUR),
        ("weekly", 168 * HOUR),
        ("every 90 minutes", 90 * 60),
        ("every 1s", 1),
        ("每6小时", 6 * HOUR),
        ("每六个小时", 6 * HOUR),
        ("每半小时", HOUR // 2),
        ("每隔两天", 48 * HOUR),
        ("每小时", HOUR),
        ("每30分钟", 30 * 60),
        ("每6小時", 6 * HOUR),
        ("每隔兩天", 48 * HOUR),
        ("每三十分鐘", 30 * 60),
    ],
)
def test_a_distance_is_read(text: str, seconds: int) -> None:
    assert recurrence(text) == Recurrence(seconds=seconds)


@pytest.mark.parametrize(
    ("text", "cron"),
    [
        ("daily at 9", "0 9 * * *"),
        ("every day at 9:30 pm", "30 21 * * *"),
        ("every day at noon", "0 12 * * *"),
        ("every day at 12am", "0 0 * * *"),
        ("daily", "0 9 * * *"),
        ("weekdays at 9:30", "30 9 * * 1-5"),
        ("every monday and friday at 10am", "0 10 * * 1,5"),
        ("Sundays at 18:00", "0 18 * * 0"),
        ("monday to friday at 9", "0 9 * * 1,2,3,4,5"),
        ("mon-wed, sun 9am", "0 9 * * 0,1,2,3"),
        ("friday through monday at 8", "0 8 * * 0,1,5,6"),
        ("weekly on monday at 9", "0 9 * * 1"),
        ("周一到周五 9点", "0 9 * * 1,2,3,4,5"),
        ("每周一至周五早上9点半", "30 9 * * 1,2,3,4,5"),
        ("週一至週五上午九點", "0 9 * * 1,2,3,4,5"),
        ("平日9點", "0 9 * * 1-5"),
        ("monthly on the 1st at 9", "0 9 1 * *"),
        ("0 9 * * 1-5", "0 9 * * 1-5"),
        ("*/15 * * * *", "*/15 * * * *"),
        ("0 9 * * MON", "0 9 * * mon"),
        ("每天 9点", "0 9 * * *"),
        ("每天21:30", "30 21 * * *"),
        ("每天晚上八点半", "30 20 * * *"),
        ("每个工作日下午3点", "0 15 * * 1-5"),
        ("每周一、三 9点一刻", "15 9 * * 1,3"),
        ("每月1号 9点", "0 9 1 * *"),
        ("每天", "0 9 * * *"),
        ("每日上午9時", "0 9 * * *"),
        ("每週一 早上9點半", "30 9 * * 1"),
        ("每個週末 中午12點", "0 12 * * 6,0"),
    ],
)
def test_a_time_on_the_wall_is_read(text: str, cron: str) -> None:
    assert recurrence(text) == Recurrence(cron=cron)


@pytest.mark.parametrize(
    "text",
    [
        "", "every", "每", "9", "blah", "every -1h", "0 9 * * * *", "daily at 25", "every day at 9:75",
        "每天 二十五点", "twelve monkeys ate five bananas", "每月40号 9点", "a b c d e",
    ],
)  # fmt: skip
def test_what_says_no_such_thing_is_not_read(text: str) -> None:
    assert recurrence(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "22:00-07:00",
        "22-7",
        "10pm to 7am",
        "晚上10点到早上7点",
        "晚上十點至早上七點",
        "22:00 – 07:00",
        "from 22:00 to 07:00",
        "晚上十点到次日早上七点",
        "從晚上10點到隔天早上7點",
    ],
)
def test_quiet_hours_are_read(text: str) -> None:
    assert quiet_hours(text) == QuietHours(begin=time(22), end=time(7))


@pytest.mark.parametrize("text", ["", "22:00", "7-7", "night", "22:00-07:00-09:00"])
def test_what_names_no_hours_is_not_read(text: str) -> None:
    assert quiet_hours(text) is None
