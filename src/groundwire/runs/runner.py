"""Executes one claimed run: with the engine, the only place that catches everything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import cast

from pydantic import BaseModel

from groundwire.context import Context, Parts
from groundwire.context.context import Waiting
from groundwire.context.recall import remembers
from groundwire.errors import (
    CorruptStore,
    DiskFull,
    Fenced,
    GroundwireError,
    IllegalState,
    RunCancelled,
    RunFailed,
    StoreAway,
    StoreBusy,
    StoreError,
)
from groundwire.gateway.call import Scope
from groundwire.gateway.tally import Tally
from groundwire.jobs import Job
from groundwire.log import get_logger
from groundwire.model.base import JsonObject
from groundwire.model.call import MICRO, CallRecord, Cap, Lease
from groundwire.model.ending import Ending
from groundwire.model.event import Draft, Event, EventType, event_key
from groundwire.model.memory import Lesson
from groundwire.model.phrase import Phrase, phrase, phrase_of
from groundwire.model.ports import Journal, Ledger, Runs
from groundwire.model.proposal import Proposal
from groundwire.model.result import Cost
from groundwire.model.run import Run, RunState, Versions
from groundwire.model.schedule import Schedule
from groundwire.model.thought import thought_steps
from groundwire.runs.journal import Bell, JournalWriter
from groundwire.runs.outbox import Deliveries
from groundwire.runs.schedule import told_from

log = get_logger("groundwire.runs")


async def _no_schedule(_schedule_id: str) -> Schedule | None:
    return None


async def _nothing_due() -> None:
    return


@dataclass(frozen=True)
class Services:
    """What the runner works with; `parts` builds a run's parts from its fixed settings."""

    runs: Runs
    journal: Journal
    ledger: Ledger
    bell: Bell
    clock: Callable[[], datetime]
    lease_clock: Callable[[], datetime]  # the time that leases go by: `clock` may be moved
    job: Callable[[str], Job]
    parts: Callable[[Run], Parts]
    caps: Callable[[Run], Callable[[datetime], tuple[Cap, ...]]]
    versions: Callable[[], Versions]
    wait_for_calls: Callable[[str], Awaitable[None]]  # those of a run that are under way
    redact: Callable[[str], str]
    deliveries: Deliveries
    patience: Callable[[], timedelta]  # how long a run waits for a person
    tally: Tally
    schedule: Callable[[str], Awaitable[Schedule | None]] = _no_schedule
    tick: Callable[[], Awaitable[None]] = _nothing_due  # starts the standing runs that are due
    begun: set[str] = field(default_factory=set[str])  # kinds of runs executed here before


async def execute(services: Services, run: Run, lease: Lease) -> None:
    """Execute a run to its end and store it.

    Returns quietly when fenced; raises only `StoreError` and cancellation (the engine then hands the
    run back).
    """
    scope = scope_of(services, run, lease)
    writer = JournalWriter(services.journal, lease, services.clock, services.bell)
    try:
        await writer.append(_opening(services, run, lease))
        if run.kind not in services.begun:
            # Before the parts are built, which may import a lot.
            await writer.written()
            services.begun.add(run.kind)
        job = services.job(run.kind)
        context = Context(run.id, run.seed, scope, services.parts(run), writer)
        try:
            result = await result_of(job, context, run)
        finally:
            services.tally.took(run.kind, context.latencies)
        await _complete(services, run, job, lease, context, writer, result)
    except asyncio.CancelledError:
        with suppress(GroundwireError):
            await writer.written()
        raise
    except Waiting as pause:
        await _wait(services, run.kind, lease, pause.proposal, writer)
    except Fenced:
        log.info("run fenced", run_id=run.id, fence=lease.fence)
    except RunCancelled as error:
        await close(services, lease, "cancelled", error.kept, writer)
    except CorruptStore as error:
        # A damaged row does not mend itself: the run fails instead of being retried for ever.
        await close(services, lease, "failed", error.kept, writer)
    except StoreError:
        raise
    except GroundwireError as error:
        await close(services, lease, "failed", error.kept, writer)
    except Exception as error:
        # A bug: the run is kept with what it recorded, and can be resumed after a fix.
        log.exception("run failed", run_id=run.id)
        bug = RunFailed("error.internal", what=f"{type(error).__name__}: {error}")
        await close(services, lease, "failed", bug.kept, writer)


async def result_of(job: Job, context: Context, run: Run) -> BaseModel:
    """Run a job on its input; if it raises and has a rescue, return what that makes of it."""
    given = job.input.model_validate(run.input)
    try:
        result = await job.run(context, given)
    except (Fenced, RunCancelled, StoreError):
        raise  # no failure of the job
    except Exception as error:
        if job.rescue is None:
            raise
        log.exception("run rescued", run_id=run.id)
        result = await job.rescue(context, given, *_failure(error))
    if "decided" in type(result).model_fields:
        result = result.model_copy(update={"decided": context.decided()})
    found: object = getattr(result, "recovered", None)
    if isinstance(found, tuple):
        result = result.model_copy(update={"recovered": (*found, *context.recovered())})
    return result


def _failure(error: Exception) -> tuple[str, Phrase]:
    """Return a failure's code and phrase; of a bug only its type, as its text may hold anything."""
    if isinstance(error, GroundwireError) and not isinstance(error, IllegalState):
        return getattr(error, "code", "failed"), phrase_of(error)
    return "internal", phrase("degraded.internal", what=type(error).__name__)


async def _wait(
    services: Services, kind: str, lease: Lease, proposal: Proposal, writer: JournalWriter
) -> None:
    """Leave the run to a person; whoever confirms continues the same attempt, in any process."""
    if proposal.form not in {each.__name__ for each in services.job(kind).proposals}:
        bug = RunFailed("error.undeclared", kind=kind, form=proposal.form)
        await close(services, lease, "failed", bug.kept, writer)
        return
    await services.wait_for_calls(lease.run_id)
    at = services.clock()
    limited = proposal.model_copy(update={"until": at + services.patience()})
    try:
        drafts = await writer.rest()
        if not await services.runs.wait(lease, limited, drafts, at):
            ending = Ending("cancelled", at, error=RunCancelled().kept, drafts=drafts)
            await finish(services, lease, ending)
    except Fenced:
        log.info("run fenced", run_id=lease.run_id, fence=lease.fence)
    services.bell.ring(lease.run_id, over=True)


def scope_of(services: Services, run: Run, lease: Lease) -> Scope:
    return Scope(
        lease=lease,
        now=run.now,
        caps=services.caps(run),
        offline=bool(run.settings.get("offline", False)),
        fresh=lease.fence == 1,
        wound=run.now != run.created_at,
        most_faults=run.settings.get("budget", {}).get("run_faults"),
    )


def _draft(lease: Lease, step: str, kind: EventType, payload: JsonObject) -> Draft:
    key = event_key(lease.run_id, lease.attempt, step, kind, 0)
    return Draft(key=key, attempt=lease.attempt, step=step, type=kind, payload=payload)


def _opening(services: Services, run: Run, lease: Lease) -> list[Draft]:
    """Build the first event and, after a restart under another version (rule i), one that says so."""
    payload: JsonObject = {"kind": run.kind, "input": run.input, "attempt": lease.attempt}
    drafts = [_draft(lease, "", "run", payload)]
    current = services.versions()
    if current != run.versions:
        drafts.append(_restarted("restart", run, lease, current, None))
    return drafts


def _restarted(
    step: str, run: Run, lease: Lease, current: Versions, unmatched: int | None
) -> Draft:
    """Build the event that says that another version goes on, and which recorded calls it left."""
    reason = phrase("run.restarted.version", before=run.versions.code, after=current.code)
    if current.code == run.versions.code:
        reason = phrase("run.restarted.files")
    payload: JsonObject = {"restarted": True, "reason": reason.model_dump()}
    payload["unmatched_calls"] = unmatched
    stamp = f"{current.code}-{current.prompts[:8]}-{current.data[:8]}"
    return _draft(lease, f"{step}/{stamp}", "run", payload)


async def _complete(
    services: Services,
    run: Run,
    job: Job,
    lease: Lease,
    context: Context,
    writer: JournalWriter,
    result: BaseModel,
) -> None:
    current = services.versions()
    scope = context.scope
    # A run that was never claimed before and made no outside call has cost nothing.
    free = scope.fresh and not scope.outside and current == run.versions
    records = () if free else await services.ledger.records(run.id)
    if current != run.versions:
        # Recorded calls that this version never looked up: the other one asked differently.
        settled = {record.key for record in records if record.outcome != "intent"}
        unmatched = len(settled - scope.looked_up)
        await writer.append([_restarted("restarted", run, lease, current, unmatched)])
    value: JsonObject = result.model_dump(mode="json")
    value["cost"] = cost_of(records).model_dump(mode="json")
    value["latency_ms"] = round((services.clock() - run.created_at).total_seconds() * 1000)
    if "tool_calls" in value:
        # Deferred: most runs have none.
        from groundwire.runs.tool_calls import tool_calls

        value["tool_calls"] = [each.model_dump(mode="json") for each in tool_calls(records)]
    if "node_latency_ms" in value:
        value["node_latency_ms"] = dict(sorted(context.latencies.items()))
    if "steps" in value:
        await writer.written()
        steps = thought_steps(await _events(services.journal, run.id), records)
        value["steps"] = [each.model_dump(mode="json") for each in steps]
        agent: JsonObject = value.get("state") or {}
        if "total_tokens" in agent:
            agent["total_tokens"] = sum(each.tokens_used for each in steps)
    state = cast(RunState, value.get("status", "complete"))
    ending = Ending(state, services.clock(), value)
    if state in ("complete", "degraded"):
        ending = replace(
            ending,
            lessons=await _lessons(job, run, result),
            # What a standing run of another day learns was known on that day.
            learned_at=None if run.schedule_id is None else _moment(run),
            event=None if job.leaves is None else job.leaves(result),
        )
        ending = await _addressed(services, run, job, lease, result, ending)
    await finish(services, lease, ending, writer)


async def _events(journal: Journal, run_id: str) -> list[Event]:
    """Read all events of a run."""
    found: list[Event] = []
    while more := await journal.read(run_id, after=found[-1].seq if found else 0):
        found.extend(more)
    return found


async def _addressed(
    services: Services, run: Run, job: Job, lease: Lease, result: BaseModel, ending: Ending
) -> Ending:
    """Add the parcels for those who are told of the result; quiet hours hold them, and drop none."""
    deliveries = services.deliveries
    if run.schedule_id is None and not deliveries.subscribers():
        return ending
    notice = job.notice(result)
    if notice is None:
        return ending
    own, due_at = (), ending.at
    # As it is now, not as it was at the submit: who was taken out meanwhile is not told any more.
    schedule = None if run.schedule_id is None else await services.schedule(run.schedule_id)
    if schedule is not None:
        own = schedule.subscribers
        # People sleep by the real clock, whatever time the run was given.
        due_at = told_from(schedule.quiet, schedule.zone, ending.at)
    parcels = deliveries.parcels(lease, notice, ending.at, own, due_at)
    value = ending.result or {}
    if "parcels" in value:
        value = {**value, "parcels": len(parcels)}
    return replace(ending, result=value, told=True, parcels=parcels)


def _moment(run: Run) -> datetime | None:
    """Return the moment of a run whose clock was wound; None: it is the present."""
    return None if run.now == run.created_at else run.now


async def _lessons(job: Job, run: Run, result: BaseModel) -> Sequence[Lesson]:
    """Extract what the result teaches; a run is not lost because that fails."""
    if job.teaches is None or not remembers(run):
        return ()
    try:
        return await asyncio.to_thread(job.teaches, result)
    except Exception:
        log.exception("nothing was learned", run_id=run.id)
        return ()


def cost_of(records: Sequence[CallRecord]) -> Cost:
    """Sum up what the ledger says a run cost."""
    outside = [record for record in records if record.kind != "read"]
    return Cost(
        usd=round(sum(record.cost for record in outside) / MICRO, 6),
        calls=sum(1 for record in outside if record.via == "sent"),
        cached=sum(1 for record in outside if record.via in ("cache", "joined")),
        repeated=sum(record.repeated for record in outside),
    )


async def close(
    services: Services,
    lease: Lease,
    state: RunState,
    error: str,
    writer: JournalWriter | None = None,
) -> None:
    """End a run that has no result."""
    # An exception's text may hold anything: a key in a URL, a page's words.
    ending = Ending(state, services.clock(), error=services.redact(error))
    await finish(services, lease, ending, writer)


async def finish(
    services: Services, lease: Lease, ending: Ending, writer: JournalWriter | None = None
) -> None:
    """Store the end of a run with the events that are not stored yet; completed means saved."""
    try:
        if writer is not None:
            ending = replace(ending, drafts=await writer.rest())
        try:
            await services.runs.finish(lease, ending)
        except (IllegalState, StoreError) as damage:
            if not ending.lessons or isinstance(damage, (StoreAway, StoreBusy, DiskFull)):
                raise
            # Memory's tables are in trouble: the run is saved without its lessons.
            log.warning("nothing was learned", run_id=lease.run_id, reason=damage.message)
            await services.runs.finish(lease, replace(ending, lessons=()))
    except Fenced:
        log.info("run fenced at its end", run_id=lease.run_id, fence=lease.fence)
        return
    services.tally.ended[ending.state] += 1
    if ending.parcels:
        services.deliveries.poke()
    services.bell.ring(lease.run_id, over=True)
