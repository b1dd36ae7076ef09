"""Times of sentences: resolved against the day of publication, as exactly as they are given."""

from __future__ import annotations

import pytest
from timeline_pages import read


def times(text: str, day: str) -> list[tuple[str, str, str]]:
    return [
        (each.first.isoformat(), each.last.isoformat(), each.precision)
        for account in read(text, day).accounts
        for each in account.times
    ]


def day(when: str) -> list[tuple[str, str, str]]:
    return [(when, when, "day")]


@pytest.mark.parametrize(
    ("text", "published", "found"),
    [
        ("The bridge opened on Tuesday.", "2024-03-14", day("2024-03-12")),
        ("大桥于周二通车。", "2024-03-14", day("2024-03-12")),
        ("大橋於12日通車。", "2024-03-14", day("2024-03-12")),
        ("The bridge opened on 12 March 2019.", "2024-03-14", day("2019-03-12")),
        ("大橋於2019年3月12日通車。", "2024-03-14", day("2019-03-12")),
        # A night goes on after midnight, and is one day.
        ("The bridge fell late on Tuesday night.", "2024-03-14", day("2024-03-12")),
        # A year is a year, not 1 January.
        ("The bridge was built in 1931.", "2024-03-14", [("1931-01-01", "1931-12-31", "year")]),
        ("这座桥建于1931年。", "2024-03-14", [("1931-01-01", "1931-12-31", "year")]),
        ("這座橋於2019年3月動工。", "2024-03-14", [("2019-03-01", "2019-03-31", "month")]),
        ("Work began in May 2019.", "2024-03-14", [("2019-05-01", "2019-05-31", "month")]),
        # A stretch is its ends, as exactly as it is given.
        (
            "The talks of March 10-15, 2021 failed.",
            "2024-03-14",
            [*day("2021-03-10"), *day("2021-03-15")],
        ),
        # Nothing happened where the past two weeks begin.
        ("The bridge was closed for the past two weeks.", "2024-03-14", []),
        ("大桥近两周关闭。", "2024-03-14", []),
        # Without a day of publication nothing is counted from one.
        ("The bridge opened on Tuesday.", "", []),
        ("大桥于昨日通车。", "", []),
        ("大桥于2019年3月12日通车。", "", day("2019-03-12")),
    ],
)
def test_a_sentence_names_these_times(
    text: str, published: str, found: list[tuple[str, str, str]]
) -> None:
    assert times(text, published) == found


def test_each_sentence_has_its_own_times_and_place() -> None:
    text = "The bridge opened on 12 March 2019. It fell on 3 May 2021.\n大桥于2022年6月1日重建。"
    accounts = read(text, "2024-03-14").accounts
    assert [text[each.start : each.end] for each in accounts] == [each.text for each in accounts]
    assert [each.times[0].first.isoformat() for each in accounts] == [
        "2019-03-12",
        "2021-05-03",
        "2022-06-01",
    ]


def test_a_page_without_text_has_no_sentences() -> None:
    assert read("  \n", "2024-03-14").accounts == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("VELDEN, March 13 (Reuters) - The bridge fell on Tuesday.", "The bridge fell on Tuesday."),
        ("新华社维尔登3月13日电 大桥12日坍塌。", "大桥12日坍塌。"),
        ("中央社維爾登13日電，大橋12日坍塌。", "大橋12日坍塌。"),
    ],
)
def test_the_day_on_which_a_report_was_filed_is_no_day_of_its_news(text: str, told: str) -> None:
    (account,) = read(text, "2024-03-13").accounts
    assert account.text == told
    assert [each.first.isoformat() for each in account.times] == ["2024-03-12"]


@pytest.mark.parametrize(
    ("text", "published", "found"),
    [
        ("天山公司今天宣布收购海河集团。", "2024-05-02T07:00:00+08:00", "2024-05-02"),
        ("天山公司昨日宣布收购海河集团。", "2024-05-02T07:00:00+08:00", "2024-05-01"),
        ("天山公司今天宣布收购海河集团。", "2024-05-01T23:00:00Z", "2024-05-02"),
        ("天山公司今日宣布收購海河集團，轉為民營。", "2024-05-02T07:00:00+08:00", "2024-05-02"),
        ("天山公司昨天宣布收購海河集團，轉為民營。", "2024-05-01T23:00:00Z", "2024-05-01"),
        ("Acme bought Beta today.", "2024-05-06T22:00:00-05:00", "2024-05-06"),
        ("Acme bought Beta yesterday.", "2024-05-07T01:00:00+09:00", "2024-05-06"),
        (
            "Acme announced on Monday that it bought Beta.",
            "2024-05-07T01:00:00+09:00",
            "2024-05-06",
        ),
    ],
)
def test_today_is_that_of_the_page(text: str, published: str, found: str) -> None:
    assert times(text, published) == day(found)


@pytest.mark.parametrize(
    "text",
    [
        "The Velmora Bridge of old was built in 221 BC.",
        "维尔莫拉大桥公元前221年建成。",
        "維爾莫拉大橋西元前221年建成。",
    ],
)
def test_what_was_before_our_era_is_no_news_of_its_pages_day(text: str) -> None:
    assert list(read(text, "2024-01-01").accounts) == []
