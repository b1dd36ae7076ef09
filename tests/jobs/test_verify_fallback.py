"""A message always ends in a signal: without tools, and when the deep path fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.jobs.test_verify_run import (
    LIGHT_AND_HEAVY,
    TEXT,
    desk,
    is_sum,
    payloads_of,
    scenario,
    verify,
)

from groundwire.app.exports import replay_run
from groundwire.errors import IllegalState, InputError
from groundwire.jobs import report_of
from groundwire.jobs.verify.describe_message import QUESTION, DescribeInput, Description
from groundwire.words import words

MESSAGES = [
    (TEXT, "en", "Nothing was looked up."),
    ("网传果园交换协议遭黑客攻击，4100万美元被盗", "zh", "没有查证任何内容。"),
    ("網傳果園交換協議遭駭客攻擊，4100萬美元被盜", "zh-Hant", "沒有查證任何內容。"),
]
BUGS = [
    (RuntimeError("sk-secret-in-an-exception"), "internal"),
    (IllegalState("a step that the rules do not allow"), "internal"),
    (InputError("error.no_embedding_model"), "failed"),
]


@pytest.mark.parametrize(("text", "language", "expected"), MESSAGES)
async def test_without_tools_the_message_is_described_by_its_words(
    text: str, language: str, expected: str, tmp_path: Path
) -> None:
    async with desk(tmp_path) as app:
        signal, _ = await verify(app, text=text, tools=False)
        run = await app.runs.find(signal.run_id)
    assert (signal.language, signal.path, signal.status) == (language, "plain", "complete")
    assert signal.description.endswith(expected)
    shown = report_of(run).report(run)
    assert "description" in [each.name for each in shown.blocks if each.type == "heading"]


async def test_the_heavy_model_describes_it_where_there_is_one(tmp_path: Path) -> None:
    async with desk(tmp_path, settings=LIGHT_AND_HEAVY) as app:
        signal, _ = await verify(app, tools=False)
    assert signal.reasoner == "openai:stub-heavy"
    assert "Orchard Swap" in signal.description
    assert (signal.verdict, signal.confidence) == ("unverified", signal.preliminary.confidence)


async def test_a_model_that_is_down_leaves_the_embedded_description(tmp_path: Path) -> None:
    case = scenario(down=["model"])
    async with desk(tmp_path, case, settings=LIGHT_AND_HEAVY) as app:
        signal, _ = await verify(app, tools=False)
    assert signal.reasoner == "embedded"
    assert signal.description.endswith("Nothing was looked up.")
    assert any("(describe)" in each.part for each in signal.degraded)


async def test_what_the_gate_holds_back_stays_as_it_is(tmp_path: Path) -> None:
    async with desk(tmp_path) as app:
        signal, _ = await verify(app, text="Airdrop: Orchard Swap gives 500 ORCH", gate=True)
    assert (signal.path, signal.description) == ("plain", "")


@pytest.mark.parametrize(
    ("text", "language", "expected", "bug", "code"),
    [(*message, *bug) for message, bug in zip(MESSAGES, BUGS, strict=True)],
)
async def test_whatever_fails_the_deep_path_leaves_a_signal(
    text: str,
    language: str,
    expected: str,
    bug: Exception,
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise bug

    monkeypatch.setattr("groundwire.jobs.verify.nodes.trace_origins", fail)
    async with desk(tmp_path) as app:
        signal, events = await verify(app, text=text)
        run = await app.runs.find(signal.run_id)
        again = await replay_run(app, run)
    assert (run.state, signal.status, signal.path) == ("degraded", "degraded", "plain")
    assert (signal.verdict, signal.language) == ("unverified", language)
    assert signal.confidence == signal.preliminary.confidence
    assert "not_searched" in signal.risk_flags
    assert signal.description.endswith(expected)
    failed = next(each for each in signal.degraded if each.part == "deep path")
    assert failed.code == code
    assert "sk-secret" not in signal.model_dump_json()
    assert is_sum(signal)
    assert len(payloads_of(events, "preliminary")) == 1
    assert again.identical, again.differences


async def test_with_a_model_a_failed_deep_path_is_described_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("groundwire.jobs.verify.nodes.trace_origins", fail)
    async with desk(tmp_path, settings=LIGHT_AND_HEAVY) as app:
        signal, _ = await verify(app)
    assert (signal.status, signal.reasoner) == ("degraded", "openai:stub-heavy")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Orchard Swap is said to have lost $41 million; no source is named.", None),
        ("", "fault.description_length"),
        ("x" * 601, "fault.description_length"),
        ("See https://a.example/ for more.", "fault.link"),
        ("Orchard Swap is said to have lost $70 million.", "fault.absent_figure"),
        ("Binance Labs is said to confirm it.", "fault.absent_name"),
    ],
)
def test_a_description_says_nothing_that_the_message_does_not(text: str, fault: str | None) -> None:
    given = DescribeInput(message=TEXT, language="en", event_type="hack", summary=TEXT)
    found = QUESTION.fault_of(given, Description(text=text))
    assert (found.code if found else None) == fault


@pytest.mark.parametrize(
    ("message", "text", "language"),
    [
        ("果园协议被盗4100万美元", "消息称果园协议被盗 4100 万美元，没有具名来源。", "zh"),
        ("果園協議被盜4100萬美元", "訊息稱果園協議被盜 4100 萬美元，沒有具名來源。", "zh-Hant"),
    ],
)
def test_a_chinese_description_is_taken(message: str, text: str, language: str) -> None:
    given = DescribeInput(message=message, language=language, event_type="hack", summary=message)
    assert QUESTION.fault_of(given, Description(text=text)) is None


DATED = {
    "en": "Orchard Swap will pause on 12 March, it said yesterday; in 2026 it lost $41 million",
    "zh": "果园协议昨天称将于3月12日暂停，2026年被盗4100万美元",
    "zh-Hant": "果園協議昨天稱將於3月12日暫停，2026年被盜4100萬美元",
}


@pytest.mark.parametrize(
    ("language", "text", "stands"),
    [
        ("en", "It is said that yesterday a pause on 12 March 2026 was announced.", True),
        ("en", "A pause in March is claimed.", True),
        ("en", "A pause on 13 March is claimed.", False),
        ("en", "A pause on 12 March 2025 is claimed.", False),
        ("en", "A pause today is claimed.", False),
        ("en", "A loss in June 2026 is claimed.", False),  # the message has the year only
        ("en", "A pause on Friday is claimed.", False),
        ("zh", "消息称昨日宣布 3 月 12 日暂停。", True),
        ("zh", "消息称 3 月 13 日暂停。", False),
        ("zh", "消息称明天暂停。", False),
        ("zh-Hant", "訊息稱昨日宣布 3 月 12 日暫停。", True),
        ("zh-Hant", "訊息稱民國115年3月12日暫停。", True),
        ("zh-Hant", "訊息稱 2025 年 3 月 12 日暫停。", False),
    ],
)
def test_a_description_has_no_date_that_the_message_lacks(
    language: str, text: str, stands: bool
) -> None:
    message = DATED[language]
    given = DescribeInput(message=message, language=language, event_type="hack", summary=message)
    found = QUESTION.fault_of(given, Description(text=text))
    assert (found.code if found else None) == (None if stands else "fault.absent_date")
    assert words(language).has("fault.absent_date")
