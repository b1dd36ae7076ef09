"""Messages by webhook: who may send them, for how long a signature holds, what is refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from groundwire.app.intake import webhook
from groundwire.app.intake.webhook import check, messages_of
from groundwire.doors.api.problems import status_of
from groundwire.errors import Expired, InputError, TooBig, Unsigned, UserError
from groundwire.notify.providers.webhook import signature

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
BODY = '{"text": "USDC 脱锚"}'.encode()
SECRET = "s3cret-of-tests"
GOOD = signature(SECRET, BODY, NOW)


def test_the_signature_is_the_one_of_the_contract() -> None:
    # printf '1794830400.{"text": "a"}' | openssl dgst -sha256 -hmac key
    at = datetime.fromtimestamp(1794830400, UTC)
    expected = "565ebacc96d81da73bf34be438df5b07efab79afdee37632911192d22095be6f"
    assert signature("key", b'{"text": "a"}', at) == f"t=1794830400,v1={expected}"


@pytest.mark.parametrize("seconds", [-300, -1, 0, 299, 300])
def test_a_signature_holds_five_minutes_either_way(seconds: int) -> None:
    check(GOOD, BODY, SECRET, NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize("seconds", [-301, 301, 86_400])
def test_a_signature_of_another_time_is_refused(seconds: int) -> None:
    with pytest.raises(Expired):
        check(GOOD, BODY, SECRET, NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "v1=abc",
        f"t={int(NOW.timestamp())}",
        GOOD.replace("v1=", "v0="),
        GOOD[:-1],
        GOOD[:-1] + ("0" if GOOD[-1] != "0" else "1"),
        GOOD.replace("t=", "t=-"),
        GOOD.replace("t=", "t=1"),
        f"t=1,{GOOD}",
        "t=²,v1=é",
        "t=99999999999999999999999,v1=aa",
        GOOD.upper().replace("T=", "t=").replace("V1=", "v1="),
    ],
)
def test_a_signature_that_does_not_fit_is_refused(header: str | None) -> None:
    with pytest.raises(Unsigned):
        check(header, BODY, SECRET, NOW)


def test_another_body_or_another_secret_does_not_fit() -> None:
    for body, secret in ((BODY + b" ", SECRET), (BODY, "other"), (BODY, "")):
        with pytest.raises(Unsigned):
            check(GOOD, body, secret, NOW)


def test_a_sender_may_sign_with_an_old_and_a_new_secret() -> None:
    old = signature("old", BODY, NOW).partition(",")[2]
    check(f"{GOOD.partition(',')[0]},{old},{GOOD.partition(',')[2]}", BODY, SECRET, NOW)


def test_a_body_is_one_message_or_a_list_of_them() -> None:
    (one,) = messages_of(BODY, NOW)
    assert (one.text, one.source, one.received_at) == ("USDC 脱锚", "webhook", NOW)
    given = [
        {"text": "脫錨", "id": 7, "source": "desk", "published_at": "2026-11-16T11:00:00+08:00"},
        {"text": "b c", "id": "7", "source": "desk", "media_urls": ["https://a.example/1.png"]},
    ]
    first, second = messages_of(json.dumps(given).encode(), NOW)
    assert first.source == "webhook:desk"
    assert first.id == second.id  # the sender's own
    assert first.published_at == datetime(2026, 11, 16, 3, 0, tzinfo=UTC)
    assert second.media_urls == ("https://a.example/1.png",)


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", InputError, 422),
        (b"\xff", InputError, 422),
        (b"{", InputError, 422),
        (b"[" * 100_000, InputError, 422),
        (b"[]", InputError, 422),
        (b"7", InputError, 422),
        (b'{"id": 7}', InputError, 422),
        (b'{"text": null}', InputError, 422),
        (b'{"text": "   "}', InputError, 422),
        (b'{"text": ["a"]}', InputError, 422),
        (b'{"text": "\\ud800"}', InputError, 422),
        (b'{"text": "a", "source": {}}', InputError, 422),
        (b'{"text": "a", "media_urls": "x"}', InputError, 422),
        (b'{"text": "a", "media_urls": [1]}', InputError, 422),
        (b'{"text": "a", "published_at": "soon"}', InputError, 422),
        (b'{"text": "a", "published_at": "2031-01-01"}', InputError, 422),
        (json.dumps({"text": "x" * 20_001}).encode(), TooBig, 413),
        (json.dumps([{"text": "x"}] * 101).encode(), TooBig, 413),
        (b" " * (webhook.LARGEST + 1), TooBig, 413),
        (b'[{"text": "good"}, {"text": ""}]', InputError, 422),  # all or none
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_body_that_cannot_be_used_is_refused_whole(
    body: bytes, kind: type[UserError], status: int
) -> None:
    with pytest.raises(kind) as refused:
        messages_of(body, NOW)
    assert status_of(refused.value) == status


def test_who_is_not_signed_is_told_apart_from_what_is_wrong() -> None:
    assert status_of(Unsigned()) == status_of(Expired()) == 401
