"""Stored runs: found, listed, and read with their events and calls."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING

from groundwire.errors import InputError, NotFoundHere
from groundwire.model.access import Caller
from groundwire.model.base import JsonObject
from groundwire.model.call import CallRecord
from groundwire.model.event import Event
from groundwire.model.run import Run, RunFilter, RunHead, RunPage, RunState
from groundwire.words import coded, kept

if TYPE_CHECKING:
    from groundwire.model.call import CallLine
    from groundwire.store import Store

_PAGE = 500  # events that are read at once


class Runs:
    """The rows of runs, with their events and calls; the engine executes them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def get(self, run_id: str) -> Run | None:
        """Return the run with exactly this id."""
        return await self._store.runs.get(run_id) if "\0" not in run_id else None

    async def find(self, name: str) -> Run:
        """Find the run with this id, or the only one whose id starts so, or the `last` one."""
        if name != name.encode("utf-8", "ignore").decode():  # bytes of some other encoding
            raise _none(name)
        if not name.strip():
            raise InputError("error.empty_run_id", hint="hint.list_runs")
        if name == "last":
            found = await self.recent(limit=1)
        else:
            found = await self._store.runs.find(name)
        exact = [run for run in found if run.id == name]
        if exact or len(found) == 1:
            return (exact or list(found))[0]
        if not found:
            raise _none(name)
        raise InputError("error.many_runs", run=name, n=len(found))

    async def get_owned(self, who: Caller, run_id: str) -> Run:
        """Return a run by its id; for others than its owner there is none."""
        run = await self.get(run_id)
        if run is None or not who.owns(run.owner):
            raise _not_owned(run_id)
        return run

    async def get_owned_head(self, who: Caller, run_id: str) -> RunHead:
        """Return the same without the run's input and result, for followers."""
        head = await self._store.runs.head(run_id) if "\0" not in run_id else None
        if head is None or not who.owns(head.owner):
            raise _not_owned(run_id)
        return head

    async def page(self, wanted: RunFilter, after: str | None = None, limit: int = 20) -> RunPage:
        """Return one page of the list, newest first; `after` is the `next` of the one before."""
        return await self._store.runs.page(wanted, after, limit)

    async def recent(self, limit: int = 20, kind: str | None = None) -> Sequence[Run]:
        """List the newest runs, of one kind where one is named."""
        return list((await self.page(RunFilter(kind=kind), limit=limit)).runs)

    async def counts(self) -> Mapping[RunState, int]:
        return await self._store.runs.counts()

    async def unfinished(self) -> Sequence[RunHead]:
        """List those that wait or run, the oldest first."""
        return await self._store.runs.unfinished()

    async def answers(self) -> None:
        """Check that the store answers as for any request; raise a `StoreError` if it does not."""
        await self._store.runs.head("")

    async def delete(self, run_id: str) -> bool:
        """Drop a run with its records and events; nothing else goes with it."""
        return await self._store.runs.delete(run_id)

    async def events(self, run_id: str, after: int = 0, limit: int = _PAGE) -> Sequence[Event]:
        """Return a page of the journal: what comes after a number."""
        return await self._store.journal.read(run_id, after=after, limit=limit)

    async def journal(self, run_id: str) -> AsyncIterator[Event]:
        """Yield the whole journal, read page by page."""
        seen = 0
        while events := await self.events(run_id, after=seen):
            for event in events:
                seen = event.seq
                yield event

    async def calls(self, run_id: str) -> Sequence[CallRecord]:
        """List what a run sent for and read, in order of time."""
        records = await self._store.ledger.records(run_id)
        return sorted(records, key=lambda each: (each.started_at, each.key))

    async def call_lines(self, run_id: str) -> Sequence[CallLine]:
        """List the same without requests and answers, for sums."""
        return await self._store.ledger.lines(run_id)


def failure_of(run: Run) -> str:
    """Return why a run gave nothing, as errors are kept: what failed in it, or its state."""
    error: JsonObject = (run.result or {}).get("error") or {}
    if error.get("message"):
        params: JsonObject = error.get("params") or {}
        return kept(str(error["message"]), **params)
    return run.error or kept("run.is", state=coded(f"state.{run.state}"))


def _none(name: str) -> NotFoundHere:
    return NotFoundHere("error.no_run", run=name, hint="hint.list_runs")


def _not_owned(run_id: str) -> NotFoundHere:
    return NotFoundHere("error.no_run", run=run_id[:80], hint="hint.list_runs_api")
