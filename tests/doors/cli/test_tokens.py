"""`gw token`: a secret is shown once, kept nowhere, and ends when it is revoked."""

from __future__ import annotations

import json

import pytest

from groundwire.app.access import PREFIX, digest

from .conftest import Gw


def test_a_token_is_shown_once_and_kept_as_a_hash(empty: Gw) -> None:
    made = empty("token", "create", "ci", "--per-minute", "60", "--day-usd", "0.5")
    assert made.code == 0
    secret = made.out.strip()
    assert secret.startswith(PREFIX)
    assert "60 requests a minute and $0.50 a day" in made.err
    listed = empty("token", "list")
    assert "ci" in listed.out
    assert secret not in listed.out
    (stored,) = empty.home.glob("*.db")
    held = b"".join(each.read_bytes() for each in empty.home.glob("*.db*"))
    assert secret.encode() not in held
    assert digest(secret).encode() in held
    assert stored.exists()


def test_json_has_the_token_and_what_it_may(empty: Gw) -> None:
    made = json.loads(empty("token", "create", "desk-2", "--scope", "admin", "--json").out)
    assert made["token"].startswith(PREFIX)
    assert (made["name"], made["scope"], made["per_minute"]) == ("desk-2", "admin", None)
    (listed,) = json.loads(empty("token", "list", "--json").out)
    assert "token" not in listed
    assert listed == {name: value for name, value in made.items() if name != "token"}


def test_a_revoked_token_stays_in_the_list(empty: Gw) -> None:
    empty("token", "create", "甲")
    gone = empty("token", "revoke", "甲")
    assert gone.code == 0
    assert "甲 is revoked" in gone.out
    assert "revoked" in empty("token", "list").out
    again = empty("token", "create", "甲")
    assert (again.code, "there is a token '甲' already" in again.err) == (2, True)


def test_without_tokens_it_is_said_how_to_make_one(empty: Gw) -> None:
    listed = empty("token", "list")
    assert (listed.code, listed.out) == (0, "")
    assert "gw token create NAME" in listed.err


@pytest.mark.parametrize(
    "args",
    [
        ("create", ""),
        ("create", "a b"),
        ("create", "../x"),
        ("create", "x" * 65),
        ("create", "x", "--scope", "root"),
        ("create", "x", "--per-minute", "0"),
        ("create", "x", "--day-usd", "-1"),
        ("create", "x", "--day-usd", "nan"),
        ("revoke", "nobody"),
        ("revoke", ""),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(empty: Gw, args: tuple[str, ...]) -> None:
    refused = empty("token", *args)
    assert refused.code == 2
    assert refused.err
    assert "Traceback" not in refused.err
    assert json.loads(empty("token", "list", "--json").out) == []
