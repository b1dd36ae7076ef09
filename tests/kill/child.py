"""The process that is killed: an ordinary app whose ledger can end it, by a real SIGKILL.

`python -m tests.kill.child` with settings in the environment starts the run that ORDER names; who comes after it needs
no process of its own, since nobody kills it (`go_on`). KILL="before:N" kills after
the N-th intent is committed and before anything is sent; KILL="after:N" kills after the N-th record
is committed. (The kill while a call is under way is the stub's: it kills when it has received it.)
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire.app import App, confirmation, open_app
from groundwire.model.call import CallRecord, Intent, Lease, Settlement, Via
from groundwire.model.ports import Begun, Ledger
from groundwire.settings import Loaded

NOW = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
QUESTION = "Did USDC lose its peg in March 2023, and why?"


@dataclass(frozen=True)
class Order:
    """What is run, and what a person says to what it proposes."""

    kind: str = "ask"
    given: dict[str, Any] = field(default_factory=lambda: {"question": QUESTION})
    edited: dict[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        return json.dumps(asdict(self))


ASK = Order()


class DeadlyLedger:
    """Passes everything on to the real ledger, and dies at the given place."""

    def __init__(self, real: Ledger, where: str, at: int) -> None:
        self._real = real
        self._where = where
        self._at = at
        self._count = 0

    def _maybe(self, where: str) -> None:
        if where == self._where:
            self._count += 1
            if self._count == self._at:
                os.kill(os.getpid(), signal.SIGKILL)

    async def find(self, run_id: str, key: str) -> CallRecord | None:
        return await self._real.find(run_id, key)

    async def records(self, run_id: str) -> Sequence[CallRecord]:
        return await self._real.records(run_id)

    async def begin(self, lease: Lease, intent: Intent) -> Begun:
        begun = await self._real.begin(lease, intent)
        self._maybe("before")
        return begun

    async def finish(self, lease: Lease, settlement: Settlement) -> CallRecord:
        record = await self._real.finish(lease, settlement)
        self._maybe("after")
        return record

    async def note(
        self, lease: Lease, intent: Intent, settlement: Settlement, via: Via
    ) -> CallRecord:
        record = await self._real.note(lease, intent, settlement, via)
        self._maybe("after")
        return record


async def main() -> None:
    pid_file = Path(os.environ["CHILD_PID_FILE"])
    pid_file.write_text(str(os.getpid()), encoding="utf-8")
    async with open_app() as app:
        where, _, at = os.environ.get("KILL", "").partition(":")
        if where:
            app.outside.ledger = DeadlyLedger(app.store.ledger, where, int(at))
        order = Order(**json.loads(os.environ.get("ORDER", ASK.text())))
        await app.submit(order.kind, order.given, now=NOW)
        await finish(app, order)


async def go_on(loaded: Loaded, *, fresh: bool = False, order: Order = ASK) -> dict[str, Any]:
    """Finish what a killed process left; with `fresh`, what nobody has begun."""
    async with open_app(loaded) as app:
        if fresh:
            await app.submit(order.kind, order.given, now=NOW)
        return await finish(app, order)


async def finish(app: App, order: Order) -> dict[str, Any]:
    run = await app.runs.find("last")
    run = await app.finished(run.id)
    while run.state == "waiting":
        await confirmation.confirm(app, run, order.edited, by="a reader")
        run = await app.finished(run.id)
    records = await app.store.ledger.records(run.id)
    scopes = [f"run:{run.id}"]
    return {
        "state": run.state,
        "error": run.error,
        "digest": run.digest,
        "restarts": run.restarts,
        "last_seq": run.last_seq,
        "answer": len((run.result or {}).get("answer", [])),
        "nodes": len((run.result or {}).get("nodes", [])),
        "repeated": (run.result or {}).get("cost", {}).get("repeated"),
        "spent": (await app.store.budget.spent(scopes)).get(scopes[0], 0),
        "cost": sum(record.cost for record in records),
        "records": [
            [record.kind, record.provider, record.key, record.outcome, record.via, record.repeated]
            for record in records
        ],
        "events": [
            [event.seq, event.key] for event in await app.store.journal.read(run.id, limit=10_000)
        ],
    }


if __name__ == "__main__":
    asyncio.run(main())
