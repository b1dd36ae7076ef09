"""The story of a run from its events alone."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rich.console import Console
from rich.theme import Theme

from groundwire.doors.cli.render import STYLES
from groundwire.doors.cli.story import LiveStory, language_of
from groundwire.model.event import Event, EventType


class Teller:
    """A story, its clock, and events in order."""

    def __init__(self, language: str = "en", kind: str = "ask") -> None:
        self.now = 0.0
        self.seq = 0
        self.story = LiveStory("q?", kind, language, clock=lambda: self.now)

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
                at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seq),
            )
        )

    def marks(self) -> str:
        return "".join(self.story.mark(index)[0] for index in range(len(self.story.story.steps)))

    def details(self, name: str) -> str:
        names = [step.name for step in self.story.story.steps]
        return self.story.details(names.index(name))

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
    assert teller.marks() == "●––●–●"


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
    found = [teller.details(phase) for phase in ("plan", "search", "read", "check")]
    assert found == details


def test_a_deeper_round_begins_again_and_keeps_counting() -> None:
    teller = Teller()
    teller.say("thought", phase="plan", round=0, queries=[{"text": "a"}])
    teller.say("gap", what="x", why="y")
    teller.say("thought", phase="plan", round=1, queries=[{"text": "b"}])
    assert teller.marks()[:2] == "●◉"
    assert teller.details("plan") == "2 queries · round 2"


def test_the_block_has_always_as_many_lines() -> None:
    sizes: set[int] = set()
    teller = Teller()
    for step in (lambda: None, teller.whole):
        step()
        console = Console(file=io.StringIO(), width=60, theme=Theme(STYLES))
        with console.capture() as captured:
            console.print(teller.story.block())
        sizes.add(len(captured.get().splitlines()))
    assert sizes == {len(teller.story.story.steps) + 2}


def test_lines_for_pipes_are_told_in_the_readers_language() -> None:
    teller = Teller("zh")
    queries = [{"text": "a"}, {"text": "b"}]
    assert teller.say("thought", phase="plan", queries=queries) == "规划：a · b"
    failures = [{"provider": "t", "message": "late"}]
    line = teller.say("progress", phase="search", query="a", hits=3, failures=failures)
    assert line == "搜索：a · 3 条结果 · t：late"
    weighed = teller.say("thought", phase="weigh", articles=7, origins=3, passages=9)
    assert weighed == "权衡：7 篇文章 → 3 个独立来源 · 9 个段落"
    for stored in ("publisher.local_file", "local file"):  # the second as older versions did
        line = teller.say("evidence", phase="read", kind="page", publisher=stored, title="T")
        assert line == "阅读：本地文件 · T"
    assert teller.say("complete", status="complete") is None


def test_an_event_of_no_step_says_what_it_can() -> None:
    assert Teller().say("chart", anything=1) == "anything 1"
    assert Teller().say("thought", phase="gate", passed=False, reason="too old") == "too old"


# --- a message on its way to a signal ---------------------------------------------------------


def test_the_story_goes_by_the_nodes_of_the_graph() -> None:
    teller = Teller(kind="verify")
    assert teller.marks() == "◉○○○○○"
    shown = teller.say("thought", phase="preliminary", event_type="hack", asset="A", confidence=0.8)
    assert shown == "impression: hack · A · 0.80"
    assert teller.marks() == "●◉○○○○"
    teller.say("thought", phase="context_gather", remembered=2, similarity=0.4)
    assert teller.marks() == "●●◉○○○"
    plan = {"tools": ["search"], "keywords": "A hack", "why": "second_list", "round": 1}
    assert teller.say("thought", phase="planner", **plan) == (
        "plan: search · too few origins on the preferred sites, now the open web · A hack"
    )
    assert teller.marks() == "●●●◉○○"
    teller.say("evidence", phase="read", kind="page", publisher="P", title="T", flags=[])
    assert teller.marks() == "●●●●◉○"
    line = teller.say("progress", phase="executor", tool="search", results=8, origins=3)
    assert line == "tools: search · 8 results · 3 origins"
    teller.say("thought", phase="planner", tools=[], why="multi_source", by="policy", round=2)
    assert teller.marks() == "●●●●●◉"
    signal = teller.say("signal", verdict="supported", confidence=0.82)
    assert signal == "signal: ● supported · 0.82"
    teller.say("complete", status="complete")
    assert teller.marks() == "●●●●●●"
    assert teller.details("executor") == "1 call · 8 results · 3 origins"
    assert teller.details("preliminary") == "hack · A · 0.80"
    assert teller.details("synthesis") == "● supported · 0.82"


def test_a_second_round_plans_again() -> None:
    teller = Teller("zh", kind="verify")
    teller.say("thought", phase="preliminary", event_type="hack", confidence=0.8)
    teller.say("thought", phase="context_gather", remembered=0, similarity=0.0)
    teller.say("thought", phase="planner", tools=["search"], keywords="k", round=1)
    failed = {"code": "timeout", "message": "late"}
    line = teller.say("progress", phase="executor", tool="search", success=False, error=failed)
    assert line == "工具：搜索 · 超时：late"
    teller.say("thought", phase="planner", tools=["search"], keywords="k2", round=2)
    assert teller.details("planner") == "第 2 轮 · 搜索 · k2"
    assert teller.details("executor") == "1 次调用 · 1 次失败"
    assert teller.marks()[3] == "◉"


def test_a_message_that_is_gated_out_passes_the_steps_over() -> None:
    teller = Teller(kind="verify")
    teller.say("thought", phase="preliminary", event_type="other", confidence=0.3)
    teller.say("signal", verdict="unverified", confidence=0.3)
    teller.say("complete", status="complete")
    assert teller.marks() == "●––––●"


@pytest.mark.parametrize(
    ("text", "requested", "language"),
    [
        ("Why?", None, "en"),
        ("为什么？", None, "zh"),
        ("為什麼脫鉤？", "auto", "zh-Hant"),
        ("为什么？", "zh-Hant", "zh-Hant"),
        ("", "auto", "en"),
    ],
)
def test_labels_follow_the_question(text: str, requested: str | None, language: str) -> None:
    assert language_of(text, requested) == language


@pytest.mark.parametrize(
    ("language", "asked", "confirmed", "edited"),
    [
        (
            "en",
            "proposal: the plan",
            "proposal: confirmed as it was",
            "proposal: confirmed with changes",
        ),
        ("zh", "方案：研究方案", "方案：已按原样确认", "方案：修改后已确认"),
        ("zh-Hant", "方案：研究方案", "方案：已依原樣確認", "方案：修改後已確認"),
    ],
)
def test_a_proposal_and_the_word_on_it_are_two_lines(
    language: str, asked: str, confirmed: str, edited: str
) -> None:
    teller = Teller(language, "timeline")
    first = teller.say("proposal", form="Plan", fields={}, confirmed=False)
    assert first is not None and first.startswith(asked)
    assert teller.say("proposal", form="Plan", confirmed=True, edited=False) == confirmed
    assert teller.say("proposal", form="Plan", confirmed=True, edited=True) == edited


def _told(story: LiveStory, seq: int, kind: EventType, step: str, /, **payload: Any) -> str | None:
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seq)
    return story.take(
        Event(
            run_id="timeline-1", seq=seq, key=str(seq), attempt=1, step=step, type=kind,
            payload=payload, at=at,
        )
    )  # fmt: skip


def test_what_is_searched_and_read_within_a_step_is_told_by_its_line() -> None:
    story = LiveStory("Suez Canal", "timeline")
    page: dict[str, Any] = {
        "phase": "read",
        "kind": "page",
        "id": "ev_1",
        "publisher": "P",
        "title": "T",
    }
    search: dict[str, Any] = {"phase": "search", "query": "a", "hits": 3, "failures": []}
    failed: dict[str, Any] = {**search, "failures": [{"provider": "t", "kind": "timeout"}]}
    lines = [
        _told(story, 1, "progress", "round0/search/0/1", **search),
        _told(story, 2, "evidence", "round0/read/0", **page),
        _told(story, 3, "evidence", "round0/read/1", **page),
        _told(story, 4, "progress", "round0/detail/tn_1/0", **search),
        _told(story, 5, "evidence", "round0/detail/tn_1/1", **{**page, "id": "ev_2"}),
        _told(story, 6, "progress", "round0/detail/tn_2/0", **failed),
        _told(story, 7, "detail", "round0/detail/tn_1", date="2024", title="A", hits=3, facts=2),
    ]
    assert [each is None for each in lines] == [False, False, True, True, True, False, False]
    assert lines[-1] == "details: 2024 · A · 3 hits · 2 facts"
