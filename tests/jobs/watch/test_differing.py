"""Events that pages put on different days stand side by side, and nothing else does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lab.archives import document

from groundwire.evidence.pages.passages import split
from groundwire.jobs.watch.differing import differing
from groundwire.language.text.characters import detect_language
from groundwire.model.base import short_id
from groundwire.model.source import Evidence, Tier

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)


def page(text: str, day: str, tier: Tier = "established", origin: str = "") -> Evidence:
    found = document(
        f"https://{short_id('h', [text])}.example/a",
        "",
        text,
        NOW,
        language=detect_language(text),
        published_at=f"{day}T00:00:00Z",
    )
    name = short_id("ev", [found.id])
    return Evidence(
        id=name,
        kind="page",
        document=found,
        passages=split(found),
        origin_id=origin or name,
        tier=tier,
    )


@pytest.mark.parametrize(
    ("one", "other", "subject"),
    [
        (
            "The regulator approved the Norvale bridge bonds on Wednesday 10 January 2024.",
            "The regulator approved the Norvale bridge bonds on Thursday 11 January 2024, and trading began.",
            "Norvale",
        ),
        (
            "2025年1月20日，诺维尔公司正式推出N1量子芯片。",
            "诺维尔公司1月22日推出N1量子芯片，价格没有公布。",
            "诺维尔",
        ),
        (
            "2025年1月20日，諾維爾公司正式推出N1量子晶片。",
            "諾維爾公司1月22日推出N1量子晶片，價格沒有公布。",
            "諾維爾",
        ),
    ],
)
def test_one_event_on_two_days_stands_side_by_side(one: str, other: str, subject: str) -> None:
    pages = [page(one, "2025-01-23"), page(other, "2025-01-29")]
    if "2024" in one:
        pages = [page(one, "2024-01-12"), page(other, "2024-01-13")]
    (point,) = differing(pages, (subject,), "en")
    assert point.point == "watch.point.date"
    assert {each.citations[0].quote for each in point.sides} == {one, other}
    assert not differing([page(one, "2025-01-23", origin="x"), page(other, "2025-01-29", origin="x")], (subject,), "en")  # fmt: skip
    assert not differing(pages, ("Halden",), "en")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # What was said on another day.
        (
            "The Norvale bridge authority said on Monday 6 January 2025 that toll prices were stable.",
            "The Norvale bridge authority said on Thursday 9 January 2025 that toll prices were stable.",
        ),
        ("诺维尔公司1月6日宣布，大桥收费不变。", "诺维尔公司1月9日宣布，大桥收费不变。"),
        ("諾維爾公司1月6日宣布，大橋收費不變。", "諾維爾公司1月9日宣布，大橋收費不變。"),
        # The same moment by two clocks.
        (
            "Norvale launched the N1 quantum chip in California on Monday 6 January 2025.",
            "诺维尔（Norvale）北京时间2025年1月7日凌晨推出N1量子芯片。",
        ),
        # A plan and what came of it.
        (
            "Norvale will open the quantum chip plant in Gotha on 6 January 2025.",
            "Norvale opened the quantum chip plant in Gotha on 9 January 2025.",
        ),
        # Two events.
        (
            "Norvale closed its plant in Gotha on 6 January 2025.",
            "Norvale hired a new treasurer on 9 January 2025.",
        ),
        # Who knows both days contradicts nobody.
        (
            "诺维尔公司2025年1月6日推出N1量子芯片。",
            "诺维尔公司1月6日发表论文，1月9日推出N1量子芯片。",
        ),
    ],
)
def test_what_is_no_contradiction_is_not_shown_as_one(one: str, other: str) -> None:
    pages = [page(one, "2025-01-10"), page(other, "2025-01-10")]
    assert not differing(pages, ("Norvale", "诺维尔", "諾維爾"), "zh")


def test_who_did_it_and_another_origin_settle_the_day_against_one_lesser_page() -> None:
    day = "2024-01-12"
    said = "The regulator approved the Norvale bridge bonds on Wednesday 10 January 2024"
    pages = [
        page(f"{said}.", day, "primary"),
        page(f"{said}, a day early.", day),
        page("The regulator approved the Norvale bridge bonds on Thursday 11 January 2024.", day),
    ]
    (point,) = differing(pages, ("Norvale",), "en")
    assert [(each.verdict, len(each.citations)) for each in point.sides] == [
        ("supported", 2),
        ("contradicted", 1),
    ]
