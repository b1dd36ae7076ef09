"""What kind of event a message tells of, and in which field, in zh, zh-Hant and en."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.evidence.messages.event_types import event_type, profile_of, readable
from groundwire.evidence.messages.profiles import profile, profiles, read_profile

CASES = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "event_cases.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("field", "kind", "text"), CASES)
def test_a_message_has_the_profile_and_type_of_what_it_tells(
    field: str, kind: str, text: str
) -> None:
    found = profile_of(text, profiles())
    assert (found.name, event_type(text, found).event_type) == (field, kind)


def test_there_are_cases_of_every_type_of_both_profiles() -> None:
    covered = {(field, kind) for field, kind, _ in CASES}
    assert covered == {(each.name, kind) for each in profiles() for kind in each.type_names}
    assert len(CASES) > 120


@pytest.mark.parametrize(
    ("text", "word"),
    [
        # inside other words, English
        ("The hackathon starts in Berlin with 40 blockchain teams", "hack"),
        ("Shanghai listings of apartments", "hang seng"),
        # a longer Chinese word is its own word
        ("黑客松将在上海举行，区块链团队参加", "黑客"),
        ("黑客松將在台北舉行", "黑客"),
    ],
)
def test_words_inside_other_words_do_not_count(text: str, word: str) -> None:
    for each in profiles():
        found = event_type(text, each)
        assert word not in found.words


def test_hashtags_are_taken_apart() -> None:
    assert readable("#BitcoinETF approved").split() == ["bitcoin", "etf", "approved"]
    assert readable("#USDC #DePeg").split() == ["usdc", "de", "peg"]


def test_both_scripts_are_one() -> None:
    crypto = profile("crypto")
    simplified = event_type("币安将下架该代币，用户资产被盗", crypto)
    assert event_type("幣安將下架該代幣，用戶資產被盜", crypto) == simplified


def test_what_comes_late_counts_less() -> None:
    crypto = profile("crypto")
    early = dict(
        event_type("Protocol hacked. " + "Nothing else is known so far. " * 8, crypto).scores
    )
    late = dict(
        event_type("Nothing else is known so far. " * 8 + "Protocol hacked.", crypto).scores
    )
    assert late["hack"] < early["hack"]


def test_an_own_profile_is_chosen_by_its_signs() -> None:
    custom = read_profile(
        '{"name": "football", "about": "football", "signs": {"en": {"striker": 3, "transfer": 1}},'
        ' "types": [{"name": "transfer", "about": "moves", "en": {"sign(s|ed)": 4}},'
        ' {"name": "other", "about": "rest"}]}',
        "football.json",
    )
    found = profile_of("Star striker signs for Milan", profiles((custom,)))
    assert found.name == "football"
    assert event_type("Star striker signs for Milan", found).event_type == "transfer"
    assert profile_of("Bitcoin striker", profiles((custom,))).name in ("football", "crypto")


def test_an_empty_text_is_other() -> None:
    assert event_type("", profile("crypto")).event_type == "other"
    assert event_type("🚀🚀🚀", profile("general")).event_type == "other"
