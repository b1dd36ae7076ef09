"""The tools that other agents call: platforms, memory, moods, pages; on an app of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.app import App, open_app
from groundwire.errors import InputError
from groundwire.jobs.sections import Settings


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    given: dict[str, object] = {"home": str(tmp_path), "offline": True}
    async with open_app(Settings.load(given, cwd=tmp_path, env={"HOME": str(tmp_path)})) as opened:
        yield opened


async def output(app: App, tool: str, **arguments: object) -> dict[str, Any]:
    run = await app.tool(tool, **arguments)
    assert run.result is not None
    assert run.result["error"] is None, run.result["error"]
    return run.result["output"]


async def test_moods_are_those_of_the_words_and_no_words_no_mood(app: App) -> None:
    found = await output(
        app,
        "analyze_sentiment",
        texts=["市场暴跌，恐慌蔓延。", "股價反彈，信心恢復。", "The report has 12 pages."],
        extract_opinions=True,
    )
    assert found["moods"] == ["panic", "optimistic", None]
    assert {each["text"] for each in found["opinions"]} == {0, 1}
    assert found["opinions"][0]["quote"] in "市场暴跌，恐慌蔓延。"


async def test_a_platform_search_names_each_platform_and_refuses_unknown_ones(app: App) -> None:
    found = await output(app, "platform_search", query="DeepSeek", platforms=["wechat", "web"])
    assert [each["platform"] for each in found["searched"]] == ["wechat", "web"]
    with pytest.raises(InputError):
        await app.tool("platform_search", query="DeepSeek", platforms=["wechatt"])


async def test_memory_that_holds_nothing_says_so(app: App) -> None:
    found = await output(app, "memory_search", query="DeepSeek", detect_changes=True)
    assert (found["recollection"]["state"], found["changes"]) == ("ok", [])
    found = await output(app, "timeline_query", subject="DeepSeek", days=7)
    assert (found["state"], found["entries"]) == ("ok", [])
