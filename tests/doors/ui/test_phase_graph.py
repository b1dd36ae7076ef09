"""The picture of a run's phases: every phase of the table, where the run stands, and how it ended."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.doors.ui.phase_graph import phase_graph, state_of
from groundwire.jobs import phases, steps
from groundwire.jobs.watch.phases import MOVES, PHASES
from groundwire.model.event import Event
from groundwire.model.story import Story
from groundwire.words import words


def _story(*told: tuple[str, str]) -> Story:
    story = Story(steps("watch"))
    for number, (kind, phase) in enumerate(told):
        payload = {"phase": phase} if phase else {}
        at = datetime(2026, 11, 1, 12, 0, number, tzinfo=UTC)
        event = Event(
            run_id="w", seq=number + 1, key=str(number), attempt=1, step="", type=kind,
            payload=payload, at=at,
        )  # fmt: skip
        story.take(event)
    return story


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_every_phase_is_drawn_in_the_readers_words(language: str) -> None:
    say = words(language)
    picture = phase_graph("watch", _story(("thought", "planning")), say)
    assert picture is not None
    for phase in PHASES:
        assert f'data-phase="{phase}"' in picture
        assert say(f"watch.phase.{phase}") in picture
    assert phases("ask") is None


def test_every_move_onward_is_drawn_once() -> None:
    """Recovering is reached from everywhere, so its moves are not drawn one by one."""
    picture = phase_graph("watch", _story(), words("en"))
    assert picture is not None
    onward = {
        frozenset((here, there))
        for here, others in MOVES.items()
        for there in others
        if "recovering" not in (here, there) or there == "failed"
    }
    assert picture.count('class="move"') == len(onward)


def test_the_phase_that_the_run_stands_in_is_the_last_that_it_told_of() -> None:
    told = [("thought", each) for each in ("idle", "planning", "executing", "searching")]
    story = _story(*told)
    assert [state_of(each, story) for each in ("planning", "searching", "expanding")] == [
        "passed", "live", "ahead",
    ]  # fmt: skip
    done = _story(*told, ("complete", ""))
    assert [state_of(each, done) for each in ("searching", "completed")] == ["passed", "here"]
    lost = _story(*told, ("thought", "recovering"), ("failed", ""))
    assert [state_of(each, lost) for each in ("recovering", "failed")] == ["passed", "here"]
