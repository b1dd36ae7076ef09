"""`gw ask` through its door: answers, objects, exit codes, and input that cannot be used."""

from __future__ import annotations

import json
import re
import socket

import pytest

from groundwire.jobs.ask.answer import AskResult

from .conftest import Gw

ENGLISH = "Did USDC lose its peg in March 2023, and why?"
CHINESE = "USDC 为什么在2023年3月脱锚？"


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def online(port: int, **more: str) -> dict[str, str]:
    """Build settings with a search provider that nobody answers for."""
    address = f"http://127.0.0.1:{port}"
    return {
        "GROUNDWIRE_OFFLINE": "",
        "GROUNDWIRE_SEARCH__CHAIN": "tavily",
        "TAVILY_API_KEY": "tvly-planted-key-1",
        "TAVILY_BASE_URL": address,
        **more,
    }


@pytest.mark.parametrize(
    ("question", "language", "labels"),
    [
        (ENGLISH, "en", ("● supported", "Sources", "origins", "written by")),
        (CHINESE, "zh", ("● 有据", "来源", "个独立来源", "内置推理器")),
    ],
)
def test_the_card_answers_in_the_language_of_the_question(
    gw: Gw, question: str, language: str, labels: tuple[str, ...]
) -> None:
    result = gw("ask", question)
    assert result.code == 0
    assert question in result.out
    assert "[1]" in result.out
    assert "sample" in result.out or "示例" in result.out
    for label in labels:
        assert label in result.out
    assert ("run ask-" if language == "en" else "任务 ask-") in result.err
    assert any(step in result.err for step in ("plan: ", "规划：", "規劃："))


@pytest.mark.parametrize("question", [ENGLISH, CHINESE])
def test_json_is_one_result_object_and_nothing_else(gw: Gw, question: str) -> None:
    completed = gw("ask", question, "--json")
    result = AskResult.model_validate(json.loads(completed.out))
    assert completed.code == 0
    assert completed.err == ""
    assert result.status == "complete"
    assert result.question == question
    assert result.answer
    assert all(sentence.citations for sentence in result.answer)


def test_every_quote_of_the_card_stands_in_the_archive(gw: Gw) -> None:
    result = json.loads(gw("ask", CHINESE, "--json").out)
    exported = gw("export", "last", "-f", "bundle", "-o", "b.zip")
    assert exported.code == 0
    assert gw("check", "b.zip").code == 0
    assert result["evidence"]


def test_an_empty_archive_offline_says_what_to_do(empty: Gw) -> None:
    result = empty("ask", ENGLISH)
    assert result.code == 0
    assert "nothing was found" in result.out
    assert "gw archive add --sample" in result.out


@pytest.mark.parametrize(
    ("question", "given", "sentence"),
    [
        ("", None, "the question is empty"),
        (" \n\t ", None, "the question is empty"),
        ("-", "", "the question is empty"),
        ("\u200b\u202e", None, "the question is empty"),
        ("x" * 100_000, None, "too long; at most 4,000"),
        ("-", "x" * 100_000, "too long; at most 4,000"),
        ("-", b"\xff\xfe\xfa", "is not UTF-8"),
        ("bad \udcff bytes", None, "is not valid UTF-8"),
    ],
)
def test_a_question_that_cannot_be_asked_is_one_sentence_and_code_2(
    empty: Gw, question: str, given: str | bytes | None, sentence: str
) -> None:
    result = empty("ask", question, given=given)
    assert result.code == 2
    assert sentence in result.err
    assert "Traceback" not in result.err
    assert result.out == ""
    assert not empty.home.exists(), "nothing half-written"


def test_a_question_from_stdin_is_asked(gw: Gw) -> None:
    result = gw("ask", "-", "--json", given=f"{CHINESE}\n")
    assert json.loads(result.out)["question"] == CHINESE


@pytest.mark.parametrize(
    "args",
    [
        ("ask",),
        ("ask", "x", "--deep", "9"),
        ("ask", "x", "--language", "fr"),
        ("ask", "x", "--nope"),
        ("nope",),
        ("--home", "/proc/nope/x", "ask", "x"),
    ],
)
def test_wrong_usage_is_code_2(empty: Gw, args: tuple[str, ...]) -> None:
    result = empty(*args)
    assert result.code == 2
    assert result.out == ""
    assert "Traceback" not in result.err


def test_the_language_can_be_told(gw: Gw) -> None:
    result = json.loads(gw("ask", CHINESE, "--json", "--language", "en").out)
    assert result["language"] == "en"


def test_a_provider_that_fails_degrades_and_is_code_3(gw: Gw, closed_port: int) -> None:
    completed = gw("ask", ENGLISH, "--json", **online(closed_port))
    result = json.loads(completed.out)
    assert (completed.code, result["status"]) == (3, "degraded")
    assert result["degraded"][0]["part"] == "search:tavily"
    assert result["answer"]
    shown = gw("show", "last")
    assert "Degraded" in shown.out
    assert "search:tavily" in shown.out
    assert "gw resume" in shown.out


def test_every_search_failed_and_nothing_in_hand_is_code_4(empty: Gw, closed_port: int) -> None:
    result = empty("ask", ENGLISH, "--json", **online(closed_port))
    assert (result.code, json.loads(result.out)["status"]) == (4, "failed")


def test_a_budget_that_is_used_up_is_code_5(gw: Gw, closed_port: int) -> None:
    completed = gw("ask", ENGLISH, "--json", **online(closed_port, GROUNDWIRE_BUDGET__RUN_USD="0"))
    result = json.loads(completed.out)
    assert (completed.code, result["degraded"][0]["code"]) == (5, "quota")
    assert "GROUNDWIRE_BUDGET__RUN_USD" in gw("show", "last").out


def test_no_key_is_printed_anywhere(gw: Gw, closed_port: int) -> None:
    env = online(closed_port)
    results = [gw("ask", ENGLISH, **env), gw("show", "last", "--calls", "--json", **env)]
    results += [gw("doctor", **env), gw("providers", **env), gw("--debug", "models", **env)]
    for each in results:
        assert "planted-key" not in each.out + each.err


def test_search_and_read_are_small_runs(gw: Gw) -> None:
    found = gw("search", "USDC 脱锚", "-n", "3", "--json")
    assert found.code == 0
    assert len(json.loads(found.out)["output"]["hits"]) == 3
    read = gw("read", "https://news.example/a")
    assert read.code == 4
    assert "Offline" in read.err
    assert "GROUNDWIRE_OFFLINE" in read.err
    assert gw("read", "not an address").code == 2
    listed = json.loads(gw("runs", "--json").out)
    assert [run["kind"] for run in listed] == ["tool"] * 2


def _held(gw: Gw, language: str) -> str:
    words = {"en": "USDC peg", "zh": "稳定币 脱锚", "zh-Hant": "穩定幣 脫鉤 DeepSeek"}[language]
    hits = json.loads(gw("archive", "search", words, "--json").out)
    return next(h["document"]["url"] for h in hits if h["document"]["language"] == language)


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_read_offline_shows_the_stored_copy_and_says_so(gw: Gw, language: str) -> None:
    url = _held(gw, language)
    result = gw("read", url)
    assert result.code == 0
    assert re.search(
        r"(stored copy|存档副本|存檔副本|封存).*\(\d{4}-\d\d-\d\d\)", " ".join(result.out.split())
    )
    output = json.loads(gw("read", url, "--json").out)["output"]
    assert "stored" in output["flags"]
    assert output["provider"] == "archive"
    assert output["document"]["language"] == language
    # The look into the archive is recorded: a replay finds the same copy.
    assert gw("replay", "last").code == 0


def test_read_offline_of_a_page_that_nobody_read_fails(gw: Gw) -> None:
    result = gw("read", "https://nobody.example/never")
    assert result.code == 4
    assert "offline" in result.err.lower()
