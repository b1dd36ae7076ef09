"""Where a sentence begins after the words that say who filed it."""

from __future__ import annotations

import pytest

from groundwire.language.text.datelines import after_dateline


@pytest.mark.parametrize(
    ("written", "rest"),
    [
        ("LONDON (Reuters) - ", "The bank closed."),
        ("新华社北京3月5日电 ", "银行今日关闭。"),
        ("参考消息网4月4日报道", "据台湾风传媒网站4月3日报道，前分署长被告发。"),
        ("參考消息網4月4日報導", "據台灣風傳媒網站報導，前分署長被告發。"),
        ("海峡导报综合报道 ", "国民党基隆市党部20日举办说明会。"),
        ("海峽導報綜合報導 ", "國民黨基隆市黨部20日舉辦說明會。"),
        ("【环球网报道 记者 孟媛】", "据中时新闻网11月22日报道，网友开始讨论。"),
        # What somebody is said to have reported is told.
        ("", "据台湾联合新闻网报道 ，检方已结案。"),
        ("", "路透社报道了这次关闭。"),
        ("", "【新品】今日发售。"),
        ("", "The bank (Reuters says) closed."),
    ],
)
def test_a_sentence_begins_behind_its_dateline(written: str, rest: str) -> None:
    text = written + rest
    assert text[after_dateline(text) :] == rest
