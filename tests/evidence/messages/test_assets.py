"""What a message is about: the thing that the event happens to first, in zh, zh-Hant and en."""

from __future__ import annotations

import pytest

from groundwire.evidence.messages.assets import asset_signs, assets_in
from groundwire.evidence.messages.profiles import profile


def symbols(text: str, event_type: str, field: str = "crypto") -> list[str]:
    return [each.symbol for each in assets_in(text, profile(field), event_type)]


@pytest.mark.parametrize(
    ("event_type", "text", "first"),
    [
        # a listing is the token's
        ("listing", "币安将上线 XYZ 代币", "XYZ"),
        ("listing", "幣安將上線 PEPE", "PEPE"),
        ("listing", "Coinbase will list Foo Network (FOO)", "FOO"),
        ("listing", "Upbit lists $WIF", "WIF"),
        ("listing", "Kraken announces listing of Chainlink", "LINK"),
        ("listing", "OKX 上線 ABC/USDT 交易對", "ABC"),
        ("delisting", "OKX 将下架 LUNA/USDT", "LUNA"),
        # a hack is the protocol's, not the coins' that were taken
        ("hack", "Foo Finance drained of 2,000 ETH", "Foo Finance"),
        ("hack", "Solana 生态 DeFi 协议 XXLend 遭攻击", "XXLend"),
        ("hack", "攻击者从 Curve Finance 盗走 5,000 枚 ETH", "CRV"),
        ("hack", "駭客從 Bybit 轉走 40 萬枚 ETH", "BYBIT"),
        ("hack", "Hackers stole $41M in USDC from BigONE exchange", "BigONE"),
        ("hack", "BSC-based SafeSwap exploited for 900 BNB", "SafeSwap"),
        ("hack", "100 BTC stolen from Kraken wallets", "KRAKEN"),
        # a peg is the stablecoin's
        ("depeg", "Binance pauses trading as USDC loses its peg", "USDC"),
        ("depeg", "币安上的 FDUSD 脱锚", "FDUSD"),
        ("depeg", "泰達幣脫錨", "USDT"),
        # otherwise whoever is named first
        ("regulation", "SEC sues Coinbase over staking", "COINBASE"),
        ("regulation", "SEC 批准以太坊现货 ETF", "ETH"),
        ("macro", "比特幣突破 10 萬美元", "BTC"),
        ("unlock", "ARB 将解锁 11 亿枚代币", "ARB"),
        ("airdrop", "LayerZero 空投开放申领", "ZRO"),
    ],
)
def test_the_thing_that_it_happens_to_comes_first(event_type: str, text: str, first: str) -> None:
    assert symbols(text, event_type)[0] == first


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("$BTC", "BTC"),
        ("btc to 100k", "BTC"),
        ("#BTC pumps", "BTC"),
        ("比特币", "BTC"),
        ("比特幣", "BTC"),
        ("Bitcoin", "BTC"),
        ("以太幣", "ETH"),
        ("usdc", "USDC"),
        ("狗狗幣", "DOGE"),
        ("Gate.io", "GATE"),
        ("Mt. Gox", "MTGOX"),
    ],
)
def test_an_asset_is_known_by_symbol_name_and_script(text: str, symbol: str) -> None:
    assert symbols(text, "other") == [symbol]


@pytest.mark.parametrize(
    "text",
    [
        "No one knows the link near the sand",
        "One more link to read, near the sandbox",
        "The optimism of the sky, safe and sound",
        "A maker of curve and circle",
        "NO ONE NEAR THE LINK IS SAFE RIGHT NOW",
        "他以太太的名义购买",  # 以太 inside other words
        "以太太的名義捐款",
        "the coin toss",
        "solution and solar",
        "Ada Lovelace wrote the first program",
        "The CEO of the ETF said no",
    ],
)
def test_words_that_also_mean_something_else_are_no_assets(text: str) -> None:
    assert symbols(text, "other") == []


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("NEAR token jumps", "NEAR"),
        ("$ONE is up", "ONE"),
        ("LINK 代币上涨", "LINK"),
        ("質押 SOL 的收益", "SOL"),
        ("Optimism mainnet is down", "OP"),
        ("Circle stablecoin reserves", "CIRCLE"),
    ],
)
def test_a_sign_makes_an_ambiguous_word_an_asset(text: str, symbol: str) -> None:
    assert symbol in symbols(text, "other")


def test_amounts_and_the_other_half_of_a_pair_stand_behind() -> None:
    found = assets_in("Moved 2,000 ETH to buy DOGE/USDT", profile("crypto"), "macro")
    assert [(each.symbol, each.aside) for each in found] == [
        ("DOGE", False),
        ("ETH", True),
        ("USDT", True),
    ]


def test_names_are_in_the_language_of_the_desk() -> None:
    crypto = profile("crypto")
    assert assets_in("BTC", crypto, "", "zh")[0].name == "比特币"
    assert assets_in("比特币", crypto, "", "en")[0].name == "Bitcoin"


def test_links_name_nothing() -> None:
    assert symbols("see https://example.org/bitcoin?x=$DOGE", "other") == []


@pytest.mark.parametrize(
    ("event_type", "text", "first"),
    [
        ("product", "特斯拉宣布召回 12 万辆汽车", "Tesla"),
        ("product", "華為發佈新款手機", "Huawei"),
        ("personnel", "Reuters: Tim Cook to step down as Apple CEO", "Tim Cook"),  # not the source
        ("corporate", "据路透社报道，比亚迪将在匈牙利建厂", "BYD"),
        ("corporate", "美国公司英特尔计划裁员", "Intel"),  # not the country
        ("disaster", "Japan hit by 7.1 magnitude earthquake", "Japan"),
        ("legal", "Google loses antitrust case", "Google"),
        ("personnel", "任正非将退休", "任正非"),
    ],
)
def test_outside_crypto_it_is_the_main_entity(event_type: str, text: str, first: str) -> None:
    assert symbols(text, event_type, "general")[0] == first


def test_a_text_without_names_is_about_nothing() -> None:
    assert symbols("今天天气真好", "other", "general") == []
    assert symbols("", "other") == []
    assert symbols("", "other", "general") == []


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        ("Bitcoin", True),
        ("Kraken was hacked", True),
        ("CoinDash raises money", True),
        ("BlackRock reports earnings", False),
        ("BitTorrent client update", False),
        ("near the link", False),
    ],
)
def test_certain_assets_show_the_field(text: str, enough: bool) -> None:
    assert (asset_signs(text, profile("crypto")) >= 3) is enough


@pytest.mark.parametrize(
    ("event_type", "text", "first"),
    [
        # the owner of a place, a title and a word that opens are no part of the name
        ("disaster", "Tokyo's Narita airport closes both runways", "Narita"),
        ("personnel", "BREAKING: Marlow Pharma CEO Ines Calder steps down", "Marlow Pharma"),
        ("corporate", "Hearing Corvex Foods is shutting its Irish plant", "Corvex Foods"),
        ("personnel", "Primatologist Jane Goodall dies at 91", "Jane Goodall"),
        ("personnel", "Argentina's central bank governor Paula Ferrero resigned", "Paula Ferrero"),
        # whoever acts is named, even where a capital may be the sentence's own
        ("product", "Dropbox is killing off Paper in September", "Dropbox"),
        ("corporate", "Ikea has bought Finnish furniture maker Koskiranta", "Ikea"),
        ("health", "Eggs from Harlow Farms linked to salmonella", "Harlow Farms"),
        ("disaster", "Big Ben is on fire", "Big Ben"),
        ("health", "WHO declares the emergency over", "WHO"),
        # towns stand behind companies, and open no company's name
        ("legal", "A Florida jury finds Halden Motors liable", "Halden Motors"),
        ("product", "深圳极曜智驾发布无方向盘量产车", "极曜智驾"),
        ("corporate", "南通远帆船舶重工今天申请破产重整", "南通远帆船舶重工"),
        ("corporate", "苏州蓝岸生物欠薪半年", "蓝岸生物"),
        ("corporate", "遠洋航空宣布裁員三成", "远洋航空"),
        ("disaster", "新北林口體育館工地鷹架下午倒塌", "林口体育馆"),
        ("policy", "教育部：明年起取消中考英语科目", "教育部"),
        ("disaster", "花蓮外海規模 6.2 地震", "花莲"),
        # what prices are told of
        ("market", "布伦特原油涨破每桶 120 美元", "布伦特原油"),
        ("market", "日經指數收盤大跌 1,800 點", "日经指数"),
        ("market", "Turkish lira plunges to a record low", "Turkish lira"),
    ],
)
def test_the_subject_is_named_in_full_and_without_what_stands_around_it(
    event_type: str, text: str, first: str
) -> None:
    assert symbols(text, event_type, "general")[0] == first


@pytest.mark.parametrize(
    ("event_type", "text", "first"),
    [
        ("hack", "Oakbridge, a cross-chain bridge, lost 4,100 ETH", "Oakbridge"),
        ("hack", "Halcyon Perps exploited, losses total $90M", "Halcyon Perps"),
        ("governance", "Ferrous DAO 通过了 4000 万 USDC 的回购方案", "Ferrous DAO"),
        ("regulation", "調查局搜索鯨豐虛擬資產交易所", "鲸丰"),
        ("hack", "跨链协议星桥协议遭攻击", "星桥协议"),
        ("listing", "OKX 要上 LUMA 现货了", "LUMA"),
    ],
)
def test_a_house_without_a_token_is_named_itself(event_type: str, text: str, first: str) -> None:
    assert symbols(text, event_type)[0] == first


def test_a_name_is_shown_in_the_script_of_the_reader_and_kept_in_one() -> None:
    found = assets_in("遠洋航空宣布裁員三成", profile("general"), "corporate", "zh-Hant")
    assert (found[0].symbol, found[0].name) == ("远洋航空", "遠洋航空")


def test_a_longer_name_that_a_party_opens_is_shown_whole() -> None:
    found = assets_in("Microsoft Teams is down for thousands", profile("general"), "product")
    assert (found[0].symbol, found[0].name) == ("Microsoft", "Microsoft Teams")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("First Citizens buys Silicon Valley Bank", "First Citizens"),
        ("First Harrow sold its branches in Ohio", "First Harrow"),
        ("Second Sight shares fell 20%", "Second Sight"),
        ("第一公民银行收购硅谷银行", "第一公民银行"),
        ("第一公民銀行買下矽谷銀行", "第一公民银行"),
        # what is counted is named without its number
        ("First Orvane factory opens in Ohio", "Orvane"),
        ("First US-built Orvane car leaves the plant", "US-built Orvane"),
    ],
)
def test_an_ordinal_may_open_a_name(text: str, first: str) -> None:
    assert symbols(text, "corporate", "general")[0] == first
