"""Moods are words, not substrings; what is negated is not felt; nothing said is None."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from groundwire.language.data import data_lines
from groundwire.language.text.lexicon import low_form
from groundwire.language.text.sentiment import Sentiment, moods_of, sentiment


@pytest.mark.parametrize(
    ("text", "moods"),
    [
        # the lists of the specification
        ("Token prices crash after the hack", {"panic": 2}),
        ("An exploit let traders dump the coin", {"panic": 2}),
        ("代币暴跌，市场恐慌，几近崩盘", {"panic": 3}),
        ("代幣暴跌，市場恐慌，幾近崩盤", {"panic": 3}),
        ("We monitor and observe; watch closely", {"neutral": 3}),
        ("继续观察，等待消息，监控风险", {"neutral": 3}),
        ("繼續觀察，等待消息，監控風險", {"neutral": 3}),
        ("A recovery: prices bounce and are stable", {"optimistic": 3}),
        ("价格恢复，反弹后稳定", {"optimistic": 3}),
        ("價格恢復，反彈後穩定", {"optimistic": 3}),
        # forms
        ("Funds were stolen and the bridge was drained", {"panic": 2}),
        ("Shares plunged, then rebounded", {"panic": 1, "optimistic": 1}),
        ("CRASH! PANIC!", {"panic": 2}),
        ("股价跌停后企稳回升", {"panic": 1, "optimistic": 2}),
        ("股價跌停後企穩回升", {"panic": 1, "optimistic": 2}),
        ("投资者观望，指数横盘", {"neutral": 2}),
        ("投資者觀望，指數橫盤", {"neutral": 2}),
        ("The bank run spread contagion", {"panic": 2}),
        ("All-time high as optimism returns", {"optimistic": 2}),
        ("交易所被盗，黑客得手", {"panic": 2}),
        ("交易所被盜，駭客得手", {"panic": 2}),
    ],
)
def test_words_of_a_mood_are_counted(text: str, moods: dict[str, int]) -> None:
    assert moods_of(text) == moods


@pytest.mark.parametrize(
    "text",
    [
        "Stablecoin issuers met",  # not "stable"
        "A stable coin is a token",
        "unstable, establish, stables",
        "The hackathon opened; hackneyed",
        "Watchdogs and smartwatches; Apple Watch sales",
        "A dumpling services and a dump truck",
        "Discovery of rebounders",
        "A crash course in law",
        "The recovery phrase has 12 words",
        "By default it is on",
        "稳定币发行商开会",  # not 稳定
        "穩定幣發行商開會",
        "经济观察报与观察者网",
        "經濟觀察報與觀察者網",
        "国际清算银行报告",
        "黑客马拉松开幕",
        "他大跌眼镜",
        "Nothing happened.",
        "什么也没发生。",
        "",
    ],
)
def test_other_words_say_nothing_of_a_mood(text: str) -> None:
    assert moods_of(text) == {}
    assert sentiment([text]) is None


@pytest.mark.parametrize(
    "text",
    [
        "Prices did not recover",
        "It has not recovered",
        "Prices haven't recovered",
        "The coin failed to bounce back",
        "There is no panic",
        "There are no signs of panic",
        "Without any panic",
        "Officials averted a crash",
        "It is unlikely to rebound",
        "The peg is yet to stabilise",
        "The firm denied the hack",
        "It is far from stable",
        "价格没有反弹",
        "價格沒有反彈",
        "市场并未恐慌",
        "市場並未恐慌",
        "尚未恢复",
        "尚未恢復",
        "价格难以反弹",
        "並未出現恐慌",
        "未见明显反弹",
        "不稳定",
        "無法恢復",
        "否认被盗",
        "避免崩盘",
        "没有任何恐慌",
        "未必稳定",
    ],
)
def test_a_negated_word_is_not_felt_and_not_its_opposite(text: str) -> None:
    assert moods_of(text) == {}


@pytest.mark.parametrize(
    ("text", "moods"),
    [
        ("Not only did it crash", {"panic": 1}),
        ("There is no doubt: a crash", {"panic": 1}),
        ("It is not late, it is stable", {"optimistic": 1}),  # another clause
        ("The bank did not answer. Panic spread", {"panic": 1}),
        ("价格不断反弹", {"optimistic": 1}),
        ("價格不斷反彈", {"optimistic": 1}),
        ("非常稳定", {"optimistic": 1}),
        ("特别稳定", {"optimistic": 1}),
        ("特別穩定", {"optimistic": 1}),
        ("没有回应，市场恐慌", {"panic": 1}),
        ("不仅暴跌", {"panic": 1}),
        ("未来稳定", {"optimistic": 1}),
        ("不久后反弹", {"optimistic": 1}),
    ],
)
def test_words_that_only_look_like_a_negation_deny_nothing(
    text: str, moods: dict[str, int]
) -> None:
    assert moods_of(text) == moods


@pytest.mark.parametrize(
    "text", ["不" + "出现" * 40 + "x恐慌", "not " * 5_000 + "crash", "见" * 9_000]
)
def test_a_hostile_text_is_read_in_time(text: str) -> None:
    assert set(moods_of(text)) <= {"panic"}


def test_each_text_counts_once() -> None:
    loud = "crash crash crash crash hack exploit dump"
    assert sentiment([loud, "prices are stable"]) == Sentiment(
        panic=0.5, neutral=0.0, optimistic=0.5
    )


def test_texts_without_a_mood_are_left_out() -> None:
    assert sentiment(["暴跌", "没有反弹", "A report"]) == Sentiment(
        panic=1.0, neutral=0.0, optimistic=0.0
    )


def test_shares_sum_to_one() -> None:
    given = sentiment(["crash and watch", "暴跌后反弹，观望", "stable"])
    assert given is not None
    assert given.panic + given.neutral + given.optimistic == pytest.approx(1, abs=1e-3)


def test_nothing_found_has_no_sentiment() -> None:
    assert sentiment([]) is None


def test_every_word_stands_once_and_in_one_list() -> None:
    rows = [line.split("\t") for line in data_lines("sentiment.tsv")]
    assert {mood for mood, _ in rows} == {"panic", "neutral", "optimistic", "unlike"}
    words = Counter(low_form(word) for _, cell in rows for word in cell.split("|"))
    assert [word for word, count in words.items() if count > 1 or not word.strip()] == []


def test_every_unlike_word_overlaps_a_word_of_a_mood() -> None:
    rows = [line.split("\t") for line in data_lines("sentiment.tsv")]
    lists = [(mood, low_form(word)) for mood, cell in rows for word in cell.split("|")]
    felt = {word for mood, word in lists if mood != "unlike"}
    for mood, word in lists:
        parts = {*re.split(r"[^a-z0-9-]+", word), word}
        near = parts & felt or any(each in word for each in felt if not each.isascii())
        assert mood != "unlike" or near or any(each in word for each in felt if " " in each), word
