"""The whole app on a data folder of its own, over the stubs or over its archive alone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lab.stubs import Stubs

from groundwire.app import App, open_app
from groundwire.jobs.ask.answer import AskResult
from groundwire.jobs.sections import Settings
from groundwire.model.run import NewRun, Run
from groundwire.versions import versions

NOW = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
WHY = "Did USDC lose its peg in March 2023, and why?"
WHY_ZH = "USDC 为什么在2023年3月脱锚？"
TAVILY_KEY = "tvly-planted-0123456789abcdef"
MODEL_KEY = "sk-planted0123456789abcdef"
MODEL = "openai:gpt-4.1-mini"
URL = re.compile(r"(?:https?|ftp)://[^\s\"'<>\\)】]+")


@dataclass
class House:
    """Settings for one data folder; `open` gives the app."""

    home: Path
    database: str | None = None
    stubs: Stubs | None = None
    model_url: str | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def values(self, **changes: Any) -> dict[str, Any]:
        found: dict[str, Any] = {
            "home": str(self.home),
            "fetch.allow_private": ["127.0.0.0/8"],
            "fetch.workers": 1,
            "fetch.per_host": 4,
            "ask.queries": 2,
            "ask.pages": 4,
            "search.chain": ["archive"],
        }
        if self.database is not None:
            found["database_url"] = self.database
        if self.stubs is not None:
            found["search.chain"] = ["tavily", "archive"]
            found["search.providers.tavily.base_url"] = self.stubs.url("tavily")
            found["search.providers.tavily.api_key"] = TAVILY_KEY
        if self.model_url is not None:
            found["models.light"] = found["models.heavy"] = [MODEL]
            found["models.providers.openai.base_url"] = self.model_url
            found["models.providers.openai.api_key"] = MODEL_KEY
        return {**found, **self.more, **changes}

    @asynccontextmanager
    async def open(self, **changes: Any) -> AsyncIterator[App]:
        self.home.mkdir(parents=True, exist_ok=True)
        loaded = Settings.load(self.values(**changes), cwd=self.home, env={"HOME": str(self.home)})
        async with open_app(loaded) as app:
            yield app


async def ask(app: App, question: str = WHY, **given: Any) -> Run:
    """Ask, and wait for the end."""
    run = await app.submit("ask", {"question": question, **given}, now=NOW)
    return await ended(app, run.id)


async def ended(app: App, run_id: str) -> Run:
    async with asyncio.timeout(60):
        return await app.finished(run_id)


async def asked_with_seed(app: App, name: str, seed: str = "5eed" * 8) -> Run:
    """As `ask`, with the run's secret seed chosen: its delimiters are part of the writer's key."""
    run = await app.engine.submit(
        NewRun(
            id=name,
            kind="ask",
            input=app.checked("ask", {"question": WHY}),
            settings=app.outside.run_settings(),
            now=NOW,
            seed=seed,
            versions=versions(),
            created_at=NOW,
        )
    )
    return await ended(app, run.id)


def result(run: Run) -> AskResult:
    assert run.result is not None, run.error
    return AskResult.model_validate(run.result)


async def journal(app: App, run_id: str) -> list[Any]:
    return list(await app.store.journal.read(run_id, limit=10_000))
