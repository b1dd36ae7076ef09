"""Moments as people and programs write them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from groundwire.fetch.moments import moment
from groundwire.fetch.tree import prose

AT = datetime(2024, 5, 1, 8, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2024-05-01T08:05:00Z",
        "2024-05-01T16:05:00+08:00",
        "2024-05-01 08:05",
        "2024/5/1 8:05",
        "2024.05.01 08:05:00",
        "2024年5月1日 8:05",
        "2024年5月1日上午8时05分",
        "2024年5月1日 上午 8:05",
        "2024年5月1日08時05分00秒",
        "发布于 2024-05-01 08:05",
        "Wed, 01 May 2024 08:05:00 GMT",
        "Wed, 1 May 2024 16:05:00 +0800",
        "1 May 2024 08:05",
        "May 1, 2024 8:05 am",
        "May 1st, 2024 at 08:05 UTC",
        "1714550700",
        "1714550700000",
        1714550700,
        1714550700.0,
        1714550700_000_000,
    ],
)
def test_one_moment_in_many_forms(written: object) -> None:
    assert moment(written, date(2024, 5, 1)) == AT


@pytest.mark.parametrize(
    ("written", "hour"),
    [
        ("2024年5月1日 下午8:05", 20),
        ("2024年5月1日 晚間8:05", 20),
        ("2024-05-01 8:05 PM", 20),
        ("May 1, 2024 8:05 p.m.", 20),
        ("2024-05-01 4:05 PM -0400", 20),
        ("May 1, 2024 12:05 AM", 0),
        ("2024-05-01 12:05 a.m.", 0),
        ("2024年5月1日 凌晨12:05", 0),
        ("2024年5月1日 上午12時05分", 0),
        ("2024-05-01 12:05 PM", 12),
        ("2024年5月1日中午12:05", 12),
        ("2024年5月1日中午11:05", 11),
        ("2024年5月1日中午1:05", 13),
        ("2024年5月1日晚上12:05", 24),
    ],
)
def test_a_clock_of_twelve_hours(written: str, hour: int) -> None:
    assert moment(written) == AT.replace(hour=0) + timedelta(hours=hour)


@pytest.mark.parametrize(
    "written",
    [
        None, "", "yesterday", "昨天", "2024-13-45", "31 Feb 2024", "0000-00-00", True, float("nan"),
        float("inf"), "9" * 40, -5e18, [], {}, "version 2.0.24", "2999-01-01", "1.5",
    ],
)  # fmt: skip
def test_what_is_no_moment_is_none(written: object) -> None:
    assert moment(written, date(2026, 1, 1)) is None


def test_a_date_to_come_is_not_believed() -> None:
    assert moment("2024-05-05", date(2024, 5, 1)) is None
    assert moment("2024-05-02", date(2024, 5, 1)) is not None  # it is tomorrow somewhere


@pytest.mark.parametrize(
    ("fragment", "text"),
    [
        ("<p>One</p><p>two <b>three</b></p>", "One\ntwo three"),
        ("<div>正文<p>第一段</p>第二段</div>", "正文\n第一段\n第二段"),
        ("a &lt; b &amp; c", "a < b & c"),
        ("if x <y then", "if x <y then"),
        ("line<br>break<br/>again", "line\nbreak\nagain"),
        ("<script>x()</script><style>a{}</style>kept", "kept"),
        ("<![CDATA[<p>q</p>]]>", "q"),
        ("plain\n\n\n  text", "plain\ntext"),
        ("AT&T <3", "AT&T <3"),
        ("", ""),
    ],
)
def test_fragments_of_html_as_text(fragment: str, text: str) -> None:
    assert prose(fragment) == text
