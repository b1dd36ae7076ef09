"""What the planner's prompt shows of a message, of memory, and of what a look costs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.jobs.verify.decide_tools import QUESTION, DecideInput
from groundwire.llm.prompts import load, render
from groundwire.model.history import PastEvent

AT = datetime(2026, 11, 10, tzinfo=UTC)


def event(summary: str, outcome: str | None = "false") -> PastEvent:
    return PastEvent.model_validate(
        {
            "run_id": "verify-1",
            "summary": summary,
            "event_type": "hack",
            "asset": "ORCH",
            "verdict": "insufficient",
            "confidence": 0.43,
            "at": AT,
            "outcome": outcome,
            "similarity": 0.91,
            "age_hours": 30.0,
        }
    )


def prompt(language: str, *memory: PastEvent) -> str:
    given = DecideInput(
        message="Orchard Swap 被盗",
        language=language,
        event_type="hack",
        confidence=0.67,
        memory=memory,
        allowed=("search",),
        calls_left=17,
        search_usd=0.008,
    )
    rendered = render(load(QUESTION.prompt, language), QUESTION.variables(given, "seed"))
    return f"{rendered.system}\n{rendered.user}"


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", ("Language of the desk: en", "first impression: 0.67", "left today: 17", "$0.008")),
        ("zh", ("工作语言：zh", "初步置信度：0.67", "工具调用：17", "0.008美元")),
        ("zh-Hant", ("工作语言：zh-Hant", "初步置信度：0.67", "工具调用：17", "0.008美元")),
    ],
)
def test_it_shows_language_confidence_quota_and_price(
    language: str, shown: tuple[str, ...]
) -> None:
    said = prompt(language)
    assert all(each in said for each in shown), said


@pytest.mark.parametrize(
    ("language", "summary"),
    [("en", "Orchard Swap was drained"), ("zh", "果园协议被盗"), ("zh-Hant", "果園協議被盜")],
)
def test_it_shows_what_memory_holds_as_data(language: str, summary: str) -> None:
    said = prompt(language, event(f"{summary} https://a.example/x"), event("other", None))
    assert f"- 0.91 | insufficient 0.43 | false | 30 h | {summary}" in said
    assert "| ? | 30 h | other" in said
    assert "a.example" not in said
    *_, block = said.split("<<data ")
    assert summary in block.partition("<</data ")[0]
