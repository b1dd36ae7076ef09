"""The sentences of a node, its title and the dates beside it are of one event."""

from __future__ import annotations

from datetime import date

import pytest
from test_event_telling import nodes
from timeline_pages import held, read

from groundwire.jobs.timeline.likeness import distance, is_one, telling_of
from groundwire.jobs.timeline.pages import Account


def _account(text: str, day: str, title: str = "") -> Account:
    return read(text, day, title).accounts[0]


@pytest.mark.parametrize(
    ("one", "other", "title"),
    [
        ("Norvale shares fell by a fifth on 27 January 2025 in New York.",
         "The app of Orlo came first in the store on 27 January 2025.", "Orlo first in the store, Norvale shares fall"),
        ("诺瓦公司股价2025年1月27日在纽约下跌两成。", "奥罗的应用2025年1月27日登上应用商店榜首。",
         "奥罗登上应用商店榜首，诺瓦股价下跌"),
        ("諾瓦公司股價2025年1月27日在紐約下跌兩成。", "奧羅的應用程式2025年1月27日登上應用商店榜首。",
         "奧羅登上應用商店榜首，諾瓦股價下跌"),
    ],
)  # fmt: skip
def test_a_headline_of_two_events_makes_no_sentence_tell_the_other(
    one: str, other: str, title: str
) -> None:
    a, b = _account(one, "2025-01-28", title), _account(other, "2025-01-28", title)
    first = a.times[0].first
    assert not is_one(telling_of(a, first, first), telling_of(b, first, first))


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("苹果公司北京时间2024年9月10日凌晨发布新机。", 0),
        ("蘋果公司台北時間2024年9月10日凌晨發表新機。", 0),
        ("Apple introduced the phone at 1 a.m. Beijing time on 10 September 2024.", 0),
        ("Apple introduced the phone on 10 September 2024.", 1),
        ("苹果公司2024年9月10日发布新机。", 1),
    ],
)
def test_a_stated_zone_may_make_two_days_one(text: str, apart: int) -> None:
    own = _account("Apple introduced the phone on 9 September 2024.", "2024-09-09")
    other = _account(text, "2024-09-10")
    days = own.times[0].first, other.times[0].first
    assert (
        distance(*(telling_of(e, d, d) for e, d in zip((own, other), days, strict=True))) == apart
    )


@pytest.mark.parametrize(
    ("topic", "language", "texts"),
    [
        ("iPhone 16", "en", ("Orders for the iPhone 16 open on 13 September 2024, and the phones go on sale on 20 September 2024.",
                           "New tools are to arrive bit by bit after the iPhone 16 goes on sale on 20 September 2024.")),
        ("维洛16", "zh", ("维洛16在9月13日开始预订，9月20日正式发售。", "新功能分批推出，要在维洛16于9月20日正式发售之后。")),
        ("維洛16", "zh-Hant", ("維洛16在9月13日開放預購，9月20日正式開賣。", "新功能分批推出，要在維洛16於9月20日正式開賣之後。")),
    ],
)  # fmt: skip
def test_two_plans_of_one_act_and_day_are_one(
    topic: str, language: str, texts: tuple[str, str]
) -> None:
    pages = tuple(held(each, "2024-09-10", origin=str(n)) for n, each in enumerate(texts))
    told = [each for each in nodes(pages, topic, language) if each.date == "2024-09-20"]
    assert len(told) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("美國紐約州金融服務署2023年3月12日關閉簽名銀行（Signature Bank），並指定聯邦存款保險公司擔任接管人。",
         "美国加利福尼亚州金融保护和创新局2023年3月10日宣布关闭硅谷银行，并指定美国联邦存款保险公司为接管人。"),
        ("纽约州金融服务局2023年3月12日关闭签名银行，并指定联邦存款保险公司为接管人。",
         "加利福尼亚州金融保护和创新局2023年3月10日关闭硅谷银行，并指定联邦存款保险公司为接管人。"),
        ("New York closed Signature Bank on 12 March 2023 and appointed the FDIC as receiver.",
         "California closed Silicon Valley Bank on 10 March 2023 and appointed the FDIC as receiver."),
    ],
)  # fmt: skip
def test_the_same_done_to_another_on_another_day_is_another_event(one: str, other: str) -> None:
    a, b = _account(one, "2023-03-13"), _account(other, "2023-03-10")
    tellings = [telling_of(e, e.times[0].first, e.times[0].first) for e in (a, b)]
    assert not is_one(tellings[0], tellings[1])


def test_no_two_events_are_told_by_one_sentence() -> None:
    pages = (
        held("Coinhaus will resume trading on Monday, once the banks open.", "2023-03-11", "Coinhaus pauses"),
        held("Circa redeemed $3.8 billion between 13 March 2023 and the close of banking on 15 March 2023.", "2023-03-16",
             "Circa clears its backlog"),
        held("All depositors of Qinghe Bank have access to their money from 13 March 2023.", "2023-03-13", "Banks open"),
    )  # fmt: skip
    said = [each.description[0].text for each in nodes(pages, "Qinghe Bank", "en")]
    assert len(said) == len(set(said))


@pytest.mark.parametrize(
    ("said", "approved"),
    [
        ("The chair said on 9 January 2024 local time that the agency had not approved the Orlo fund.",
         "The agency approved the Orlo fund on 10 January 2024."),
        ("主席当地时间2024年1月9日表示，委员会并没有批准奥洛基金上市。", "委员会2024年1月10日批准奥洛基金上市。"),
        ("主席當地時間2024年1月9日表示，委員會並沒有批准奧洛基金上市。", "委員會2024年1月10日批准奧洛基金上市。"),
    ],
)  # fmt: skip
def test_a_denial_of_the_day_before_is_no_telling_of_the_act_whatever_its_zone(
    said: str, approved: str
) -> None:
    one, other = (
        telling_of(_account(text, f"2024-01-{day:02}"), date(2024, 1, day), date(2024, 1, day))
        for text, day in ((said, 9), (approved, 10))
    )
    assert not is_one(one, other)
