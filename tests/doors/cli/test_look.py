"""`gw look`: one sentence where no model can see; a report with name and price where one can."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab.stubs import Stubs, running_stubs

from .conftest import Gw

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(60))


@pytest.fixture(scope="module")
def stubs() -> Iterator[Stubs]:
    with running_stubs("gemini") as started:
        yield started


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "图 1.png"
    path.write_bytes(PNG)
    return str(path)


def seeing(stubs: Stubs) -> dict[str, str]:
    return {
        "GROUNDWIRE_OFFLINE": "0",
        "GEMINI_API_KEY": "key-planted-0123456789",
        "GROUNDWIRE_MODELS__PROVIDERS__GOOGLE__BASE_URL": stubs.url("gemini"),
    }


def test_with_a_key_alone_a_picture_is_seen_recorded_and_replayed(
    empty: Gw, stubs: Stubs, picture: str
) -> None:
    env = seeing(stubs)
    found = empty("look", picture, "what is it?", **env)
    assert found.code == 0, found.err
    assert f"a picture of {len(PNG)} bytes (image/png)" in " ".join(found.out.split())
    shown = " ".join(found.out.split())
    assert "by google:gemini-3.5-flash-lite" in shown
    assert "$0.0" in shown
    shown = json.loads(empty("look", picture, "这是什么？", "--json", **env).out)
    assert shown["status"] == "complete"
    assert "字节" in shown["output"]["description"]
    assert shown["cost"]["calls"] == 1
    # The record is enough: no model and no picture is asked for again.
    again = empty("replay", "last")
    assert again.code == 0, again.err
    assert f"{len(PNG)} 字节" in empty("show", "last").out


@pytest.mark.parametrize(
    ("env", "hint"),
    [
        ({"GROUNDWIRE_OFFLINE": "0"}, "set GROUNDWIRE_MODELS__VISION=vendor:model"),
        ({}, "unset GROUNDWIRE_OFFLINE"),
        ({"GROUNDWIRE_OFFLINE": "0", "DEEPSEEK_API_KEY": "k"}, "set GROUNDWIRE_MODELS__VISION"),
    ],
)
def test_without_a_model_that_sees_it_says_what_to_set(
    env: dict[str, str], hint: str, empty: Gw, picture: str
) -> None:
    found = empty("look", picture, **env)
    assert (found.code, found.out) == (2, "")
    assert "no model that sees pictures is set up" in found.err
    assert hint in " ".join(found.err.split())


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("absent.png", None, "there is no file"),
        ("empty.png", b"", "the picture is empty"),
        ("page.png", b"<html></html>", "not a picture that models take"),
        ("large.png", PNG + b"0" * 7_000_000, "the picture has 7,000,068 bytes"),
        ("long" * 200, None, "cannot be read"),
    ],
)
def test_what_is_no_picture_never_becomes_a_run(
    name: str, data: bytes | None, message: str, empty: Gw, stubs: Stubs, tmp_path: Path
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    found = empty("look", str(path), **seeing(stubs))
    assert (found.code, found.out) == (2, "")
    assert message in found.err
    assert json.loads(empty("runs", "--json").out) == []


@pytest.mark.parametrize("command", ["look", "read"])
def test_an_address_with_a_password_is_refused_before_it_is_kept(
    command: str, empty: Gw, stubs: Stubs
) -> None:
    found = empty(command, "https://me:hunter2@a.example/1.png", **seeing(stubs))
    assert (found.code, found.out) == (2, "")
    assert "user name or password" in found.err
    assert json.loads(empty("runs", "--json").out) == []


def test_models_says_that_nobody_else_sees(empty: Gw) -> None:
    lines = [" ".join(line.split()) for line in empty("models").out.splitlines()]
    assert "light embedded reasoner" in lines
    assert "vision nobody: without a model no picture is seen" in lines
