"""What a query demands besides words: sites as people write them, times with both ends."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.errors import InputError
from groundwire.evidence.pages.filters import admits, hosts, in_time, time_range
from groundwire.model.query import Query

NOW = datetime(2026, 11, 16, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("sec.gov", "sec.gov"),
        ("https://www.sec.gov/news", "sec.gov"),
        ("*.gov.cn", "gov.cn"),
        (" SEC.gov ", "sec.gov"),
        ("新华网.中国", "xn--xkrr14bows.xn--fiqs8s"),
    ],
)
def test_a_site_is_its_host(written: str, host: str) -> None:
    assert hosts([written]) == [host]


@pytest.mark.parametrize("written", ["", "not a host", "https://", "a b.example"])
def test_what_is_no_site_is_refused(written: str) -> None:
    with pytest.raises(InputError):
        hosts([written])


@pytest.mark.parametrize(
    ("include", "exclude", "url", "admitted"),
    [
        ((), (), "https://a.example/1", True),
        (("sec.gov",), (), "https://www.sec.gov/1", True),
        (("sec.gov",), (), "https://notsec.gov/1", False),
        (("gov.cn",), (), "https://www.pbc.gov.cn/1", True),
        ((), ("t.me",), "https://t.me/1", False),
        (("sec.gov",), ("news.sec.gov",), "https://news.sec.gov/1", False),
    ],
)
def test_pages_are_held_to_their_sites(
    include: tuple[str, ...], exclude: tuple[str, ...], url: str, admitted: bool
) -> None:
    query = Query(text="q", include_domains=include, exclude_domains=exclude)
    assert admits(query, url) is admitted


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        (None, None, None),
        ("day", datetime(2026, 11, 15, 8, tzinfo=UTC), NOW),
        (
            "2023-03-10/2023-03-13",
            datetime(2023, 3, 10, tzinfo=UTC),
            datetime(2023, 3, 13, 23, 59, 59, 999999, tzinfo=UTC),
        ),
        ("2023-03-10T12:00+08:00/", datetime(2023, 3, 10, 4, tzinfo=UTC), None),
        ("../2023-03-10", None, datetime(2023, 3, 10, 23, 59, 59, 999999, tzinfo=UTC)),
    ],
)
def test_a_range_has_two_ends_of_which_either_may_be_open(
    text: str | None, start: datetime | None, end: datetime | None
) -> None:
    assert time_range(text, NOW) == (start, end)


@pytest.mark.parametrize("text", ["lately", "2023", "2023-13-01/", "上周"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        time_range(text, NOW)


@pytest.mark.parametrize(
    ("at", "inside"),
    [
        (None, True),  # not known: it speaks against nothing
        (datetime(2023, 3, 10, tzinfo=UTC), True),  # a day without its hour is the whole day
        (datetime(2023, 3, 10, 11, 59, tzinfo=UTC), False),
        (datetime(2023, 3, 10, 12, tzinfo=UTC), True),
        (datetime(2023, 3, 12, tzinfo=UTC), True),
        (datetime(2023, 3, 12, 0, 1, tzinfo=UTC), False),
    ],
)
def test_a_date_lies_between_the_ends_or_not(at: datetime | None, inside: bool) -> None:
    start, end = datetime(2023, 3, 10, 12, tzinfo=UTC), datetime(2023, 3, 12, tzinfo=UTC)
    assert in_time(at, start, end) is inside
