"""The price tool over loopback: what it returns, which source comes next, how failures are named."""

from __future__ import annotations

from datetime import timedelta

import pytest
from lab.stubs import faults
from measuring import CASES, NOW, Case

from groundwire.errors import OutsideFailure
from groundwire.jobs.verify.market_bearing import MarketMessage, of_price
from groundwire.jobs.verify.signal import Preliminary
from groundwire.model.base import canonical
from groundwire.model.measure import failed_tool
from groundwire.model.tool import ToolFailure
from groundwire.tools.price import Input, tool_result
from groundwire.tools.price import run as price
from groundwire.words import words

ALL = ("coingecko", "binance", "kraken")


def market_message(text: str, asset: str) -> MarketMessage:
    first = Preliminary(
        profile="crypto", event_type="depeg", asset=asset, confidence=0.5, summary=text
    )
    return MarketMessage(first, text, NOW)


async def test_a_peg_is_measured_and_a_quiet_day_triggers_nothing(measuring_desk) -> None:
    async with measuring_desk() as desk:
        found = await price(desk.context, Input(assets=("USDC", "BTC")))
    usdc, btc = found.quotes
    assert (usdc.asset, usdc.price, usdc.peg, usdc.deviation) == ("USDC", 0.9998, "USD", -0.02)
    assert (btc.price, btc.change_24h, btc.peg, btc.quoted_at) == (60120.5, -2.1, "", NOW)
    assert (found.triggered, found.failures, found.unknown) == (False, (), ())


@pytest.mark.parametrize(
    ("asset", "tools", "triggered"),
    [
        ("SOL", {}, True),  # -12.5 % in 24 hours
        ("SOL", {"price": {"move_percent": 20.0}}, False),
        ("USDC", {}, False),
        ("USDC", {"price": {"peg_percent": 0.01}}, True),
    ],
)
async def test_thresholds_are_settings(measuring_desk, asset, tools, triggered) -> None:
    async with measuring_desk(tools=tools) as desk:
        found = await price(desk.context, Input(assets=(asset,)))
    assert found.triggered is triggered


@pytest.mark.parametrize("name", ["$usdc", "USD Coin", "美元币"])
async def test_an_asset_is_known_by_any_of_its_names(measuring_desk, name: str) -> None:
    async with measuring_desk() as desk:
        (quote,) = (await price(desk.context, Input(assets=(name,)))).quotes
    assert quote.asset == "USDC"


async def test_a_symbol_that_is_not_shipped_is_looked_up(measuring_desk) -> None:
    async with measuring_desk() as desk:
        (quote,) = (await price(desk.context, Input(assets=("NEWT",)))).quotes
        paths = [call.path for call in desk.world.log()]
    assert (quote.asset, quote.price) == ("NEWT", 0.25)
    assert paths == ["/api/v3/search", "/api/v3/simple/price"]


async def test_an_unknown_asset_is_an_answer_and_not_a_failure(measuring_desk) -> None:
    async with measuring_desk() as desk:
        found = await price(desk.context, Input(assets=("NOSUCH",)))
    result = tool_result(found)
    assert (found.quotes, found.unknown, found.failures) == ((), ("NOSUCH",), ())
    assert (result.success, result.error, result.bearing) == (True, None, "silent")
    assert "no such asset known" in words("en").phrase(result.phrase)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
@pytest.mark.parametrize(("asset", "second"), [("BTC", "binance"), ("USDC", "kraken")])
async def test_a_failure_is_named_and_the_next_source_is_asked(
    measuring_desk, case: Case, asset: str, second: str
) -> None:
    async with measuring_desk(timeout=case.timeout) as desk:
        desk.strike("coingecko", fault=case.fault)
        found = await price(desk.context, Input(assets=(asset,)))
    (failed,) = found.failures
    assert (failed.provider, failed.code) == ("coingecko", case.code)
    assert [quote.source for quote in found.quotes] == [second]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
async def test_when_all_fail_the_failure_is_typed_and_bears_on_nothing(
    measuring_desk, case: Case
) -> None:
    async with measuring_desk(timeout=case.timeout) as desk:
        desk.strike(*ALL, fault=case.fault)
        with pytest.raises(OutsideFailure) as caught:
            await price(desk.context, Input(assets=("BTC",)))
        providers = set(desk.called_stubs())
    result = failed_tool("price", "price", ToolFailure.of(caught.value), NOW)
    assert result.error is not None
    assert (result.success, result.error.code, result.bearing) == (False, case.code, "silent")
    assert (result.data, result.triggered, result.confidence) == ({}, False, 0.0)
    assert providers == set(ALL)


async def test_a_stale_quote_is_passed_over(measuring_desk) -> None:
    async with measuring_desk() as desk:
        desk.strike("coingecko", "binance", fault=faults.lying("stale"))
        found = await price(desk.context, Input(assets=("BTC",)))
    assert [failed.code for failed in found.failures] == ["malformed", "malformed"]
    assert [quote.source for quote in found.quotes] == ["kraken"]


async def test_nothing_known_by_one_of_three_says_nothing_where_the_list_of_all_failed(
    measuring_desk,
) -> None:
    """Binance lists few coins: only CoinGecko can say that there is no such coin."""
    async with measuring_desk() as desk:
        desk.strike("coingecko", fault=faults.error(500))
        with pytest.raises(OutsideFailure) as caught:
            await price(desk.context, Input(assets=("NOSUCH",)))
    assert caught.value.code == "server"


async def test_a_peg_is_never_measured_in_another_stablecoin(measuring_desk) -> None:
    async with measuring_desk() as desk:
        desk.strike("coingecko", "kraken", fault=faults.error(500))
        with pytest.raises(OutsideFailure):
            await price(desk.context, Input(assets=("USDC",)))
        assert "binance" not in desk.called_stubs()


async def test_a_second_run_shares_the_answer_and_records_it(measuring_desk) -> None:
    async with measuring_desk() as desk:
        first = await price(desk.context, Input(assets=("USDC",)))
        again = await price(desk.context, Input(assets=("USDC",)))
        (record,) = await desk.store.ledger.records("run")
        assert desk.called_stubs() == ["coingecko"]
    assert first == again
    assert (record.kind, record.provider, record.cost) == ("data", "coingecko", 0)
    assert canonical(record.response or {})


async def test_the_numbers_bear_on_the_claim(measuring_desk) -> None:
    async with measuring_desk() as desk:
        found = await price(desk.context, Input(assets=("USDC",)))
    finding = of_price(market_message("USDC has lost its peg", "USDC"), found.quotes)
    result = tool_result(found, finding)
    assert (result.bearing, result.source) == ("contradicts", "coingecko")
    assert "0.9998" in words("en").phrase(result.phrase)


async def test_an_old_message_is_not_judged_by_todays_price(measuring_desk) -> None:
    async with measuring_desk() as desk:
        found = await price(desk.context, Input(assets=("USDC",)))
    old = MarketMessage(
        market_message("x", "USDC").preliminary, "USDC has lost its peg", NOW - timedelta(hours=7)
    )
    assert of_price(old, found.quotes).bearing == "silent"
