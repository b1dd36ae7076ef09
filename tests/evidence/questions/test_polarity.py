"""Hedging, negation and denial."""

from __future__ import annotations

import pytest

from groundwire.evidence.questions.polarity import hedges, opposes
from groundwire.language.text.stems import stem


@pytest.mark.parametrize(
    ("text", "hedged"),
    [
        ("The bank reportedly failed.", True),
        ("An unconfirmed report said so.", True),
        ("It may have failed.", True),
        ("On 5 May it failed.", False),
        ("Confirmed: it failed.", False),
        ("据传该行倒闭", True),
        ("據傳該行倒閉", True),
        ("未經證實的消息", True),
        ("该行可能倒闭", True),
        ("该行不可能倒闭", False),
        ("该行倒闭", False),
    ],
)
def test_hedges(text: str, hedged: bool) -> None:
    assert hedges(text) is hedged


@pytest.mark.parametrize(
    ("statement", "quote", "opposite"),
    [
        ("The bank failed.", "The bank has not failed.", True),
        ("The bank didn't fail.", "The bank failed.", True),
        ("The bank failed.", "The bank failed.", False),
        ("The bank did not fail.", "The bank never failed.", False),
        ("It lists the token.", "It not only lists the token but trades it.", False),
        ("USDC fell to $0.88.", "USDC fell to $0.88, but did not recover.", False),
        ("Tether holds deposits at SVB.", "Tether denied that it holds deposits at SVB.", True),
        ("Tether denied holding deposits.", "Tether denies that it holds deposits.", False),
        ("The merger is planned.", "Reports that the merger is planned are untrue.", True),
        ("硅谷银行倒闭。", "硅谷银行没有倒闭。", True),
        ("硅谷銀行倒閉。", "硅谷銀行並未倒閉。", True),
        ("该行没有倒闭。", "该行并未倒闭。", False),
        ("存款受到影响。", "该公司否认存款受到影响。", True),
        ("存款受到影響。", "該公司否認存款受到影響。", True),
        ("该行不断扩张。", "该行扩张。", False),
        ("The bank failed.", "Not.", False),
    ],
)
def test_opposites(statement: str, quote: str, opposite: bool) -> None:
    assert opposes(statement, quote) is opposite
    assert opposes(quote, statement) is opposite


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("listed", "listing"), ("lists", "listed"), ("stopped", "stop"), ("prices", "price"),
        ("denied", "deny"), ("companies", "company"), ("fell", "fall"), ("holding", "hold"),
        ("银行", "银行"), ("falls", "fell"), ("loss", "loss"),
    ],
)  # fmt: skip
def test_stems(one: str, other: str) -> None:
    assert stem(one) == stem(other)
