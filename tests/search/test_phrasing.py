"""How a question is put into the words of engines, and how their answers are read."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from groundwire.errors import InputError, Malformed
from groundwire.model.query import Query
from groundwire.search.answers import Result, hits, moment, plain
from groundwire.search.phrasing import (
    QueryLanguage,
    TimeRange,
    country_code,
    country_name,
    cut,
    query_language,
    span,
    timed,
    with_sites,
)

NOW = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, TimeRange()),
        ("", TimeRange()),
        ("week", TimeRange("week")),
        ("2023-03-10/2023-03-13", TimeRange(first=date(2023, 3, 10), last=date(2023, 3, 13))),
        ("2023-03-10/", TimeRange(first=date(2023, 3, 10))),
        ("../2023-03-13", TimeRange(last=date(2023, 3, 13))),
        # the day in UTC
        ("2023-03-10T23:30:00-05:00/", TimeRange(first=date(2023, 3, 11))),
    ],
)
def test_a_time_range_is_a_word_or_days(text: str | None, expected: TimeRange) -> None:
    assert span(text) == expected


@pytest.mark.parametrize("text", ["fortnight", "2023-13-01/", "x/y"])
def test_a_time_range_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        span(text)


@pytest.mark.parametrize(
    ("takes", "text", "sent"),
    [
        ("both", "week", "week"),
        ("both", "2023-03-10/2023-03-13", "2023-03-10/2023-03-13"),
        ("days", "day", "2026-11-15/"),
        ("days", "year", "2025-11-15/"),
        ("days", "2023-03-10/", "2023-03-10/"),
        ("words", "month", "month"),
        ("words", "2026-11-16/", "day"),  # the narrowest that covers it
        ("words", "2026-11-12/2026-11-13", "week"),
        ("words", "2026-10-20/", "month"),
        ("words", "2026-01-01/", "year"),
        ("words", "2023-03-10/2023-03-13", None),  # none covers it
        ("words", "../2026-11-01", None),
    ],
)
def test_time_is_told_in_the_form_an_engine_takes(takes: str, text: str, sent: str | None) -> None:
    query = Query(text="q", time_range=text)
    assert timed(query, takes, NOW).time_range == sent  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "code", "name"),
    [
        ("CN", "cn", "china"),
        ("china", "cn", "china"),
        ("中国", "cn", "china"),
        ("中國", "cn", "china"),
        ("臺灣", "tw", "taiwan"),
        ("韓國", "kr", "south korea"),
        ("United  Kingdom", "gb", "united kingdom"),
        ("UK", "gb", "united kingdom"),
        ("Atlantis", None, None),
        (None, None, None),
    ],
)
def test_a_country_is_known_by_code_and_name(
    text: str | None, code: str | None, name: str | None
) -> None:
    assert (country_code(text), country_name(text)) == (code, name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zh", QueryLanguage("zh")),
        ("zh-Hans", QueryLanguage("zh", "hans")),
        ("zh_CN", QueryLanguage("zh", "hans")),
        ("zh-Hant", QueryLanguage("zh", "hant")),
        ("zh-HK", QueryLanguage("zh", "hant")),
        ("en-GB", QueryLanguage("en")),
        ("DE", QueryLanguage("de")),
        (None, None),
    ],
)
def test_a_language_is_known_by_its_tag(text: str | None, expected: QueryLanguage | None) -> None:
    assert query_language(text) == expected


@pytest.mark.parametrize(
    ("query", "chars", "words", "expected"),
    [
        ({}, 100, 50, "USDC 脱锚"),
        ({"include_domains": ("sec.gov",)}, 100, 50, "USDC 脱锚 site:sec.gov"),
        (
            {"include_domains": ("sec.gov", "https://www.gov.cn/x"), "exclude_domains": ("t.me",)},
            100,
            50,
            "USDC 脱锚 site:sec.gov OR site:gov.cn -site:t.me",
        ),
        # operators take at most half of what is read: of its characters…
        ({"include_domains": ("sec.gov", "gov.cn")}, 30, 50, "USDC 脱锚 site:sec.gov"),
        ({"include_domains": ("sec.gov", "gov.cn")}, 20, 50, "USDC 脱锚"),
        # …and of its words
        ({"include_domains": ("a.cn", "b.cn", "c.cn")}, 100, 6, "USDC 脱锚 site:a.cn OR site:b.cn"),
        ({"text": "one two three four"}, 100, 3, "one two three"),
    ],
)
def test_sites_are_asked_for_by_operators_within_what_is_read(
    query: dict[str, object], chars: int, words: int, expected: str
) -> None:
    search_query = Query.model_validate({"text": "USDC 脱锚", **query})
    assert with_sites(search_query, chars, words) == expected


def test_a_long_text_is_cut_on_one_line() -> None:
    assert cut("  a\nb\t c ", 100) == "a b c"
    assert cut("锚" * 500, 400) == "锚" * 400


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2023-03-11T09:30:00Z", datetime(2023, 3, 11, 9, 30, tzinfo=UTC)),
        ("2023-03-11T17:30:00+08:00", datetime(2023, 3, 11, 9, 30, tzinfo=UTC)),
        ("2023-03-11 09:30:00", datetime(2023, 3, 11, 9, 30, tzinfo=UTC)),
        ("Sat, 11 Mar 2023 09:30:00 GMT", datetime(2023, 3, 11, 9, 30, tzinfo=UTC)),
        ("Mar 11, 2023", datetime(2023, 3, 11, tzinfo=UTC)),
        ("11 March 2023", datetime(2023, 3, 11, tzinfo=UTC)),
        ("2023年3月11日", datetime(2023, 3, 11, tzinfo=UTC)),
        ("3 hours ago", None),  # there is no clock here
        ("3 小时前", None),
        ("3 小時前", None),
        ("Mar 2023", None),
        ("Mar 11, 2023 and Mar 12, 2023", None),
        ("9999-12-31T23:59:59-23:00", None),  # beyond the calendar
        ("", None),
        (None, None),
        (20230311, None),
    ],
)
def test_dates_are_read_in_the_forms_vendors_write(written: object, read: datetime | None) -> None:
    assert moment(written) == read


def test_highlighting_is_taken_out_of_snippets() -> None:
    assert (
        plain("<strong>USDC</strong> &amp; 稳定币&#x27;s <em>peg</em> < 1")
        == "USDC & 稳定币's peg < 1"
    )


@pytest.mark.parametrize(
    "bad",
    [None, {}, {"url": ""}, {"url": "javascript:alert(1)"}, {"url": 7}, {"url": "magnet:?x"}, []],
)
def test_one_damaged_row_does_not_cost_the_others(bad: object) -> None:
    good = {"url": "HTTPS://a.example/1", "more": {"deep": []}}
    assert [hit.url for hit in hits("x", Result, [bad, good])] == ["HTTPS://a.example/1"]
    with pytest.raises(Malformed, match="2 results, none of which"):
        hits("x", Result, [bad, bad])
