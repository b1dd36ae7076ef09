"""The only place where things are built: settings in, one facade out, for every door."""

from __future__ import annotations

import gc
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from pydantic import BaseModel

from groundwire import jobs
from groundwire.app import submission
from groundwire.app.budget import caps_of
from groundwire.app.notebook import Submitted, result_of, submitted
from groundwire.app.wiring import Wiring
from groundwire.errors import (
    Conflict,
    InputError,
    NotFoundHere,
    RunCancelled,
    RunFailed,
    StoreError,
    os_reason,
)
from groundwire.jobs.sections import completed, settings_type
from groundwire.log import Redactor
from groundwire.model.access import LOCAL, Caller
from groundwire.model.base import JsonObject
from groundwire.model.call import Lease
from groundwire.model.clock import utc_now
from groundwire.model.event import Event
from groundwire.model.phrase import phrase
from groundwire.model.run import FINISHED, RESTING, Run
from groundwire.plugins import part
from groundwire.runs.engine import Engine
from groundwire.runs.journal import Bell, follow
from groundwire.runs.outbox import Deliveries
from groundwire.runs.runner import Services
from groundwire.settings import Loaded, Settings
from groundwire.store import Store, current, open_store, upgrade
from groundwire.store.schema import HEAD
from groundwire.words import unkept

if TYPE_CHECKING:
    from groundwire.app.access import Access
    from groundwire.app.archive import Archive
    from groundwire.app.costs import Costs
    from groundwire.app.exams import Exams
    from groundwire.app.forgetting import Forgetting
    from groundwire.app.health import Health
    from groundwire.app.judgements import Judgements
    from groundwire.app.memory import Memory
    from groundwire.app.runs import Runs
    from groundwire.app.schedules import Schedules
    from groundwire.app.sources import Sites
    from groundwire.model.ports import Index, Ledger
    from groundwire.runs.broadcast import Broadcasts
    from groundwire.runs.timetable import Timetable
    from groundwire.store.messages import MessageTable

R = TypeVar("R", bound=BaseModel)
_GLANCE = 1.0  # seconds between two looks at a run that another process executes
_OFTEN, _SELDOM = 0.2, 5.0  # seconds between looks for what other processes store


class App:
    """What every door calls. Open it with `open_app`."""

    # What doors find here besides jobs, by noun.
    runs: Runs = part("groundwire.app.runs", "Runs", "store")
    archive: Archive = part("groundwire.app.archive", "Archive")
    memory: Memory = part("groundwire.app.memory", "Memory")
    judgements: Judgements = part("groundwire.app.judgements", "Judgements")
    sources: Sites = part("groundwire.app.sources", "Sites")
    costs: Costs = part("groundwire.app.costs", "Costs")
    access: Access = part("groundwire.app.access", "Access")
    forgetting: Forgetting = part("groundwire.app.forgetting", "Forgetting")
    health: Health = part("groundwire.app.health", "Health")
    exams: Exams = part("groundwire.app.exams", "Exams")
    schedules: Schedules = part("groundwire.app.schedules", "Schedules")

    def __init__(
        self, loaded: Loaded, store: Store, outside: Callable[[Settings, Store], Wiring] = Wiring
    ) -> None:
        self.loaded = loaded
        self.settings: Settings = loaded.settings
        self.store = store
        self.bell = Bell()
        self.redactor = Redactor(self.settings.secrets())
        self._outside = outside
        self.outside = outside(self.settings, store)
        self._earlier: list[Wiring] = []  # of runs that began before a reload
        self.clock = self.outside.clock

    submit = submission.submit

    @cached_property
    def known(self) -> Redactor:
        # Without shapes: quotes must stay as they were found.
        return Redactor(self.settings.secrets(), shapes=False)

    @property
    def messages(self) -> MessageTable:
        return self.store.messages

    @cached_property
    def engine(self) -> Engine:
        """The engine: on SQLite one process executes runs; on PostgreSQL, any number."""
        turn, at_once = self.store.turn, self.settings.desk.at_once
        if isinstance(turn, Path):
            from groundwire.runs.embedded import EmbeddedEngine
            from groundwire.runs.lock import FileLock

            home = self.settings.data_home()
            return EmbeddedEngine(self.services, FileLock(turn), home, at_once=at_once)
        from groundwire.runs.shared import SharedEngine

        return SharedEngine(self.services, turn, jobs.kinds(), at_once=at_once)

    def poll_seconds(self) -> float:
        """Return how often to look for what other processes stored, when no bell rings."""
        return _SELDOM if self.engine.listening else _OFTEN

    @cached_property
    def services(self) -> Services:
        from groundwire.versions import versions

        return Services(
            runs=self.store.runs,
            journal=self.store.journal,
            ledger=self.store.ledger,
            bell=self.bell,
            clock=self.clock,
            lease_clock=utc_now,
            job=jobs.find,
            parts=lambda run: self.outside.parts(run),
            # Today's limits, not those of the submit, so that a raised budget lets a run resume.
            # Refusals are recorded, so a restart still sees what the first process saw.
            caps=lambda run: partial(caps_of, run, self.settings.budget),
            versions=versions,
            wait_for_calls=self._wait_for_calls,
            redact=self.redactor.text,
            tally=self.outside.tally,
            deliveries=Deliveries(
                lambda: self.store.outbox, lambda: self.outside.dispatch, self._lease_of, self.clock
            ),
            patience=lambda: timedelta(days=self.settings.desk.confirm_days),
            schedule=self.store.schedules.get,
            tick=self._tick,
        )

    async def _tick(self) -> None:
        """Start the standing runs that are due."""
        await self._timetable.tick()

    @cached_property
    def _timetable(self) -> Timetable:
        from groundwire.runs.timetable import Timetable

        return Timetable(lambda: self.store.schedules, self.schedules.start_due, self.clock)

    async def _lease_of(self, run_id: str) -> Lease | None:
        """Return the lease under which a run ended: its deliveries are recorded with it."""
        run = await self.store.runs.get(run_id)
        return run and Lease(run_id=run.id, fence=run.fence, attempt=run.attempt)

    async def confirm(
        self, run: Run | str, edited: Mapping[str, object] | None = None, *, by: str = "python"
    ) -> Run:
        """Let a waiting run go on, with its proposal as it is or with fields edited."""
        from groundwire.app.confirmation import confirm

        found = await self.runs.find(run if isinstance(run, str) else run.id)
        return await confirm(self, found, edited, by=by)

    async def resume(self, run: Run) -> Run:
        """Retry what failed in a run; one that is under way goes on."""
        if run.state == "complete":
            raise Conflict("error.complete", hint="hint.nothing_to_retry")
        return await self.engine.resume(run.id) if run.state in FINISHED else run

    async def cancel(self, run: Run) -> Run:
        """Stop a run; refuse where it is already over."""
        if run.state in FINISHED:
            state = phrase(f"state.{run.state}")
            raise Conflict("error.already", state=state, hint="hint.nothing_to_stop")
        return await self.engine.cancel(run.id)

    def checked(self, kind: str, given: Mapping[str, object]) -> JsonObject:
        """Return the input as the job takes it and a run keeps it; refuse it in one clear sentence."""
        return submission.checked(jobs.find(kind), given).model_dump(mode="json")

    def follow(
        self, run_id: str, *, after: int = 0, check: Callable[[], None] | None = None
    ) -> AsyncIterator[Event]:
        """Follow a run's events to its end, or until it waits for a person.

        `check` is called while there is nothing new, and may raise.
        """
        tables = (self.store.runs, self.store.journal)
        return follow(*tables, self.bell, run_id, after=after, poll=self.poll_seconds, check=check)

    def broadcasts(self, encode: Callable[[Event], bytes]) -> Broadcasts:
        """Build the broadcasts of runs to many followers, each read once for all of them."""
        from groundwire.runs.broadcast import Broadcasts

        tables, most = (self.store.runs, self.store.journal), self.settings.desk.followers
        return Broadcasts(*tables, self.bell, encode, most=most, poll=self.poll_seconds)

    def wiring_over(self, ledger: Ledger, index: Index) -> Wiring:
        """Build a wiring over another record and archive than those stored here."""
        return Wiring(self.settings, self.store, ledger=ledger, index=index, clock=self.clock)

    async def finished(
        self, run_id: str, *, on_event: Callable[[Event], None] = lambda _event: None
    ) -> Run:
        """Wait for a run's end; it is stored by then (law 11). `on_event` gets each event.

        A run that waits for a person is returned as it is.
        """
        await self.engine.ensure_executed(run_id)
        async for event in self.follow(run_id, check=self.engine.raise_trouble):
            on_event(event)
        return await self.runs.find(run_id)

    async def ended(self, run_id: str) -> Run:
        """Wait for a run's end as `finished` does, without reading its events."""
        await self.engine.ensure_executed(run_id)
        while True:
            if self.engine.executes(run_id):
                with self.bell.listening(run_id, over=True) as listener:
                    await listener.wait_for(_GLANCE)
            with self.bell.listening(run_id, over=True) as listener:
                run = await self.runs.get(run_id)
                if run is None:
                    raise NotFoundHere("error.no_run", run=run_id, hint="hint.list_runs")
                if run.state in RESTING:
                    return run
                self.engine.raise_trouble()
                await listener.wait_for(_GLANCE)

    async def run(self, kind: str, /, *subject: str, **given: object) -> Submitted[Any]:
        """Start any job by its name; its subject can be given without the field's name."""
        if subject:
            given = {jobs.find(kind).subject: subject[0], **given}
        return submitted(await self.submit(kind, given, door="python"), self.known)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Submitted[Any]]]:
        """Offer every job by its name: `app.NAME(…)` is `app.run(NAME, …)`."""
        if name.startswith("_") or name not in jobs.kinds():
            raise AttributeError(f"the app has no {name!r}")
        return partial(self.run, name)

    @overload
    async def result(self, run: Submitted[R]) -> R: ...
    @overload
    async def result(self, run: Run | str) -> BaseModel: ...
    async def result(self, run: Run | str) -> BaseModel:
        """Wait for a run and return what it found; raise where it has no result."""
        ended = await self.ended(run if isinstance(run, str) else run.id)
        if ended.state == "waiting":
            raise Conflict("confirm.needed", run=ended.id, hint="hint.confirm")
        if ended.result is None:
            failure = RunCancelled if ended.state == "cancelled" else RunFailed
            code, params = unkept(ended.error or "")
            raise failure(code or None, hint="hint.resume_run", **{**params, "run": ended.id})
        return result_of(jobs.find(ended.kind).result, ended, self.known)

    async def tool(self, tool: str, /, **arguments: object) -> Run:
        """Call one tool as a small run and wait for it."""
        return await self.finished((await self.call(tool, arguments)).id)

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, object],
        *,
        exact: bool = False,
        owner: Caller = LOCAL,
        settings: Mapping[str, object] | None = None,
        idempotency_key: str | None = None,
    ) -> Run:
        """Submit the call of one tool: a small run, because every outside call belongs to one."""
        kind, given = jobs.call_of(tool, arguments)
        return await self.submit(
            kind,
            given,
            exact=exact,
            owner=owner,
            settings=settings,
            idempotency_key=idempotency_key,
        )

    def wiring_for(self, settings: Settings) -> Wiring:
        """Build a wiring for other settings that shares this one's clock and tally."""
        wiring = self._outside(settings, self.store)
        wiring.clock, wiring.tally = self.outside.clock, self.outside.tally
        return wiring

    def take_over(self, loaded: Loaded, outside: Wiring) -> None:
        """Use other settings for whatever begins from now on."""
        self._earlier.append(self.outside)
        self.loaded, self.settings, self.outside = loaded, loaded.settings, outside

    async def _wait_for_calls(self, run_id: str) -> None:
        for each in (*self._earlier, self.outside):
            await each.wait_for_calls(run_id)

    async def _tidy(self) -> None:
        """Drop expired answers that runs shared; trouble with the store is reported elsewhere."""
        with suppress(StoreError):
            await self.store.cache.prune(self.clock())

    async def close(self) -> None:
        """Close everything in order, each part whatever becomes of the others."""
        async with AsyncExitStack() as closing:
            closing.push_async_callback(self.store.close)
            closing.push_async_callback(self._tidy)
            for each in (*self._earlier, self.outside):
                closing.push_async_callback(each.close)
            closing.push_async_callback(self.engine.stop)


def prepare_home(home: Path) -> None:
    """Create the data folder, readable by its owner only."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "error.no_folder_made", path=home, why=os_reason(error), hint="hint.set_home"
        ) from error


@asynccontextmanager
async def open_app(
    chosen: Settings | Loaded | None = None,
    *,
    overrides: Mapping[str, object] | None = None,
    outside: Callable[[Settings, Store], Wiring] = Wiring,
) -> AsyncGenerator[App]:
    """Build everything, yield it, and close it in order.

    Without settings they come from files and the environment; those made in code are used as they
    are. `outside` is for callers that bring a network of their own, as evaluations do.
    """
    # With a run's libraries loaded, a full collection stops every run for a fifth of a second, and
    # the default thresholds cause several per run.
    gc.set_threshold(50_000, 20, 50)
    if isinstance(chosen, Settings):
        chosen = completed(chosen).loaded()
    loaded = chosen or settings_type().load(overrides)
    settings = loaded.settings
    prepare_home(settings.data_home())
    store = open_store(settings.database(), durability=settings.durability)
    app = App(loaded, store, outside)
    try:
        yield app
    finally:
        await app.close()


def upgrade_database(settings: Settings) -> tuple[str, str]:
    """Migrate the database to this version's schema; return what was done, and the revision."""
    prepare_home(settings.data_home())
    return upgrade(settings.database()), HEAD


def database_revision(settings: Settings) -> tuple[str | None, str]:
    """Return the revision of the database, and the one that this version writes."""
    return current(settings.database()), HEAD
