"""Profiles are data: two ship, users add their own, and what is wrong with one is named."""

from __future__ import annotations

import json

import pytest

from groundwire.errors import InputError, UnknownName
from groundwire.evidence.messages.profiles import (
    dump_profiles,
    load_profiles,
    profile,
    profiles,
    read_profile,
    read_profiles,
)

CRYPTO_TYPES = (
    "hack depeg liquidation regulation listing delisting partnership unlock funding macro governance "
    "airdrop celebrity scam_alert other"
)
GENERAL_TYPES = (
    "product corporate policy legal disaster conflict health science personnel market other"
)


def custom(**changes: object) -> str:
    given: dict[str, object] = {
        "name": "sport",
        "about": "games and those who play them",
        "types": [
            {"name": "match", "about": "a game", "en": {"win(s|ning)": 2}, "zh": {"獲勝": 3}},
            {"name": "other", "about": "the rest"},
        ],
    }
    return json.dumps(given | changes, ensure_ascii=False)


def test_the_types_are_those_of_the_contract_in_its_order() -> None:
    assert profile("crypto").type_names == tuple(CRYPTO_TYPES.split())
    assert profile("general").type_names == tuple(GENERAL_TYPES.split())


def test_the_sets_of_crypto_are_those_of_the_contract() -> None:
    crypto = profile("crypto")
    assert set(crypto.gate.always) == {"depeg", "liquidation", "hack"}
    assert set(crypto.gate.never) == {
        "macro", "other", "airdrop", "governance", "celebrity", "scam_alert",
    }  # fmt: skip
    assert set(crypto.policy.never_search) == {"macro", "governance", "airdrop", "celebrity"}
    assert set(crypto.policy.forced) == {"hack", "regulation", "partnership"}
    assert set(crypto.policy.numeric) == {"depeg", "liquidation"}
    assert crypto.domains == ("coindesk.com", "theblock.co", "cointelegraph.com")
    assert crypto.deny == ("t.me",)
    assert crypto.type("hack").domains == ("decrypt.co",)
    assert crypto.type("regulation").domains == (
        "sec.gov", "cftc.gov", "federalreserve.gov", "esma.europa.eu",
    )  # fmt: skip


def test_the_general_profile_never_trades_and_searches_openly() -> None:
    general = profile("general")
    assert not general.trades
    assert general.domains == ()
    assert all(each.direction == "neutral" and not each.domains for each in general.types)


def test_queries_have_the_words_of_the_contract() -> None:
    crypto = profile("crypto")
    queries = {
        name: (*crypto.type(name).queries.zh, *crypto.type(name).queries.en)
        for name in ("hack", "regulation", "listing", "partnership")
    }
    assert {"黑客攻击", "hack", "exploit", "breach"} <= set(queries["hack"])
    assert {"监管", "SEC", "CFTC"} <= set(queries["regulation"])
    assert {"上线", "announce"} <= set(queries["listing"])
    assert {"合作", "collaboration"} <= set(queries["partnership"])
    for name in ("hack", "regulation", "partnership"):
        assert crypto.type(name).official.zh and crypto.type(name).official.en


@pytest.mark.parametrize("name", ["crypto", "general"])
def test_every_type_but_other_has_words_in_both_languages(name: str) -> None:
    for each in profile(name).types:
        if each.name != "other":
            assert each.zh and each.en, each.name


def test_there_are_about_150_assets_or_more_and_every_name_is_one_assets() -> None:
    crypto = profile("crypto")
    assert len(crypto.assets) >= 150
    names: dict[str, str] = {}
    for asset in crypto.assets:
        for name in asset.names:
            low = name.removeprefix("~").casefold()
            assert names.setdefault(low, asset.id) == asset.id, name


def test_endings_are_written_in_brackets_and_chinese_in_either_script() -> None:
    found = read_profile(custom(), "sport.json").type("match")
    assert set(found.en) == {"win", "wins", "winning"}
    assert set(found.zh) == {"获胜"}


def test_an_asset_has_a_name_for_every_reader() -> None:
    bitcoin = next(each for each in profile("crypto").assets if each.id == "BTC")
    assert bitcoin.name_in("zh") == "比特币"
    assert bitcoin.name_in("zh-Hant") == "比特幣"
    assert bitcoin.name_in("en") == "Bitcoin"
    tether = next(each for each in profile("crypto").assets if each.id == "USDT")
    assert [tether.name_in(each) for each in ("zh", "zh-Hant")] == ["泰达币", "泰達幣"]
    latin = next(each for each in profile("crypto").assets if each.id == "XAUT")
    assert latin.name_in("zh-Hant") == "Tether Gold"  # known by no Chinese name
    assert next(each for each in profile("crypto").assets if each.id == "USDS").name_in("zh")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{\n  'name': 1}", "sport.json, line 2"),  # not JSON
        ("[]", "sport.json: "),
        (custom(name="Sport!"), "sport.json, name: small letters"),
        (custom(colour="red"), "sport.json, colour: "),  # unknown names are refused
        (custom(types=[]), "sport.json, types: "),
        (custom(types=[{"name": "match", "about": "a game"}]), "must be 'other'"),
        (custom(gate={"always": ["goal"]}), "gate.always: there is no type 'goal'"),
        (custom(policy={"forced": ["goal"]}), "policy.forced: there is no type 'goal'"),
        (
            custom(gate={"always": ["match"], "never": ["match"]}),
            "'match' stands in gate.always and in gate.never",
        ),
        (
            custom(policy={"forced": ["match"], "never_search": ["match"]}),
            "'match' stands in policy.forced and in policy.never_search",
        ),
        (custom(domains=["https://fifa.com/x"]), "sport.json, domains.0: a domain without scheme"),
        (
            custom(types=[{"name": "other", "about": "x", "en": {"win(s": 1}}]),
            "sport.json, types.0.en: the endings of 'win(s' cannot be read",
        ),
        (custom(types=[{"name": "other", "about": "x", "zh": {"赢": 1}}]), "too short for a word"),
        (custom(types=[{"name": "other", "about": "x", "en": {"win": -1}}]), "types.0.en.win"),
        (
            custom(types=[{"name": "other", "about": "x"}, {"name": "other", "about": "x"}]),
            "'other' stands twice",
        ),
        (custom(assets=[{"symbol": "btc", "kind": "coin"}]), "sport.json, assets.0.symbol"),
        (
            custom(assets=[{"symbol": "A1", "kind": "coin"}, {"symbol": "~A1", "kind": "coin"}]),
            "assets: 'A1' stands twice",
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_line_or_field(text: str, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        read_profile(text, "sport.json")
    assert expected in caught.value.message
    assert caught.value.hint


def test_two_files_may_not_hold_one_profile() -> None:
    with pytest.raises(InputError, match=r"b\.json: there are two profiles called 'sport'"):
        read_profiles({"a.json": custom(), "b.json": custom()})


def test_an_own_profile_comes_first_and_may_replace_a_shipped_one() -> None:
    sport, general = read_profiles({"a.json": custom(), "b.json": custom(name="general")})
    known = profiles((sport, general))
    assert [each.name for each in known] == ["sport", "general", "crypto"]
    assert profile("general", (general,)).about == "games and those who play them"


def test_own_profiles_come_back_from_what_a_run_keeps() -> None:
    given = read_profiles({"a.json": custom()})
    assert load_profiles(dump_profiles(given)) == given
    assert dump_profiles(()) == ""
    assert load_profiles("") == ()
    assert dump_profiles(given) == dump_profiles(load_profiles(dump_profiles(given)))


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName) as caught:
        profile("football")
    assert "crypto" in caught.value.hint
    with pytest.raises(UnknownName) as caught:
        profile("crypto").type("goal")
    assert "hack" in caught.value.hint
