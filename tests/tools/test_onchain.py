"""The on-chain tool over loopback: pegs, locked value, hacks, and how each failure is named."""

from __future__ import annotations

from datetime import timedelta

import pytest
from lab.stubs import Rule, faults
from measuring import CASES, NOW, Case

from groundwire.errors import OutsideFailure
from groundwire.jobs.verify.market_bearing import MarketMessage, of_onchain
from groundwire.jobs.verify.signal import Preliminary
from groundwire.model.measure import failed_tool
from groundwire.model.tool import ToolFailure
from groundwire.tools.onchain import Input, same_name, tool_result
from groundwire.tools.onchain import run as onchain

USDC = Input(assets=("USDC",))
EULER = Input(names=("Euler Finance",), at=NOW)


async def test_a_peg_is_measured_with_its_supply(measuring_desk) -> None:
    async with measuring_desk() as desk:
        found = await onchain(desk.context, USDC)
    (peg,) = found.pegs
    assert (peg.asset, peg.price, peg.deviation) == ("USDC", 0.9998, -0.02)
    assert (peg.supply, peg.supply_change) == (4.0e10, -2.439)
    assert (found.triggered, found.failures) == (False, ())


async def test_a_robbed_protocol_is_found_in_the_list_and_in_what_it_holds(measuring_desk) -> None:
    async with measuring_desk() as desk:
        found = await onchain(desk.context, EULER)
    (theft,), (held,) = found.thefts, found.locked
    assert (theft.name, theft.amount, theft.day) == ("Euler V1", 197e6, (NOW.date() - timedelta(1)))
    assert (held.now, held.before, held.change) == (1.0e7, 2.0e8, pytest.approx(-95))
    assert found.triggered


@pytest.mark.parametrize(
    ("at", "entries"),
    [(NOW, 1), (NOW + timedelta(days=2), 1), (NOW + timedelta(days=9), 0)],
)
async def test_an_entry_counts_near_the_day_of_the_message(measuring_desk, at, entries) -> None:
    given = Input(names=("Euler Finance",), at=at, wanted=("hacks",))
    async with measuring_desk() as desk:
        found = await onchain(desk.context, given)
    assert len(found.thefts) == entries
    assert found.triggered is bool(entries)


async def test_what_is_not_known_is_an_answer_and_not_a_failure(measuring_desk) -> None:
    async with measuring_desk() as desk:
        found = await onchain(desk.context, Input(names=("No Such Thing",)))
    result = tool_result(found)
    assert (found.unknown, found.thefts, found.failures) == (("No Such Thing",), (), ())
    assert (result.success, result.error, result.bearing) == (True, None, "silent")


async def test_a_coin_without_a_peg_is_not_asked_about(measuring_desk) -> None:
    async with measuring_desk() as desk:
        found = await onchain(desk.context, Input(assets=("BTC",)))
        assert desk.called_stubs() == []
    assert found.pegs == ()


async def test_a_history_that_is_too_large_leaves_todays_value(measuring_desk, monkeypatch) -> None:
    monkeypatch.setattr("groundwire.data.providers.defillama._MOST_PROTOCOL", 50)
    async with measuring_desk() as desk:
        found = await onchain(desk.context, Input(names=("Aave",), wanted=("locked",)))
    (held,) = found.locked
    assert (held.now, held.before, held.change) == (1.0e10, None, None)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
@pytest.mark.parametrize(
    ("given", "stub"),
    [
        (USDC, "stablecoins"),
        (EULER.model_copy(update={"wanted": ("locked",)}), "defillama"),
    ],
    ids=["pegs", "locked"],
)
async def test_a_failure_is_typed_and_bears_on_nothing(
    measuring_desk, case: Case, given: Input, stub: str
) -> None:
    async with measuring_desk(timeout=case.timeout) as desk:
        desk.strike(stub, fault=case.fault)
        with pytest.raises(OutsideFailure) as caught:
            await onchain(desk.context, given)
    result = failed_tool("onchain", "defillama", ToolFailure.of(caught.value), NOW)
    assert result.error is not None
    assert (result.success, result.error.code, result.bearing) == (False, case.code, "silent")
    assert (result.data, result.triggered) == ({}, False)


async def test_one_that_fails_does_not_cost_the_other(measuring_desk) -> None:
    async with measuring_desk() as desk:
        desk.world.faults(Rule(faults.error(500), stub="defillama", path="/hacks"))
        found = await onchain(desk.context, EULER)
    assert [failed.code for failed in found.failures] == ["server"]
    assert [held.name for held in found.locked] == ["Euler Finance"]


@pytest.mark.parametrize("how", ["negative", "text", "nan"])
async def test_an_amount_that_cannot_be_is_no_amount(measuring_desk, how: str) -> None:
    async with measuring_desk() as desk:
        desk.strike("defillama", fault=faults.lying(how))
        given = EULER.model_copy(update={"wanted": ("hacks",)})
        if how == "negative":  # the entry stands, its amount does not
            (theft,) = (await onchain(desk.context, given)).thefts
            assert theft.amount is None
        else:
            with pytest.raises(OutsideFailure) as caught:
                await onchain(desk.context, given)
            assert caught.value.code == "malformed"


async def test_an_empty_list_is_no_contradiction(measuring_desk) -> None:
    text = "Euler Finance was hacked for $197 million"
    first = Preliminary(
        profile="crypto", event_type="hack", asset="EUL", confidence=0.5, summary=text
    )
    async with measuring_desk() as desk:
        desk.strike("defillama", fault=faults.empty())
        given = EULER.model_copy(update={"wanted": ("hacks",)})
        found = await onchain(desk.context, given)
    finding = of_onchain(MarketMessage(first, text, NOW), found.at, thefts=found.thefts)
    assert (finding.bearing, found.thefts) == ("silent", ())


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Euler Finance", "Euler V1", True),
        ("Euler", "Euler Finance", True),
        ("Curve Finance", "Curve DEX", True),
        ("Ronin Network", "Ronin Bridge", True),
        ("Curve", "Curio", False),
        ("Bybit", "Bitget", False),
        ("Finance Protocol", "Network", False),  # nothing is left of either
        ("Orbit", "Orbit Chain", True),
        ("币安", "币安", True),
    ],
)
def test_names_of_one_project(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same_name(other, one) is same
