"""Each part of a question is ticked, or named as not found."""

from __future__ import annotations

import pytest

from groundwire.jobs.ask.parts import tick
from groundwire.model.claim import CitationView
from groundwire.model.result import Sentence


def said(text: str) -> Sentence:
    return Sentence(text=text, verdict="supported", citations=())


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When was the Orion bridge opened, and how much did it cost?", "The Orion bridge was opened on 3 May 2021."),
        ("猎户桥何时通车，花了多少钱？", "猎户桥于2021年5月3日通车。"),
        ("獵戶橋何時通車，花了多少錢？", "獵戶橋於2021年5月3日通車。"),
    ],
)  # fmt: skip
def test_a_part_without_its_value_is_open(question: str, sentence: str) -> None:
    when, cost = tick(question, [said(sentence)])
    assert (when.answered, when.sentence) == (True, 0)
    assert (cost.answered, cost.sentence) == (False, None)


def shown(text: str, title: str) -> Sentence:
    page = CitationView(
        evidence_id="ev_1", url="https://a.example/1", title=title, publisher="A", published_at=None, quote=text,
        start=0, end=len(text),
    )  # fmt: skip
    return Sentence(text=text, verdict="supported", citations=(page,))


@pytest.mark.parametrize(
    ("question", "headline", "fee", "other"),
    [
        (
            "When did the Hong Kong bitcoin ETFs start trading, and what are their fees?",
            "Hong Kong bitcoin ETFs open to a quiet first day",
            "The fees range from 0.3% to 0.99%.",
            "US bitcoin ETFs charge fees of 0.2% to 0.4%.",
        ),
        (
            "香港比特币ETF什么时候开始交易？管理费多少？",
            "香港比特币ETF首日平静",
            "管理费介于0.3%至0.99%。",
            "美国比特币ETF的管理费在0.2%到0.4%之间。",
        ),
        (
            "香港比特幣ETF什麼時候開始交易？管理費多少？",
            "香港比特幣ETF首日平靜",
            "管理費介乎0.3%至0.99%。",
            "美國比特幣ETF的管理費在0.2%到0.4%之間。",
        ),
    ],
)
def test_a_part_takes_what_it_is_about_from_the_first(
    question: str, headline: str, fee: str, other: str
) -> None:
    assert [each.sentence for each in tick(question, [shown(fee, headline)])] == [None, 0]
    assert [each.answered for each in tick(question, [shown(other, "")])] == [False, False]


@pytest.mark.parametrize(
    ("question", "somebody", "nobody"),
    [
        (
            "How much was stolen from the Orion fund, and who did it?",
            "A group called Night Lantern stole 3 million dollars from the Orion fund.",
            "About 3 million dollars was stolen from the Orion fund on Monday.",
        ),
        ("猎户基金被盗多少钱？谁盗走的？", "黑客陈大文盗走了猎户基金300万美元。", "猎户基金周一被盗走300万美元。"),
        ("獵戶基金被盜多少錢？誰盜走的？", "駭客陳大文盜走了獵戶基金300萬美元。", "獵戶基金週一被盜走300萬美元。"),
    ],
)  # fmt: skip
def test_who_did_it_is_open_where_nobody_is_named(
    question: str, somebody: str, nobody: str
) -> None:
    assert [each.answered for each in tick(question, [said(somebody)])] == [True, True]
    assert [each.answered for each in tick(question, [said(nobody)])] == [True, False]


@pytest.mark.parametrize(
    ("question", "cause", "consequence"),
    [
        ("Why did the Orion bank fail?", "The Orion bank failed because of a run.", "The token fell because the Orion bank failed."),
        ("猎户银行为什么倒闭？", "猎户银行因遭遇挤兑而倒闭。", "因为猎户银行倒闭，代币下跌。"),
        ("獵戶銀行為什麼倒閉？", "獵戶銀行因遭遇擠兌而倒閉。", "因為獵戶銀行倒閉，代幣下跌。"),
    ],
)  # fmt: skip
def test_what_came_of_it_is_not_its_cause(question: str, cause: str, consequence: str) -> None:
    assert tick(question, [said(cause)])[0].answered
    assert not tick(question, [said(consequence)])[0].answered


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        # Whose cause it is counts, and that something happened is not how.
        ("Why did Orion get its money back?", "Orion got its money back; the sum is higher because prices had risen."),
        ("猎户为什么拿回资金？", "猎户已拿回资金；数额更高，因为价格上涨。"),
        ("獵戶為什麼拿回資金？", "獵戶已拿回資金；數額更高，因為價格上漲。"),
        ("How did Orion recover?", "Orion recovered to about $1 on Monday."),
        ("猎户币如何恢复？", "猎户币周一恢复至约1美元。"),
        ("獵戶幣如何恢復？", "獵戶幣週一恢復至約1美元。"),
    ],
)  # fmt: skip
def test_a_cause_of_something_else_and_a_bare_event_tick_nothing(
    question: str, sentence: str
) -> None:
    assert not tick(question, [said(sentence)])[0].answered


@pytest.mark.parametrize(
    ("question", "sentences", "places"),
    [
        (
            "When was the Orion rule approved, and by what vote?",
            ["The Orion rule was approved on 10 January 2024.", "The Orion rule was approved by three votes to two."],
            [0, 1],
        ),
        ("猎户规则何时获批，投票结果如何？", ["猎户规则2024年1月10日获批。", "猎户规则的投票结果是三比二，随后获批。"], [0, 1]),
        ("獵戶規則何時獲批，投票結果如何？", ["獵戶規則2024年1月10日獲批。", "獵戶規則的投票結果是三比二，隨後獲批。"], [0, 1]),
    ],
)  # fmt: skip
def test_each_part_is_ticked_by_the_sentence_that_has_its_words(
    question: str, sentences: list[str], places: list[int]
) -> None:
    assert [each.sentence for each in tick(question, list(map(said, sentences)))] == places
