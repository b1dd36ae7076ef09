"""The result of a standing watch's run, field by field as the page promises it to programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lab.months.web import evening
from lab.stubs.harness import StubReply
from tests.jobs.watch.watch_world import COMMAND, FIRST, WatchWorld, desk, page

from groundwire.app import App
from groundwire.app.schedule_views import Terms, view_of
from groundwire.model.schedule import Schedule

CHEAPER = page("harbour.example", 2, "Velmora's Aurin 5 costs $199 from today, its newsroom said.")
GONE = {"www.coast.example": StubReply(503, b"", "text/html")}
COMMON = {
    "run_id", "status", "language", "as_of", "evidence", "origins", "gaps", "degraded", "recovered",
    "unsupported", "checks", "reasoner", "decided", "cost", "latency_ms",
}  # fmt: skip
OWN = {
    "watch_id", "plan", "keywords", "claims", "changes", "alert", "parcels", "not_seen",
    "contradictions", "critique", "sections", "steps", "state",
}  # fmt: skip
STATE = {
    "task_id", "original_command", "current_phase", "discovered_keywords", "pending_searches",
    "credibility_scores", "total_tokens", "error_count", "max_steps", "current_step",
}  # fmt: skip
STEP = {
    "step_id", "phase", "timestamp", "thought", "action", "observation", "tool_calls", "tokens_used",
    "duration_ms",
}  # fmt: skip


async def result_on(app: App, kept: Schedule, day: int) -> dict[str, Any]:
    run = await app.schedules.run(kept, at=evening(day))
    ended = await app.finished(run.id)
    assert ended.result is not None, ended.error
    return ended.result


async def test_every_field_is_there_as_the_page_lists_it(tmp_path: Path) -> None:
    world = WatchWorld((*FIRST, CHEAPER))
    async with desk(tmp_path, world) as app:
        terms = Terms(schedule="every 1d", to=("webhook:https://hooks.example/x",))
        kept = await app.schedules.add("watch", {"command": COMMAND}, terms)
        first = await result_on(app, kept, 1)
        world.turn(2)
        world.refusing = GONE
        second = await result_on(app, kept, 2)
        sent = await app.schedules.sent(kept)
        assert view_of(kept).model_dump(mode="json")["id"] == kept.id
    for each in (first, second):
        assert each.keys() >= COMMON | OWN
        assert each["watch_id"] == kept.id
        assert each["critique"].keys() >= {"credibility", "coverage", "quality", "overall"}
        assert {name for part in each["sections"] for name in [part["name"]]} == {
            "new", "changed", "contested", "missing",
        }  # fmt: skip
        assert each["state"].keys() >= STATE
        assert each["state"]["current_phase"] == "completed"
        assert all(step.keys() >= STEP for step in each["steps"])
        assert all(row.keys() >= {"task", "queries", "platforms", "why"} for row in each["plan"])
        assert all(row.keys() >= {"word", "found_in", "score"} for row in each["keywords"])
        assert all(0 <= row["credibility"] <= 1 for row in each["evidence"])
        fields = {"id", "text", "subject", "attribute", "value", "verdict", "citations"}
        assert each["claims"]
        assert all(row.keys() >= fields for row in each["claims"])
    assert (first["changes"], first["alert"], first["parcels"]) == ([], False, 0)
    (change,) = second["changes"]
    assert change.keys() >= {"kind", "claim_id", "before", "after"}
    assert (change["kind"], second["alert"], second["parcels"]) == ("changed", True, 1)
    for side in (change["before"], change["after"]):
        assert side.keys() >= {"text", "value", "citations"}
        assert side["citations"]
    assert change["claim_id"] in {row["id"] for row in second["claims"]}
    assert {row["why"] for row in second["not_seen"]} == {"failed"}
    assert second["not_seen"][0]["claim_id"] in {row["id"] for row in second["claims"]}
    assert [each.run_id for each in sent] == [second["run_id"]]
