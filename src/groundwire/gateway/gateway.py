"""The policy stack around every outside call.

replay from this run's record → cross-run cache → single flight → budget and intent → limits →
breaker → retries → transport → settle → record. Nothing else in Groundwire talks to the outside.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime, timedelta
from typing import cast

from groundwire.errors import (
    BreakerOpen,
    BudgetReached,
    Fenced,
    Forgotten,
    Malformed,
    MissingRecord,
    Offline,
    OutsideFailure,
    Timeout,
)
from groundwire.gateway.breaker import Breakers, pause
from groundwire.gateway.call import Call, Reply, Scope, Send, Sending
from groundwire.gateway.limits import Limits
from groundwire.gateway.retry import Tried, with_retries
from groundwire.gateway.tally import REFUSED, Tally
from groundwire.log import Redactor
from groundwire.model.base import JsonObject, canonical, fingerprint
from groundwire.model.call import CallError, CallRecord, Cap, Intent, Lease, Settlement, Via
from groundwire.model.clock import utc_now
from groundwire.model.phrase import phrase
from groundwire.model.ports import Begun, Cache, History, Ledger

Clock = Callable[[], datetime]

_MOMENT = 1.0  # seconds
_FAREWELL = 7.0  # seconds: a process must end within ten of being told to, on a busy machine too


@dataclass(eq=False)
class Gateway:
    """One per process; runs bring their `Scope`. Close it to let flights land."""

    ledger: Ledger
    cache: Cache
    limits: Limits
    redactor: Redactor
    _: KW_ONLY
    clock: Clock = utc_now
    breakers: Breakers = field(default_factory=lambda: Breakers(time.monotonic))
    history: History | None = None
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        self._recalling: asyncio.Task[None] | None = None
        self._flights: dict[str, asyncio.Task[CallRecord]] = {}
        self._owners: dict[asyncio.Task[CallRecord], str] = {}
        self._late: set[asyncio.Task[CallRecord]] = set()  # already waited for long enough

    async def call(self, scope: Scope, call: Call, send: Send) -> CallRecord:
        """Return the recorded answer; raise the recorded `OutsideFailure` if that is the answer."""
        scope.outside = True
        recorded = await self._recorded(scope, call)
        if recorded is not None:
            return _answer(scope, recorded)
        if scope.offline:
            refused = CallError.of(Offline())
            return _answer(scope, await self._note(scope, call, "local", error=refused))
        shared = call.shared_key
        if call.kind == "push":
            # Two runs that push the same content both mean to.
            shared = fingerprint([shared, scope.lease.run_id])
        # A run at another time joins no call of this one, though both ask the same.
        flown = fingerprint([shared, scope.now.isoformat()]) if scope.wound else shared
        while True:
            stale: JsonObject | None = None
            if call.sharing.seconds:
                fresh = call.sharing.fresh
                now = self._now(scope)
                entry = await self.cache.get(shared, now)
                if entry is not None and entry.stored_at > now:
                    entry = None  # nobody knew it then
                if entry is not None and (
                    fresh is None or fresh(entry.response, entry.stored_at, now)
                ):
                    return await self._note(scope, call, "cache", response=entry.response)
                stale = entry.response if entry is not None else None
            flight = self._flights.get(flown)
            if scope.most_faults is not None and len(scope.faults) >= scope.most_faults:
                error = BudgetReached("outside.too_many_faults", n=scope.most_faults)
                refused = CallError.of(error)
                return _answer(scope, await self._note(scope, call, "local", error=refused))
            if flight is None:
                sending = self._fly(scope, call, send, stale)
                return _answer(scope, await asyncio.shield(self._launch(flown, scope, sending)))
            record = await self._join(flight)
            if record is not None:
                joined = replace(call, estimate=record.cost or call.estimate)
                return _answer(
                    scope,
                    await self._note(
                        scope, joined, "joined", response=record.response, error=record.error
                    ),
                )

    async def recorded_read(
        self,
        scope: Scope,
        provider: str,
        request: JsonObject,
        get: Callable[[], Awaitable[JsonObject]],
        occasion: str = "",
    ) -> JsonObject:
        """Read our own mutable store once per run: again, it returns what was read first (rule a)."""
        call = Call(kind="read", provider=provider, request=request, occasion=occasion)
        record = await self._recorded(scope, call)
        if record is None:
            record = await self._note(scope, call, "local", response=await get())
        return _answer(scope, record).response or {}

    async def close(self) -> None:
        """Wait a while for calls under way: their callers may be gone, but they are being paid for.

        One that takes longer leaves its intent behind: counted as spent, and sent again (rule e).
        """
        if self._flights:
            # Calls of released runs were waited for already: they only get a moment more.
            left = set(self._flights.values())
            patience = _FAREWELL if left - self._late else _MOMENT
            _, late = await asyncio.wait(left, timeout=patience)
            for flight in late:
                flight.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def wait_for_calls(self, run_id: str) -> None:
        """Wait a while for a run's calls under way, so that their records are there."""
        flights = [task for task, owner in self._owners.items() if owner == run_id]
        if flights:
            _, late = await asyncio.wait(flights, timeout=_FAREWELL)
            self._late |= late

    def forget_search_pauses(self) -> None:
        """Ask every search provider again: a person wants to know who answers now."""
        self.history = None
        self.breakers.forget("search")

    async def _recall_pauses(self, kind: str) -> None:
        """Load the pauses that engines asked of earlier processes, before the first search."""
        if kind == "search" and self.history is not None:
            if self._recalling is None:
                self._recalling = asyncio.create_task(self._recall(self.history))
            await asyncio.shield(self._recalling)

    async def _recall(self, history: History) -> None:
        now = self.clock()
        for last in await history.newest("search", now - timedelta(days=1)):
            if last.error is None:
                continue
            requested = pause(last.error.to_exception()) or 0.0
            left = requested - (now - last.at).total_seconds()
            if left > 0:
                why = last.error.phrase.model_dump()
                self.breakers.hold("search", last.provider, left, why)

    async def _recorded(self, scope: Scope, call: Call) -> CallRecord | None:
        key = call.key
        scope.looked_up.add(key)
        if scope.fresh and key not in scope.seen:
            return None
        record = await self.ledger.find(scope.lease.run_id, key)
        if record is not None and record.outcome != "intent":
            # A person's resume opens a new attempt that retries failures, and only them.
            retry = record.outcome == "failed" and record.attempt < scope.lease.attempt
            if scope.mode == "replay" or not retry:
                if record.error is not None and record.error.code == Forgotten.code:
                    what = f"{call.kind} {call.provider}"
                    scope.missing.append(phrase("replay.forgotten", what=what))
                return record
        if scope.mode == "replay":
            what = f"{call.kind} {call.provider} {key[:12]}"
            scope.missing.append(phrase("replay.no_record", what=what))
            raise MissingRecord("outside.no_record", kind=call.kind, key=key[:12])
        return None

    async def _join(self, flight: asyncio.Task[CallRecord]) -> CallRecord | None:
        """Wait for another caller's answer; None when that caller's own trouble ended the call."""
        try:
            record = await asyncio.shield(flight)
        except Fenced:
            return None
        except asyncio.CancelledError:
            if flight.cancelled():
                return None
            raise
        if record.error is not None and record.error.code == "quota":
            return None
        return record

    def _launch(
        self, shared: str, scope: Scope, sending: Coroutine[None, None, CallRecord]
    ) -> asyncio.Task[CallRecord]:
        """Start a call that belongs to the gateway: cancelling its first caller fails no other."""
        task = asyncio.create_task(sending)
        self._flights[shared] = task
        self._owners[task] = scope.lease.run_id

        def clean_up(ended: asyncio.Task[CallRecord]) -> None:
            del self._flights[shared]
            del self._owners[ended]
            self._late.discard(ended)
            if not ended.cancelled():
                ended.exception()  # retrieved here too: the caller may have been cancelled

        task.add_done_callback(clean_up)
        return task

    async def _fly(
        self, scope: Scope, call: Call, send: Send, stale: JsonObject | None
    ) -> CallRecord:
        scope.seen.add(call.key)
        intent = self._intent(call, scope.limits(call, self.clock()))
        lease = scope.lease
        begun = await self._begin(lease, intent)
        if begun.state in ("done", "refused"):
            return begun.record
        if lease.attempt == 1:  # a person's resume asks again, whatever pause was requested
            await self._recall_pauses(call.kind)
        started = time.monotonic()
        # The same when a crashed call is sent again; another for a resume or another run.
        sending = Sending(fingerprint([lease.run_id, lease.attempt, call.key])[:32], stale)

        async def again() -> None:
            """Reserve once more: a try that timed out or broke off may be billed, so it counts."""
            second = await self._begin(lease, intent)
            if second.state == "refused" and second.record.error is not None:
                raise second.record.error.to_exception()

        tried = await self._deliver(call, send, sending, again)
        latency = round((time.monotonic() - started) * 1000)
        settlement = self._settlement(scope, call, tried, latency, intent.caps)
        record = await self.ledger.finish(lease, settlement)
        self.tally.called(record, "sent")
        return record

    async def _begin(self, lease: Lease, intent: Intent) -> Begun:
        begun = await self.ledger.begin(lease, intent)
        if begun.state == "refused":
            self.tally.called(begun.record, REFUSED)
        return begun

    async def _deliver(
        self, call: Call, send: Send, sending: Sending, again: Callable[[], Awaitable[None]]
    ) -> Tried:
        lane = call.lane or call.provider
        unpaid = False

        async def once() -> Reply:
            nonlocal unpaid
            await self.limits.turn(call.kind, lane)
            if unpaid:
                await again()
            # The kind's shared limit is held for a try, not for the pauses between tries.
            async with self.limits.line(call.kind):
                try:
                    async with asyncio.timeout(call.timeout):
                        return await send(sending)
                except TimeoutError as error:
                    unpaid = call.estimate > 0
                    raise Timeout(
                        "outside.no_answer", who=lane, seconds=f"{call.timeout:g}"
                    ) from error
                except OutsideFailure as error:
                    unpaid = unpaid or (error.maybe_served and call.estimate > 0)
                    raise

        async with self.limits.slot(call.kind, lane):
            try:
                self.breakers.check(call.kind, lane)
            except BreakerOpen as error:
                return Tried(0, error=error)
            try:
                tried = await with_retries(call.tries, once)
            except BaseException:
                self.breakers.abandoned(call.kind, lane)
                raise
            tried = self._storable(lane, tried)
            if tried.error is None:
                self.breakers.succeeded(call.kind, lane)
            else:
                self.breakers.failed(call.kind, lane, tried.error)
            return tried

    async def _note(
        self,
        scope: Scope,
        call: Call,
        via: Via,
        *,
        response: JsonObject | None = None,
        error: CallError | None = None,
    ) -> CallRecord:
        scope.seen.add(call.key)
        settlement = Settlement(
            key=call.key,
            outcome="ok" if error is None else "failed",
            response=self._clean(response) if response and via == "local" else response,
            error=error,
            tries=0,
            at=self.clock(),
        )
        intent = self._intent(call, ())
        record = await self.ledger.note(scope.lease, intent, settlement, via)
        self.tally.called(record, via)
        return record

    def _intent(self, call: Call, caps: tuple[Cap, ...]) -> Intent:
        now = self.clock()
        return Intent.model_construct(
            key=call.key,
            kind=call.kind,
            provider=call.provider,
            occasion=call.occasion,
            request=self._clean(call.request),
            estimate=call.estimate,
            caps=caps,
            free=call.free(now) if call.free is not None and caps else None,
            at=now,
        )

    def _settlement(
        self, scope: Scope, call: Call, tried: Tried, latency_ms: int, caps: tuple[Cap, ...]
    ) -> Settlement:
        now = self.clock()
        fields: JsonObject = {}
        if tried.reply is None:
            error = tried.error or OutsideFailure()
            fields["error"] = self._redacted(error)
            fields["cost"] = call.estimate if error.maybe_served else error.cost
        else:
            fields["response"], fields["cost"] = tried.reply.response, tried.reply.cost
            fields["overcome"] = tried.overcome and self._redacted(tried.overcome)
            if call.sharing.seconds > 0:
                fields["cache_key"] = call.shared_key
                fields["cache_from"] = self._now(scope)
                fields["cache_until"] = self._now(scope) + timedelta(seconds=call.sharing.seconds)
        return Settlement(
            key=call.key,
            outcome="failed" if tried.reply is None else "ok",
            latency_ms=latency_ms,
            tries=tried.tries,
            at=now,
            alerts=tuple(cap for cap in caps if cap.alert is not None),
            **fields,
        )

    def _now(self, scope: Scope) -> datetime:
        """Return the time by which answers that runs share are fresh to a run."""
        return scope.now if scope.wound else self.clock()

    def _storable(self, lane: str, tried: Tried) -> Tried:
        """Strip secrets from the reply; what is no JSON (NaN, lone surrogates) is a failure."""
        reply = tried.reply
        if reply is None:
            return tried
        try:
            clean = replace(reply, response=self._clean(reply.response))
        except (ValueError, RecursionError):
            error = Malformed("outside.not_json", who=lane, cost=reply.cost)
            return Tried(tried.tries, error=error)
        return replace(tried, reply=clean)

    def _clean(self, value: JsonObject) -> JsonObject:
        """Remove secrets, with one search of the whole text first: walking every value is slow."""
        text = canonical(value).decode()
        if self.redactor.text(text) == text:
            return value
        return cast(JsonObject, self.redactor.value(value))

    def _redacted(self, error: OutsideFailure) -> CallError:
        recorded = CallError.of(error)
        message, params = self.redactor.text(recorded.message), self._clean(recorded.params)
        return recorded.model_copy(update={"message": message, "params": params})


def _answer(scope: Scope, record: CallRecord) -> CallRecord:
    """Return the stored row, never the caller's own copy; count and raise a recorded failure."""
    if record.error is not None:
        failure = record.error.to_exception()
        failure.in_vain = ("retry",) if record.tries > 1 else ()
        if failure.provider_fault:
            scope.faults.add(record.key)
        raise failure
    return record
