"""What numbers say of a message: zh, zh-Hant and en, and above all when they say nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from groundwire.evidence.markets.market_claims import is_past
from groundwire.jobs.verify.market_bearing import (
    MarketMessage,
    money,
    of_macro,
    of_onchain,
    of_price,
)
from groundwire.jobs.verify.signal import Preliminary
from groundwire.model.measure import Locked, MeasuredBearing, Observation, Peg, Quote, Series, Theft
from groundwire.words import words

AT = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
C, X, S = "confirms", "contradicts", "silent"


def market_message(
    text: str, asset: str = "", event: str = "other", **more: object
) -> MarketMessage:
    first = Preliminary(
        profile="crypto",
        event_type=event,
        asset=asset,
        confidence=0.6,
        summary=text,
        amounts=more.pop("amounts", ()),  # pyright: ignore[reportArgumentType]
    )
    return MarketMessage(first, text, more.pop("at", AT), **more)  # pyright: ignore[reportArgumentType]


def stable(price: float, asset: str = "USDC", quoted_at: datetime = AT) -> Quote:
    return Quote(
        asset=asset,
        price=price,
        peg="USD",
        deviation=(price - 1) * 100,
        quoted_at=quoted_at,
        source="coingecko",
    )


def traded(price: float, change: float | None = None, asset: str = "BTC", **more: object) -> Quote:
    return Quote(
        asset=asset,
        price=price,
        change_24h=change,
        quoted_at=more.pop("quoted_at", AT),  # pyright: ignore[reportArgumentType]
        source="binance",
        **more,  # pyright: ignore[reportArgumentType]
    )


PEGS = [
    # lost, and it is
    ("USDC has lost its peg to the dollar", 0.95, C),
    ("USDC depegs, falls to $0.95", 0.951, C),
    ("BREAKING: USDC loses dollar peg", 0.985, C),
    ("USDC slips below its peg", 0.97, C),
    ("USDC 已脱锚", 0.93, C),
    ("USDC脫錨，跌至0.92美元", 0.93, C),
    ("USDC跌破1美元锚定", 0.93, C),
    ("USDC 與美元脫鉤", 0.93, C),
    ("USDC depegged upwards", 1.05, C),
    ("Rumor: USDC is depegging", 0.95, C),  # a rumour states what can be looked at
    ("网传USDC脱锚", 0.95, C),
    # lost, and it is not
    ("USDC has lost its peg to the dollar", 0.9998, X),
    ("USDC is depegging right now", 1.0005, X),
    ("USDC 已脱锚", 0.9995, X),
    ("USDC 已經脫錨", 0.9995, X),
    ("刚刚，USDC脱锚，持有者恐慌抛售", 1.0001, X),
    ("USDC跌破一美元", 1.0001, X),
    # between
    ("USDC has lost its peg to the dollar", 0.993, S),
    ("USDC 已脱锚", 0.995, S),
    # not as far as is said
    ("USDC depegs, crashes to $0.80", 0.985, S),
    ("USDC脱锚，暴跌至0.5美元", 0.98, S),
    # a small slip that is stated exactly is there
    ("USDC slips from its peg, drops to $0.995", 0.9952, C),
    # a stablecoin that is said to stand elsewhere has lost its peg
    ("USDC plunges to $0.87", 0.88, C),
    ("USDC暴跌至0.87美元", 0.9999, X),
    ("USDC 暴跌至0.87美元，一度失守", 0.9999, S),
    # the peg of another coin, or of several
    ("USDC steady while USDT depegs", 0.9999, S),
    ("USDT 脱锚，USDC 未受影响", 0.9999, S),
    ("USDC and USDT depeg", 0.9999, X),
    ("USDT、USDC 雙雙脫錨", 0.95, C),
    # regained or kept
    ("USDC has regained its peg", 0.9999, C),
    ("USDC re-pegged after a wild weekend", 1.0, C),
    ("USDC 恢复锚定", 0.9999, C),
    ("USDC恢復與美元的錨定", 0.9999, C),
    ("USDC 重回1美元", 1.0001, C),
    ("USDC has regained its peg", 0.95, X),
    ("USDC 已重新锚定", 0.95, X),
    ("USDC 回錨", 0.95, X),
    ("USDC has failed to regain its peg", 0.95, C),
    ("USDC尚未恢复锚定", 0.95, C),
    ("USDC has not depegged", 0.9999, C),
    ("USDC 并未脱锚", 0.9999, C),
    ("USDC並沒有脫錨", 0.93, X),
    ("USDC holds its dollar peg", 0.9999, C),
    # not stated, or not of now, or not of everywhere
    ("USDC could lose its peg", 0.95, S),
    ("Is USDC depegging?", 0.9999, S),
    ("USDC可能脱锚", 0.9999, S),
    ("USDC 會脫錨嗎？", 0.9999, S),
    ("USDC depeg fears spread among traders", 0.9999, S),
    ("市场担忧USDC脱锚风险", 0.9999, S),
    ("Circle denies that USDC depegged", 0.9999, S),
    ("USDC脱锚传闻不实", 0.9999, S),
    ("USDC depegged in March 2023", 0.9999, S),
    ("2023年3月，USDC一度脱锚", 0.9999, S),
    ("2023年3月USDC脫錨", 0.93, S),
    ("USDC lost its peg last year", 0.95, S),
    ("去年USDC脱锚", 0.95, S),
    ("Two years on: looking back at how USDC lost its peg", 0.9999, S),
    ("回顾USDC脱锚事件", 0.9999, S),
    ("USDC briefly lost its peg", 0.9999, S),
    ("USDC一度脱锚至0.9美元", 0.9999, S),
    ("USDC depegs on Curve", 0.9999, S),
    ("Circle publishes its reserves report", 0.9999, S),
]


@pytest.mark.parametrize(("text", "price", "bearing"), PEGS)
def test_a_peg(text: str, price: float, bearing: str) -> None:
    found = of_price(market_message(text, "USDC", "depeg"), [stable(price)])
    assert found.bearing == bearing, found.why
    assert found.why
    chain = Peg(asset="USDC", price=price, deviation=(price - 1) * 100)
    assert of_onchain(market_message(text, "USDC", "depeg"), AT, pegs=[chain]).bearing == bearing


LEVELS = [
    ("BTC falls below $60,000", 59_000, None, C),
    ("BTC falls below $60k", 59_900, None, C),
    ("比特币跌破6万美元", 59_000, None, C),
    ("比特幣跌破6萬美元關口", 59_000, None, C),
    ("BTC跌破60000美元", 66_000, None, X),
    ("BTC falls below $60,000", 66_000, None, X),
    ("比特幣跌破六萬美元", 66_000, None, X),
    ("BTC falls below $60,000", 60_400, None, S),  # too near
    ("Bitcoin breaks above $100,000", 101_000, None, C),
    ("比特币突破10万美元", 101_000, None, C),
    ("比特幣站上10萬美元", 95_000, None, X),
    ("Bitcoin tops $100,000", 95_000, None, X),
    ("Bitcoin drops to $58,000", 58_200, None, C),
    ("Bitcoin drops to $58,000", 60_500, None, S),  # near, and yet not there
    ("Bitcoin drops to $55,000", 66_000, None, X),
    ("比特币跌至5.5万美元", 66_000, None, X),
    ("比特币闪崩至5.5万美元", 66_000, None, S),  # for a moment
    ("BTC短线跌破6万美元", 66_000, None, S),
    ("BTC falls below $60,000", 30_000, -1.0, S),  # it has been there for long
    ("BTC falls below $60,000", 48_000, -25.0, C),
    ("BTC could fall below $60,000", 59_000, None, S),
    ("BTC 可能跌破6万美元", 66_000, None, S),
    ("BTC has not fallen below $60,000", 66_000, None, S),
    ("BTC未跌破6万美元", 66_000, None, S),
    ("Will BTC fall below $60,000?", 66_000, None, S),
    ("BTC fell below $20,000 in June 2022", 66_000, None, S),
    ("2022年6月比特币跌破2万美元", 66_000, None, S),
    ("Over $500 million in BTC longs liquidated", 66_000, None, S),  # not a price of it
    ("ETH falls below $2,500 while BTC holds", 66_000, None, S),  # another coin's
    ("BTC down 12% in 24h", 60_000, -12.4, C),
    ("比特币24小时跌幅达12%", 60_000, -11.0, C),
    ("比特幣24小時下跌12%", 60_000, -12.0, C),
    ("BTC down 12% in 24h", 60_000, -0.5, X),
    ("BTC今日暴跌12%", 60_000, 2.5, X),
    ("比特幣今日上漲8%", 60_000, -4.0, X),
    ("BTC up 8% today", 60_000, 7.5, C),
    ("BTC down 12% in 24h", 60_000, -7.0, S),  # much, and yet not that
    ("BTC down 5% in the past hour", 60_000, -0.5, S),
    ("BTC一小时内下跌5%", 60_000, -0.5, S),
    ("BTC plunges 12%", 60_000, -0.5, S),  # since when is not said
    ("BTC plunges 12%", 60_000, -12.5, C),
    ("Bitcoin crashes as longs are wiped out", 60_000, -14.0, C),
    ("比特币暴跌，多头爆仓", 60_000, -11.0, C),
    ("Bitcoin crashes as longs are wiped out", 60_000, -1.0, S),
    ("比特幣崩盤", 60_000, 3.0, S),
    ("BTC down 12% in 24h", 60_000, None, S),  # not known
]


@pytest.mark.parametrize(("text", "price", "change", "bearing"), LEVELS)
def test_a_level_or_a_move(text: str, price: float, change: float | None, bearing: str) -> None:
    found = of_price(market_message(text, "BTC", "liquidation"), [traded(price, change)])
    assert found.bearing == bearing, found.why


def test_what_the_message_names_is_compared_where_the_main_asset_is_not_known() -> None:
    message = market_message("Bitcoin is down 12% in 24h", "", "liquidation")
    named = replace(
        message, preliminary=message.preliminary.model_copy(update={"assets": ("KRAKEN", "BTC")})
    )
    assert of_price(message, [traded(60_000, -12.5)]).bearing == S
    assert of_price(named, [traded(60_000, -12.5)]).bearing == C


def test_a_price_that_was_there_within_the_day_contradicts_nothing() -> None:
    quote = traded(63_000, -3.0, low_24h=59_500.0, high_24h=66_000.0)
    assert of_price(market_message("BTC falls below $60,000", "BTC"), [quote]).bearing == S


@pytest.mark.parametrize(("hours", "price", "bearing"), [(0.5, 61_500, X), (3, 61_500, S)])
def test_after_an_hour_prices_have_moved_on(hours: float, price: float, bearing: str) -> None:
    quote = traded(price, quoted_at=AT + timedelta(hours=hours))
    assert of_price(market_message("BTC falls below $60,000", "BTC"), [quote]).bearing == bearing


@pytest.mark.parametrize("hours", [-7, 7, 24 * 365])
def test_a_quote_of_another_time_is_silent(hours: int) -> None:
    quote = stable(0.9, quoted_at=AT + timedelta(hours=hours))
    assert of_price(market_message("USDC has lost its peg", "USDC"), [quote]).bearing == S
    chain = Peg(asset="USDC", price=0.9, deviation=-10)
    measured_at = AT + timedelta(hours=hours)
    text = market_message("USDC has lost its peg", "USDC")
    assert of_onchain(text, measured_at, pegs=[chain]).bearing == S


def test_nothing_measured_is_silent() -> None:
    assert of_price(market_message("USDC has lost its peg", "USDC"), []).bearing == S
    assert of_onchain(market_message("USDC has lost its peg", "USDC"), AT).bearing == S
    assert (
        of_price(market_message("USDC has lost its peg", "USDC"), [stable(0.9, "DAI")]).bearing == S
    )


def test_a_coin_without_a_peg_cannot_lose_it() -> None:
    assert of_price(market_message("BTC has lost its peg", "BTC"), [traded(60_000)]).bearing == S


ENTRY = Theft(name="Euler V1", day=AT.date() - timedelta(days=1), amount=197e6)
HACKS = [
    ("Euler Finance hacked for $197 million", ("$197 million",), C),
    ("Euler Finance hacked for $200M", ("$200M",), C),
    ("Euler Finance 遭黑客攻击，损失约1.97亿美元", ("1.97亿美元",), C),
    ("Euler Finance 遭駭客攻擊，損失1.97億美元", ("1.97億美元",), C),
    ("Euler Finance has been exploited", (), C),
    ("Euler Finance 遭到攻击", (), C),
    ("Euler Finance hacked for $10 million", ("$10 million",), S),  # the press decides
    ("Euler Finance 损失1000万美元", ("1000万美元",), S),
    ("Euler Finance lost 96,000 ETH", ("96,000 ETH",), S),  # cannot be compared
    ("Euler Finance denies it was hacked", (), S),
    ("Euler Finance否认遭到攻击", (), S),
    ("Euler Finance否認遭到攻擊", (), S),
]


@pytest.mark.parametrize(("text", "amounts", "bearing"), HACKS)
def test_a_listed_hack(text: str, amounts: tuple[str, ...], bearing: str) -> None:
    given = market_message(text, "EUL", "hack", amounts=amounts)
    assert of_onchain(given, AT, thefts=[ENTRY]).bearing == bearing


@pytest.mark.parametrize("amount", ["$0", "0 USD", "0美元"])
def test_a_loss_of_nothing_cannot_be_compared(amount: str) -> None:
    text = market_message(f"Euler was hacked, {amount} lost", "EUL", "hack", amounts=(amount,))
    assert of_onchain(text, AT, thefts=[ENTRY]).bearing == S


@pytest.mark.parametrize(
    ("amounts", "now", "bearing"),
    [
        (("$197 million",), 1.0e7, C),
        (("1.97亿美元",), 1.0e7, C),
        (("1.97億美元",), 1.5e8, S),  # less left than is said
        ((), 1.0e7, S),  # nothing is said of how much
    ],
)
def test_value_that_left(amounts: tuple[str, ...], now: float, bearing: str) -> None:
    given = market_message("Euler Finance was drained", "EUL", "hack", amounts=amounts)
    held = Locked(name="Euler", now=now, before=2.1e8)
    assert of_onchain(given, AT, locked=[held]).bearing == bearing


def test_no_entry_is_never_a_contradiction() -> None:
    given = market_message(
        "Euler Finance hacked for $197 million", "EUL", "hack", amounts=("$197 million",)
    )
    steady = Locked(name="Euler", now=2.1e8, before=2.1e8)
    assert of_onchain(given, AT).bearing == S
    assert of_onchain(given, AT, locked=[steady]).bearing == S


def cpi(value: float) -> Series:
    days = [date(2026, 10, 1), date(2026, 9, 1)]
    values = tuple(Observation(day=day, value=value) for day in days)
    return Series(id="CPIAUCNS", name="CPI, year on year", unit="%", period="month", values=values)


@pytest.mark.parametrize(
    ("text", "value", "bearing"),
    [
        ("US CPI rose 3.2% in October", 3.2412, C),
        ("美国10月CPI同比上涨3.2%", 3.18, C),
        ("美國10月CPI同比上漲3.2%", 3.18, C),
        ("US CPI rose 3.2% in October", 4.1, X),
        ("美国10月CPI同比上涨3.2%", 4.1, X),
        ("US CPI rose 3.2% in October", 3.3, S),  # a rounding apart
        ("US CPI rose 3.2%", 4.1, S),  # which month is not said
        ("US CPI rose 3.2%", 3.2, C),
        ("US CPI rose 3.2% in March 2021", 3.2, S),  # not among the values
        ("US CPI may rise 3.2% in October", 4.1, S),
        ("10月CPI同比上涨3.2%", 4.1, S),  # China's
        ("US inflation cooled in October", 4.1, S),
    ],
)
def test_a_statistic(text: str, value: float, bearing: str) -> None:
    assert of_macro(market_message(text, event="macro"), cpi(value)).bearing == bearing


@pytest.mark.parametrize(
    ("text", "bearing"),
    [
        ("Fed cuts rates by 25 basis points", C),
        ("美联储宣布降息25个基点", C),
        ("美聯儲宣布降息25個基點", C),
        ("Fed cuts rates by 50 basis points", S),
        ("Fed raises rates by 25 basis points", S),
        ("Fed cuts rates to 3.75%-4%", C),
        ("美联储降息至3.75%-4%", C),
        ("Fed may cut rates by 25 basis points", S),
    ],
)
def test_a_rate_that_was_changed_these_days(text: str, bearing: str) -> None:
    values = tuple(
        Observation(day=AT.date() - timedelta(days=back), value=4.0 if back < 3 else 4.25)
        for back in range(8)
    )
    series = Series(
        id="DFEDTARU",
        name="federal funds target, upper bound",
        unit="%",
        period="day",
        values=values,
    )
    assert of_macro(market_message(text, event="macro"), series).bearing == bearing


def test_a_reason_is_written_in_the_language_of_the_desk() -> None:
    def why(language: str) -> str:
        found = of_price(market_message("USDC 已脱锚", "USDC"), [stable(0.9998)])
        return words(language)(found.why, **found.params)

    assert why("en") == "USDC trades at $0.9998, only 0.02 % from its peg"
    assert why("zh") == "USDC现价$0.9998，仅偏离锚定价0.02%"
    assert why("zh-Hant") == "USDC現價$0.9998，僅偏離錨定價0.02%"


@pytest.mark.parametrize(
    ("text", "past"),
    [
        ("USDC depegged in March 2023", True),
        ("USDC lost its peg yesterday", True),
        ("昨天USDC脱锚", True),
        ("USDC脱锚一周年", True),
        ("USDC fell to its lowest since March 2023", False),
        ("USDC跌至2023年3月以来最低", False),
        ("Over the past 24 hours USDC fell 5%", False),
        ("刚刚，USDC脱锚", False),
        ("今天USDC脫錨", False),
        ("USDC depegs", False),
    ],
)
def test_of_which_time_a_message_speaks(text: str, past: bool) -> None:
    assert is_past(text, AT) is past


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.9998, "$0.9998"),
        (60_120.4, "$60,120"),
        (197e6, "$197.0M"),
        (1.5e9, "$1.50B"),
        (42.5, "$42.50"),
    ],
)
def test_money(value: float, text: str) -> None:
    assert money(value) == text


def test_a_finding_is_silent_by_default() -> None:
    assert MeasuredBearing().bearing == S


@pytest.mark.parametrize(
    ("text", "price", "bearing"),
    [
        ("NVUSD has lost its peg, now around $0.62", 0.62, C),
        ("NVUSD已脱锚，跌至0.62美元", 0.62, C),
        ("NVUSD已脫錨，跌至0.62美元", 0.62, C),
        ("NVUSD has lost its peg", 0.62, S),  # nobody knows to what it was pegged
    ],
)
def test_a_level_counts_where_nobody_knows_the_peg(text: str, price: float, bearing: str) -> None:
    found = of_price(market_message(text, "NVUSD", "depeg"), [traded(price, asset="NVUSD")])
    assert found.bearing == bearing
