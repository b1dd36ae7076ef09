"""A name counts where the domain bears it out."""

from __future__ import annotations

import pytest

from groundwire.evidence.publishers import shown_publisher, vouched


@pytest.mark.parametrize(
    ("name", "domain", "expected"),
    [
        ("Reuters", "reuters.com", True),
        ("路透社", "reuters.com", True),
        ("路透社", "evil.com", False),
        ("Reuters", "evil.com", False),
        ("Reuters", "reuters.co", False),  # looks like it
        ("Reuters News", "reuters-news.com", False),
        ("財聯社", "cls.cn", True),
        ("财联社", "sohu.com", False),
        ("Circle", "circle.com", True),  # the domain says it
        ("The Aske Courier", "askecourier.example", True),
        ("evil.com", "evil.com", True),
        ("Courier", "evil.com", False),
        ("AP", "apple.com", False),
        ("某某报", "evil.com", False),
        ("", "evil.com", False),
    ],
)
def test_who_may_bear_a_name(name: str, domain: str, expected: bool) -> None:
    assert vouched(name, domain) is expected


@pytest.mark.parametrize(
    ("name", "url", "expected"),
    [
        ("Reuters", "https://www.reuters.com/a", "Reuters"),
        ("Reuters", "https://news.evil.com/a", "Reuters (evil.com)"),
        ("新华社", "https://a.evil.cn/b", "新华社 (evil.cn)"),
        ("新華社", "https://news.cn/b", "新華社"),
        ("local file", "https://f00.invalid/a.txt", "local file"),
        ("a file", "files/one.txt", "a file"),
    ],
)
def test_the_domain_stands_beside_a_name_that_it_does_not_bear_out(
    name: str, url: str, expected: str
) -> None:
    assert shown_publisher(name, url) == expected
