"""Which tools verify must, may and may not use: the policy in its order."""

from __future__ import annotations

import pytest

from groundwire.evidence.messages.profiles import profile
from groundwire.evidence.sources.official import entities_in
from groundwire.jobs.verify.domains import by_language, first_round, lists, second_round
from groundwire.jobs.verify.policy import Decision, Facts, chosen, decide

CRYPTO, GENERAL = profile("crypto"), profile("general")
ALL = ("search", "price", "onchain", "macro")


def facts(event_type: str, **known: object) -> Facts:
    return Facts.model_validate(
        {"event_type": event_type, "by_hand": False, "enabled": ALL, **known}
    )


@pytest.mark.parametrize("event_type", ["macro", "governance", "airdrop", "celebrity"])
class TestNeverSearched:
    def test_from_intake_no_tool_runs(self, event_type: str) -> None:
        found = decide(facts(event_type), CRYPTO)
        assert found.over
        assert found.why == "never_searched"

    def test_a_person_who_asks_by_hand_gets_a_search(self, event_type: str) -> None:
        found = decide(facts(event_type, by_hand=True), CRYPTO)
        assert "search" in (*found.forced, *found.may_add)


@pytest.mark.parametrize("event_type", ["hack", "regulation", "partnership"])
def test_forced_types_are_searched_in_the_first_round(event_type: str) -> None:
    assert decide(facts(event_type), CRYPTO).forced == ("search",)


@pytest.mark.parametrize("event_type", ["depeg", "liquidation"])
class TestNumeric:
    def test_they_are_measured(self, event_type: str) -> None:
        assert decide(facts(event_type), CRYPTO).forced == ("price", "onchain")

    def test_they_are_searched_too_when_the_price_tool_is_off(self, event_type: str) -> None:
        found = decide(facts(event_type, enabled=("search", "onchain")), CRYPTO)
        assert found.forced == ("onchain", "search")

    def test_they_are_searched_offline(self, event_type: str) -> None:
        assert decide(facts(event_type, offline=True), CRYPTO).forced == ("search",)

    def test_they_are_searched_when_the_price_tool_failed(self, event_type: str) -> None:
        found = decide(
            facts(event_type, rounds=1, used=("price", "onchain"), failed=("price",)), CRYPTO
        )
        assert found.forced == ("search",)


@pytest.mark.parametrize(
    ("known", "why"),
    [
        ({"rounds": 1, "multi_source": True}, "multi_source"),
        ({"rounds": 2}, "rounds"),
        ({"rounds": 3, "contradiction_open": True}, "cap"),
        ({"rounds": 1, "remembered": 0.85}, "remembered"),
        ({"rounds": 1, "quota_left": False}, "quota"),
        ({"enabled": ()}, "nothing_to_use"),
        ({"rounds": 0, "max_rounds": 0}, "cap"),
    ],
)
def test_it_stops(known: dict[str, object], why: str) -> None:
    found = decide(facts("listing", **known), CRYPTO)
    assert found.over
    assert found.why == why


def test_a_third_round_needs_an_open_contradiction() -> None:
    found = decide(facts("hack", rounds=2, contradiction_open=True), CRYPTO)
    assert not found.over


def test_a_failed_search_of_the_parties_own_pages_is_made_again_before_support_counts() -> None:
    found = decide(facts("hack", rounds=1, multi_source=True, unheard=True), CRYPTO)
    assert found.forced == ("search",)
    assert decide(facts("hack", rounds=2, multi_source=True), CRYPTO).over


def test_what_a_person_asks_is_searched_whatever_is_remembered() -> None:
    assert not decide(facts("listing", by_hand=True, remembered=0.95), CRYPTO).over
    found = decide(
        facts("listing", by_hand=True, remembered=0.95, rounds=1, used=("search",)), CRYPTO
    )
    assert found.why == "remembered"


def test_memory_that_is_not_alike_enough_stops_nothing() -> None:
    assert not decide(facts("listing", remembered=0.8), CRYPTO).over


def test_too_few_origins_on_the_preferred_list_open_the_second_round() -> None:
    found = decide(facts("hack", rounds=1, few_origins=True), CRYPTO)
    assert found.forced == ("search",)
    assert found.why == "second_list"


def test_a_model_adds_within_the_policy_and_never_takes_away() -> None:
    decision = Decision(forced=("search",), may_add=("search", "price"), why="forced")
    assert chosen(decision, []) == (("search",), ())
    assert chosen(decision, ["price", "shell", "onchain"]) == (
        ("search", "price"),
        ("shell", "onchain"),
    )


class TestDomains:
    def test_a_type_adds_its_domains_to_the_base_list(self) -> None:
        base = {"coindesk.com", "theblock.co", "cointelegraph.com"}
        for event_type, more in (
            ("hack", {"decrypt.co"}),
            ("regulation", {"sec.gov", "cftc.gov", "federalreserve.gov", "esma.europa.eu"}),
        ):
            found = lists(CRYPTO, event_type, ())
            assert base | more <= set(found.preferred)

    def test_the_parties_own_pages_are_searched_at_once(self) -> None:
        parties = entities_in("Coinbase will list XYZ next week")
        found = lists(CRYPTO, "listing", parties)
        queries = first_round("Coinbase XYZ", found, 8)
        assert any("coinbase.com" in query.include_domains for _, query in queries)

    def test_the_second_round_is_open_but_for_what_is_denied(self) -> None:
        ((kind, query),) = second_round("x", lists(CRYPTO, "hack", (), deny=("spam.example",)), 8)
        assert kind == "open"
        assert not query.include_domains
        assert {"t.me", "spam.example"} <= set(query.exclude_domains)

    def test_without_preferred_domains_the_first_round_is_open(self) -> None:
        ((kind, query),) = first_round("x", lists(GENERAL, "product", ()), 8)
        assert kind == "open"
        assert not query.include_domains

    def test_what_is_denied_is_not_preferred(self) -> None:
        assert "decrypt.co" not in lists(CRYPTO, "hack", (), deny=("decrypt.co",)).preferred

    def test_a_partys_own_page_that_is_denied_is_not_searched(self) -> None:
        parties = entities_in("Coinbase will list XYZ next week")
        found = lists(CRYPTO, "listing", parties, deny=("coinbase.com",))
        assert not [host for host in found.parties if host.endswith("coinbase.com")]


@pytest.mark.parametrize("event_type", ["macro", "governance", "airdrop", "celebrity"])
def test_no_model_talks_a_person_out_of_a_search(event_type: str) -> None:
    found = decide(facts(event_type, by_hand=True), CRYPTO)
    assert found.forced == ("search",)


def test_no_second_list_without_a_call_left() -> None:
    found = decide(facts("hack", rounds=1, few_origins=True, quota_left=False), CRYPTO)
    assert found.why == "quota"


@pytest.mark.parametrize(
    ("keywords", "queries"),
    [
        (
            "SEC approves spot ETFs 批准 现货 比特币",
            ("SEC approves spot ETFs", "SEC ETFs 批准 现货 比特币"),
        ),
        (
            "Coinbase 上线 XYZ 公告 listing announcement",
            (
                "Coinbase XYZ listing announcement",
                "Coinbase XYZ 上线 公告",
            ),
        ),
        ("Coinbase XYZ listing announcement", ("Coinbase XYZ listing announcement",)),
        ("金管會 核准 分拆 上市", ("金管會 核准 分拆 上市",)),
        ("Orchard Swap hack 黑客攻击", ("Orchard Swap hack 黑客攻击",)),
    ],
)
def test_each_language_is_searched_by_itself(keywords: str, queries: tuple[str, ...]) -> None:
    assert by_language(keywords) == queries


def test_what_was_measured_is_not_measured_again() -> None:
    done = {"rounds": 1, "used": ("price", "onchain"), "failed": ("onchain",)}
    assert decide(facts("listing", **done), CRYPTO).may_add == ("search", "onchain", "macro")
