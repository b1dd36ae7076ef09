"""The main topics of the sample are told by three origins, and in both languages."""

from __future__ import annotations

import re

import pytest
from tests.sample.test_sample import ARTICLES, Article

# Each fact: what one sentence has to hold in English, and in Chinese of either script.
FACTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Signature Bank was closed": (
        ("Signature Bank", "closed|closes|shut"),
        ("签名银行|簽名銀行", "关闭|關閉"),
    ),
    "First Citizens bought Silicon Valley Bank": (
        ("First.Citizens", "Silicon Valley", "buy|bought|took over|agreement"),
        ("第一公民", "硅谷银行|矽谷銀行", "收购|買下"),
    ),
    "DeepSeek denied a date of R2": (
        ("R2", "denied|false|fake"),
        ("R2", "假消息|消息是假的"),
    ),
    "Vanguard does not sell bitcoin funds": (
        ("Vanguard", "bitcoin funds", "not|off its|cannot"),
        ("先锋领航|先鋒領航", "比特币|比特幣|这类|這些", "不会|不會"),
    ),
    "ether funds were approved": (
        ("ether", "23 May|Thursday", "approved"),
        ("以太", "5月23日", "批准"),
    ),
    "ether funds began to trade": (
        ("ether", "23 July", "began trading"),
        ("以太", "7月23日", "开始交易|開始交易"),
    ),
    "Beanstalk was attacked": (
        ("Beanstalk|protocol", r"\$182 million"),
        ("Beanstalk|协议|協議", "1.82[亿億]"),
    ),
    "Wahi was charged": (
        ("manager", "Coinbase", "charged"),
        ("Coinbase", "瓦希", "起诉|起訴"),
    ),
    "Wahi was sentenced": (
        ("Wahi", "two years in prison"),
        ("瓦希", "两年监禁|兩年"),
    ),
    "the iPhone 16 was introduced": (
        ("iPhone 16", "introduced", "9 September 2024"),
        ("iPhone 16", "发布|發表", "2024年9月"),
    ),
    "Italy blocked ChatGPT": (
        ("Ital", "31 March 2023", "OpenAI|ChatGPT"),
        ("意大利", "3月31日", "ChatGPT"),
    ),
    "ChatGPT came back to Italy": (
        ("ChatGPT", "Italy", "28 April 2023"),
        ("ChatGPT", "意大利", "4月28日", "恢复"),
    ),
    "Biden signed an order on AI": (
        ("signed", "order", "30 October 2023"),
        ("拜登", "10月30日", "签署|簽署|签发"),
    ),
    "Trump revoked the order": (
        ("revoked", "Biden", "order"),
        ("特朗普|川普", "撤销|撤銷", "拜登"),
    ),
    "Altman was dismissed": (
        ("OpenAI|board", "dismissed", "Altman", "17 November"),
        ("奥特曼|奧特曼", "11月17日", "解除|解职|解職"),
    ),
    "Altman came back": (
        ("Altman", "return", "chief executive"),
        ("奥特曼", "重新担任|重返"),
    ),
    "Parliament passed the AI Act": (
        ("Parliament", "passed|adopted|approved", "13 March 2024"),
        ("欧洲议会|歐洲議會", "3月13日", "通过|通過"),
    ),
    "the AI Act took effect": (
        (
            "AI Act|Artificial Intelligence Act|law",
            "enters into force|took effect",
            "1 August 2024",
        ),
        ("人工智能法案", "8月1日", "生效"),
    ),
}
# Told in one language on purpose: questions pin what an answer says when its pages are foreign.
CHINESE: dict[str, tuple[str, ...]] = {
    "Hinton won the Nobel prize": ("辛[顿頓]", "物理[学學][奖獎]"),
    "Hinton left Google": ("辛[顿頓]", "[离離][开開]谷歌"),
}


def sentences(article: Article) -> list[str]:
    mark = r"(?<=[。！？])|\n+" if article.chinese else r"(?<=[.!?])\s+"
    return [*re.split(mark, article.body), article.head["title"]]


def tellers(words: tuple[str, ...], *, chinese: bool) -> set[str]:
    """Name the outlets whose own reports hold every word in one sentence."""
    return {
        article.head["publisher"]
        for article in ARTICLES
        if article.chinese == chinese
        and not re.search("copy of|re-post of|translation of|satire|injected", article.note)
        and any(all(re.search(w, text) for w in words) for text in sentences(article))
    }


@pytest.mark.parametrize("fact", FACTS)
def test_a_main_fact_has_three_origins_and_both_languages(fact: str) -> None:
    english, chinese = (tellers(words, chinese=i == 1) for i, words in enumerate(FACTS[fact]))
    assert english, fact
    assert chinese, fact
    assert len(english | chinese) >= 3, (english, chinese)


@pytest.mark.parametrize("fact", CHINESE)
def test_what_is_told_in_chinese_alone_has_three_origins(fact: str) -> None:
    assert len(tellers(CHINESE[fact], chinese=True)) >= 3
