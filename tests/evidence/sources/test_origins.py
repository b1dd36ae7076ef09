"""Copies, translations and relays count once."""

from __future__ import annotations

import itertools

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.sources.origins import origins
from groundwire.evidence.sources.publishers import named_sources
from groundwire.language.text.characters import folded, normalise
from groundwire.model.base import short_id
from groundwire.model.result import Origin
from groundwire.model.source import Evidence

WIRE = (
    "Circle said on Friday that $3.3 billion of its roughly $40 billion of USDC reserves remain at "
    "Silicon Valley Bank, which was closed by California regulators earlier in the day. The company "
    "said it would continue to operate normally while it waits for clarity from the FDIC."
)
CHINESE = "Circle周五表示，硅谷银行倒闭后，约400亿美元USDC储备中仍有33亿美元存放在该行，公司将照常运营并等待联邦存款保险公司的说明。"
TRADITIONAL = "Circle週五表示，硅谷銀行倒閉後，約400億美元USDC儲備中仍有33億美元存放在該行，公司將照常運營並等待聯邦存款保險公司的說明。"


def lineage(found: tuple[Origin, ...]) -> dict[str, tuple[str, str]]:
    return {line.evidence_id: (line.how, line.of) for origin in found for line in origin.lineage}


def wire(day: str = "2023-03-11") -> Evidence:
    return evidence(WIRE, url="https://reuters.com/1", published=day, publisher="Reuters")


def test_nothing_gives_nothing() -> None:
    assert origins([]) == ()


def test_a_wire_copy_belongs_to_the_wire() -> None:
    first = wire()
    copy = evidence(
        WIRE + " (Reporting by Reuters)", url="https://yahoo.com/1", published="2023-03-12"
    )
    (origin,) = origins([copy, first])
    assert origin.lead == first.id
    assert origin.id == short_id("or", first.id)
    assert origin.members == (first.id, copy.id)
    assert lineage((origin,)) == {copy.id: ("wire copy of", first.id)}


def test_a_trimmed_copy_belongs_to_the_longer_text() -> None:
    first = wire()
    trimmed = evidence(WIRE[:180], url="https://a.example/1", published="2023-03-12")
    assert lineage(origins([first, trimmed])) == {trimmed.id: ("wire copy of", first.id)}


def test_a_later_text_with_much_more_of_its_own_is_an_origin() -> None:
    findings = " ".join(
        f"Reporter finding number {n} came from documents seen here." for n in range(30)
    )
    assert (
        len(
            origins(
                [
                    wire(),
                    evidence(f"{WIRE} {findings}", url="https://ft.com/1", published="2023-03-12"),
                ]
            )
        )
        == 2
    )


def test_long_texts_are_compared_by_sketch() -> None:
    long = " ".join(f"word{n} tells story{n * 7} about thing{n * 3}" for n in range(400))
    other = " ".join(f"tale{n} gives view{n * 5} upon place{n * 3}" for n in range(400))
    one = evidence(long, url="https://a.example/1", published="2023-03-11")
    copy = evidence(long + " end", url="https://b.example/1", published="2023-03-12")
    different = evidence(other, url="https://c.example/1", published="2023-03-12")
    assert len(origins([one, copy, different])) == 2


def test_traditional_and_simplified_copies_are_one() -> None:
    one = evidence(CHINESE, url="https://a.example/1", published="2023-03-11")
    copy = evidence(TRADITIONAL, url="https://b.example/1", published="2023-03-12")
    assert lineage(origins([one, copy])) == {copy.id: ("wire copy of", one.id)}


def test_short_texts_are_no_copies() -> None:
    one = evidence("USDC fell.", url="https://a.example/1")
    other = evidence("USDC fell!", url="https://b.example/1")
    assert len(origins([one, other])) == 2


def test_a_marked_translation_belongs_to_its_source() -> None:
    first = wire()
    marked = evidence(
        "译自Reuters：储备仍在银行。", url="https://zh.example/1", published="2023-03-12"
    )
    assert lineage(origins([first, marked])) == {marked.id: ("translation of", first.id)}


def test_the_same_facts_in_another_language_are_a_translation() -> None:
    english = evidence(
        "USDC: $3.3 billion of $40 billion at SVB on 10 March 2023, 8% of it, Circle said.",
        url="https://a.example/1",
        published="2023-03-11",
    )
    chinese = evidence(
        "Circle称，2023年3月10日，USDC的400亿美元中有33亿美元在硅谷银行，占8%。",
        url="https://b.example/1",
        published="2023-03-12",
    )
    assert lineage(origins([english, chinese])) == {chinese.id: ("translation of", english.id)}
    other = evidence("Circle称有33亿美元。", url="https://c.example/1", published="2023-03-12")
    assert len(origins([english, other])) == 2


def test_a_relay_of_a_statement_is_one_origin_with_it() -> None:
    statement = evidence(
        "We hold $3.3 billion at the bank.",
        url="https://circle.com/1",
        published="2023-03-10",
        publisher="Circle",
    )
    relays = [
        evidence(
            "According to a statement by Circle, $3.3 billion is there.",
            url="https://a.example/1",
            published="2023-03-11",
        ),
        evidence(
            "据Circle声明，33亿美元仍在银行。", url="https://b.example/1", published="2023-03-11"
        ),
        evidence(
            "據Circle公告，33億美元仍在銀行。", url="https://c.example/1", published="2023-03-11"
        ),
        evidence(
            "Circle said in a statement that nothing changed.",
            url="https://d.example/1",
            published="2023-03-11",
        ),
    ]
    found = origins([statement, *relays])
    assert len(found) == 1
    assert {how for how, _ in lineage(found).values()} == {"cites"}
    reporter = evidence(
        "According to Circle, $3.3 billion is there; we found $3.9 billion.",
        url="https://e.example/1",
    )
    assert len(origins([statement, reporter])) == 2


def test_a_relay_of_two_statements_does_not_make_them_one() -> None:
    one = evidence(
        "We hold $3 billion.",
        url="https://circle.com/1",
        published="2023-03-10",
        publisher="Circle",
    )
    two = evidence(
        "We hold $3 billion.", url="https://paxos.com/1", published="2023-03-10", publisher="Paxos"
    )
    relay = evidence(
        "According to Circle, so it is. According to Paxos, too.",
        url="https://a.example/1",
        published="2023-03-11",
    )
    assert len(origins([one, two, relay])) == 2


def test_pages_that_cite_each_other_are_one_origin() -> None:
    one = evidence(
        "According to Paxos, all is well.",
        url="https://circle.com/1",
        published="2023-03-10",
        publisher="Circle",
    )
    two = evidence(
        "According to Circle, all is well.",
        url="https://paxos.com/1",
        published="2023-03-11",
        publisher="Paxos",
    )
    assert len(origins([one, two])) == 1


def test_one_site_and_one_owner_are_one_origin() -> None:
    first = evidence("Sales rose in the north.", url="https://a.wsj.com/1", published="2023-03-10")
    site = evidence(
        "Something else was said there.", url="https://b.wsj.com/2", published="2023-03-11"
    )
    owner = evidence(
        "A third story was told then.", url="https://barrons.com/3", published="2023-03-12"
    )
    assert lineage(origins([owner, site, first])) == {
        site.id: ("same site as", first.id),
        owner.id: ("same owner as", first.id),
    }


def test_a_sites_own_story_is_not_joined_to_the_copy_it_carries() -> None:
    first = wire()
    copy = evidence(WIRE + " End.", url="https://a.example/copy", published="2023-03-12")
    own_story = evidence(
        "We counted the branches ourselves.", url="https://a.example/own", published="2023-03-13"
    )
    assert len(origins([first, copy, own_story])) == 2


def test_files_without_an_address_are_their_own_sites() -> None:
    one = evidence("First file says this.", url="files/one.txt")
    two = evidence("Second file says that.", url="files/two.txt")
    assert len(origins([one, two])) == 2


def test_order_and_repeats_are_no_matter() -> None:
    items = [
        wire(),
        evidence(WIRE + " (Reporting)", url="https://yahoo.com/1", published="2023-03-12"),
        evidence("Another story without a date.", url="https://b.example/1"),
        evidence("译自Reuters：储备仍在银行。", url="https://zh.example/1", published="2023-03-12"),
    ]
    expected = origins(items)
    for order in itertools.permutations(items):
        assert origins([*order, order[0]]) == expected


RELAYS = [
    # how a text says that it has something from an agency
    "Circle has $3.3 billion at the bank, Reuters reported.",
    "Reuters reports that Circle has $3.3 billion at the bank.",
    "Circle has $3.3 billion at the bank, the paper said, citing Reuters.",
    "According to the news agency Reuters, Circle has $3.3 billion there.",
    "据路透社报道，Circle有33亿美元存放在该行。",
    "援引路透的消息，Circle有33亿美元存放在该行。",
    "路透报道，Circle有33亿美元存放在该行。",
    "（路透社3月11日电）Circle有33亿美元存放在该行。",
    "據路透社報導，Circle有33億美元存放在該行。",
    "路透社報導，Circle有33億美元存放在該行。",
]


@pytest.mark.parametrize("text", RELAYS)
def test_a_relay_names_its_agency_in_many_ways(text: str) -> None:
    first = wire()
    relay = evidence(text, url="https://paper.example/1", published="2023-03-12")
    assert lineage(origins([first, relay])) == {relay.id: ("cites", first.id)}


@pytest.mark.parametrize(
    ("chinese", "english"),
    [
        ("路透社", "Reuters"), ("彭博社", "Bloomberg"), ("彭博", "Bloomberg News"),
        ("新华社", "Xinhua"), ("法新社", "AFP"), ("美联社", "The Associated Press"),
        ("财联社", "Cailian Press"), ("共同社", "Kyodo"), ("韓聯社", "Yonhap"),
        ("華爾街日報", "The Wall Street Journal"),
    ],
)  # fmt: skip
def test_relays_of_an_absent_agency_are_one_origin(chinese: str, english: str) -> None:
    """Three pages with the same figures from the same source, which nobody has read."""
    pages = [
        evidence(
            f"Circle has $3.3 billion at the bank, {english} reported.",
            url="https://one.example/1",
            published="2023-03-11",
        ),
        evidence(
            f"据{chinese}报道，Circle有33亿美元存放在该行。",
            url="https://two.example/1",
            published="2023-03-12",
        ),
        evidence(
            f"援引{chinese}：Circle仍有33億美元在硅谷銀行。",
            url="https://three.example/1",
            published="2023-03-13",
        ),
    ]
    (origin,) = origins(pages)
    assert {how for how, _ in lineage((origin,)).values()} == {"same source as"}


def test_relays_of_an_absent_statement_are_one_origin() -> None:
    one = evidence(
        "According to a statement by Circle, $3.3 billion is there.",
        url="https://one.example/1",
        published="2023-03-11",
    )
    two = evidence(
        "據Circle公告，33億美元仍在銀行。", url="https://two.example/1", published="2023-03-12"
    )
    assert lineage(origins([one, two])) == {two.id: ("same source as", one.id)}


def test_other_figures_or_other_sources_are_other_origins() -> None:
    one = evidence("Circle has $3.3 billion there, Reuters reported.", url="https://one.example/1")
    more = evidence("Circle has $4.1 billion there, Reuters reported.", url="https://two.example/1")
    else_ = evidence("彭博社称，Circle有33亿美元在该行。", url="https://three.example/1")
    assert len(origins([one, more, else_])) == 3


def test_a_page_with_figures_of_its_own_is_more_than_a_relay() -> None:
    relay = evidence(
        "Circle has $3.3 billion and 8% there, Reuters reported. It lost $1 million.",
        url="https://one.example/1",
    )
    own_story = evidence(
        "Circle has $3.3 billion there, Reuters reported. We counted 14 branches, $70 million in "
        "cash, 320 people and a loss of 45%.",
        url="https://two.example/1",
    )
    assert len(origins([relay, own_story])) == 2


@pytest.mark.parametrize(
    "url", ["https://evil.com/1", "https://reuters.co/1", "https://reuters-news.com/1"]
)
def test_a_page_that_calls_itself_an_agency_is_not_the_origin_of_others(url: str) -> None:
    """Neither by its declared name nor by a domain that only looks like the agency's."""
    false = evidence(
        "Circle has $3.3 billion at the bank and all is lost.",
        url=url,
        published="2023-03-10",
        publisher="Reuters",
    )
    relay = evidence(
        "据路透社报道，Circle有33亿美元存放在该行。",
        url="https://paper.example/1",
        published="2023-03-12",
    )
    assert len(origins([false, relay])) == 2


def test_an_unknown_publisher_is_an_origin_only_when_it_was_first_and_has_the_text() -> None:
    def page(day: str) -> Evidence:
        return evidence(
            "The bank holds $3.3 billion of the reserves.",
            url="https://ledger.example/1",
            published=day,
            publisher="Aske Courier",
        )

    relay = evidence(
        "According to Aske Courier, $3.3 billion is there.",
        url="https://paper.example/1",
        published="2023-03-12",
    )
    other = evidence(
        "According to Aske Courier, $9.9 billion is there.",
        url="https://paper.example/2",
        published="2023-03-12",
    )
    first, later = page("2023-03-11"), page("2023-03-13")
    assert lineage(origins([first, relay])) == {relay.id: ("cites", first.id)}
    assert len(origins([later, relay])) == 2
    assert len(origins([first, other])) == 2


@pytest.mark.parametrize(
    "text",
    [
        "据中央社会工作部消息，共33亿美元。",
        "彭博士称，共33亿美元。",
        "據新華社區消息，共33億美元。",
    ],
)
def test_words_that_begin_like_an_agency_are_none(text: str) -> None:
    low = folded(normalise(text).text)
    assert named_sources(low) == {}


HOUSES = ("Alpha News", "Beta Post", "Gamma Daily")


def pages(*texts: str) -> list[Evidence]:
    """Build the same story at three publishers, one day after the other."""
    return [
        evidence(
            text,
            url=f"https://{house.replace(' ', '').lower()}.example/1",
            published=f"2025-06-0{day}",
            publisher=house,
        )
        for day, (house, text) in enumerate(zip(HOUSES, texts, strict=True), 1)
    ]


ONE_SOURCE = [
    (
        "Bybit has lost 400,000 ETH, according to a post by @whale_eye on X.",
        "A wallet drained 400,000 ETH from Bybit, according to a post on X by @whale_eye.",
        "Citing a tweet from @whale_eye, traders said Bybit had lost 400,000 ETH.",
    ),
    (
        "Bybit has been hacked, according to a post by @whale_eye on X.",
        "Bybit may have been hacked, according to a post on X by @whale_eye, a nameless account.",
        "Citing a tweet from @whale_eye, traders said Bybit had been hacked.",
    ),
    (
        "据X用户@whale_eye发文称，Bybit被盗40万枚ETH。",
        "X平台账号@whale_eye发帖表示，Bybit损失40万ETH。",
        "根據@whale_eye在X上的推文，Bybit的40萬枚以太坊被轉走。",
    ),
    (
        "据知情人士对彭博社表示，币安正与美国司法部谈判和解。",
        "彭博社援引知情人士消息称，币安与美国司法部商谈和解。",
        "彭博報導，幣安正與美國司法部就和解進行談判。",
    ),
    (
        "Binance is in talks with the Justice Department over a settlement, people familiar with "
        "the matter told Bloomberg.",
        "Bloomberg reported that Binance is negotiating a settlement with the Justice Department.",
        "Binance and the Justice Department are in settlement talks, according to Bloomberg.",
    ),
    (
        "OpenAI plans a new chip with Broadcom, Reuters reported on Thursday, citing sources.",
        "OpenAI is designing its own chip with Broadcom, according to a Reuters report.",
        "Reuters: OpenAI to make its own chip with Broadcom.",
    ),
    (
        "Bybit said in a statement that 400,000 ETH was stolen from its cold wallet.",
        "In a statement, Bybit confirmed that 400,000 ETH was stolen.",
        "Bybit CEO Ben Zhou said on X that hackers took 400,000 ETH.",
    ),
    (
        "币安发布公告称，将下架门罗币。",
        "幣安在公告中表示將於近期下架門羅幣。",
        "据币安公告，门罗币将被下架。",
    ),
]
OWN_SOURCES = [
    (
        "Bybit's hot wallet was drained, our analysis of on-chain data shows. We traced 400,000 "
        "ETH to four wallets.",
        "Two Bybit employees told Beta Post that the hot wallet was drained of 400,000 ETH.",
        "An internal memo seen by Gamma Daily says that Bybit lost 400,000 ETH.",
    ),
    (
        "本报记者查阅链上数据发现，Bybit热钱包被转走40万枚ETH。",
        "兩名Bybit員工向本報證實，熱錢包被盜40萬枚ETH。",
        "本报获得的一份内部备忘录显示，Bybit损失40万枚ETH。",
    ),
    (
        "Tether is under investigation, three people familiar with the matter told Alpha News. "
        "Tether said in a statement that it knows of nothing.",
        "Prosecutors are investigating Tether, Beta Post has learned. Tether said in a statement "
        "that it knows of nothing.",
        "A subpoena reviewed by Gamma Daily shows that Tether is under investigation. Tether said "
        "in a statement that it knows of nothing.",
    ),
]


@pytest.mark.parametrize("texts", ONE_SOURCE)
def test_three_houses_with_one_source_are_one_origin(texts: tuple[str, str, str]) -> None:
    assert len(origins(pages(*texts))) == 1


@pytest.mark.parametrize("texts", OWN_SOURCES)
def test_three_houses_with_sources_of_their_own_are_three(texts: tuple[str, str, str]) -> None:
    assert len(origins(pages(*texts))) == 3


@pytest.mark.parametrize(
    ("relay", "count"),
    [
        ("Binance announced that it will delist Monero on June 20.", 1),
        ("币安宣布将于6月20日下架门罗币。", 1),
        ("幣安宣布將於6月20日下架門羅幣。", 1),
        # The same house said something else.
        ("Binance said that its chief executive visits Paris this week.", 2),
        (
            "Binance announced that it will delist Monero on June 20. We traced withdrawals that "
            "began a day earlier.",
            2,
        ),
    ],
)
def test_who_repeats_what_a_party_says_on_its_own_page_is_one_origin_with_it(
    relay: str, count: int
) -> None:
    own_page = evidence(
        "Binance will delist Monero (XMR) and cease trading on 2025-06-20.",
        url="https://www.binance.com/en/support/announcement/1",
        published="2025-06-03",
        tier="primary",
    )
    press = evidence(relay, url="https://alphanews.example/1", published="2025-06-04")
    assert len(origins([own_page, press])) == count
