"""What the planner's prompt shows of a message, of memory, and of what a look costs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.jobs.verify.decide_tools import QUESTION, DecideInput, search_names
from groundwire.jobs.verify.signal import Preliminary
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
    text = prompt(language)
    assert all(each in text for each in shown), text


@pytest.mark.parametrize(
    ("language", "summary"),
    [("en", "Orchard Swap was drained"), ("zh", "果园协议被盗"), ("zh-Hant", "果園協議被盜")],
)
def test_it_shows_what_memory_holds_as_data(language: str, summary: str) -> None:
    text = prompt(language, event(f"{summary} https://a.example/x"), event("other", None))
    assert f"- 0.91 | insufficient 0.43 | false | 30 h | {summary}" in text
    assert "| ? | 30 h | other" in text
    assert "a.example" not in text
    *_, block = text.split("<<data ")
    assert summary in block.partition("<</data ")[0]


@pytest.mark.parametrize(
    ("text", "asset_name"),
    [
        ("Vanguard bans BTC funds", "Bitcoin"),
        ("先锋领航禁止BTC基金", "比特币"),
        ("先鋒領航禁止BTC基金", "比特幣"),
    ],
)
def test_an_asset_named_by_its_ticker_brings_its_own_names_alone(
    text: str, asset_name: str
) -> None:
    impression = Preliminary(
        profile="crypto",
        event_type="regulation",
        asset="BTC",
        asset_name=asset_name,
        confidence=0.5,
        summary=text,
    )
    names = search_names(impression, text)
    assert names[:2] == (asset_name, "BTC")
    assert "Vanguard Group" in names
    assert not any("Core" in name for name in names)


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_a_later_round_sees_what_was_searched_and_what_it_brought(language: str) -> None:
    given = DecideInput(
        message="Orchard Swap 被盗。" * 200,
        language=language,
        event_type="hack",
        claims=("Orchard Swap 被盗",),
        searches=("Orchard Swap hack | 7 | 3",),
        pages=("2025-06-03 | reuters.com | Orchard Swap says all is well | contradicts",),
        round=2,
    )
    text = render(load(QUESTION.prompt, language), QUESTION.variables(given, "seed")).user
    assert "- Orchard Swap 被盗" in text
    assert "Orchard Swap hack | 7 | 3" in text
    assert "2025-06-03 | reuters.com | Orchard Swap says all is well | contradicts" in text
    assert text.count("被盗") < 100
    # Titles and words of searches come from strangers as well.
    assert text.count("<<data") == 2
