"""The high-value gate: which messages from intake go deep, and why."""

from __future__ import annotations

import pytest

from groundwire.evidence.messages.profiles import profile
from groundwire.jobs.verify.policy import is_high_value, rolled_in
from groundwire.jobs.verify.signal import Preliminary
from groundwire.words import words


def preliminary(event_type: str, confidence: float, field: str = "crypto") -> Preliminary:
    return Preliminary(profile=field, event_type=event_type, confidence=confidence, summary="x")


@pytest.mark.parametrize(
    ("event_type", "confidence", "passed", "expected"),
    [
        ("hack", 0.10, True, "hack is always looked into"),
        ("depeg", 0.10, True, "always"),
        ("liquidation", 0.0, True, "always"),
        ("macro", 0.99, False, "macro is never looked into unasked"),
        ("other", 0.99, False, "never"),
        ("airdrop", 0.99, False, "never"),
        ("governance", 0.99, False, "never"),
        ("celebrity", 0.99, False, "never"),
        ("scam_alert", 0.99, False, "never"),
        ("listing", 0.75, True, "confidence 0.75 reaches the threshold 0.75"),
        ("listing", 0.74, False, "confidence 0.74 is below the threshold 0.75"),
        ("partnership", 0.80, True, "reaches"),
        ("regulation", 0.60, False, "below"),
    ],
)
def test_the_gate_of_crypto(
    event_type: str, confidence: float, passed: bool, expected: str
) -> None:
    found = is_high_value(preliminary(event_type, confidence), profile("crypto"), 0.75)
    assert found.passed is passed
    assert expected in words("en").phrase(found.reason)


def test_a_priority_channel_has_its_own_threshold() -> None:
    message = preliminary("listing", 0.60)
    assert not is_high_value(message, profile("crypto"), 0.75).passed
    assert is_high_value(message, profile("crypto"), 0.55).passed


def test_the_general_profile_has_its_own_sets() -> None:
    general = profile("general")
    assert is_high_value(preliminary("disaster", 0.1, "general"), general, 0.75).passed
    assert not is_high_value(preliminary("other", 0.9, "general"), general, 0.75).passed
    assert not is_high_value(preliminary("product", 0.6, "general"), general, 0.75).passed


def test_the_same_message_always_takes_the_same_path() -> None:
    found = [rolled_in("msg_1f3a", 40).passed for _ in range(5)]
    assert len(set(found)) == 1


def test_a_larger_share_holds_every_smaller_one() -> None:
    ids = [f"msg_{number}" for number in range(500)]
    shares = [
        {each for each in ids if rolled_in(each, percent).passed} for percent in (0, 10, 50, 100)
    ]
    assert shares[0] == set()
    assert shares[3] == set(ids)
    assert shares[0] <= shares[1] <= shares[2] <= shares[3]


def test_the_share_is_about_what_was_asked_for() -> None:
    ids = [f"telegram:{number}" for number in range(4000)]
    share = sum(rolled_in(each, 25).passed for each in ids) / len(ids)
    assert 0.22 < share < 0.28
    assert "25 %" in words("en").phrase(rolled_in(ids[0], 25).reason)


@pytest.mark.parametrize(
    ("language", "always", "below", "outside"),
    [
        ("en", "hack is always looked into", "below the threshold", "outside the 0 %"),
        ("zh", "黑客攻击 类消息一律深入核查", "低于门槛 0.75", "不在可深入核查的 0 % 之内"),
        ("zh-Hant", "駭客攻擊 類訊息一律深入查證", "低於門檻 0.75", "不在可深入查證的 0 % 之內"),
    ],
)
def test_reasons_are_in_the_language_of_the_desk(
    language: str, always: str, below: str, outside: str
) -> None:
    crypto = profile("crypto")
    hack, listing = preliminary("hack", 0.5), preliminary("listing", 0.5)
    say = words(language).phrase
    assert say(is_high_value(hack, crypto, 0.75).reason) == always
    assert below in say(is_high_value(listing, crypto, 0.75).reason)
    assert outside in say(rolled_in("msg_1", 0).reason)
