"""Into which words a Chinese topic falls, by what its pages write."""

from __future__ import annotations

import pytest

from groundwire.jobs.timeline.pages import words_of
from groundwire.jobs.timeline.topic import Topic
from groundwire.jobs.timeline.topic_words import words_by_use

BULLIED = (
    "台媒称，民进党高层涉及职场霸凌。",
    "劳动部门爆出霸凌事件，民进党当局道歉。",
    "职场中的霸凌应受惩处。",
    "民進黨官員被控職場霸凌下屬。",
)


@pytest.mark.parametrize(
    ("topic", "texts", "words"),
    [
        ("民进党职场霸凌案", BULLIED, ("民进党", "职场", "霸凌")),
        ("民進黨職場霸凌案", BULLIED, ("民进党", "职场", "霸凌")),
        # A country's name is none in that of a person.
        (
            "罢免韩国瑜",
            ("韩国瑜回应罢免案。", "罢免韩国瑜的连署开始。", "支持韩国瑜的人反对罢免。"),
            ("罢免", "韩国瑜"),
        ),
        # What is known as a whole is not taken apart, though more pages write its parts.
        (
            "硅谷银行倒闭",
            ("硅谷的银行倒闭。", "硅谷银行倒闭。", "银行在硅谷倒闭。", "多家银行倒闭。"),
            ("硅谷银行", "倒闭"),
        ),
        # Nothing is known better than the dictionary does.
        ("硅谷银行", ("硅谷银行倒闭。", "硅谷银行被接管。"), ()),
        ("民进党职场霸凌案", BULLIED[:1], ()),
        ("Silicon Valley Bank", ("Silicon Valley Bank failed.",) * 2, ()),
    ],
)
def test_a_topic_falls_into_the_words_that_its_pages_write(
    topic: str, texts: tuple[str, ...], words: tuple[str, ...]
) -> None:
    assert words_by_use(topic, texts) == words


def bearing(topic: str, text: str, opening: str = "") -> float:
    about = Topic((topic,))
    about.read(BULLIED)
    beside = about.named(words_of(opening), opening)
    return about.bearing(set(words_of(text)), text, beside)


@pytest.mark.parametrize(
    ("topic", "text"),
    [("民进党职场霸凌案", "官员承认霸凌行为。"), ("民進黨職場霸凌案", "官員承認霸凌行為。")],
)
def test_one_word_bears_on_it_under_an_opening_that_names_another(topic: str, text: str) -> None:
    assert bearing(topic, text) == 0
    assert bearing(topic, text, "民进党高层的职场风波") > 0
    assert bearing(topic, "今日天气晴。", "民进党高层的职场风波") == 0


def test_media_and_those_whom_they_always_report_of_are_not_the_topic() -> None:
    topic, text = "台媒曝民进党职场霸凌案", "据台媒报道，民进党将改选主席。"
    assert bearing(topic, text) == 0
    assert bearing(topic, "据台媒报道，民进党官员涉及霸凌。") > 0
