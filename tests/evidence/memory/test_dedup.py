"""What makes two messages one: repetition in another form does, another fact never does."""

from __future__ import annotations

import pytest

from groundwire.evidence.memory.dedup import (
    NEAR,
    SAME_SIGNAL,
    band_keys,
    digest,
    near_duplicate,
    normal_form,
    same_signal,
    similarity,
)

LOSS = "Nova Bridge loses $41M in a hot wallet exploit, team pauses withdrawals"
LOSS_ZH = "诺瓦桥热钱包遭攻击，损失4100万美元，团队已暂停提款"
LOSS_HANT = "諾瓦橋熱錢包遭攻擊，損失4100萬美元，團隊已暫停提款"

# One message in other clothes: one digest.
SAME = [
    (LOSS, LOSS.upper()),  # case
    (LOSS, f"🚨🚨 BREAKING: {LOSS}!!!"),  # alarm and punctuation
    (LOSS, f"JUST IN: {LOSS}"),
    (LOSS, f"RT @newsdesk: {LOSS}"),  # passed on
    (LOSS, f"{LOSS} (via @newsdesk)"),
    (LOSS, f"{LOSS}\n\nSource: Ledger Daily"),
    (LOSS, LOSS.replace(" ", "\u3000  ")),  # blanks
    (LOSS, "Ｎｏｖａ Ｂｒｉｄｇｅ " + LOSS[12:]),  # width
    (LOSS, LOSS.replace("Nova Bridge", "#Nova #Bridge")),  # hashtags
    (f"{LOSS} https://a.example/x?utm_source=tg", f"{LOSS} https://a.example/x"),  # tracking
    (f"{LOSS} https://a.example/x/", f"{LOSS} https://A.example/x#top"),
    ("Trader moves 41,000,000 tokens", "Trader moves 41000000 tokens"),  # thousands
    (LOSS_ZH, LOSS_HANT),  # script
    (LOSS_ZH, f"【快讯】{LOSS_ZH}"),
    (LOSS_HANT, f"⚡️快訊｜{LOSS_HANT}🔥"),
    (LOSS_ZH, LOSS_ZH.replace("，", ", ")),  # punctuation of the other width
    (LOSS_ZH, "诺瓦桥 热钱包 遭攻击 损失4100万美元 团队已暂停提款。"),
    (LOSS_ZH, f"{LOSS_ZH}（来源：链上日报）"),
    (LOSS_HANT, f"{LOSS_HANT}\n來源：鏈上日報"),
    (LOSS, f"🚨BREAKING🚨 {LOSS} | via Ledger Daily"),
    (LOSS, f"[ALERT] {LOSS}"),
]

# Nearly the same text, nothing else said: layer 3 knows it.
NEARLY = [
    (LOSS, f"{LOSS}. More details to follow shortly"),
    (LOSS, f"see this: {LOSS}"),
    (
        "Harbor Light Bank opens a branch in Marlow and hires a team of local advisers for it",
        "Harbor Light Bank opens a branch in Marlow and hires a team of local advisers",
    ),
    (LOSS_ZH, f"{LOSS_ZH}，详情请看"),
    (LOSS_HANT, f"{LOSS_ZH}，请大家注意"),
]

# Alike, and yet another message: what differs is a fact.
OTHER_FACT = [
    # figures
    (LOSS, LOSS.replace("$41M", "$14M")),
    (LOSS, LOSS.replace("$41M", "$41B")),
    (LOSS, LOSS.replace("$41M", "€41M")),
    (LOSS, LOSS.replace("$41M", "$41.5M")),
    (LOSS_ZH, LOSS_ZH.replace("4100万", "1400万")),
    (LOSS_HANT, LOSS_ZH.replace("4100万", "4100亿")),
    ("The rate was raised by 25 basis points today", "The rate was raised by 50 basis points today"),
    ("央行宣布加息25个基点，即日生效", "央行宣布加息50个基点，即日生效"),
    ("BTC is up 5% in an hour", "BTC is up 15% in an hour"),
    ("BTC +5% in an hour as volumes rise", "BTC -5% in an hour as volumes rise"),
    ("Nova Bridge v2.1 has a flaw in its router", "Nova Bridge v2.7 has a flaw in its router"),
    ("Three validators of Nova Bridge went offline", "Two validators of Nova Bridge went offline"),
    ("三家银行宣布停止向诺瓦桥提供服务", "两家银行宣布停止向诺瓦桥提供服务"),
    ("Block 19000001 was reorganised by the miners", "Block 19000002 was reorganised by the miners"),
    (LOSS, f"{LOSS} with 3,000 users affected"),
    # dates
    ("Nova token unlock is on 3 March 2026", "Nova token unlock is on 4 March 2026"),
    ("Nova token unlock is on Monday this week", "Nova token unlock is on Friday this week"),
    ("诺瓦代币将于3月3日解锁", "诺瓦代币将于3月4日解锁"),
    ("諾瓦代幣將於3月3日解鎖", "诺瓦代币将于5月3日解锁"),
    ("Nova Bridge was exploited in 2024, auditors found", "Nova Bridge was exploited in 2025, auditors found"),
    # names
    ("Binance lists the Nova token for spot trading", "Coinbase lists the Nova token for spot trading"),
    ("币安将上线诺瓦代币现货交易", "欧易将上线诺瓦代币现货交易"),
    ("幣安將上線諾瓦代幣現貨交易", "Kraken将上线诺瓦代币现货交易"),
    ("Binance acquires Kraken in an all-stock deal", "Kraken acquires Binance in an all-stock deal"),
    ("李伟出任诺瓦桥首席执行官", "王芳出任诺瓦桥首席执行官"),
    ("Ana Ruiz was named chief executive of Nova Bridge", "Bo Chen was named chief executive of Nova Bridge"),
    # negation and denial
    ("诺瓦桥热钱包遭攻击", "诺瓦桥热钱包未遭攻击"),
    ("諾瓦橋熱錢包遭攻擊", "諾瓦橋熱錢包並未遭攻擊"),
    ("诺瓦桥遭攻击，资金被转出", "诺瓦桥否认遭攻击，资金被转出"),
    ("Nova Bridge has been hacked, users report", "Nova Bridge has not been hacked, users report"),
    ("Nova Bridge confirms the reserves shortfall", "Nova Bridge denies the reserves shortfall"),
    ("Nova Bridge hack rumours are true", "Nova Bridge hack rumours are false rumours"),
    ("诺瓦桥被盗的消息", "诺瓦桥被盗的消息是假消息"),
    ("Nova Bridge exploited for $41M ✅", "Nova Bridge exploited for $41M ❌"),
    ("Withdrawals at Nova Bridge work", "Withdrawals at Nova Bridge no longer work"),
    # opposites
    ("SEC approves the Nova spot ETF filing", "SEC rejects the Nova spot ETF filing"),
    ("证监会批准诺瓦现货ETF申请", "证监会驳回诺瓦现货ETF申请"),
    ("證監會批准諾瓦現貨ETF申請", "證監會否決諾瓦現貨ETF申請"),
    ("Nova price surged after the news of the deal", "Nova price plunged after the news of the deal"),
    ("诺瓦价格大涨，成交量创纪录", "诺瓦价格大跌，成交量创纪录"),
    ("Nova Bridge suspends withdrawals for all users", "Nova Bridge resumes withdrawals for all users"),
    ("诺瓦桥暂停所有用户提款", "诺瓦桥恢复所有用户提款"),
    ("Binance lists the Nova token for trading today", "Binance delists the Nova token for trading today"),
    ("Velmora resumes payments via SWIFT", "Velmora resumes payments via CIPS"),
    ("Investigators name the hack's source: Lazarus", "Investigators name the hack's source: Turla"),
    ("消息人士称诺瓦桥被盗", "知情人士称诺瓦桥被盗4100万美元"),
    ("【辟谣】诺瓦桥被盗", "【快讯】诺瓦桥被盗"),
    ("[CORRECTION] Nova Bridge lost user funds", "Nova Bridge lost user funds and more"),
    # another chapter
    (LOSS, LOSS.replace("loses", "recovers")),
    (LOSS, f"UPDATE: {LOSS}, hacker arrested"),
    (LOSS_ZH, f"{LOSS_ZH}，官方已确认"),
    (LOSS_HANT, f"{LOSS_HANT}，資金已追回"),
    ("Nova Bridge reportedly exploited by hackers", "Nova Bridge exploited by hackers"),
    ("网传诺瓦桥遭黑客攻击", "诺瓦桥遭黑客攻击"),
    ("Was Nova Bridge exploited by hackers?", "Nova Bridge was exploited by hackers"),
    ("诺瓦桥遭黑客攻击了吗？", "诺瓦桥遭黑客攻击了"),
    ("Binance will list the Nova token", "Binance listed the Nova token"),
    ("币安即将上线诺瓦代币", "币安上线诺瓦代币"),
    ("Binance to list the Nova token", "Binance lists the Nova token"),
]  # fmt: skip

# The same event told in other words: layer 4 knows it, once asset and type are the same.
SAME_EVENT = [
    (
        "Hackers stole $41M from Nova Bridge on Tuesday",
        "Nova Bridge: hackers stole $41M on Tuesday, users say",
    ),
    (
        "Nova Bridge loses $41 million to hackers in hot wallet exploit",
        "Hackers exploit hot wallet of Nova Bridge, $41M loss",
    ),
    ("诺瓦桥热钱包被黑客攻击，损失4100万美元", "损失4100万美元，诺瓦桥热钱包被黑客攻击"),
    ("諾瓦橋熱錢包被黑客攻擊，損失4100萬美元", "诺瓦桥的热钱包被黑客攻击损失4100万美元"),
]

UNRELATED = [
    (LOSS, "Harbor Light Bank opens a branch in Marlow"),
    (LOSS_ZH, "海角渡轮公司宣布单程票价为12元"),
    (LOSS, LOSS_ZH),
]


@pytest.mark.parametrize(("first", "later"), SAME)
def test_a_message_in_other_clothes_has_the_same_digest(first: str, later: str):
    assert normal_form(first) == normal_form(later)
    assert digest(first) == digest(later)
    assert near_duplicate(first, later).reaches(NEAR)


@pytest.mark.parametrize(("first", "later"), NEARLY)
def test_a_message_that_hardly_differs_is_a_near_duplicate(first: str, later: str):
    assert digest(first) != digest(later)
    assert near_duplicate(first, later).reaches(NEAR), near_duplicate(first, later)
    assert set(band_keys(first)) & set(band_keys(later))


@pytest.mark.parametrize(("first", "later"), OTHER_FACT)
def test_another_fact_is_another_message_however_alike(first: str, later: str):
    assert digest(first) != digest(later)
    assert not near_duplicate(first, later).reaches(NEAR), near_duplicate(first, later)
    assert not same_signal(first, later).reaches(SAME_SIGNAL), same_signal(first, later)


def test_there_are_sixty_ways_to_try():
    assert len(SAME) + len(NEARLY) + len(OTHER_FACT) + len(SAME_EVENT) >= 80
    assert len(OTHER_FACT) >= 50


@pytest.mark.parametrize(("first", "later"), SAME_EVENT)
def test_the_same_event_in_other_words_is_the_same_signal(first: str, later: str):
    assert same_signal(first, later).reaches(SAME_SIGNAL), same_signal(first, later)


@pytest.mark.parametrize(("first", "later"), UNRELATED)
def test_what_is_about_something_else_is_not_alike(first: str, later: str):
    assert similarity(first, later) < 0.3
    assert not set(band_keys(first)) & set(band_keys(later))


@pytest.mark.parametrize(("first", "later"), [*SAME, *NEARLY, *OTHER_FACT, *SAME_EVENT])
def test_similarity_is_symmetric_and_a_share(first: str, later: str):
    assert similarity(first, later) == similarity(later, first)
    assert 0.0 <= similarity(first, later) <= 1.0
    assert similarity(first, first) == 1.0


def test_a_repetition_may_say_less_but_not_more():
    more = f"{LOSS}, 3,000 users affected"
    assert not same_signal(LOSS, more).reaches(SAME_SIGNAL)
    assert same_signal(more, LOSS).reaches(SAME_SIGNAL)


@pytest.mark.parametrize(
    "text", ["🚀", "https://a.example/x?utm_source=tg", "？！", "#", "via @desk", "9"]
)
def test_a_message_without_words_has_a_normal_form_of_its_own(text: str):
    assert digest(text)
    assert len(band_keys(text)) == 20
    assert near_duplicate(text, text).reaches(NEAR)


def test_two_links_alone_are_two_messages():
    assert not near_duplicate("https://a.example/x", "https://b.example/y").reaches(NEAR)
    assert digest("https://a.example/x") != digest("https://b.example/y")


def test_a_long_text_may_put_a_few_words_otherwise():
    words = [f"{left}{right}" for left in ("mar", "vel", "tor", "lin") for right in (
        "bok", "dex", "fam", "gil", "hop", "jun", "kel", "lop", "mid", "nor", "pid", "que", "ras",
        "sil", "tup", "vok", "wem", "yap", "zil", "bra")]  # fmt: skip
    first = " ".join(words)
    assert near_duplicate(first, first.replace("velgil", "ostpun")).reaches(NEAR)
