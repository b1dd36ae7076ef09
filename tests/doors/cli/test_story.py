"""The story of a run from its events alone."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

import pytest
from rich.console import Console
from rich.theme import Theme

from groundwire.doors.cli.render import STYLES
from groundwire.doors.cli.story import PHASES, Story, language_of
from groundwire.model.event import Event, EventType


class Teller:
    """A story, its clock, and events in order."""

    def __init__(self, language: str = "en") -> None:
        self.now = 0.0
        self.seq = 0
        self.story = Story("q?", language, clock=lambda: self.now)

    def say(self, kind: EventType, /, **payload: Any) -> str | None:
        self.seq += 1
        self.now += 1.0
        return self.story.take(
            Event(
                run_id="ask-1",
                seq=self.seq,
                key=str(self.seq),
                attempt=1,
                step="",
                type=kind,
                payload=payload,
                at=datetime(2026, 1, 1, tzinfo=UTC),
            )
        )

    def marks(self) -> str:
        return "".join(self.story.mark(index)[0] for index in range(len(PHASES)))

    def whole(self) -> None:
        self.say("run", kind="ask")
        self.say("thought", phase="plan", round=0, queries=[{"text": "a"}, {"text": "b"}])
        self.say("progress", phase="search", query="a", hits=3, failures=[])
        self.say("progress", phase="search", query="b", hits=1, failures=[{"provider": "t"}])
        self.say("evidence", phase="read", kind="page", publisher="P", title="T", flags=[])
        self.say("thought", phase="weigh", articles=7, origins=3, passages=9)
        self.say("answer", text="s", verdict="supported")
        self.say("complete", status="complete")


def test_the_live_phase_moves_with_the_events() -> None:
    teller = Teller()
    seen = [teller.marks()]
    for kind, payload in [
        ("thought", {"phase": "plan", "queries": [{"text": "a"}]}),
        ("progress", {"phase": "search", "query": "a", "hits": 2, "failures": []}),
        ("evidence", {"phase": "read", "kind": "page"}),
        ("thought", {"phase": "weigh", "articles": 2, "origins": 1, "passages": 4}),
        ("answer", {"text": "x", "verdict": "supported"}),
        ("complete", {}),
    ]:
        teller.say(kind, **payload)  # type: ignore[arg-type]
        seen.append(teller.marks())
    assert seen == ["◉○○○○○", "●◉○○○○", "●◉○○○○", "●●◉○○○", "●●●●◉○", "●●●●●◉", "●●●●●●"]


def test_a_run_without_passages_shows_that_nothing_was_written() -> None:
    teller = Teller()
    teller.say("thought", phase="plan", queries=[])
    teller.say("thought", phase="weigh", articles=0, origins=0, passages=0)
    teller.say("gap", what="q", why="nothing was found")
    teller.say("complete")
    assert teller.marks() == "●●●●–●"


@pytest.mark.parametrize(
    ("language", "details"),
    [
        ("en", ["2 queries", "2 searches · 4 hits · 1 failed", "1 page", "1 sentence"]),
        ("zh", ["2 个查询", "2 次搜索 · 4 条结果 · 1 次失败", "1 页", "1 句"]),
    ],
)
def test_phases_are_counted_in_the_readers_language(language: str, details: list[str]) -> None:
    teller = Teller(language)
    teller.whole()
    found = [teller.story.details(phase) for phase in ("plan", "search", "read", "check")]
    assert found == details
    assert "7" in teller.story.details("weigh")


def test_a_deeper_round_begins_again_and_keeps_counting() -> None:
    teller = Teller()
    teller.say("thought", phase="plan", round=0, queries=[{"text": "a"}])
    teller.say("gap", what="x", why="y")
    teller.say("thought", phase="plan", round=1, queries=[{"text": "b"}])
    assert teller.marks()[:2] == "●◉"
    assert teller.story.details("plan") == "2 queries · round 2"


def test_the_block_has_always_as_many_lines() -> None:
    sizes: set[int] = set()
    teller = Teller()
    for step in (lambda: None, teller.whole):
        step()
        console = Console(file=io.StringIO(), width=60, theme=Theme(STYLES))
        with console.capture() as captured:
            console.print(teller.story.block())
        sizes.add(len(captured.get().splitlines()))
    assert sizes == {len(PHASES) + 2}


def test_times_belong_to_the_phase_that_was_live() -> None:
    teller = Teller()
    teller.whole()
    assert sum(teller.story.seconds.values()) == teller.now


def test_unknown_events_are_passed_over() -> None:
    assert Teller().say("chart", anything=1) is None


@pytest.mark.parametrize(("text", "language"), [("Why?", "en"), ("为什么？", "zh"), ("", "en")])
def test_labels_follow_the_question(text: str, language: str) -> None:
    assert language_of(text) == language
