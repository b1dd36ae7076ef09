"""A scenario tried on the real app: its own frozen world, its own home, everything else as it is; before
the message comes, the desk holds the earlier signals that the scenario says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from groundwire.app import App, open_app
from groundwire.app.clients import Clients
from groundwire.app.wiring import Wiring
from groundwire.fetch.pool import ParsePool
from groundwire.jobs.sections import Settings
from groundwire.jobs.verify import classify_message
from groundwire.jobs.verify.signal import Signal
from groundwire.model.base import Value, fingerprint
from groundwire.model.ending import Ending
from groundwire.model.history import JudgedEvent
from groundwire.model.message import message_id
from groundwire.model.outcome import Feedback
from groundwire.model.run import NewRun
from groundwire.settings import Loaded
from lab.archives import new_run
from lab.evaluation.scenarios import Remembered, Scenario
from lab.evaluation.worlds import FAIR, MODEL, Weather, World

_LONGEST = 60.0  # seconds: nothing outside takes any time, so whoever needs more hangs
_AT_ONCE = 4
_PAST = "past"  # whose runs, and whose messages, the earlier signals are
# What a plain desk has; the paces of free services are for their sake, not ours.
_SETTINGS: dict[str, object] = {
    "search.chain": ["tavily"],
    "search.providers.tavily.api_key": "tvly-frozen",
    "fetch.delay": 0,
    "tools.providers.coingecko.per_second": 1000,
}
_MODEL: dict[str, object] = {
    "models.light": ["openai:stub-light"],
    "models.heavy": ["openai:stub-heavy"],
    "models.providers.openai.api_key": "sk-frozen",
    "models.providers.openai.base_url": f"https://{MODEL}/v1",
}


class Trial(Value):
    """What came of a scenario."""

    scenario: Scenario
    signal: Signal | None  # None: the run ended without one
    error: str = ""
    calls: int = 0  # that reached the world
    failed: int = 0  # of these: refused, spoilt or cut off
    seconds: float = 0.0


class Hall:
    """Where trials are held; what takes long to start is shared, nothing that remembers is."""

    def __init__(self, pool: ParsePool, *, model: bool, weather: Weather) -> None:
        self._pool = pool
        self._model = model
        self._weather = weather

    async def try_out(self, scenario: Scenario, *, deep: bool = True) -> Trial:
        """Run one scenario; not `deep`: with its tools off, which leaves the first impression."""
        with TemporaryDirectory(prefix="gw-trial-") as home:
            loaded = self._settings(Path(home), scenario)
            world = World(scenario, self._weather)
            outside = partial(
                Wiring, clients=Clients(loaded.settings, world.transport), pool=self._pool
            )
            start = time.perf_counter()
            async with open_app(loaded, outside=outside) as app:
                await remember(app, scenario)
                signal, error = await _run(app, scenario, deep=deep)
            seen = world.desk.log.calls
            return Trial(
                scenario=scenario,
                signal=signal,
                error=error,
                calls=len(seen),
                failed=sum(1 for call in seen if call.outcome != "http_200"),
                seconds=time.perf_counter() - start,
            )

    async def try_all(self, scenarios: Sequence[Scenario], *, deep: bool = True) -> list[Trial]:
        """Several, a few at once, in their order."""
        room = asyncio.Semaphore(_AT_ONCE)

        async def one(scenario: Scenario) -> Trial:
            async with room:
                return await self.try_out(scenario, deep=deep)

        return list(await asyncio.gather(*(one(each) for each in scenarios)))

    def _settings(self, home: Path, scenario: Scenario) -> Loaded:
        values = {**_SETTINGS, "home": str(home)}
        if self._model or "model" in scenario.down:  # one that is down has been configured
            values |= _MODEL
        return Settings.load(values, cwd=home, env={})


@asynccontextmanager
async def open_hall(*, model: bool = False, weather: Weather = FAIR) -> AsyncGenerator[Hall]:
    """Open it, give it, close it. `model`: a model is configured, which the world answers for."""
    pool = ParsePool(workers=2, max_documents=100_000)
    try:
        yield Hall(pool, model=model, weather=weather)
    finally:
        await pool.close()


def _new(app: App, name: str, given: Mapping[str, object], now: datetime, at: datetime) -> NewRun:
    asked = {"input": app.checked("verify", given), "settings": app.outside.run_settings()}
    moments = {"seed": fingerprint(name)[:32], "now": now, "created_at": at}
    return new_run(app, f"verify-{name}", "verify", **asked, **moments)


async def remember(app: App, scenario: Scenario) -> None:
    """Before the engine is started: runs of verify that have ended with what the desk held."""
    runs = app.store.runs
    for number, past in enumerate(scenario.remembered):
        given = {"text": past.text, "source": _PAST}
        new = await runs.create(_new(app, f"past-{number}", given, past.at, past.at))
        lease = await runs.claim(new.id, _PAST, past.at, past.at + timedelta(minutes=5))
        assert lease is not None, "nobody else knows this home"
        landing = _landing(past, scenario)
        ending = Ending("complete", past.at, {"run_id": new.id}, event=landing)
        await runs.finish(lease, ending)
        if past.outcome is not None:
            said = Feedback(run_id=new.id, outcome=past.outcome, by=_PAST, at=past.at)
            await app.store.signals.feedback(said)


def _landing(past: Remembered, scenario: Scenario) -> JudgedEvent:
    """The row, with the names and words that the desk would have taken from the text."""
    given = classify_message.ClassifyInput(message=past.text, language=scenario.language)
    seen = classify_message.QUESTION.embedded(given)
    asset = past.asset or (seen.assets[0] if seen.assets else "")
    return JudgedEvent(
        message_id=message_id(_PAST, past.text),
        source=_PAST,
        text=past.text,
        summary=seen.summary,
        event_type=past.event_type,
        asset=asset,
        assets=tuple(dict.fromkeys((asset, *seen.assets))) if asset else (),
        asset_name=seen.asset_name,
        keywords=seen.keywords,
        profile=seen.profile,
        preliminary=seen.confidence,
        score=past.confidence,
        confidence=past.confidence,
        verdict=past.verdict,
        path="deep",
    )


async def _run(app: App, scenario: Scenario, *, deep: bool) -> tuple[Signal | None, str]:
    said = scenario.message
    given = {
        "text": said.text,
        "source": said.source,
        "language": said.language,
        "published_at": said.published_at,
        "received_at": scenario.now,
        "tools": deep,
    }
    # The seed is fixed, too: the same scenario asks the same of the world every time.
    new = _new(app, scenario.id, given, scenario.now, app.clock())
    async with asyncio.timeout(_LONGEST):
        run = await app.engine.submit(new)
        ended = await app.finished(run.id)
    if ended.result is None:
        return None, ended.error or ended.state
    return Signal.model_validate(ended.result), ended.error or ""
