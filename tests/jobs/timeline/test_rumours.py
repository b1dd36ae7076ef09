"""A rumour makes no event by itself; who denies it, and what others report, does."""

from __future__ import annotations

import pytest
from test_event_telling import nodes
from timeline_pages import held

from groundwire.jobs.timeline.causes import befell
from groundwire.jobs.timeline.pages import page_of
from groundwire.jobs.timeline.rumours import is_rumour

RUMOURS = [
    ("Rumours that Qinghe Bank lost $9 billion on 3 May 2023 spread among users.", "Qinghe Bank", "en"),
    ("An unverified post said that Qinghe Bank was closed on 3 May 2023.", "Qinghe Bank", "en"),
    ("网传清河银行2023年5月3日被盗90亿美元。", "清河银行", "zh"),
    ("群里都在传清河银行2023年5月3日被关闭。", "清河银行", "zh"),
    ("網路上盛傳清河銀行2023年5月3日遭關閉。", "清河銀行", "zh-Hant"),
]  # fmt: skip
REPORTS = [
    ("Qinghe Bank was closed on 3 May 2023, the regulator said.", "Qinghe Bank", "en"),
    ("Qinghe Bank denied on 3 May 2023 a rumour that it had lost $9 billion.", "Qinghe Bank", "en"),
    ("清河银行2023年5月3日否认网传的亏损消息。", "清河银行", "zh"),
    ("清河銀行2023年5月3日遭監管機關關閉。", "清河銀行", "zh-Hant"),
]


@pytest.mark.parametrize(("text", "topic", "language"), RUMOURS)
def test_a_rumour_alone_is_no_event(text: str, topic: str, language: str) -> None:
    assert nodes((held(text, "2023-05-04"),), topic, language) == ()


@pytest.mark.parametrize(("text", "topic", "language"), REPORTS)
def test_what_is_reported_or_denied_is_an_event(text: str, topic: str, language: str) -> None:
    assert [each.date for each in nodes((held(text, "2023-05-04"),), topic, language)] == [
        "2023-05-03"
    ]


@pytest.mark.parametrize(
    ("title", "asks"),
    [
        ("Was Qinghe Bank closed?", True),
        ("Why was Qinghe Bank closed?", False),
        ("听说清河银行关闭了？大家快撤", True),
        ("清河银行为什么关闭？", False),
        ("聽說清河銀行關閉了？", True),
        ("清河銀行為何關閉？", False),
    ],
)
def test_a_headline_that_asks_whether_knows_nothing(title: str, asks: bool) -> None:
    page = page_of(held("Qinghe Bank was closed on 3 May 2023.", "2023-05-04", title))
    assert is_rumour(page.accounts[0]) is asks


def test_people_in_a_network_alone_make_no_event() -> None:
    page = held("Qinghe Bank was closed on 3 May 2023.", "2023-05-04")
    social = page.model_copy(update={"tier": "social"})
    assert nodes((social,), "Qinghe Bank", "en") == ()
    other = held("Regulators closed Qinghe Bank on 3 May 2023.", "2023-05-05", origin="other")
    (node,) = nodes((social, other), "Qinghe Bank", "en")
    assert node.description[0].text.startswith("Regulators closed")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Shares of Norvale fell by half", True),
        ("Apple introduces iPhone 16", False),
        ("Parliament passes the Velmora Act", False),
        ("清河银行被监管机构关闭", True),
        ("公司于杭州成立", False),
        ("清河銀行遭監管機關關閉", True),
        ("蘋果推出新機", False),
    ],
)
def test_only_what_befalls_somebody_needs_a_cause(text: str, found: bool) -> None:
    assert befell(text) is found
