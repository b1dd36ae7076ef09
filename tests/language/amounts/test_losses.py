"""The loss that a text states in dollars, and nothing where it states none."""

from __future__ import annotations

from decimal import Decimal

import pytest

from groundwire.language.amounts.losses import stated_loss

STATED = [
    # English
    ("Bridge hacked, $41M stolen", 41_000_000),
    ("Hackers drained more than $100 million in USDC from the exchange", 100_000_000),
    ("The protocol lost 2,000 ETH worth $7 million in the exploit", 7_000_000),
    ("Attackers made off with 1,078 BNB (~$298.2K)", 298_200),
    ("$100M USDC was moved out of the vault by the attacker", 100_000_000),
    ("Losses are estimated at $4.3 M after the flash loan attack", 4_300_000),
    ("An attacker took a $50M flash loan and drained $3.2M from the pool", 3_200_000),
    ("The DEX was exploited for $12.5 million; $2 million has been recovered", 12_500_000),
    ("Exploiter returned $5M, the total loss was $22 million", 22_000_000),
    ("Rug pull: team vanished with $1.7 million", 1_700_000),
    ("Lender with a TVL of $300M suffers $20M hack", 20_000_000),
    # simplified
    ("某跨链桥遭黑客攻击，损失 4,100万美元", 41_000_000),
    ("交易所热钱包被盗，超过1亿美元被转走", 100_000_000),
    ("协议被攻击，约 2,000 枚 ETH（价值约 700 万美元）被盗", 7_000_000),
    ("项目方跑路，卷走 350 万 USDT", 3_500_000),
    ("攻击者借出 5,000 万美元闪电贷，最终获利 320 万美元", 3_200_000),
    ("被盗 2,200 万美元，其中 500 万美元已追回", 22_000_000),
    # traditional
    ("交易所遭駭，損失超過 6,000 萬美元", 60_000_000),
    ("錢包漏洞導致 1.2 億美元被盜", 120_000_000),
    ("協議遭攻擊，攻擊者盜走約 890 萬美元", 8_900_000),
]
NOT_STATED = [
    "Bridge hacked, users should revoke approvals",
    "Startup raises $41M in Series B led by Paradigm",
    "Bitcoin falls to $61,000 as traders wait",
    "Protocol with a TVL of $300 million passes audit",
    "The team offers a $1M bounty to the attacker",
    "All $8M were recovered and returned to users",
    "No funds were lost; the $30M vault is safe",
    "Attackers took 390 ETH from the contract",  # a coin without its price in dollars
    "",
    "某协议遭攻击，具体损失仍在统计",
    "比特币价格跌至 61,000 美元",
    "公司完成 4,100 万美元融资",
    "项目方已追回 800 万美元",
    "悬赏 100 万美元征集线索",
    "該協議總鎖倉 3 億美元，運行正常",
    "團隊已追回 500 萬美元",
]


@pytest.mark.parametrize(("text", "usd"), STATED)
def test_a_stated_loss_is_found(text: str, usd: int) -> None:
    found = stated_loss(text)
    assert found is not None
    assert found.usd == Decimal(usd)


@pytest.mark.parametrize("text", NOT_STATED)
def test_other_amounts_are_no_loss(text: str) -> None:
    assert stated_loss(text) is None


def test_the_loss_is_as_exact_as_the_text_says() -> None:
    over, about = stated_loss("损失超过1亿美元，被盗"), stated_loss("hacked for about $3 million")
    assert over is not None and over.qualifier == "over"
    assert about is not None and about.qualifier == "about"
    assert about.text == "$3 million"


def test_programs_and_addresses_state_no_loss() -> None:
    assert stated_loss("```solidity\n// stolen $5M\n```") is None
    assert stated_loss("see https://example.org/exploit-usd27m-stolen") is None
