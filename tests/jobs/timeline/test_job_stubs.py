"""timeline with the stub model over the stub web: told in its order, every detail on pages that were found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from lab.stubs import Stubs, running_stubs

from groundwire.app import confirmation, open_app
from groundwire.jobs.sections import Settings
from groundwire.jobs.timeline.report import REPORT
from groundwire.jobs.timeline.result import TimelineResult
from groundwire.model.event import Event
from groundwire.settings import Loaded

ORDER = ["proposal", "progress", "skeleton", "detail", "synthesis", "complete"]


@pytest.fixture(scope="module")
def stubs() -> Iterator[Stubs]:
    with running_stubs(spread=1) as running:
        yield running


def settings(home: Path, stubs: Stubs) -> Loaded:
    values: dict[str, object] = {
        "home": str(home),
        "search.chain": ["tavily"],
        "search.providers.tavily.api_key": "tvly-stub",
        "search.providers.tavily.base_url": stubs.url("tavily"),
        "fetch.allow_private": ["127.0.0.0/8"],
        "fetch.delay": 0,
        "fetch.workers": 1,
        "models.heavy": ["openai:stub-heavy"],
        "models.exam": "off",
        "models.providers.openai.api_key": "sk-stub",
        "models.providers.openai.base_url": stubs.url("model"),
        "budget.run_usd": 100,
        "budget.day_usd": 100,
        "budget.month_usd": 100,
        "budget.day_tool_calls": 100_000,
    }
    return Settings.load(values, cwd=home, env={})


def first_seen(events: Sequence[Event]) -> tuple[set[str], set[str]]:
    """Return the evidence that was read before the skeleton, and what only nodes' searches brought."""
    at = next(place for place, each in enumerate(events) if each.type == "skeleton")
    before, after = (
        {str(each.payload["id"]) for each in part if each.type == "evidence"}
        for part in (events[:at], events[at:])
    )
    return before, after - before


@pytest.mark.parametrize("topic", ["iPhone", "人工智能"])
async def test_a_history_grows_from_skeleton_to_synthesis_and_every_detail_has_its_source(
    tmp_path: Path, stubs: Stubs, topic: str
) -> None:
    async with open_app(settings(tmp_path, stubs)) as app:
        run = await app.submit("timeline", {"topic": topic, "level": "light"})
        waiting = await app.finished(run.id)
        await confirmation.confirm(app, waiting, {}, by="a reader")
        run = await app.finished(run.id)
        events = list(await app.store.journal.read(run.id, limit=10_000))
        result = TimelineResult.model_validate(run.result)
        texts = {}
        for each in result.evidence:
            document = await app.archive.get(each.document_id)
            texts[each.id] = document.text if document is not None else ""
    kinds = [each.type for each in events]
    first = {kind: kinds.index(kind) for kind in reversed(kinds)}
    assert sorted(ORDER, key=first.__getitem__) == ORDER
    assert kinds[-1] == "complete"
    assert len(result.nodes) >= 5
    # Details with a supporting source: all of them; and no source without its quote.
    sourced = [each for each in result.nodes if each.detail is not None and each.citations]
    assert len(sourced) == len(result.nodes)
    assert any(each.detail is not None and each.detail.by != "embedded" for each in result.nodes)
    for sentence in REPORT.cites(run).sentences:
        for each in sentence.citations:
            assert texts[each.evidence_id][each.start : each.end] == each.quote
    # A figure that only the search for a node brought.
    _, brought = first_seen(events)
    told = [f for each in sourced if each.detail for f in each.detail.key_numbers]
    assert any(c.evidence_id in brought for each in told for c in each.sentence.citations)
