"""The details of a history under measurement: those of many nodes side by side, with a slow model.

The town, its press and everything outside are made up, in this process.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx2

from groundwire.app import App, confirmation, open_app
from groundwire.app.clients import Clients
from groundwire.app.wiring import Wiring
from groundwire.jobs.sections import Settings
from groundwire.jobs.timeline.result import TimelineResult
from groundwire.model.event import Event
from groundwire.model.run import Run
from lab.bench.table import Report
from lab.evaluation.scenarios import Scenario
from lab.evaluation.worlds import MODEL, World

TOWN = "Velmora"
_NOW = datetime(2025, 6, 3, 9, 25, tzinfo=UTC)
_FIRST, _APART = date(2019, 2, 4), timedelta(days=41)
_TARGET = 7.0  # seconds for forty nodes with calls of a second, eight at once
_THREADS = 8
_SPARE = 14  # events more than nodes: some may be told as one
_ACTS = (
    "opened its first library",
    "fined the ferry company $3 million",
    "flooded after a storm",
    "elected Mara Quill as its mayor",
    "closed the old coal mine",
    "bought twelve electric buses",
    "banned diesel lorries",
    "lost its power station to a fire",
    "signed a water treaty with Ostrand",
    "hosted the rowing finals",
    "raised the hotel tax to 6 percent",
    "found Roman coins under the market",
    "sued the dredging firm",
    "rebuilt the harbour wall",
    "sold its airport to Corvane",
    "joined the league of ports",
    "dismissed its chief of police",
    "vaccinated 80,000 children",
    "planted a forest of oaks",
    "dug a tunnel below the river",
    "suffered an earthquake of magnitude 5",
    "named a square after Ines Brand",
    "halved the price of trams",
    "cancelled its carnival",
    "stopped the building of the stadium",
    "received 2,000 refugees",
    "founded a school of medicine",
    "lifted the curfew",
    "measured its hottest day",
    "arrested three bankers",
    "published its budget online",
    "merged with the parish of Tarn",
    "lit the cathedral by laser",
    "discovered lead in its pipes",
    "launched a satellite with its university",
    "dredged the canal",
    "abolished parking fees",
    "reopened the opera house",
    "won the prize for clean air",
    "mourned the sculptor Abel Ferro",
    "drew a new flood map",
    "licensed taxi boats",
    "recycled its last landfill",
    "repaid a loan of $90 million",
    "surveyed its sinking churches",
    "expelled a diplomat",
    "commissioned a desalination plant",
    "restored the clock tower",
    "quarantined two cruise ships",
    "adopted wolves as its emblem",
    "taxed balconies",
    "widened the northern motorway",
    "rescued nine miners",
    "outlawed fireworks",
)


@dataclass(frozen=True, slots=True)
class TimelinePlan:
    """How much is measured; the defaults are the long version."""

    nodes: int = 40
    at_once: int = 8
    model: float = 1.0  # seconds of a call


QUICK = TimelinePlan(nodes=16)


async def bench_details(plan: TimelinePlan | None = None, *, quick: bool = False) -> Report:
    """Measure how long the details of a history take."""
    plan = plan or (QUICK if quick else TimelinePlan())
    report = Report(f"timeline: details side by side, {plan.model:g} s a call of the model")
    world = World(town(plan.nodes + _SPARE))
    world.desk.latency["model"] = plan.model
    async with desk(world.transport, plan.at_once) as app:
        run = await told(app, plan.nodes)
        events = await app.store.journal.read(run.id, limit=10_000)
    nodes = TimelineResult.model_validate(run.result).nodes
    took, details = _details(events)
    target = _TARGET if plan == TimelinePlan() else None
    note = f"{details} details, {plan.at_once} at once"
    report.add("nodes", len(nodes), target=plan.nodes, sense="at least")
    report.add("details, first to last", took, "s", target=target, note=note)
    return report


def town(events: int) -> Scenario:
    """Make up a town with a page about each of its events."""
    pages: list[dict[str, Any]] = []
    for number, act in enumerate(_ACTS[:events]):
        day = _FIRST + number * _APART
        pages.append(
            {
                "url": f"https://press{number}.example/{day}",
                "title": f"{TOWN} {act}",
                "publisher": f"Press {number}",
                "published_at": f"{day}T18:00:00Z",
                "text": f"{TOWN} {act} on {day:%-d %B %Y}, its council said.",
            }
        )
    return Scenario.model_validate(
        {
            "id": "town",
            "kind": "bench",
            "message": {"text": TOWN},
            "now": _NOW,
            "web": pages,
            "expect": {"verdict": "insufficient", "event_type": "other"},
        }
    )


@asynccontextmanager
async def desk(outside: httpx2.AsyncBaseTransport, at_once: int) -> AsyncGenerator[App]:
    """Open a desk of its own over a made-up world."""
    with tempfile.TemporaryDirectory() as folder:
        values: dict[str, object] = {
            "home": folder,
            "search.chain": ["tavily"],
            "search.providers.tavily.api_key": "tvly-frozen",
            "fetch.delay": 0,
            "models.heavy": ["openai:gpt-5.4"],
            "models.exam": "off",
            "models.providers.openai.api_key": "sk-frozen",
            "models.providers.openai.base_url": f"https://{MODEL}/v1",
            "timeline.concurrency": at_once,
            "timeline.results": 50,
            "timeline.pages": 200,
            # Where a budget is short, nodes share searches and go on one by one.
            "budget.run_usd": 1000,
            "budget.day_usd": 1000,
            "budget.month_usd": 1000,
        }
        loaded = Settings.load(values, cwd=Path(folder), env={})
        wiring = partial(Wiring, clients=Clients(loaded.settings, outside))
        async with open_app(loaded, outside=wiring) as app:
            yield app


async def told(app: App, nodes: int) -> Run:
    """Tell the history of the town; threads are named by its acts, so that they find every page."""
    run = await app.submit("timeline", {"topic": TOWN, "level": "deep"}, now=_NOW)
    waiting = await app.finished(run.id)
    size = -(-len(_ACTS) // _THREADS)
    threads = [
        {"name": " ".join(_ACTS[at : at + size])[:80], "estimated_nodes": -(-nodes // _THREADS)}
        for at in range(0, len(_ACTS), size)
    ]
    await confirmation.confirm(app, waiting, {"threads": threads}, by="a bench")
    return await app.finished(run.id)


def _details(events: Sequence[Event]) -> tuple[float, int]:
    """Return the seconds from the first skeleton to its last detail, and how many there are."""
    at = next(place for place, each in enumerate(events) if each.type == "skeleton")
    rest = events[at + 1 :]
    until = next((n for n, each in enumerate(rest) if each.type == "skeleton"), len(rest))
    told = [each for each in rest[:until] if each.type == "detail"]
    return (told[-1].at - events[at].at).total_seconds(), len(told)
