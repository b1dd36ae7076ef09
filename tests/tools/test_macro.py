"""The macro tool over loopback: the series that is meant, its key, and how each failure is named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lab.stubs import Fault, faults
from measuring import CASES, KEY, NOW, Case

from groundwire.errors import OutsideFailure
from groundwire.evidence.markets.economy import series_in
from groundwire.jobs.verify.market_bearing import MarketMessage, of_macro
from groundwire.jobs.verify.signal import Preliminary
from groundwire.model.base import canonical
from groundwire.model.measure import failed_tool
from groundwire.model.tool import ToolFailure
from groundwire.tools.macro import Input, tool_result
from groundwire.tools.macro import run as macro
from groundwire.words import words

CPI = Input(text="US CPI rose 4% year over year in October 2025", at=NOW)
# It has a key, so a refusal is of the key.
KEYED = tuple(replace(case, code="auth") if case.label == "a wrong key" else case for case in CASES)
# Its prices are values of a series: a negative one is possible.
FAILING = tuple(case for case in KEYED if case.label != "a negative price")


async def test_the_series_that_a_text_speaks_of_is_read(measuring_desk) -> None:
    async with measuring_desk() as desk:
        found = await macro(desk.context, CPI)
    assert found.series is not None
    assert found.latest is not None
    assert found.previous is not None
    assert (found.series.id, found.series.unit) == ("CPIAUCNS", "%")
    assert (found.latest.day.isoformat(), found.latest.value) == ("2025-12-01", 4.2)
    assert found.previous.value == 4.1


@pytest.mark.parametrize(
    ("figure", "bearing"), [("4%", "confirms"), ("4.0%", "confirms"), ("5.1%", "contradicts")]
)
async def test_a_stated_figure_is_held_against_its_month(measuring_desk, figure, bearing) -> None:
    text = f"US CPI rose {figure} year over year in October 2025"
    first = Preliminary(profile="general", event_type="macro", confidence=0.5, summary=text)
    async with measuring_desk() as desk:
        found = await macro(desk.context, Input(text=text, at=NOW))
    assert found.series is not None
    result = tool_result(found, of_macro(MarketMessage(first, text, NOW), found.series))
    assert (result.bearing, result.source) == (bearing, "fred")
    assert "2025-10" in words("en").phrase(result.phrase)


async def test_without_a_key_it_says_what_to_set(measuring_desk) -> None:
    async with measuring_desk(key="") as desk:
        with pytest.raises(OutsideFailure) as caught:
            await macro(desk.context, CPI)
        assert desk.called_stubs() == []
    result = failed_tool("macro", "fred", ToolFailure.of(caught.value), NOW)
    assert result.error is not None
    assert result.error.code == "auth"
    assert "FRED_API_KEY" in words("en").phrase(result.error.phrase)


async def test_a_key_that_fred_does_not_know_is_a_wrong_key(measuring_desk) -> None:
    async with measuring_desk(key="wrong") as desk:
        with pytest.raises(OutsideFailure) as caught:
            await macro(desk.context, CPI)
    assert caught.value.code == "auth"
    assert "FRED_API_KEY" in caught.value.message


@pytest.mark.parametrize(
    "fault", [None, faults.error(500), faults.cut_off(), faults.unauthorized()]
)
async def test_the_key_is_sent_and_never_recorded(measuring_desk, fault: Fault | None) -> None:
    async with measuring_desk() as desk:
        if fault is not None:
            desk.strike("fred", fault=fault)
        try:
            await macro(desk.context, CPI)
        except OutsideFailure as error:
            assert KEY not in error.message
        records = await desk.store.ledger.records("run")
        assert desk.called_stubs()  # without the key the stub answers nothing but refusals
    kept = canonical([record.model_dump(mode="json") for record in records])
    assert records
    assert KEY.encode() not in kept


@pytest.mark.parametrize("case", FAILING, ids=lambda case: case.label)
async def test_a_failure_is_typed_and_bears_on_nothing(measuring_desk, case: Case) -> None:
    async with measuring_desk(timeout=case.timeout) as desk:
        desk.strike("fred", fault=case.fault)
        with pytest.raises(OutsideFailure) as caught:
            await macro(desk.context, CPI)
    result = failed_tool("macro", "fred", ToolFailure.of(caught.value), NOW)
    assert result.error is not None
    assert (result.success, result.error.code, result.bearing) == (False, case.code, "silent")


async def test_no_values_are_an_answer_that_bears_on_nothing(measuring_desk) -> None:
    async with measuring_desk() as desk:
        desk.strike("fred", fault=faults.empty())
        found = await macro(desk.context, CPI)
    assert found.series is not None
    first = Preliminary(profile="general", event_type="macro", confidence=0.5, summary=CPI.text)
    finding = of_macro(MarketMessage(first, CPI.text, NOW), found.series)
    result = tool_result(found, finding)
    assert (result.success, result.bearing, found.latest) == (True, "silent", None)


async def test_a_text_about_no_series_asks_nobody(measuring_desk) -> None:
    async with measuring_desk() as desk:
        found = await macro(desk.context, Input(text="The mayor opened a bridge."))
        assert desk.called_stubs() == []
    assert (found.series, tool_result(found).success) == (None, True)


@pytest.mark.parametrize(
    ("text", "series"),
    [
        ("US CPI rose 3.2% in October", "CPIAUCNS"),
        ("Core CPI up 0.3% month-on-month", "CPILFESL"),
        ("Inflation came in at 3.2%, core CPI at 4%", "CPILFENS"),
        ("美国10月CPI同比上涨3.2%", "CPIAUCNS"),
        ("美國10月核心CPI環比上漲0.3%", "CPILFESL"),
        ("美国10月失业率升至4.1%", "UNRATE"),
        ("非农新增15万", "PAYEMS"),
        ("U.S. nonfarm payrolls rose by 150,000", "PAYEMS"),
        ("Fed raises rates by 25 basis points", "DFEDTARU"),
        ("美联储宣布降息25个基点", "DFEDTARU"),
        ("美聯儲宣布降息25個基點", "DFEDTARU"),
        ("US GDP grew 2.8% in the third quarter", "A191RL1Q225SBEA"),
        ("Initial jobless claims fell to 210,000", "ICSA"),
        ("10月CPI同比上涨0.3%", None),  # in Chinese without a country: China's
        ("中国10月CPI同比上涨0.3%", None),
        ("UK inflation falls to 3.2%", None),
        ("Euro zone GDP shrank", None),
        ("Bitcoin falls below $60,000", None),
    ],
)
def test_the_series_is_chosen_by_words(text: str, series: str | None) -> None:
    found = series_in(text)
    assert (found.id if found else None) == series
