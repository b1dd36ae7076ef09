"""gw recall and gw claims: what was believed when, its history, and taking it back."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from groundwire.app.memory import day_of_the_world, moment
from groundwire.errors import InputError

from .conftest import Gw

QUESTION = "USDC 为什么在2023年3月脱锚？"


@pytest.fixture(scope="module")
def taught(sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a data folder in which one question was asked."""
    import shutil

    home = tmp_path_factory.mktemp("taught") / "home"
    shutil.copytree(sample_home, home)
    assert Gw(home, {"GROUNDWIRE_OFFLINE": "1"})("ask", QUESTION, "--json").code == 0
    return home


@pytest.fixture
def gw(taught: Path, tmp_path: Path) -> Gw:
    import shutil

    shutil.copytree(taught, tmp_path / "home")
    return Gw(tmp_path / "home", {"GROUNDWIRE_OFFLINE": "1"})


def test_recall_gives_claims_with_parts_times_and_sources(gw: Gw):
    found = json.loads(gw("recall", "USDC 脱锚", "--json").out)
    assert found["state"] == "ok"
    entry = found["entries"][0]
    assert entry["claim"]["id"].startswith("cl_")
    assert {part["name"] for part in entry["similarity"]["parts"]} == {"text", "subject", "recency"}
    assert entry["standing"]["learned_at"]
    assert entry["sources"][0]["quote"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("USDC 脱锚", ("相似度", "成立时间", "得知", "来源", "有据")),
        ("USDC 脫錨", ("相似度", "成立時間", "得知", "來源", "有據")),
        ("USDC depeg", ("similarity", "true", "learned", "source", "supported")),
    ],
)
def test_the_card_speaks_the_language_of_the_question(gw: Gw, query: str, words: tuple[str, ...]):
    shown = gw("recall", query, "-n", "1", COLUMNS="80").out
    for word in words:
        assert word in shown


def test_as_of_a_day_before_nothing_was_believed(gw: Gw):
    before = gw("recall", "USDC", "--as-of", "2020-01-01T00:00Z")
    assert before.code == 0
    assert "2020-01-01 00:00:00 UTC+00:00" in before.out
    assert "nothing was believed" in before.err
    assert json.loads(gw("recall", "USDC", "--as-of", "2020-01-01", "--json").out)["entries"] == []


def test_a_withdrawal_is_kept_and_the_claim_is_gone(gw: Gw):
    entries = json.loads(gw("recall", QUESTION, "--json").out)["entries"]
    name = entries[0]["claim"]["id"]
    done = gw("claims", "withdraw", name[:12], "--why", "引用有误", "--by", "周敏")
    assert done.code == 0 and "已撤回" in done.out
    left = json.loads(gw("recall", QUESTION, "--json").out)["entries"]
    assert name not in [entry["claim"]["id"] for entry in left]
    data = json.loads(gw("claims", "history", name, "--json").out)
    last = data["moments"][-1]
    assert (last["kind"], last["who"], last["why"]) == ("withdrawn", "周敏", "引用有误")
    again = gw("claims", "withdraw", name, "--why", "again")
    assert again.code == 2 and "not believed any more" in again.err
    shown = gw("claims", "history", QUESTION)
    assert shown.code == 0 and "得知" in shown.out


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("recall",), "nothing is asked"),
        (("recall", "x", "--as-of", "yesterday-ish"), "--as-of is no date"),
        (("recall", "x", "--since", "2026-13-45"), "--since is no date"),
        (("claims", "withdraw", "nonsense", "--why", "x"), "is no claim's id"),
        (("claims", "withdraw", "cl_0000", "--why", "x"), "there is no claim"),
        (("claims", "withdraw", "cl_0000", "--why", " "), "needs its reason"),
        (("claims", "history", "cl_0000"), "there is no claim"),
        (("claims", "history", "Zyxomorph"), "nothing is remembered"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(gw: Gw, args: tuple[str, ...], expected: str):
    done = gw(*args)
    assert done.code == 2
    assert expected in done.err


def test_memory_that_is_off_says_so(gw: Gw):
    done = gw("recall", "USDC", GROUNDWIRE_MEMORY__ENABLED="false")
    assert done.code == 0 and "memory is off" in done.err
    found = json.loads(gw("recall", "USDC", "--json", GROUNDWIRE_MEMORY__ENABLED="false").out)
    assert (found["state"], found["entries"]) == ("off", [])


def test_a_moment_is_local_unless_it_names_its_zone():
    east = timezone(timedelta(hours=8))
    assert moment("2026-11-10", "x", zone=east) == datetime(2026, 11, 10, tzinfo=east)
    assert moment("2026-11-10", "x", zone=east, end=True) > datetime(
        2026, 11, 10, 23, 59, tzinfo=east
    )
    assert moment("2026-11-10T09:30Z", "x", zone=east) == datetime(2026, 11, 10, 9, 30, tzinfo=UTC)
    assert moment("2026-11-10 09:30", "x", zone=east) == datetime(2026, 11, 10, 1, 30, tzinfo=UTC)
    assert moment("2026-11-10T09:30", "x").tzinfo is not None
    assert day_of_the_world("2026-11-10", "x") == datetime(2026, 11, 10, 12, tzinfo=UTC)
    with pytest.raises(InputError):
        moment("10.11.2026", "x")
