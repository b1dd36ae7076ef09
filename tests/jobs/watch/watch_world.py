"""A small world for watches: an invented company, whose pages change from day to day."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from lab.evaluation.worlds import MODEL
from lab.months.month import Month, MonthPage, Version
from lab.months.web import MonthWorld, evening
from lab.stubs.calllog import Inbound
from lab.stubs.faults import Fault, Rule
from lab.stubs.finder import Finder
from lab.stubs.harness import Stub, StubReply
from lab.stubs.models import Model
from lab.stubs.vendors import Brave

from groundwire.app import App, open_app
from groundwire.app.clients import Clients
from groundwire.app.wiring import Wiring
from groundwire.jobs.sections import Settings
from groundwire.jobs.watch.result import WatchResult
from groundwire.model.event import Event
from groundwire.model.run import Run

SECOND = "api.search.brave.com"
COMMAND = "Monitor Velmora's latest developments"

# A page of a few words is read as none.
_FILLER = {
    "en": "Its competitors did not comment on that, and more is expected in the coming weeks.",
    "zh": "竞争对手没有对此发表评论，更多细节将在未来几周公布。",
    "zh-Hant": "競爭對手沒有對此發表評論，更多細節將在未來幾週公布。",
}


def page(host: str, day: int, text: str, title: str = "", **more: Any) -> MonthPage:
    """Make a page from a day on; `edited` gives its later texts by day."""
    language = more.pop("language", "en")
    edited: Mapping[int, str] = more.pop("edited", {})
    text = f"{text} {_FILLER[language]}"
    versions = [Version(day=day, title=title or host, text=text)]
    versions += [
        Version(day=at, title=title or host, text=f"{each} {_FILLER[language]}")
        for at, each in edited.items()
    ]
    number = more.pop("number", 0)
    return MonthPage(
        url=f"https://www.{host}/{day}-{number}",
        publisher=host,
        language=language,
        published=day,
        versions=tuple(versions),
        **more,
    )


FIRST = (
    page("harbour.example", 1, "Velmora's Aurin 5 costs $249, its newsroom said on Thursday."),
    page("coast.example", 1, "Velmora has 3.2 million monthly users in eleven countries."),
    page("granite.example", 1, "Velmora employs 1,800 people at its Leipzig plant, the firm says."),
    page("hant.example", 1, "Velmora 的估值為 14 億美元，投資人表示。", language="zh-Hant"),
    page("haigang.example", 1, "Velmora 的首席执行官是 Marta Lindqvist。", language="zh"),
)


def month(pages: Sequence[MonthPage], **more: Any) -> Month:
    return Month(
        seed=0,
        language="en",
        subject="Velmora",
        command=COMMAND,
        pages=tuple(pages),
        expected=(),
        **more,
    )


class _Refusing(Stub):
    """A site that gives one answer to everything but its robots.txt."""

    name = "refusing"

    def __init__(self, reply: StubReply) -> None:
        self._reply = reply

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        del fault
        return StubReply(404, b"") if request.path == "/robots.txt" else self._reply


class WatchWorld(MonthWorld):
    """The month's web, with a model beside it, and sites that refuse."""

    def __init__(self, pages: Sequence[MonthPage] = FIRST, **more: Any) -> None:
        self._model = Model(None)
        self.refusing: Mapping[str, StubReply] = {}  # sites that give this instead of a page
        super().__init__(month(pages, **more))

    def mind(self, model: Model) -> None:
        """Let this model answer."""
        self._model = model

    def turn(self, day: int) -> None:
        super().turn(day)
        self._second = Brave(Finder(self._web, lambda: evening(day)))

    def _route(self, host: str) -> Stub | None:
        if host in self.refusing:
            return _Refusing(self.refusing[host])
        known: dict[str, Stub] = {MODEL: self._model, SECOND: self._second}
        return known.get(host) or super()._route(host)

    def fails(self, *rules: Rule) -> None:
        """Let calls fail by these rules from now on."""
        self.desk.schedule.set(rules)

    def asked(self, stub: str) -> int:
        """Count the calls that reached a stub."""
        return sum(each.stub == stub for each in self.desk.log.calls)


def settings(home: Path, **more: object) -> Any:
    plain: dict[str, object] = {
        "search.chain": ["tavily"],
        "search.providers.tavily.api_key": "tvly-frozen",
        "fetch.delay": 0,
        "home": str(home),
    }
    return Settings.load({**plain, **more}, cwd=home, env={})


WITH_MODEL: dict[str, object] = {
    "models.light": ["openai:stub-light"],
    "models.heavy": ["openai:stub-heavy"],
    "models.exam": "off",
    "models.providers.openai.api_key": "sk-frozen",
    "models.providers.openai.base_url": f"https://{MODEL}/v1",
}


@asynccontextmanager
async def desk(home: Path, world: WatchWorld, **more: object) -> AsyncGenerator[App]:
    loaded = settings(home, **more)
    wiring = partial(Wiring, clients=Clients(loaded.settings, world.transport))
    async with open_app(loaded, outside=wiring) as app:
        yield app


async def watch(app: App, day: int = 1, **given: object) -> tuple[WatchResult, Run, list[Event]]:
    """Run the watch on the evening of a day; return the result, its run, and its events."""
    budget = given.pop("budget_usd", None)
    run = await app.submit(
        "watch",
        {"command": COMMAND, **given},
        now=evening(day),
        budget_usd=budget,  # type: ignore[arg-type]
    )
    events: list[Event] = []
    ended = await app.finished(run.id, on_event=events.append)
    if ended.result is None:
        raise AssertionError(ended.error or ended.state)
    return WatchResult.model_validate(ended.result), ended, events


def thoughts(events: Sequence[Event], phase: str = "") -> list[dict[str, Any]]:
    found = [each.payload for each in events if each.type == "thought"]
    return [each for each in found if not phase or each["phase"] == phase]
