"""A job with one examined question, and a model that knows as much as a test lets it know."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import stamina

from groundwire import jobs
from groundwire.app import App, open_app
from groundwire.context import mind
from groundwire.jobs.sections import settings_type
from groundwire.llm import prompts
from groundwire.llm.model import ModelReply, Usage
from groundwire.model.base import JsonObject
from groundwire.model.run import Run
from groundwire.reasoning import exam

FOLDER = Path(__file__).with_name("quiz_job")
MODEL = "openai:gpt-4.1-mini"
_NUMBER = re.compile(r"Number: (\d+)")
Says = Callable[[int], object]  # an output; an exception is raised


def right(n: int) -> JsonObject:
    return {"even": n % 2 == 0}


def wrong(n: int) -> JsonObject:
    return {"even": n % 2 == 1}


def agrees(_n: int) -> JsonObject:
    """Say what the embedded answer says."""
    return {"even": True}


@dataclass
class Desk:
    """Apps over one data folder, and a model behind all of them."""

    home: Path
    says: Says = right
    asked: list[int] = field(default_factory=list[int])  # numbers, in the order of asking
    model: str = ""  # that is being asked
    cost: int = 50  # micro-dollars of an answer
    hold: Callable[[int], Any] | None = None  # awaited before an answer

    async def send(self, spec: Any, request: JsonObject, **_: Any) -> ModelReply:
        found = _NUMBER.search(request["user"])
        assert found is not None
        number = int(found[1])
        self.asked.append(number)
        if self.hold is not None:
            await self.hold(number)
        self.model = spec.label
        output = self.says(number)
        if isinstance(output, Exception):
            raise output
        usage = Usage(input_tokens=100, output_tokens=10)
        return ModelReply(
            output=output,  # pyright: ignore[reportArgumentType]
            usage=usage,
            finish="stop",
            model="stub",
            cost_micro=self.cost,
        )

    @asynccontextmanager
    async def open(self, **more: Any) -> AsyncGenerator[App]:
        given = {
            "home": str(self.home),
            "search.chain": ["archive"],
            "models.light": [MODEL],
            "models.providers.openai.api_key": "sk-stub",
            "models.exam": "first_use",
            **more,
        }
        loaded = settings_type().load(given, cwd=self.home, env={"HOME": str(self.home)})
        async with open_app(loaded) as app:
            yield app

    async def quiz(self, app: App, *numbers: int) -> Run:
        given: dict[str, object] = {"numbers": list(numbers)} if numbers else {}
        return await app.finished((await app.submit("quiz", given)).id)

    def items(self) -> list[int]:
        """List the items that the model was asked: 1 to 24; a run's own numbers are larger."""
        return [n for n in self.asked if n <= 24]


@pytest.fixture
def quiz(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Put the job in its place, with its prompts and items where files of all jobs are looked for."""
    monkeypatch.setattr(jobs, "__path__", [*jobs.__path__, str(FOLDER)])
    plain = prompts.folders

    def with_quiz(kind: str) -> dict[str, Any]:
        return plain(kind) | {"quiz": FOLDER / "quiz" / kind}

    for module in (prompts, exam):
        monkeypatch.setattr(module, "folders", with_quiz)
    _forget_files()
    yield FOLDER
    _forget_files()
    for name in [each for each in sys.modules if each.startswith("groundwire.jobs.quiz")]:
        del sys.modules[name]
    vars(jobs).pop("quiz", None)


def _forget_files() -> None:
    prompts.names.cache_clear()
    prompts.load.cache_clear()


@pytest.fixture
def desk(quiz: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    found = Desk(tmp_path)
    monkeypatch.setattr(mind, "send", found.send)
    stamina.set_testing(True, attempts=2, cap=True)
    yield found
    stamina.set_testing(False)
