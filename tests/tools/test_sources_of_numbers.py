"""Sources of market data as they are configured: addresses, keys, paces, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from lab.stubs import running_stubs

from groundwire.app import open_app
from groundwire.app.exports import replay_run
from groundwire.app.health import TOOL_SOURCES
from groundwire.data import provider as known
from groundwire.data.providers import binance
from groundwire.errors import Malformed, SettingsError, UnknownName
from groundwire.gateway.vendor import decoded
from groundwire.jobs.sections import Settings
from groundwire.settings.names import WELL_KNOWN

KEY = "planted-secret-0123456789abcdef"


def loaded(home: Path, **providers: dict[str, object]) -> Settings:
    values = {"home": str(home), "offline": True, "tools": {"providers": providers}}
    return Settings.load(values, cwd=home, env={}).settings


def test_a_base_url_is_trusted_and_a_key_is_a_secret(tmp_path: Path) -> None:
    settings = loaded(tmp_path, fred={"base_url": "http://127.0.0.1:8801", "api_key": KEY})
    assert "http://127.0.0.1:8801" in settings.trusted_origins()
    assert KEY in settings.secrets()
    assert KEY not in str(settings.public_view())
    assert settings.public_view()["tools"]["providers"]["fred"]["base_url"]


def test_keys_have_the_names_that_people_have_set(tmp_path: Path) -> None:
    env = {"FRED_API_KEY": KEY, "COINGECKO_API_KEY": "another-0123456789"}
    settings = Settings.load({"home": str(tmp_path)}, cwd=tmp_path, env=env).settings
    providers = settings.tools.providers
    assert known.provider("fred", providers).secret_params() == {"api_key": KEY}
    coingecko = known.provider("coingecko", providers)
    assert coingecko.headers() == {"x-cg-demo-api-key": "another-0123456789"}
    hints = [known.PROVIDERS[name].Provider.key_hint for name in known.PROVIDERS]
    assert all(hint in WELL_KNOWN for hint in hints if hint)


def test_a_paid_address_takes_the_paid_header() -> None:
    options = {"api_key": "paid", "base_url": "https://pro-api.coingecko.com"}
    assert known.provider("coingecko", {"coingecko": options}).headers() == {
        "x-cg-pro-api-key": "paid"
    }


def test_every_source_belongs_to_a_tool_and_is_paced() -> None:
    assert sorted(name for names in TOOL_SOURCES.values() for name in names) == list(
        known.PROVIDERS
    )
    assert known.provider("coingecko", {"coingecko": {"per_second": 5.0}}).pause == 0.2
    assert 60 / known.provider("coingecko", {}).pause <= 30  # a minute, keyless
    assert all(known.provider(name, {}).pause > 0 for name in known.PROVIDERS)


async def test_a_source_that_does_not_exist_never_becomes_a_run(tmp_path: Path) -> None:
    values = {"home": str(tmp_path), "tools": {"providers": {"coingeko": {"per_second": 1}}}}
    async with open_app(Settings.load(values, cwd=tmp_path, env={})) as app:
        with pytest.raises(UnknownName, match="did you mean coingecko"):
            await app.tool("price", assets=["USDC"])
    values = {"home": str(tmp_path), "tools": {"providers": {"fred": {"api_keys": "x"}}}}
    async with open_app(Settings.load(values, cwd=tmp_path, env={})) as app:
        with pytest.raises(SettingsError, match="api_key"):
            await app.tool("price", assets=["USDC"])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("price", {"assets": ["USDC"]}),
        ("onchain", {"assets": ["USDC"], "names": ["Euler Finance"]}),
        ("macro", {"text": "US CPI rose 3.2% in October"}),
    ],
)
async def test_offline_a_tool_fails_by_name_and_sends_nothing(
    tmp_path: Path, tool: str, arguments: dict[str, object]
) -> None:
    values = {"home": str(tmp_path), "offline": True}
    async with open_app(Settings.load(values, cwd=tmp_path, env={})) as app:
        run = await app.tool(tool, **arguments)
        records = await app.store.ledger.records(run.id)
    assert run.result is not None
    assert (run.result["status"], run.result["error"]["code"]) == ("failed", "offline")
    assert {record.kind for record in records} == {"data"}
    assert {record.outcome for record in records} == {"failed"}


async def test_a_measured_run_replays_alike_without_its_source(tmp_path: Path) -> None:
    with running_stubs("coingecko") as stubs:
        providers = {"coingecko": {"base_url": stubs.url("coingecko")}}
        values = {"home": str(tmp_path), "tools": {"providers": providers}}
        async with open_app(Settings.load(values, cwd=tmp_path, env={})) as app:
            run = await app.tool("price", assets=["USDC"])
            assert run.result is not None, run.error
            assert run.result["output"]["quotes"][0]["price"] == 0.9998
    async with open_app(
        Settings.load({"home": str(tmp_path), "offline": True}, cwd=tmp_path, env={})
    ) as app:
        again = await replay_run(app, run)
    assert again.identical, again


def test_a_number_without_end_is_no_answer() -> None:
    with pytest.raises(Malformed):
        decoded("binance", b"[" + b"1" * 5_000 + b"]")


def test_a_time_beyond_all_calendars_is_no_answer() -> None:
    row = {
        "symbol": "BTCUSDT",
        "lastPrice": "60120.5",
        "priceChangePercent": "-2.1",
        "weightedAvgPrice": "60500.0",
        "lowPrice": "59000.0",
        "highPrice": "61500.0",
        "closeTime": 10**400,
    }
    with pytest.raises(Malformed):
        binance.traded("BTC").read(row)
