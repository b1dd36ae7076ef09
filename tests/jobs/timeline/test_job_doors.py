"""A timeline over REST and on its page: proposed, confirmed with an edit, streamed, shown."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest
from timeline_world import desk, scenario

from groundwire.doors.mcp import offers
from groundwire.doors.serving import application, assemble
from groundwire.errors import InputError


async def test_the_api_and_the_page_propose_confirm_and_show_it(tmp_path: Path) -> None:
    async with desk(tmp_path, scenario()) as app:
        transport = httpx2.ASGITransport(
            application(assemble(app, open_here=True)), raise_app_exceptions=False
        )
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            given = {"topic": "Velmora Bridge", "level": "light"}
            started = await client.post("/api/runs", json={"kind": "timeline", "input": given})
            assert started.status_code == 202, started.text
            run_id = started.json()["id"]
            waiting = await app.finished(run_id)
            assert waiting.state == "waiting"
            page = await client.get(f"/runs/{run_id}", headers={"Accept": "text/html"})
            assert page.status_code == 200, page.text
            assert "Searches usually made" in page.text
            client.cookies.clear()  # a program, not the page's own script
            thread = {"name": "works", "description": "", "estimated_nodes": 4}
            refused = await client.post(
                f"/api/runs/{run_id}/confirm", json={"edited": {"nodes_per_search": 9}}
            )
            assert refused.status_code == 422
            follows = await client.post(
                f"/api/runs/{run_id}/confirm", json={"edited": {"searches": 1}}
            )
            assert (follows.status_code, "searches" in follows.text) == (422, True)
            confirmed = await client.post(
                f"/api/runs/{run_id}/confirm", json={"edited": {"threads": [thread]}}
            )
            assert confirmed.status_code == 202, confirmed.text
            run = await app.finished(run_id)
            assert run.state == "complete", run.error
            stream = await client.get(f"/api/runs/{run_id}/events")
            for kind in ("proposal", "skeleton", "detail", "synthesis", "complete"):
                assert f"event: {kind}" in stream.text
            shown = await client.get(f"/runs/{run_id}", headers={"Accept": "text/html"})
            assert shown.status_code == 200
            assert "A crane fell" in shown.text


@pytest.mark.parametrize("kind", ["timeline", "ask"])
async def test_the_api_refuses_a_moment_still_to_come(tmp_path: Path, kind: str) -> None:
    async with desk(tmp_path, scenario()) as app:
        subject = {"timeline": "topic", "ask": "question"}[kind]
        for as_of in ("2199-01-01", "2199-01-01T00:00:00Z"):
            with pytest.raises(InputError) as refused:
                await app.submit(kind, {subject: "Velmora Bridge", "as_of": as_of}, exact=True)
            assert "2199-01-01" in refused.value.describe("en")


def test_mcp_offers_it_with_its_level() -> None:
    tool = offers.offers()["timeline"].tool
    assert {"topic", "level", "as_of", "within"} <= set(tool.input_schema["properties"])
