"""The tool that plans searches: by the embedded reasoner where no model is set."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.app import open_app
from groundwire.errors import InputError, UnknownName
from groundwire.jobs.sections import Settings
from groundwire.tools.plan import Result


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Why did USDC lose its peg in March 2023?", "en"),
        ("USDC 为什么在2023年3月脱锚？", "zh"),
        ("USDC 為什麼在2023年3月脫錨？", "zh-Hant"),
    ],
)
async def test_a_question_becomes_searches(tmp_path: Path, question: str, language: str) -> None:
    values = {"home": str(tmp_path), "offline": True}
    async with open_app(Settings.load(values, cwd=tmp_path, env={})) as app:
        run = await app.tool("plan", question=question, language=language, max_queries=2)
    assert run.result is not None, run.error
    result = Result.model_validate(run.result["output"])
    assert result.by == "embedded"
    assert 1 <= len(result.queries) <= 2
    assert all("USDC" in query.text for query in result.queries)


async def test_what_a_tool_would_refuse_never_becomes_a_run(tmp_path: Path) -> None:
    values = {"home": str(tmp_path), "offline": True}
    async with open_app(Settings.load(values, cwd=tmp_path, env={})) as app:
        with pytest.raises(InputError, match="plan: question"):
            await app.tool("plan", question="")
        with pytest.raises(InputError, match="topc"):
            await app.tool("search", query="usdc", topc="news")
        with pytest.raises(UnknownName, match="did you mean search"):
            await app.tool("serch", query="usdc")
        assert await app.runs.recent() == []
