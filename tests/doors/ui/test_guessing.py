"""What somebody means by what they typed."""

from __future__ import annotations

import pytest

from groundwire.doors.ui.guessing import Command, command, commands, guess
from groundwire.jobs import offered
from groundwire.model.desk import CommandBar, Typed

CASES = (
    # questions
    ("Did USDC lose its peg in March 2023?", "ask"),
    ("did usdc lose its peg", "ask"),
    ("How many people use ChatGPT", "ask"),
    ("What we know about the Euler hack", "ask"),
    ("Summarise the collapse of Silicon Valley Bank", "ask"),
    ("The SEC account was hacked, who did it?", "ask"),
    ("USDC 为什么脱锚？", "ask"),
    ("DeepSeek R1 什么时候发布", "ask"),
    ("谁批准了比特币现货 ETF", "ask"),
    ("几家银行倒闭了？", "ask"),
    ("总结一下 DeepSeek 的历史", "ask"),
    ("USDC 為什麼脫錨", "ask"),
    ("總結一下 DeepSeek 的歷史", "ask"),
    ("哪些銀行在 2023 年倒閉？", "ask"),
    # only a name
    ("Bitcoin spot ETF", "ask"),
    ("比特币现货ETF", "ask"),
    ("馬斯克", "ask"),
    # messages
    ("USDC has lost its peg", "verify"),
    ("Coinbase will list XRP tomorrow", "verify"),
    ("Will Smith slaps Chris Rock at the Oscars", "verify"),
    ("Apple shares plunge 5% on China iPhone ban", "verify"),
    ("BREAKING: Circle has $3.3bn at SVB. Are your funds safe?", "verify"),
    ("The Euler attacker keeps all of the stolen funds", "verify"),
    ("SEC 批准比特币现货 ETF", "verify"),
    ("SEC 将决定何时批准 ETF", "verify"),
    ("有十几家银行倒闭", "verify"),
    ("歐拉遭黑客攻擊，損失近2億美元", "verify"),
    # doubts
    ("Is it true that Coinbase lists XRP?", "verify"),
    ("Rumour: DeepSeek will release R2 in March", "verify"),
    ("网传币安将下架 USDT，是真的吗？", "verify"),
    ("听说苹果被禁了", "verify"),
    ("網傳幣安將下架 USDT，是真的嗎？", "verify"),
)


@pytest.mark.parametrize(("text", "kind"), CASES)
def test_the_form_says_what_is_meant(text: str, kind: str):
    assert guess(text).kind == kind
    assert guess(f"  {text}\n").kind == kind


@pytest.mark.parametrize(
    ("text", "kind", "rest"),
    [
        ("verify: who is the richest man?", "verify", "who is the richest man?"),
        ("ask：SEC 批准比特币现货 ETF", "ask", "SEC 批准比特币现货 ETF"),
        ("核实：月亮是奶酪做的吗？", "verify", "月亮是奶酪做的吗？"),
        ("提問: 馬斯克買了推特", "ask", "馬斯克買了推特"),
        (" /ask: Circle was hacked", "ask", "Circle was hacked"),
    ],
)
def test_a_first_word_says_it_outright(text: str, kind: str, rest: str):
    found = guess(text)
    assert (found.kind, text[found.skip :], found.named) == (kind, rest, True)


def test_a_rumour_keeps_its_first_word():
    found = guess("Rumour: DeepSeek will release R2 in March")
    assert (found.kind, found.skip, found.named) == ("verify", 0, False)


def test_a_colon_alone_says_nothing():
    for text in ("verify:", "快讯：Circle 已取回全部存款", "https://example.org/a", "A: B: C"):
        assert (guess(text).skip, guess(text).named) == (0, False)


@pytest.mark.parametrize("text", ["", " ", "?", "？！", "🙂", "\0", "a" * 100_000, "甲" * 5_000])
def test_anything_gets_a_guess(text: str):
    assert guess(text).kind in {"ask", "verify"}


@pytest.mark.parametrize(
    "question",
    [
        "Why did USDC lose its peg in March 2023, and what did Circle and the FDIC say about it? ",
        "2023年3月USDC为什么脱锚，Circle和监管机构说了什么？",
        "2023年3月USDC為什麼脫鉤，Circle和監管機構說了什麼？",
    ],
)
def test_who_only_asks_asks_however_long(question: str):
    for times in (1, 8, 40):
        assert guess(question * times).kind == "ask", times
    assert guess(f"Circle said the reserves are safe. {question * 8}").kind == "verify"


def test_only_jobs_that_exist_are_guessed():
    kinds = {job.kind for job in offered()}
    assert {each.kind for each in commands()} <= kinds
    assert command("tool") is None
    for each in commands():
        assert each.field in {
            name for job in offered() if job.kind == each.kind for name in job.input.model_fields
        }


def test_a_later_job_plugs_in_with_its_own_rule():
    def fits(typed: Typed) -> float:
        return 1.0 if typed.text.lower().startswith(("chart", "画图")) else 0.0

    chart = Command(kind="chart", bar=CommandBar(fits=fits), field="command")
    both = (*commands(), chart)
    assert guess("Chart what the SEC says about ETFs", both).kind == "chart"
    assert guess("画图 SEC 对 ETF 的表态", both).kind == "chart"
    assert guess("What does the SEC say about ETFs?", both).kind == "ask"
    assert guess("Chart what the SEC says about ETFs").kind != "chart"
