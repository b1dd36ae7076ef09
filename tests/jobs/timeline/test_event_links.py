"""Events are linked only where a sentence says so, and both its parts tell events."""

from __future__ import annotations

from datetime import date

import pytest
from stated_links import PASSAGES
from timeline_pages import held, read

from groundwire.jobs.timeline.causes import causes_in
from groundwire.jobs.timeline.find_links_exam import ItemGiven, drafted, nodes_of
from groundwire.jobs.timeline.links import Found, links_of, standing
from groundwire.jobs.timeline.proposal import Plan
from groundwire.jobs.timeline.skeleton import candidates_of, skeleton_of
from groundwire.jobs.timeline.threads import usual_threads
from groundwire.model.source import Evidence

ENGLISH = (
    held("A crane fell from the Velmora Bridge on 19 November 2021 and two workers were hurt. In response the ministry"
         " closed the Velmora Bridge on 22 November 2021.", "2021-11-23", "Velmora Bridge closed"),
    held("The fall of a crane on 19 November 2021 led to the arrest of the builder of the Velmora Bridge on 3 December 2021.",
         "2021-12-04", "Builder of the Velmora Bridge arrested"),
    held("The Velmora Bridge opened to traffic on 12 August 2023 after the ministry had paid for it.", "2023-09-04", "Open"),
)  # fmt: skip
CHINESE = (
    held("2021年11月19日，一台起重机从维尔莫拉大桥坠落，两名工人受伤。为此，交通部2021年11月22日关闭了维尔莫拉大桥。",
         "2021-11-23", "维尔莫拉大桥关闭"),
    held("2021年11月19日的起重机坠落导致维尔莫拉大桥承建商于2021年12月3日被捕。", "2021-12-04", "维尔莫拉大桥承建商被捕"),
)  # fmt: skip
TAIWAN = (
    held("2021年11月19日，一台起重機從維爾莫拉大橋墜落，兩名工人受傷。為此，交通部2021年11月22日關閉了維爾莫拉大橋。",
         "2021-11-23", "維爾莫拉大橋關閉"),
    held("2021年11月19日的起重機墜落導致維爾莫拉大橋承建商於2021年12月3日被捕。", "2021-12-04", "維爾莫拉大橋承建商被捕"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("pages", "topic", "language"),
    [
        (ENGLISH, "Velmora Bridge", "en"),
        (CHINESE, "维尔莫拉大桥", "zh"),
        (TAIWAN, "維爾莫拉大橋", "zh-Hant"),
    ],
)
def test_what_a_sentence_says_of_two_events_links_them(
    pages: tuple[Evidence, ...], topic: str, language: str
) -> None:
    threads = usual_threads("light", language)
    plan = Plan(topic=topic, language=language, level="light", threads=threads)
    nodes = skeleton_of(plan, candidates_of(plan, pages, {}, language, date(2024, 12, 1))).nodes
    dates = {each.id: each.date for each in nodes}
    found = links_of(nodes, pages, (topic,))
    assert {(dates[each.source], each.relation, dates[each.target]) for each in found} == {
        ("2021-11-22", "responded_to", "2021-11-19"),
        ("2021-11-19", "caused", "2021-12-03"),
    }
    texts = {each.id: each.document.text for each in pages}
    for each in found:
        (said,) = each.sentence.citations
        assert texts[said.evidence_id][said.start : said.end] == said.quote


def _item(topic: str, events: list[tuple[str, str]], page: str) -> ItemGiven:
    return ItemGiven.model_validate(
        {
            "topic": topic,
            "language": "en",
            "events": [{"date": day, "text": text} for day, text in events],
            "passages": [{"title": "", "published": "2023-03-13", "text": page}],
        }
    )


@pytest.mark.parametrize(
    ("topic", "closed", "held_there", "seized", "said"),
    [
        (
            "Norvik Bank",
            "Regulators closed Norvik Bank on 10 March 2023",
            "Tessen said on 10 March 2023 that it holds $3 billion at Norvik Bank",
            "Halden Trust was seized",
            "That Norvik Bank was closed on 10 March 2023 led to a run on Halden Trust, seized on 12 March 2023.",
        ),
        (
            "诺维克银行",
            "诺维克银行2023年3月10日被监管机构关闭",
            "泰森公司2023年3月10日称有30亿元存放在诺维克银行",
            "哈尔登信托被接管",
            "诺维克银行2023年3月10日被关闭，导致哈尔登信托2023年3月12日被接管。",
        ),
        (
            "諾維克銀行",
            "諾維克銀行2023年3月10日遭監管機關關閉",
            "泰森公司2023年3月10日稱有30億元存放在諾維克銀行",
            "哈爾登信託遭接管",
            "諾維克銀行2023年3月10日遭關閉，導致哈爾登信託2023年3月12日遭接管。",
        ),
    ],
)
def test_of_two_events_on_one_day_the_one_that_the_words_tell_is_meant(
    topic: str, closed: str, held_there: str, seized: str, said: str
) -> None:
    days = ("2023-03-10", "2023-03-10", "2023-03-12")
    item = _item(topic, list(zip(days, (held_there, closed, seized), strict=True)), said)
    (found,) = links_of(nodes_of(item), item.pages(), (topic,))
    assert (found.source, found.relation, found.target) == ("2", "caused", "3")
    # Of two that are told alike nobody knows which is meant.
    item = _item(topic, list(zip(days, (closed, closed, seized), strict=True)), said)
    assert not links_of(nodes_of(item), item.pages(), (topic,))


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("The leak prompted a recall.", "The leak "),
        ("The recall was ordered because of the leak.", " the leak."),
        ("The law paved the way for the sale.", "The law "),
        ("The tariff was raised in response to the ban.", " the ban."),
        ("泄漏导致产品召回。", "泄漏"),
        ("洩漏導致產品召回。", "洩漏"),
        ("由于储备被困，币价下跌。", "储备被困"),
        ("受禁令影響，股價大跌。", "禁令影響"),
        ("停产的原因是缺少芯片。", "缺少芯片。"),
        ("The bridge opened after the ministry had paid.", ""),
        ("The leak led to a recall of cars that did not brake.", "The leak "),
        ("The leak did not cause the recall.", ""),
        ("The recall was ordered, but not because of the leak.", ""),
        ("The ministry denied that the leak prompted the recall.", ""),
        ("It is rumoured that the leak led to the recall.", ""),
        ("泄漏并未导致产品召回。", ""),
        ("停产的原因不是缺少芯片，而是罢工。", ""),
        ("公司否认泄漏导致产品召回。", ""),
        ("據傳洩漏導致產品召回。", ""),
        ("停產並非因為颱風，公司說。", ""),
        ("公司周二上市，股价随后下跌。", ""),
    ],
)
def test_only_words_for_it_make_a_cause(sentence: str, cause: str) -> None:
    assert [each.cause.text for each in causes_in(read(sentence))] == ([cause] if cause else [])


@pytest.mark.parametrize(
    ("said", "cause", "effect", "cued", "kept"),
    [
        ("The leak in Dunmore left Orvane one way out: to call back its heaters.", 1, 2, False, True),
        ("The leak in Dunmore left Orvane one way out: to call back its heaters.", 1, 2, True, False),
        ("The leak in Dunmore led Orvane to call back its heaters.", 1, 2, False, True),
        ("The leak in Dunmore prompted Orvane to call back its heaters.", 1, 2, True, True),
        ("The leak in Dunmore prompted Orvane to call back its heaters.", 2, 1, False, False),
        ("The leak in Dunmore prompted Orvane to call back its heaters.", 1, 3, False, False),
        ("It is rumoured that a leak in Dunmore made Orvane call back its heaters.", 1, 2, False, False),
        ("Orvane denied that the leak in Dunmore made it call back its heaters.", 1, 2, False, False),
        ("The leak in Dunmore did not cause Orvane to call back its heaters.", 1, 2, False, False),
    ],
)  # fmt: skip
def test_what_a_model_joins_is_kept_where_its_words_tell_of_both(
    said: str, cause: int, effect: int, cued: bool, kept: bool
) -> None:
    events = [
        ("2022-02-03", "A leak is found in Dunmore"),
        ("2022-02-10", "Orvane calls back 40,000 heaters"),
        ("2022-03-15", "Orvane names a new chief executive"),
    ]
    item = _item("Orvane", events, said)
    nodes, (held_page,) = nodes_of(item), item.pages()
    found = Found(nodes[cause - 1], nodes[effect - 1], "caused", held_page, 0, len(said))
    link = standing(found, ("Orvane",), {held_page.id: held_page}, cued=cued)
    assert (link is not None) is kept


def _counted() -> tuple[int, int, int]:
    """Count the stated links that are found, all that are found, and all that are stated."""
    right = found = stated = 0
    for topic, events, day, text, expected in PASSAGES:
        given = {
            "topic": topic,
            "language": "en",
            "events": [{"date": each, "text": told} for each, told in events],
            "passages": [{"title": "", "published": day, "text": text}],
        }
        item = ItemGiven.model_validate(given)
        joined = {
            (cause, effect, kind)
            for cause, effect, kind, _, _ in drafted(item, nodes_of(item), item.pages())
        }
        right += len(joined & set(expected))
        found += len(joined)
        stated += len(expected)
    return right, found, stated


def test_stated_links_are_found_and_no_others() -> None:
    right, found, stated = _counted()
    assert right == found, "a link that nobody states"
    assert right >= 0.8 * stated
