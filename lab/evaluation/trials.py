"""Scenarios run on the real app, each with its own frozen world and its own data folder.

Before the message comes, the desk holds the earlier signals that the scenario names.
"""

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
from lab.evaluation.sitting import READER_SETTINGS, Examined, sit_exams, tokens_of
from lab.evaluation.worlds import FAIR, MODEL, Weather, World
from lab.stubs.reader import Reader

_LONGEST = 60.0  # seconds: the outside takes no time, so a run that needs more hangs
_AT_ONCE = 4
_PAST = "past"  # owner of the runs, and source of the messages, of earlier signals
# A plain desk, without the pauses that spare free services.
_SETTINGS: dict[str, object] = {
    "search.chain": ["tavily"],
    "search.providers.tavily.api_key": "tvly-frozen",
    "fetch.delay": 0,
    "tools.providers.coingecko.per_second": 1000,
}
_MODEL: dict[str, object] = {
    "models.light": ["openai:stub-light"],
    "models.heavy": ["openai:stub-heavy"],
    "models.exam": "off",  # what is tried is reading; a reader sits its exam before
    "models.providers.openai.api_key": "sk-frozen",
    "models.providers.openai.base_url": f"https://{MODEL}/v1",
}


class Trial(Value):
    """The result of a scenario."""

    scenario: Scenario
    signal: Signal | None  # None: the run ended without one
    error: str = ""
    calls: int = 0  # that reached the world
    failed: int = 0  # of these: refused, spoilt or cut off
    tokens: int = 0  # that models read and wrote
    seconds: float = 0.0


class TrialRunner:
    """Runs trials; what is slow to start is shared, nothing that keeps state is."""

    def __init__(
        self, pool: ParsePool, *, model: bool, weather: Weather, reader: Reader | None
    ) -> None:
        self._pool = pool
        self._model = model
        self._weather = weather
        self._reader = reader
        self.examined: Examined | None = None  # the reader's marks, once it has sat its exams

    async def run(self, scenario: Scenario, *, deep: bool = True) -> Trial:
        """Run one scenario; without `deep` its tools are off, which leaves the first impression."""
        with TemporaryDirectory(prefix="gw-trial-") as home:
            loaded = self._settings(Path(home), scenario)
            world = World(scenario, self._weather, self._reader)
            wiring = partial(
                Wiring, clients=Clients(loaded.settings, world.transport), pool=self._pool
            )
            start = time.perf_counter()
            async with open_app(loaded, outside=wiring) as app:
                await remember(app, scenario)
                for marks in self.examined.marks if self.examined else ():
                    await app.store.exams.keep(marks)
                signal, error, tokens = await _run(app, scenario, deep=deep)
            seen = world.desk.log.calls
            return Trial(
                scenario=scenario,
                signal=signal,
                error=error,
                calls=len(seen),
                failed=sum(1 for call in seen if call.outcome != "http_200"),
                tokens=tokens,
                seconds=time.perf_counter() - start,
            )

    async def run_all(self, scenarios: Sequence[Scenario], *, deep: bool = True) -> list[Trial]:
        """Run several scenarios, a few at once, and keep their order; a reader sits its exams first."""
        if self._reader is not None and self.examined is None:
            self.examined = await sit_exams(self._reader, self._pool)
        slots = asyncio.Semaphore(_AT_ONCE)

        async def one(scenario: Scenario) -> Trial:
            async with slots:
                return await self.run(scenario, deep=deep)

        return list(await asyncio.gather(*(one(each) for each in scenarios)))

    def _settings(self, home: Path, scenario: Scenario) -> Loaded:
        values = {**_SETTINGS, "home": str(home)}
        if self._model or "model" in scenario.down:  # a model that is down is configured, too
            values |= _MODEL
        if self._reader is not None:
            values |= {**READER_SETTINGS, "models.exam": "first_use"}
        return Settings.load(values, cwd=home, env={})


@asynccontextmanager
async def trial_runner(
    *, model: bool = False, weather: Weather = FAIR, reader: Reader | None = None
) -> AsyncGenerator[TrialRunner]:
    """Open a runner and close it after use; with `model`, a model is configured and stubbed.

    With a `reader`, it is the one that answers behind the model's API.
    """
    pool = ParsePool(workers=2, max_documents=100_000)
    try:
        yield TrialRunner(pool, model=model, weather=weather, reader=reader)
    finally:
        await pool.close()


def _new(app: App, name: str, given: Mapping[str, object], now: datetime, at: datetime) -> NewRun:
    inputs = {"input": app.checked("verify", given), "settings": app.outside.run_settings()}
    moments = {"seed": fingerprint(name)[:32], "now": now, "created_at": at}
    return new_run(app, f"verify-{name}", "verify", **inputs, **moments)


async def remember(app: App, scenario: Scenario) -> None:
    """Store the scenario's earlier signals as finished runs, before the engine is started."""
    runs = app.store.runs
    for number, past in enumerate(scenario.remembered):
        given = {"text": past.text, "source": _PAST}
        new = await runs.create(_new(app, f"past-{number}", given, past.at, past.at))
        lease = await runs.claim(new.id, _PAST, past.at, past.at + timedelta(minutes=5))
        assert lease is not None, "nobody else knows this home"
        event = _judged_event(past, scenario)
        ending = Ending("complete", past.at, {"run_id": new.id}, event=event)
        await runs.finish(lease, ending)
        if past.outcome is not None:
            feedback = Feedback(run_id=new.id, outcome=past.outcome, by=_PAST, at=past.at)
            await app.store.signals.feedback(feedback)


def _judged_event(past: Remembered, scenario: Scenario) -> JudgedEvent:
    """Build the row, with the names and words that the desk would have taken from the text."""
    given = classify_message.ClassifyInput(message=past.text, language=scenario.language)
    impression = classify_message.QUESTION.embedded(given)
    asset = past.asset or (impression.assets[0] if impression.assets else "")
    return JudgedEvent(
        message_id=message_id(_PAST, past.text),
        source=_PAST,
        text=past.text,
        summary=impression.summary,
        event_type=past.event_type,
        asset=asset,
        assets=tuple(dict.fromkeys((asset, *impression.assets))) if asset else (),
        asset_name=impression.asset_name,
        keywords=impression.keywords,
        profile=impression.profile,
        preliminary=impression.confidence,
        score=past.confidence,
        confidence=past.confidence,
        verdict=past.verdict,
        path="deep",
    )


async def _run(app: App, scenario: Scenario, *, deep: bool) -> tuple[Signal | None, str, int]:
    """Return the signal, what went wrong, and the tokens that it took."""
    message = scenario.message
    given = {
        "text": message.text,
        "source": message.source,
        "language": message.language,
        "published_at": message.published_at,
        "received_at": scenario.now,
        "tools": deep,
    }
    # The seed is fixed too: the same scenario makes the same calls every time.
    new = _new(app, scenario.id, given, scenario.now, app.clock())
    async with asyncio.timeout(_LONGEST):
        run = await app.engine.submit(new)
        ended = await app.finished(run.id)
    tokens = await tokens_of(app, run.id)
    if ended.result is None:
        return None, ended.error or ended.state, tokens
    return Signal.model_validate(ended.result), ended.error or "", tokens
