"""verify on what people really send: no words, endless words, foreign tags; and on a graph that fails."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError
from test_verify_run import LIGHT_AND_HEAVY, TEXT, desk, is_sum, payloads_of, verify

from groundwire.errors import InputError, Malformed
from groundwire.jobs.verify import graph
from groundwire.jobs.verify.measuring import askable
from groundwire.model.message import LONGEST, Message
from groundwire.words import words

LONG_NAME = "International Consolidated Airlines Group Holdings Company Limited Partnership"


@pytest.mark.parametrize("text", ["🚀🚀🚀", "...!!!???", "？！。"])
async def test_a_message_without_words_is_not_searched_and_says_so(
    text: str, tmp_path: Path
) -> None:
    async with desk(tmp_path) as app:
        signal, _ = await verify(app, text=text)
    assert signal.verdict == "unverified"
    assert "not_searched" in signal.risk_flags
    assert signal.confidence == signal.preliminary.confidence
    assert is_sum(signal)


@pytest.mark.parametrize("text", ["x" * LONGEST, ("暴涨" * LONGEST)[:LONGEST]])
async def test_one_endless_word_is_searched_by_its_beginning(text: str, tmp_path: Path) -> None:
    async with desk(tmp_path) as app:
        signal, events = await verify(app, text=text)
    assert "no_evidence" in signal.risk_flags
    assert 0 < len(payloads_of(events, "planner")[0]["keywords"]) <= 380


async def test_a_name_too_long_for_a_tool_is_not_asked_of_it(tmp_path: Path) -> None:
    text = f"Shares of the {LONG_NAME} rose 20% today, stock market surges"
    async with desk(tmp_path) as app:
        signal, _ = await verify(app, text=text)
    price = next(each for each in signal.tools if each.tool == "price")
    assert (price.success, price.bearing) == (True, "silent")


async def test_a_text_of_nothing_but_nul_is_refused_before_it_is_a_run(tmp_path: Path) -> None:
    async with desk(tmp_path) as app:
        with pytest.raises(InputError):
            await verify(app, text="\x00 \x00")


@pytest.mark.parametrize("text", ["", "  \n ", "\x00", " \x00 "])
def test_no_message_is_empty(text: str) -> None:
    with pytest.raises(ValidationError):
        Message(id="a", text=text, received_at=datetime(2025, 6, 3, tzinfo=UTC))


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("zh-CN", "zh"),
        ("zh_TW", "zh-Hant"),
        ("zh-hant-HK", "zh-Hant"),
        ("zh-Hans", "zh"),
        ("zh", "zh"),
        ("en-US", "en"),
        ("EN", "en"),
        ("pt-BR", "pt"),
        ("und", "und"),
        ("", ""),
    ],
)
def test_the_language_of_a_message_has_one_name(tag: str, language: str) -> None:
    at = datetime(2025, 6, 3, tzinfo=UTC)
    assert Message(id="a", text="x", language=tag, received_at=at).language == language


@pytest.mark.parametrize(
    ("text", "tag", "language"),
    [
        (TEXT, "en-US", "en"),
        (TEXT, "und", "en"),
        ("果园交换协议遭黑客攻击，4100万美元被盗", "zh-CN", "zh"),
        ("果園交換協議遭駭客攻擊，4100萬美元被盜", "zh-TW", "zh-Hant"),
    ],
)
async def test_a_tag_with_a_region_needs_no_translation(
    text: str, tag: str, language: str, tmp_path: Path
) -> None:
    async with desk(tmp_path) as app:
        signal, _ = await verify(app, text=text, language=tag)
    assert (signal.language, signal.status) == (language, "complete")


class TestAGraphThatFails:
    async def test_the_first_impression_stands_and_names_the_cause(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fails(*_given: object) -> None:
            raise Malformed('it answered {"x": {0}')

        monkeypatch.setattr(graph, "deepen", fails)
        async with desk(tmp_path) as app:
            signal, _ = await verify(app)
        assert (signal.path, signal.status, signal.verdict) == ("plain", "degraded", "unverified")
        assert signal.confidence == signal.preliminary.confidence
        assert "not_searched" in signal.risk_flags
        assert '{"x": {0}' in signal.degraded[0].reason

    def test_words_of_others_are_no_pattern(self) -> None:
        for text in ("{", "{0}", "{name}"):
            assert words("en")(text) == words("zh")(text) == text

    def test_what_is_quoted_keeps_its_script(self) -> None:
        assert words("zh-Hant")("verify.why.gated", why="“发布”") == "沒有通過篩選：“发布”"


async def test_a_refused_search_is_not_tried_again_on_the_next_list(tmp_path: Path) -> None:
    async with desk(tmp_path, settings={"budget.run_usd": 0}) as app:
        signal, _ = await verify(app)
    codes = [each.error.code for each in signal.tools if each.tool == "search" and each.error]
    assert codes == ["quota"]


async def test_who_stopped_is_named(tmp_path: Path) -> None:
    async with desk(tmp_path) as app:
        _, events = await verify(app, text="Lisbon opened a new tram line on Monday")
    stops = [each for each in payloads_of(events, "planner") if each["why"] == "open"]
    assert [(each["tools"], each["by"]) for each in stops] == [([], "embedded")]


async def test_a_model_that_wants_every_tool_again_measures_once(tmp_path: Path) -> None:
    async with desk(tmp_path, settings=LIGHT_AND_HEAVY) as app:
        signal, _ = await verify(app, text="Lisbon opened a new tram line on Monday")
    used = [each.tool for each in signal.tools]
    assert used.count("search") == 2
    assert (used.count("price"), used.count("onchain")) == (1, 1)


def test_only_names_that_a_tool_takes_are_asked_for() -> None:
    names = ("", " BTC ", "BTC", LONG_NAME, *(f"C{number}" for number in range(9)))
    assert askable(names, 40) == ("BTC", "C0", "C1", "C2", "C3")


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
async def test_a_time_that_cannot_be_is_no_time(at: str, tmp_path: Path) -> None:
    async with desk(tmp_path) as app:
        signal, _ = await verify(app, text=f"{TEXT} yesterday", published_at=at)
    assert signal.message.published_at is None
    assert signal.message.at == signal.message.received_at
