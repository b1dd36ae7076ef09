"""Runs that wait for a person: the proposal, the answer, and the deadline."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import BigInteger, bindparam, null, select, update

from groundwire.errors import Conflict, RunExpired
from groundwire.model.call import Lease
from groundwire.model.ending import Ending
from groundwire.model.event import Draft
from groundwire.model.proposal import KIND, PERSON, Confirmed, Proposal
from groundwire.model.run import Run
from groundwire.store import calls, endings, fence, journal, run_list, schema, wakeups
from groundwire.store.payload import pack, text, to_us, to_us_or_none
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import writes

EXPIRED = "expired"  # the reason of a run that nobody confirmed in time

_runs = schema.runs
_with_id = _runs.c.id == bindparam("run_id")
_now = bindparam("at_now", type_=BigInteger())
_ASKED_TO_STOP = Statement(select(_runs.c.cancel_requested).where(_with_id))
_WAIT = Statement(
    update(_runs)
    .where(_with_id)
    .values(
        state="waiting",
        waiting=bindparam("proposal"),
        waiting_until=bindparam("until"),
        last_seq=bindparam("to_seq"),
        claims=_runs.c.claims - 1,  # continuing it is no restart
        updated_at=_now,
        lease_owner=null(),
        lease_until=null(),
    )
)
_QUEUE = Statement(
    update(_runs)
    .where(_with_id)
    .values(state="queued", waiting=null(), waiting_until=null(), updated_at=_now)
)
_OVERDUE = Statement(
    select(_runs.c.id)
    .where(_runs.c.state == "waiting", _runs.c.waiting_until <= _now)
    .order_by(_runs.c.waiting_until)
    .limit(100)
)


class WaitingRuns(run_list.ListedRuns):
    """The runs that wait for a person's answer."""

    @writes
    def wait(
        self,
        connection: Connection,
        lease: Lease,
        proposal: Proposal,
        drafts: Sequence[Draft],
        at: datetime,
    ) -> bool:
        last = fence.lock_running(connection, lease)
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
        # Nobody executes it any more: whoever waits for it must look.
        wakeups.tell(connection, wakeups.ENDS, lease.run_id)
        return True

    @writes
    def confirm(
        self, connection: Connection, run_id: str, proposal_id: str, answer: Confirmed, at: datetime
    ) -> Run | None:
        run = run_list.lock(connection, run_id)
        if run is None:
            return None
        proposal = run.waiting
        if run.state != "waiting" or proposal is None:
            raise Conflict("confirm.nothing", state=run.state)
        if proposal.id != proposal_id:
            raise Conflict("confirm.asked_else", hint="confirm.look_again")
        row = calls.CallRow(
            run_id=run.id,
            key=proposal.id,
            attempt=run.attempt,
            kind=KIND,
            provider=PERSON,
            occasion=proposal.occasion,
            request=pack(proposal.request),
            estimate=0,
            scopes=text([]),
            started_at=to_us(at),
            outcome="ok",
            response=pack(answer.model_dump(mode="json")),
            via="local",
            finished_at=to_us(at),
        )
        calls.insert(connection, row)
        connection.change(_QUEUE, {"run_id": run.id, "at_now": to_us(at)})
        wakeups.wake(connection, run.kind, run.id)
        wakeups.tell(connection, wakeups.EVENTS, run.id)
        return run_list.get(connection, run_id)

    @writes
    def expire(self, connection: Connection, at: datetime) -> Sequence[str]:
        ended: list[str] = []
        for run_id in connection.column(_OVERDUE, {"at_now": to_us(at)}):
            run = run_list.lock(connection, run_id)
            if run is None or run.state != "waiting":
                continue
            ending = Ending("cancelled", at, run.result, RunExpired().kept, reason=EXPIRED)
            endings.close(connection, run, ending)
            ended.append(run.id)
        return ended
