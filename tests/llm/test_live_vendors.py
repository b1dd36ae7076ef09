"""One live question in each language for each vendor with a key; skipped where there is none.

pytest -m integration tests/llm/test_live_vendors.py
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from groundwire.app import App, open_app
from groundwire.jobs.ask.answer import AskResult
from groundwire.llm.spec import VENDORS, vendor
from groundwire.model.picture import Picture
from groundwire.tools.look import Result

NAMED = [name for name in VENDORS if vendor(name).DEFAULT_LIGHT]
SEEING = [name for name in NAMED if vendor(name).DEFAULT_VISION]
QUESTIONS = ("Did USDC lose its peg in March 2023, and why?", "USDC 为什么在2023年3月脱锚？")


def overrides(name: str, home: Path) -> dict[str, object]:
    declared = vendor(name)
    found: dict[str, object] = {
        "home": str(home),
        "search.chain": ["archive"],
        "budget.run_usd": 0.2,
        "models.light": [f"{name}:{declared.DEFAULT_LIGHT}"],
        "models.heavy": [f"{name}:{declared.DEFAULT_HEAVY}"],
    }
    if declared.DEFAULT_VISION:
        found["models.vision"] = [f"{name}:{declared.DEFAULT_VISION}"]
    return found


def skip_without(name: str, app: App) -> None:
    given = app.settings.models.providers.get(name, {})
    wanted = "base_url" if vendor(name).LOCAL else "api_key"
    if wanted not in given:
        setting = (*vendor(name).KEY_SETTING, *vendor(name).URL_SETTING)[0]
        pytest.skip(f"{name} is not asked without {setting}")


def red_square(side: int = 64) -> bytes:
    """Draw a picture that anybody would describe alike."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))  # fmt: skip

    rows = (b"\x00" + b"\xff\x00\x00" * side) * side
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.integration
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", NAMED)
async def test_a_live_model_answers_with_citations(
    name: str, question: str, tmp_path: Path
) -> None:
    async with open_app(overrides=overrides(name, tmp_path)) as app:
        skip_without(name, app)
        await app.archive.add_sample()
        run = await app.finished((await app.submit("ask", {"question": question})).id)
        result = AskResult.model_validate(run.result)
        assert (result.status, result.degraded) == ("complete", ())
        assert result.answer and all(sentence.citations for sentence in result.answer)
        models = [each for each in await app.store.ledger.records(run.id) if each.kind == "model"]
        assert models and all(each.outcome == "ok" for each in models)
        assert vendor(name).LOCAL or result.cost.usd > 0


@pytest.mark.integration
@pytest.mark.parametrize("name", SEEING)
async def test_a_live_model_sees(name: str, tmp_path: Path) -> None:
    async with open_app(overrides=overrides(name, tmp_path)) as app:
        skip_without(name, app)
        picture = Picture.of(red_square())
        await app.store.pictures.put(picture)
        given = picture.ref.model_dump(mode="json")
        run = await app.tool("look", picture=given, wanted="Which colour is it?")
        assert "red" in Result.model_validate((run.result or {})["output"]).description.lower()
