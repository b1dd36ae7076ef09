"""What a page says about itself."""

from __future__ import annotations

import pytest
from tests.evidence.builders import document

from groundwire.evidence.flags import text_flags


@pytest.mark.parametrize(
    ("title", "text", "flag"),
    [
        ("", "This article has been retracted by the editors.", "retraction"),
        ("", "撤稿声明：本文已撤回。", "retraction"),
        ("", "撤稿聲明：該報導有誤。", "retraction"),
        ("", "Text of it.\nCorrection: an earlier figure was wrong.", "correction"),
        ("", "An earlier version of this article misstated the figure.", "correction"),
        ("", "更正：此前数字有误。", "correction"),
        ("", "勘誤：此前數字有誤。", "correction"),
        ("Satire: bank sells moon", "Text.", "satire"),
        ("", "This article is satire.", "satire"),
        ("", "本文纯属虚构，如有雷同。", "satire"),
        ("", "本文純屬虛構。", "satire"),
        ("Opinion: banks are fine", "Text.", "opinion"),
        ("", "The views expressed here are the author's own.", "opinion"),
        ("社评：银行没事", "文字。", "opinion"),
        ("評論：銀行沒事", "文字。", "opinion"),
        ("", "本文僅代表作者個人觀點。", "opinion"),
        ("Two years on: the fall of SVB", "Text.", "retrospective"),
        ("硅谷银行倒闭一周年回顾", "文字。", "retrospective"),
        ("矽谷銀行倒閉始末", "文字。", "retrospective"),
    ],
)
def test_found(title: str, text: str, flag: str) -> None:
    assert text_flags(document(text, title=title)) == (flag,)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Bank fails", "The correction in share prices went on. Analysts gave opinions."),
        ("银行倒闭", "股价出现回调。评论人士指出风险。监管要求更正报表。"),
        ("Regulators respond", "The retraction of the offer surprised nobody; satire it was not."),
    ],
)
def test_the_same_words_in_prose_are_no_flags(title: str, text: str) -> None:
    assert text_flags(document(text, title=title)) == ()


def test_by_address() -> None:
    assert text_flags(document("Text.", url="https://www.theonion.com/a")) == ("satire",)
    assert text_flags(document("Text.", url="https://a.example/opinion/a")) == ("opinion",)
    assert text_flags(document("Text.", url="file-without-address")) == ()
    assert text_flags(document("Text.", tier="satire")) == ("satire",)


def test_a_notice_at_the_foot_is_read() -> None:
    text = "Filler sentence here. " * 300 + "\nCorrection: the figure was wrong."
    assert text_flags(document(text)) == ("correction",)
