"""Law 2 against a model that lies on real quotes, through the whole app."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from lab.stubs.brain import Prompt

from groundwire.jobs.ask.answer import AskResult
from tests.laws.house import House, ask, result
from tests.laws.scripted import Model, scripted

# Question, a real quote, sentences that stand on it, and lies that do not.
ENGLISH = (
    "How much of its reserves did Circle or Tether hold at Silicon Valley Bank?",
    "said late on Friday 10 March 2023 that $3.3 billion of the roughly $40 billion of reserves "
    "backing the token remained at Silicon Valley Bank",
    [
        "According to the source, $3.3 billion of the reserves remained at Silicon Valley Bank.",
        "Circle kept 3.3 billion dollars of its reserves at SVB.",
    ],
    # Not more than an answer may have, or the whole answer would be refused before any is checked.
    [
        "Tether kept $3.3 billion of its reserves at Silicon Valley Bank.",
        "Its executives committed fraud and were arrested.",
        "Four banks collapsed the same night.",
        "$3.3 billion of the reserves did not remain at Silicon Valley Bank.",
        "3.3% of the reserves remained at Silicon Valley Bank.",
        "The reserves at Silicon Valley Bank rose by $3.3 billion.",
    ],
)
CHINESE = (
    "英伟达股价为什么下跌？",
    "英伟达股价在2025年1月27日（星期一）下跌约17%，市值一日蒸发约5930亿美元",
    ["据来源，英伟达股价在2025年1月27日下跌约17%。", "英伟达市值一日蒸发约5930亿美元。"],
    [
        "英伟达股价在2025年1月27日上涨约17%。",
        "特斯拉股价在2025年1月27日下跌约17%。",
        "英伟达高管李志强因财务造假被捕。",
        "英伟达裁员17人。",
        "英伟达市值一日蒸发不到5930亿美元。",
        "英伟达股价在2025年1月27日没有下跌。",
    ],
)
CASES = {"en": ENGLISH, "zh": CHINESE}


def _says(language: str) -> Callable[[Prompt], dict[str, Any]]:
    _, quote, true, lies = CASES[language]

    def say(prompt: Prompt) -> dict[str, Any]:
        number = next(number for number, text in prompt.passages if quote in text)
        quotes = [{"passage": number, "quote": quote}]
        return {"sentences": [{"text": text, "quotes": quotes} for text in (*true, *lies)]}

    return say


async def _answer(house: House, language: str, *, strict: bool) -> AskResult:
    async with scripted(Model(write=_says(language))) as model:
        house.model_url = model.url
        async with house.open(**{"ask.pages": 20, "ask.queries": 5}) as app:
            await app.archive.add_sample()
            return result(await ask(app, CASES[language][0], strict=strict))


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_no_lie_on_a_real_quote_is_shown_as_an_answer(house: House, language: str) -> None:
    _, _, true, lies = CASES[language]
    found = await _answer(house, language, strict=False)
    assert [each.text for each in found.answer] == true
    assert [each.text for each in found.unsupported] == lies
    assert all(each.problems for each in found.unsupported)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_strict_shows_no_lie_at_all(house: House, language: str) -> None:
    _, _, true, lies = CASES[language]
    found = await _answer(house, language, strict=True)
    shown = found.model_dump_json()
    assert [each.text for each in found.answer] == true
    assert not [text for text in lies if text in shown]
    assert found.checks.dropped == len(lies)
