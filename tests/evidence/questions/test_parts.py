"""A question that asks several things is split where it does, in the person's own words."""

from __future__ import annotations

import pytest

from groundwire.evidence.questions.intent import parse_question
from groundwire.evidence.questions.parts import asked_parts, question_parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Did the fund open, and when?",
            ("Did the fund open", "when?"),
        ),
        (
            "When was it sold and how much did it cost?",
            ("When was it sold", "how much did it cost?"),
        ),
        ("基金被盗了多少钱？还了吗？", ("基金被盗了多少钱？", "还了吗？")),
        ("新手机何时发布，卖多少钱？", ("新手机何时发布", "卖多少钱？")),
        ("新手機何時發布，賣多少錢？", ("新手機何時發布", "賣多少錢？")),
        # one thing, whatever its commas
        ("When the price fell, who sold?", ("When the price fell, who sold?",)),
        ("How much did Apple and Google pay?", ("How much did Apple and Google pay?",)),
        ("苹果、谷歌一共付了多少钱？", ("苹果、谷歌一共付了多少钱？",)),
        ("蘋果、谷歌一共付了多少錢？", ("蘋果、谷歌一共付了多少錢？",)),
    ],
)
def test_each_part_is_as_it_was_written(question: str, parts: tuple[str, ...]) -> None:
    assert question_parts(question) == parts


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        (
            "When did the SEC approve spot bitcoin ETFs, and by what vote?",
            "by what vote? (SEC, ETFs, bitcoin, approve, spot)",
        ),
        ("韩国为什么暂停DeepSeek下载？何时恢复？", "何时恢复？（DeepSeek，韩国，暂停，下载）"),
        ("韓國為什麼暫停DeepSeek下載？何時恢復？", "何時恢復？（DeepSeek，韓國，暫停，下載）"),
        ("iPhone 16何时发布？在台湾卖多少钱？", "在台湾卖多少钱？（iPhone 16，发布）"),
        ("iPhone 16何時發布？在台灣賣多少錢？", "在台灣賣多少錢？（iPhone 16，發布）"),
    ],
)
def test_what_is_asked_in_one_breath_takes_its_words_and_its_place(
    question: str, alone: str
) -> None:
    _, second = asked_parts(question)
    assert second.alone == alone
    # They say what it is about, and an answer need not repeat them.
    intent = parse_question(second.alone)
    own = [intent.terms[n].written for n in intent.telling]
    assert own and not {"approve", "暂停", "暫停", "发布", "發布"} & set(own)


def test_a_list_of_english_questions_is_parted_at_its_commas() -> None:
    asked = "What did Circle say about SVB, how much was stuck there, and when did USDC recover?"
    assert len(question_parts(asked)) == 3
    assert len(question_parts("When it fell, who sold, and why?")) == 2
