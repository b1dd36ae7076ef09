"""What is shown of an event: its title, the reader's language, all its sources with their words, its weight, its gaps."""

from __future__ import annotations

from datetime import date

import pytest
from test_event_telling import nodes
from timeline_pages import held

from groundwire.jobs.timeline.detail import detail_of
from groundwire.jobs.timeline.gaps import lacking, unexplained
from groundwire.jobs.timeline.links import explained
from groundwire.jobs.timeline.named import named, place_in, tags_of
from groundwire.jobs.timeline.pages import page_of
from groundwire.jobs.timeline.result import Detail
from groundwire.jobs.timeline.synthesis import summary_of
from groundwire.language.text.script import AnswerLanguage
from groundwire.model.source import Evidence

_CLOSED = (
    held("Regulators closed Qinghe Bank on 10 March 2023.", "2023-03-10", "Regulators close Qinghe Bank", origin="a"),
    held("Qinghe Bank was closed by regulators on Friday 10 March 2023, with losses of $2 billion.", "2023-03-11",
         "Qinghe Bank is closed", origin="b"),
    held("State regulators closed Qinghe Bank on Friday 10 March 2023.", "2023-03-11", "Qinghe Bank closed", origin="c"),
    held("Marlow Trust bought the London branch of Qinghe Bank on 13 March 2023.", "2023-03-13",
         "Marlow Trust buys a branch of Qinghe Bank", origin="d"),
)  # fmt: skip


def test_every_source_of_an_event_shows_the_words_by_which_it_tells_it() -> None:
    texts = {each.id: each.document.text for each in _CLOSED}
    for node in nodes(_CLOSED, "Qinghe Bank", "en"):
        assert [each.evidence_id for each in node.told_by] == list(node.citations)
        assert all(texts[e.evidence_id][e.start : e.end] == e.quote for e in node.told_by)


def test_what_several_tell_weighs_more_than_what_one_tells() -> None:
    weights = {each.date: each.significance for each in nodes(_CLOSED, "Qinghe Bank", "en")}
    assert weights["2023-03-10"] == "revolutionary"
    assert weights["2023-03-13"] == "medium"


def test_a_summary_says_each_matter_once_in_order_of_time() -> None:
    told = nodes(_CLOSED, "Qinghe Bank", "en")
    twice = (told[0].model_copy(update={"id": "again"}), *told)
    texts = [each.text for each in summary_of(twice).summary]
    assert len(texts) == len(set(texts)) == 2
    assert "closed" in texts[0] and "bought" in texts[1]


@pytest.mark.parametrize(
    ("topic", "language", "said", "title"),
    [
        ("Qinghe Bank", "en", "Orders for shares of Qinghe Bank open on 2 May 2023, and the phones go on sale on 9 May 2023.",
         "Qinghe Bank: the phones go on sale"),
        ("清河银行", "zh", "清河银行的新卡受到关注，申请5月2日开放，新机2023年5月9日发售。", "新机发售"),
        ("清河銀行", "zh-Hant", "清河銀行的新卡受到關注，申請5月2日開放，新機2023年5月9日發售。", "新機發售"),
    ],
)  # fmt: skip
def test_a_title_says_of_whom_it_tells(topic: str, language: str, said: str, title: str) -> None:
    told = {each.date: each.title for each in nodes((held(said, "2023-05-01"),), topic, language)}
    assert told["2023-05-09"].endswith(title)


def test_no_two_events_share_a_title() -> None:
    page = held(
        "The bans of the Velmora Act apply from 2 February 2023, the rules for boats from 2 August 2023 and most others"
        " from 2 October 2023.",
        "2022-12-01",
    )
    titles = [each.title for each in nodes((page,), "Velmora Act", "en")]
    assert len(titles) == len(set(titles)) > 1


def test_a_kind_of_article_is_no_part_of_a_headline() -> None:
    pages = (
        held(
            "清河银行2023年3月10日被监管机构关闭。", "2023-03-10", "快讯：监管机构今日关闭清河银行"
        ),
    )
    (node,) = nodes(pages, "清河银行", "zh")
    assert node.title == "监管机构关闭清河银行"


def test_what_ends_with_a_semicolon_in_its_page_ends_as_a_sentence() -> None:
    page = held("2023年3月10日，清河银行被监管机构关闭；3月13日，分行被收购。", "2023-04-01")
    said = [each.description[0].text for each in nodes((page,), "清河银行", "zh")]
    assert said and all(each.endswith("。") for each in said)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The SEC chair Gary Gensler said so.", [("Gary Gensler", "chair")]),
        ("The agency's chair Gensler said so.", [("Gensler", "chair")]),
        ("Frank Holding, its chief executive, said so.", [("Frank Holding", "chief executive")]),
        ("Shares of General Motors fell.", []),
        ("美国证券交易委员会主席根斯勒表示如此。", [("根斯勒", "主席")]),
        ("美國證券交易委員會主席根斯勒表示如此。", [("根斯勒", "主席")]),
    ],
)
def test_people_are_named_with_their_roles(text: str, found: list[tuple[str, str]]) -> None:
    assert list(named(text)) == found


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("The firm stopped sales in France on Monday.", "France"),
        ("The firm stopped sales on Monday.", ""),
        ("公司在杭州成立。", "杭州"),
        ("公司於杭州成立。", "杭州"),
        ("美国公司停止销售。", ""),
    ],
)
def test_a_place_is_where_the_sentence_says(text: str, place: str) -> None:
    assert place_in(text) == place


def test_a_name_of_several_words_is_one() -> None:
    found = tags_of(
        ["On Monday the Securities and Exchange Commission approved the fund of BlackRock."], "en"
    )
    assert set(found) == {"Securities and Exchange Commission", "BlackRock"}


def test_names_to_find_an_event_by_are_whole() -> None:
    texts = [
        "First Citizens buys Silicon Valley Bank",
        "The deal of First Citizens was made in North Carolina.",
    ]
    found = tags_of(texts, "en")
    assert "Silicon Valley Bank" in found and "North Carolina" in found
    assert not {"North", "Carolina", "Valley", "The"} & set(found)


@pytest.mark.parametrize(
    ("pages", "topic", "language", "told", "not_told"),
    [
        ((held("Orlo opened its dam on 3 May 2023. The mayor came with a band. The dam of Orlo was opened at a cost of $8 million. Norra Ltd sold boats for $3 million.",
               "2023-05-03", "Orlo opens its dam"),), "Orlo", "en", "cost of $8 million", "boats"),
        ((held("奥罗2023年5月3日启用大坝。市长带着乐队到场祝贺。奥罗的大坝耗资800万美元启用。中国银行以300万美元卖出船只。", "2023-05-03", "奥罗启用大坝"),),
         "奥罗", "zh", "800万", "船只"),
        ((held("奧羅2023年5月3日啟用大壩。市長帶著樂隊到場祝賀。奧羅的大壩耗資800萬美元啟用。中國銀行以300萬美元賣出船隻。", "2023-05-03", "奧羅啟用大壩"),),
         "奧羅", "zh-Hant", "800萬", "船隻"),
    ],
)  # fmt: skip
def test_facts_are_of_the_event(
    pages: tuple[Evidence, ...], topic: str, language: AnswerLanguage, told: str, not_told: str
) -> None:
    (node,) = nodes(pages, topic, language)
    detail = detail_of(node, [page_of(each) for each in pages], language, (topic,))
    facts = " ".join(each.text for each in detail.key_features)
    shown = " ".join((facts, *(each.text for each in node.description)))
    assert told in shown and not_told not in shown
    assert any(told in each.of for each in detail.key_numbers)


def test_a_further_round_looks_for_empty_years_and_for_causes() -> None:
    later = held(
        "Qinghe Bank was sold on 3 May 2025.", "2025-05-03", "Qinghe Bank is sold", origin="e"
    )
    told = nodes((*_CLOSED, later), "Qinghe Bank", "en")
    pages = [page_of(each) for each in (*_CLOSED, later)]
    found = tuple(n.model_copy(update={"detail": detail_of(n, pages, "en")}) for n in told)
    wanted = lacking("Qinghe Bank", "en", found, short=False)
    assert wanted[0] == "Qinghe Bank 2024"
    closed = next(each for each in found if each.interval.begin == date(2023, 3, 10))
    assert closed.title.startswith("Regulators close Qinghe Bank")  # it names the topic already
    assert wanted[1:] == (f"{closed.title} cause",)


def test_no_cause_is_looked_for_that_a_source_states() -> None:
    told = nodes(_CLOSED, "Qinghe Bank", "en")
    found = tuple(
        n.model_copy(update={"detail": Detail(), "significance": "revolutionary"}) for n in told
    )
    assert unexplained(found)
    assert unexplained(found, {each.id for each in found}) == []


@pytest.mark.parametrize(
    ("topic", "language", "opening", "after"),
    [
        ("Qinghe Bank", "en", "Qinghe Bank was closed on 10 March 2023.",
         "The closure of Qinghe Bank on 10 March 2023 caused the sale of Lintao Bank on 12 March 2023."),
        ("清河银行", "zh", "清河银行2023年3月10日被监管机构关闭。", "清河银行3月10日被关闭，导致临洮银行3月12日被出售。"),
        ("清河銀行", "zh-Hant", "清河銀行2023年3月10日被監管機構關閉。", "清河銀行3月10日被關閉，導致臨洮銀行3月12日被出售。"),
    ],
)  # fmt: skip
def test_a_source_may_state_a_cause_outside_the_details(
    topic: str, language: str, opening: str, after: str
) -> None:
    pages = (
        held(opening, "2023-03-10", origin="a"),
        held(after, "2023-03-13", origin="b"),
    )
    told = nodes(pages, topic, language)
    sold = [each for each in told if each.date == "2023-03-12"]
    assert sold and explained(told, pages, (topic,)) == {each.id for each in sold}


@pytest.mark.parametrize(
    ("title", "told", "topic", "language"),
    [
        ("Update on Orlo and Qinghe Bank", "Orlo closed its desk at Qinghe Bank on 3 May 2024.", "Qinghe Bank", "en"),
        ("Why Orlo closed its desk at Qinghe Bank", "Orlo closed its desk at Qinghe Bank on 3 May 2024.",
         "Qinghe Bank", "en"),
        ("关于北方公司停产的公告", "北方公司2024年5月3日停产旧款电池。", "北方公司", "zh"),
        ("關於北方公司停產的公告", "北方公司2024年5月3日停產舊款電池。", "北方公司", "zh-Hant"),
    ],
)  # fmt: skip
def test_what_a_paper_is_called_is_no_title(
    title: str, told: str, topic: str, language: str
) -> None:
    (node,) = nodes((held(told, "2024-05-03", title),), topic, language)
    assert node.title != title
    assert node.title in {
        "Orlo closed its desk at Qinghe Bank",
        "北方公司停产旧款电池",
        "北方公司停產舊款電池",
    }


@pytest.mark.parametrize(
    ("topic", "language", "fact", "rumour"),
    [
        (
            "Orlo",
            "en",
            "Orlo lost $200 million on 13 March 2023.",
            "Rumour has it that Orlo lost a billion.",
        ),
        ("北方公司", "zh", "北方公司2023年3月13日损失2亿美元。", "网传北方公司损失10亿美元。"),
        ("北方公司", "zh-Hant", "北方公司2023年3月13日損失2億美元。", "網傳北方公司損失10億美元。"),
    ],
)
def test_a_rumour_alone_is_no_event_and_sums_up_nothing(
    topic: str, language: str, fact: str, rumour: str
) -> None:
    pages = (held(fact, "2023-03-13", origin="a"), held(rumour, "2023-03-15", origin="b"))
    told = nodes(pages, topic, language)
    verdicts = {each.description[0].text: each.description[0].verdict for each in told}
    assert verdicts == {fact: "supported"}
    assert [each.text for each in summary_of(told).summary] == [fact]
