"""What a page says about itself."""

from __future__ import annotations

import pytest
from tests.evidence.builders import document

from groundwire.evidence.pages.flags import text_flags


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
        ("[Retracted] Bank buys moon", "Text.", "retraction"),
        ("", "Editors' remark. The Ledger has withdrawn this article.", "retraction"),
        ("", "Retraction, June 10: the report was wrong.", "retraction"),
        ("", "This story has been pulled.", "retraction"),
        ("【撤稿】银行买下月球", "文字。", "retraction"),
        ("", "来源已核实有误，本条一并撤回。", "retraction"),
        ("", "來源有誤，本條一併撤回。", "retraction"),
        ("【更正】此前快讯", "文字。", "correction"),
        ("【更正】稍早快訊", "文字。", "correction"),
        ("", "The name was misspelled. We regret the error.", "correction"),
        ("", "数字写错，特此更正。", "correction"),
        ("", "數字寫錯，特此更正。", "correction"),
        ("[Satire] Bank buys moon", "Text.", "satire"),
        ("", "Nothing you read here is real.", "satire"),
        ("", "All stories on this site are made up.", "satire"),
        ("", "本站内容均为虚构，请勿当真。", "satire"),
        ("", "本站內容皆為虛構。", "satire"),
        ("【讽刺】银行买下月球", "文字。", "satire"),
        ("", "愚人節玩笑，大家看看就好。", "satire"),
        ("Guest post: banks are fine", "Text.", "opinion"),
        ("", "Every May I reread the letters. This column gives the author's opinion.", "opinion"),
        ("", "In my view banks are fine.", "opinion"),
        ("專欄／銀行沒事", "文字。", "opinion"),
        ("", "文中内容仅代表作者个人看法。", "opinion"),
        ("Three years after the fall of SVB", "Text.", "retrospective"),
        ("A brief history of bank runs", "Text.", "retrospective"),
        ("回看2023：那个周末", "文字。", "retrospective"),
        ("費用開關簡史", "文字。", "retrospective"),
        ("", "两年前的3月11日，银行倒闭。", "retrospective"),
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
        ("Bank fails", "It is the largest failure in the history of the country."),
        ("Bank fails", "The lender collapsed two years after it was founded."),
        ("Trader wins", "The party withdrew its offer. Nothing here is a mystery, he said."),
        ("银行倒闭", "该行成立两年后倒闭。政府撤回提案，交易所下架代币。"),
        ("銀行倒閉", "該行成立兩年後倒閉，是歷史上最大的一次。"),
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
