"""A small frozen world for timelines: an invented bridge, told by invented pages in three scripts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
from lab.evaluation.scenarios import Scenario
from lab.evaluation.worlds import FAIR, MODEL, SEARCH, Weather, World
from lab.stubs.reader import Reader

from groundwire.app import App, confirmation, open_app
from groundwire.app.clients import Clients
from groundwire.app.wiring import Wiring
from groundwire.jobs.sections import Settings
from groundwire.jobs.timeline.result import TimelineResult
from groundwire.model.event import Event
from groundwire.model.run import Run

NOW = "2025-06-03T09:25:00Z"
MODEL_SET = {
    "models.heavy": ["openai:stub-heavy"],
    "models.exam": "off",
    "models.providers.openai.api_key": "sk-frozen",
    "models.providers.openai.base_url": f"https://{MODEL}/v1",
}


def page(host: str, day: str, title: str, text: str) -> dict[str, Any]:
    stamp = {"published_at": f"{day}T09:00:00Z"} if day else {}
    return {
        "url": f"https://www.{host}/{day or 'undated'}/page",
        "title": title,
        "publisher": host,
        "text": text,
        **stamp,
    }


ENGLISH = [
    page(
        "harbournews.example", "2019-03-05", "Work begins on the Velmora Bridge",
        "Work on the Velmora Bridge began on 4 March 2019, the transport ministry said.\n\n"
        "The crossing is to cost $840 million because the old ferry can carry no lorries.",
    ),
    page(
        "coastwire.example", "2021-11-20", "A crane falls at the Velmora Bridge",
        "A crane fell from the Velmora Bridge on 19 November 2021 and two workers were hurt.\n\n"
        "As a result the ministry stopped all work for six weeks.\n\n"
        "“We will not go on before every bolt is checked,” said Chief Engineer Dana Okafor.",
    ),
    page(
        "bridgeweekly.example", "2023-08-13", "Velmora Bridge opens to traffic",
        "The Velmora Bridge opened to traffic on 12 August 2023, four years after work began.\n\n"
        "More than 30,000 people walked across it in the first hours.",
    ),
    page(
        "almanac.example", "2024-02-01", "The year in bridges",
        "The Velmora Bridge opened to traffic on 14 August 2023.\n\n"
        "A toll of $6 is charged on the Velmora Bridge since January 2024.",
    ),
    page(
        "planning.example", "2025-05-02", "A second deck for the Velmora Bridge",
        "The Velmora Bridge is to get a second deck, which opens on 1 October 2027.",
    ),
]  # fmt: skip
CHINESE = [
    page(
        "haigang.example", "2019-03-05", "维尔莫拉大桥动工",
        "维尔莫拉大桥2019年3月4日动工，交通部长出席仪式。\n\n由于渡轮运力不足，政府决定建桥。",
    ),
    page(
        "qiaoliang.example", "2023-08-13", "维尔莫拉大桥通车",
        "维尔莫拉大桥2023年8月12日正式通车，首日有三万多人步行过桥。\n\n大桥总投资8.4亿美元。",
    ),
]  # fmt: skip
TAIWAN = [
    page(
        "daoyu.example", "2019-03-05", "維爾莫拉大橋動工",
        "維爾莫拉大橋2019年3月4日動工，交通部長出席儀式。\n\n由於渡輪運力不足，政府決定建橋。",
    ),
    page(
        "wanbao.example", "2023-08-13", "維爾莫拉大橋通車",
        "維爾莫拉大橋2023年8月12日正式通車，首日有三萬多人步行過橋。\n\n大橋總投資8.4億美元。",
    ),
]  # fmt: skip


def scenario(web: Sequence[Mapping[str, Any]] = ENGLISH, **more: Any) -> Scenario:
    values: dict[str, Any] = {
        "id": "timeline-001",
        "kind": "test",
        "message": {"text": "Velmora Bridge", "language": "en"},
        "now": NOW,
        "web": list(web),
        "expect": {"verdict": "supported", "event_type": "other"},
    }
    return Scenario.model_validate({**values, **more})


class Cut(httpx2.AsyncBaseTransport):
    """Fails every search that holds one of these words; all else goes through."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, words: Sequence[str]) -> None:
        self._inner = inner
        self._words = tuple(each.encode() for each in words)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = await request.aread()
        if request.url.host == SEARCH and any(each in body for each in self._words):
            return httpx2.Response(503, stream=httpx2.ByteStream(b"{}"))
        return await self._inner.handle_async_request(request)


@asynccontextmanager
async def desk(
    home: Path,
    case: Scenario,
    weather: Weather = FAIR,
    reader: Reader | None = None,
    down: Sequence[str] = (),
    **settings: object,
) -> AsyncGenerator[App]:
    values: dict[str, object] = {
        "home": str(home),
        "search.chain": ["tavily"],
        "search.providers.tavily.api_key": "tvly-frozen",
        "fetch.delay": 0,
        **settings,
    }
    loaded = Settings.load(values, cwd=home, env={})
    outside = Cut(World(case, weather, reader).transport, down)
    wiring = partial(Wiring, clients=Clients(loaded.settings, outside))
    async with open_app(loaded, outside=wiring) as app:
        yield app


async def begun(app: App, topic: str, **given: Any) -> Run:
    """Start a timeline; it waits for a person."""
    fields = {"topic": topic, "level": "light", **given}
    run = await app.submit("timeline", fields, now=datetime.fromisoformat(NOW))
    return await app.finished(run.id)


async def gone_on(app: App, run: Run, **edited: Any) -> Run:
    """Confirm what it proposes, and wait for its end."""
    assert run.state == "waiting", run.error
    await confirmation.confirm(app, run, edited, by="a reader")
    return await app.finished(run.id)


async def made(app: App, topic: str, **given: Any) -> tuple[TimelineResult, list[Event]]:
    run = await gone_on(app, await begun(app, topic, **given))
    assert run.result is not None, run.error
    events = list(await app.store.journal.read(run.id))
    return TimelineResult.model_validate(run.result), events
