"""How far a sentence bears on a topic, in either language."""

from __future__ import annotations

import pytest

from groundwire.jobs.timeline.pages import words_of
from groundwire.jobs.timeline.topic import Topic, without_years, years_of


def bearing(words: tuple[str, ...], text: str) -> float:
    return Topic(words).bearing(words_of(text), text)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("Jonas Ferrow",), "Ferrow resigned."),
        (("比特币 ETF",), "The bitcoin fund was approved."),
        (("bitcoin",), "監管機構批准比特幣基金。"),
        (("人工智能",), "The act on artificial intelligence was passed."),
        (("苹果公司",), "蘋果公司發表新手機。"),
        ((), "Anything is told where no topic is given."),
    ],
)
def test_it_bears_on_the_topic(words: tuple[str, ...], text: str) -> None:
    assert bearing(words, text) == 1.0


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("Jonas Ferrow",), "The mayor resigned."),
        (("比特币 ETF",), "以太坊升级完成。"),
        # Of a long topic a common word says nothing by itself.
        (("欧盟对华电动汽车反补贴调查终裁披露",), "警方的调查仍在继续。"),
    ],
)
def test_it_does_not(words: tuple[str, ...], text: str) -> None:
    assert bearing(words, text) < 1.0


def test_a_long_topic_is_named_by_two_of_its_words() -> None:
    words = ("欧盟对华电动汽车反补贴调查终裁披露",)
    both = bearing(words, "欧盟披露对华电动汽车反补贴调查的终裁结果。")
    assert both == 1.0 > bearing(words, "欧盟召开峰会。")


@pytest.mark.parametrize(
    ("topic", "text", "headline", "bears"),
    [
        ("新余火灾", "今年1月江西新余一店铺的火灾造成39人死亡。", "", True),
        ("新余火灾", "新余市公安局加强了夜间巡逻。", "新余每日新闻速览", False),
        ("新余火灾", "另一座城市的仓库发生火灾。", "", False),
        ("新余火灾", "新余原市长负主要领导责任。", "火灾调查报告公布", True),
        ("花蓮地震", "花蓮縣政府公布新的旅遊路線。", "", False),
        ("花蓮地震", "花蓮清晨發生強烈地震，多棟大樓傾斜。", "", True),
        ("国民党", "国民党主席周三访问高雄。", "", True),
        ("比特币 ETF", "比特币期货基金获准。", "", True),
        ("中国车队巴基斯坦遇袭", "巴基斯坦总理发表讲话。", "", False),
        ("Valencia floods", "Valencia counts the cost of the floods.", "", True),
    ],
)
def test_one_common_word_of_a_chinese_topic_is_not_the_topic(
    topic: str, text: str, headline: str, bears: bool
) -> None:
    about = Topic((topic,))
    found = about.bearing(set(words_of(text)), text, about.named(words_of(headline), headline))
    assert (found > 0) is bears


@pytest.mark.parametrize(
    ("topic", "years", "bare"),
    [
        ("Paris Olympics 2024", {"2024"}, "Paris Olympics"),
        ("2008年北京奥运会", {"2008"}, "北京奥运会"),
        ("東京奧運2020年", {"2020"}, "東京奧運"),
        ("1984", set(), "1984"),
        ("2020年", set(), "2020年"),
        ("Boeing 2020-05-01", set(), "Boeing 2020-05-01"),
        ("Airbus A2020", set(), "Airbus A2020"),
    ],
)
def test_a_year_in_a_topic_is_no_word_of_it(topic: str, years: set[str], bare: str) -> None:
    assert (years_of(topic), without_years(topic)) == (years, bare)


@pytest.mark.parametrize("topic", ["Paris Olympics 2024", "2024年巴黎奥运会", "2024年巴黎奧運"])
def test_what_only_names_the_year_is_not_of_the_topic(topic: str) -> None:
    assert bearing((topic,), "The commission approved the fund on 10 January 2024.") == 0.0


def test_a_word_that_names_others_too_names_nothing_by_itself() -> None:
    pages = (
        "The lender Euler Finance was attacked. Then Euler stopped.",
        "The platform Cream Finance lost money.",
    )
    topic = Topic(("Euler Finance",))
    topic.read(pages)
    assert topic.bearing(words_of(pages[1]), pages[1]) == 0.0
    assert topic.bearing(words_of("Euler stopped."), "Euler stopped.") > 0.0


def test_a_title_before_a_name_makes_it_nobody_elses() -> None:
    pages = (
        "It said that President Ferrow resigned.",
        "Then President Ferrow spoke.",
        "Jonas Ferrow resigned.",
    )
    topic = Topic(("Jonas Ferrow",))
    topic.read(pages)
    assert topic.bearing(words_of(pages[1]), pages[1]) == 1.0
