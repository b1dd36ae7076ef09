"""A run that waits for a person: its proposal, the person's word, and the end of patience."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import BigInteger, bindparam, null, select, update

from groundwire.errors import Conflict, RunExpired
from groundwire.model.call import Intent, Lease
from groundwire.model.ending import Ending
from groundwire.model.event import Draft
from groundwire.model.proposal import KIND, PERSON, Confirmed, Proposal
from groundwire.model.run import Run
from groundwire.store import calls, endings, fence, journal, schema, wakeups
from groundwire.store.payload import pack, text, to_us, to_us_or_none
from groundwire.store.statement import Connection, Statement

EXPIRED = "expired"  # the reason of a run that nobody confirmed in time

_runs = schema.runs
_this = _runs.c.id == bindparam("run_id")
_now = bindparam("at_now", type_=BigInteger())
_ASKED_TO_STOP = Statement(select(_runs.c.cancel_requested).where(_this))
_WAIT = Statement(
    update(_runs)
    .where(_this)
    .values(
        state="waiting",
        waiting=bindparam("proposal"),
        waiting_until=bindparam("until"),
        last_seq=bindparam("to_seq"),
        claims=_runs.c.claims - 1,  # whoever goes on with it restarts nothing
        updated_at=_now,
        lease_owner=null(),
        lease_until=null(),
    )
)
_GO_ON = Statement(
    update(_runs)
    .where(_this)
    .values(state="queued", waiting=null(), waiting_until=null(), updated_at=_now)
)
_OVERDUE = Statement(
    select(_runs.c.id)
    .where(_runs.c.state == "waiting", _runs.c.waiting_until <= _now)
    .order_by(_runs.c.waiting_until)
    .limit(100)
)


def wait(
    connection: Connection, lease: Lease, proposal: Proposal, drafts: Sequence[Draft], at: datetime
) -> bool:
    """Give the lease back until somebody confirms; False: somebody wants the run stopped."""
    last = fence.running(connection, lease)
    if connection.cell(_ASKED_TO_STOP, {"run_id": lease.run_id}):
        return False
    new = journal.number(connection, lease.run_id, last, drafts, at)
    values = {
        "run_id": lease.run_id,
        "proposal": text(proposal.model_dump(mode="json")),
        "until": to_us_or_none(proposal.until),
        "to_seq": last + len(new),
        "at_now": to_us(at),
    }
    connection.change(_WAIT, values)
    wakeups.drop(connection, lease.run_id)
    wakeups.tell(connection, wakeups.ENDS, lease.run_id)  # nobody executes it: who waits must look
    return True


def confirm(
    connection: Connection, run: Run, proposal_id: str, said: Confirmed, at: datetime
) -> None:
    """Record a person's word and let the same attempt go on; the caller holds the run's row."""
    proposal = run.waiting
    if run.state != "waiting" or proposal is None:
        raise Conflict("confirm.nothing", state=run.state)
    if proposal.id != proposal_id:
        raise Conflict("confirm.asked_else", hint="confirm.look_again")
    intent = Intent(
        key=proposal.id,
        kind=KIND,
        provider=PERSON,
        occasion=proposal.occasion,
        request=proposal.request,
        estimate=0,
        caps=(),
        at=at,
    )
    lease = Lease(run_id=run.id, fence=run.fence, attempt=run.attempt)
    row = calls.new_row(lease, intent, held=False)._replace(
        outcome="ok",
        response=pack(said.model_dump(mode="json")),
        via="local",
        finished_at=to_us(at),
    )
    calls.insert(connection, row)
    connection.change(_GO_ON, {"run_id": run.id, "at_now": to_us(at)})
    wakeups.wake(connection, run.kind, run.id)
    wakeups.tell(connection, wakeups.EVENTS, run.id)


def expire(
    connection: Connection, at: datetime, locked: Callable[[Connection, str], Run | None]
) -> list[str]:
    """Cancel the runs that nobody confirmed in time; their ids."""
    ended: list[str] = []
    for run_id in connection.column(_OVERDUE, {"at_now": to_us(at)}):
        run = locked(connection, run_id)
        if run is None or run.state != "waiting":
            continue
        error = RunExpired().kept
        endings.close(connection, run, Ending("cancelled", at, run.result, error, reason=EXPIRED))
        ended.append(run.id)
    return ended
