"""The steps of a run from its events: the same here and in the script that goes on from the page."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

import pytest

from groundwire import jobs
from groundwire.jobs.ask.steps import STEPS as ASK
from groundwire.jobs.verify.steps import STEPS as VERIFY
from groundwire.model.base import JsonObject
from groundwire.model.event import Event, EventType
from groundwire.model.story import Count, Step, Story
from groundwire.report.story import for_script, rows
from groundwire.words import words

AT = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
EventRow = tuple[EventType, JsonObject]
RUN: EventRow = ("run", {"kind": "ask"})


def plan(**more: object) -> EventRow:
    return "thought", {"phase": "plan", "queries": [{}, {}], **more}


SEARCH: EventRow = ("progress", {"phase": "search", "hits": 4, "failures": []})
PAGE: EventRow = ("evidence", {"phase": "read", "kind": "page"})
SNIPPET: EventRow = ("evidence", {"phase": "read", "kind": "snippet"})
UNREAD: EventRow = ("warning", {"phase": "read", "instead": "nothing"})
WEIGH: EventRow = ("thought", {"phase": "weigh", "origins": 2, "passages": 7})
ANSWER: EventRow = ("answer", {"text": "x", "citations": []})
GAP: EventRow = ("gap", {"what": "x"})
DONE: EventRow = ("complete", {"status": "complete", "digest": "d"})
FAILED: EventRow = ("failed", {"status": "failed", "digest": None})
FAILED_WITH_RESULT: EventRow = ("failed", {"status": "failed", "digest": "d"})
FIRST: EventRow = ("thought", {"phase": "preliminary"})
MEMORY: EventRow = ("thought", {"phase": "context_gather", "remembered": 1})
PLANNED: EventRow = ("thought", {"phase": "planner", "round": 1, "tools": ["search"]})
AGAIN: EventRow = ("thought", {"phase": "planner", "round": 2, "tools": ["search"]})
ENOUGH: EventRow = ("thought", {"phase": "planner", "round": 2, "tools": []})
TOOL: EventRow = ("progress", {"phase": "executor", "results": 3, "origins": 2})
SIGNAL: EventRow = ("signal", {"verdict": "supported"})

WAYS: dict[str, tuple[tuple[Step, ...], Sequence[EventRow]]] = {
    "nothing yet": (ASK, ()),
    "just begun": (ASK, (RUN,)),
    "reading": (ASK, (RUN, plan(), SEARCH, SEARCH, PAGE, SNIPPET, UNREAD)),
    "writing": (ASK, (RUN, plan(), SEARCH, PAGE, WEIGH)),
    "answered": (ASK, (RUN, plan(), SEARCH, PAGE, WEIGH, ANSWER, ANSWER, GAP, DONE)),
    "two rounds": (
        ASK,
        (RUN, plan(), SEARCH, PAGE, WEIGH, ANSWER, GAP, plan(), SEARCH, PAGE, WEIGH, ANSWER, DONE),
    ),
    "nothing to write from": (ASK, (RUN, plan(), SEARCH, WEIGH, GAP, DONE)),
    "failed on the way": (ASK, (RUN, plan(), SEARCH, FAILED)),
    "failed at its end": (ASK, (RUN, plan(), SEARCH, WEIGH, GAP, FAILED_WITH_RESULT)),
    "a signal": (VERIFY, (RUN, FIRST, MEMORY, PLANNED, PAGE, TOOL, ENOUGH, SIGNAL, DONE)),
    "a signal in two rounds": (
        VERIFY,
        (RUN, FIRST, MEMORY, PLANNED, PAGE, TOOL, AGAIN, PAGE, TOOL, ENOUGH, SIGNAL, DONE),
    ),
    "without tools": (VERIFY, (RUN, FIRST, SIGNAL, DONE)),
}


def events(event_rows: Sequence[EventRow]) -> list[Event]:
    return [
        Event(
            run_id="r", seq=n, key=str(n), attempt=1, step="", type=kind, payload=payload,
            at=AT + timedelta(seconds=n),
        )
        for n, (kind, payload) in enumerate(event_rows, start=1)
    ]  # fmt: skip


def story_of(name: str) -> Story:
    steps, event_rows = WAYS[name]
    story = Story(steps)
    for event in events(event_rows):
        story.take(event)
    return story


def states(story: Story) -> list[str]:
    return [story.state(place) for place in range(len(story.steps))]


@pytest.mark.parametrize(("name", "expected"), [
    ("nothing yet", "live ahead ahead ahead ahead ahead"),
    ("just begun", "live ahead ahead ahead ahead ahead"),
    ("reading", "done done live ahead ahead ahead"),
    ("writing", "done done done done live ahead"),
    ("answered", "done done done done done done"),
    ("two rounds", "done done done done done done"),
    ("nothing to write from", "done done skipped done skipped done"),
    ("failed on the way", "done broken ahead ahead ahead ahead"),
    ("failed at its end", "done done skipped done skipped done"),
    ("a signal", "done done done done done done"),
    ("without tools", "done skipped skipped skipped skipped done"),
])  # fmt: skip
def test_steps_are_done_live_or_passed_over(name: str, expected: str):
    assert states(story_of(name)) == expected.split()


def test_counts_are_sums_newest_values_and_those_of_the_round():
    assert story_of("reading").counts == {
        "plan.queries": 2, "plan.round": 1, "search.searches": 2, "search.hits": 8, "search.failures": 0,
        "read.pages": 1, "read.snippets": 1, "read.unread": 1,
    }  # fmt: skip
    two = story_of("two rounds").counts
    assert (two["search.searches"], two["weigh.passages"], two["check.sentences"]) == (2, 7, 1)
    assert "check.gaps" not in two
    assert story_of("a signal in two rounds").counts["planner.round"] == 2


def test_the_time_between_events_belongs_to_the_step_that_was_live():
    story = story_of("answered")
    assert story.seconds == {
        "plan": 1.0, "search": 2.0, "read": 0.0, "weigh": 1.0, "write": 1.0, "check": 3.0,
    }  # fmt: skip
    assert sum(story.seconds.values()) == len(WAYS["answered"][1]) - 1


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
@pytest.mark.parametrize("kind", jobs.kinds())
def test_every_job_has_words_for_its_steps_and_counts(kind: str, language: str):
    story = Story(jobs.steps(kind))
    for step in story.steps:
        story.counts |= {f"{step.name}.{count.name}": 2 for count in step.counts}
    shown = rows(story, kind, words(language))
    assert all(row.label and row.word for row in shown)
    assert all("{" not in row.counts for row in shown)


def test_one_is_not_many():
    step = Step("read", ("evidence",), counts=(Count("pages"),))
    story = Story((step,), counts={"read.pages": 1})
    assert rows(story, "ask", words("en"))[0].counts == "1 page"
    assert rows(story, "ask", words("zh"))[0].counts == "1 页"


def test_what_is_told_again_in_a_new_attempt_is_counted_once():
    story = story_of("answered")
    for event in events(WAYS["answered"][1]):
        story.take(event.model_copy(update={"attempt": 2}))
    once = story_of("answered")
    assert (story.attempt, story.counts, story.seconds) == (2, once.counts, once.seconds)


def test_a_count_takes_numbers_and_lists_and_nothing_else():
    def of(value: object) -> int | None:
        (event,) = events([("progress", {"n": value})])
        return Count("hits", "n").of(event)

    assert [of(each) for each in (3, [1, 2], [], True, "4", None, 1.5)] == [
        3, 2, 0, None, None, None, None,
    ]  # fmt: skip


_NODE = shutil.which("node")
_SCRIPT = """
import { Story } from "./story.mjs";
import { readFileSync } from "node:fs";
const found = {};
for (const [name, { data, events }] of Object.entries(JSON.parse(readFileSync(0)))) {
  const story = new Story(data);
  for (const event of events) story.take(event);
  found[name] = {
    states: story.steps.map((_, place) => story.state(place)),
    said: story.steps.map((step) => story.said(step)),
    counts: story.counts, seconds: story.seconds,
  };
}
console.log(JSON.stringify(found));
"""


@pytest.mark.skipif(_NODE is None, reason="the script needs an engine; the browser tests have one")
@pytest.mark.parametrize("cut", [0, 1, 3])
def test_the_script_counts_as_we_do(tmp_path: Path, cut: int):
    """From any event on: what the page has counted, and what comes after it."""
    given: JsonObject = {}
    for name, (steps, event_rows) in WAYS.items():
        story = Story(steps)
        for event in events(event_rows)[:cut]:
            story.take(event)
        kind = "ask" if steps is ASK else "verify"
        left = [event.model_dump(mode="json") for event in events(event_rows)[cut:]]
        given[name] = {"data": for_script(story, kind, words("en")), "events": left}
    found = _counted(tmp_path, given)
    for name in WAYS:
        _same(found[name], name)


@pytest.mark.skipif(_NODE is None, reason="the script needs an engine; the browser tests have one")
def test_the_script_begins_anew_with_an_attempt(tmp_path: Path):
    """What was told before a run was resumed is told again, and counted once."""
    given: JsonObject = {}
    for name, (steps, event_rows) in WAYS.items():
        kind = "ask" if steps is ASK else "verify"
        data = for_script(story_of(name), kind, words("en"))
        again = [each.model_copy(update={"attempt": 2}) for each in events(event_rows)]
        given[name] = {"data": data, "events": [each.model_dump(mode="json") for each in again]}
    found = _counted(tmp_path, given)
    for name in WAYS:
        _same(found[name], name)


def _counted(tmp_path: Path, given: JsonObject) -> JsonObject:
    source = files("groundwire.doors.ui").joinpath("static", "story.js").read_text("utf-8")
    (tmp_path / "story.mjs").write_text(source, "utf-8")
    (tmp_path / "main.mjs").write_text(_SCRIPT, "utf-8")
    ran = subprocess.run(
        [str(_NODE), "main.mjs"],
        cwd=tmp_path,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(ran.stdout)


def _same(found: JsonObject, name: str) -> None:
    story = story_of(name)
    kind = "ask" if story.steps is ASK else "verify"
    assert found["states"] == states(story), name
    assert found["said"] == [row.counts for row in rows(story, kind, words("en"))], name
    assert found["counts"] == story.counts, name
    assert found["seconds"] == pytest.approx(story.seconds), name
