"""Run rows as values: what a new run writes, and what is read back."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from groundwire.errors import CorruptStore
from groundwire.model.phrase import phrase
from groundwire.model.run import NewRun, Run, RunHead
from groundwire.store import schema
from groundwire.store.payload import from_us, from_us_or_none, parse, text, to_us
from groundwire.store.payload import unpack_or_none as unpacked
from groundwire.store.statement import Row

_NAMES = tuple(schema.runs.c.keys())
_EMPTY = dict.fromkeys(_NAMES)


def new_values(run: NewRun) -> dict[str, Any]:
    at = to_us(run.created_at)
    return {
        **_EMPTY,
        "id": run.id,
        "kind": run.kind,
        "owner": run.owner,
        "owner_day_micro": run.owner_day_micro,
        "input": text(run.input),
        "text": run.text,
        "budgets": text(run.budgets) if run.budgets else None,
        "settings": text(run.settings),
        "now": to_us(run.now),
        "seed": run.seed,
        "versions": text(run.versions.model_dump()),
        "created_at": at,
        "idempotency_key": run.idempotency_key,
        "state": "queued",
        "attempt": 1,
        "fence": 0,
        "claims": 0,
        "cancel_requested": 0,
        "last_seq": 0,
        "updated_at": at,
    }


def head_of(row: Row) -> RunHead:
    return RunHead.model_construct(
        id=row[0],
        state=row[1],
        fence=row[2],
        lease_owner=row[3],
        lease_until=from_us_or_none(row[4]),
        cancel_requested=bool(row[5]),
        kind=row[6],
    )


def run_of(row: Row) -> Run:
    values: dict[str, Any] = dict(zip(_NAMES, row, strict=True))
    claims: int = values.pop("claims")
    del values["waiting_until"]  # the proposal says it, too
    try:
        return Run.model_validate(
            {
                **values,
                "input": parse(values["input"]),
                "settings": parse(values["settings"]),
                "budgets": parse(values["budgets"]) if values["budgets"] else {},
                "versions": parse(values["versions"]),
                "result": unpacked(values["result"]),
                "restarts": max(claims - 1, 0),
                "waiting": None if values["waiting"] is None else parse(values["waiting"]),
                "cancel_requested": bool(values["cancel_requested"]),
                "now": from_us(values["now"]),
                "created_at": from_us(values["created_at"]),
                "updated_at": from_us(values["updated_at"]),
                "lease_until": from_us_or_none(values["lease_until"]),
                "finished_at": from_us_or_none(values["finished_at"]),
            }
        )
    except ValidationError as error:
        raise CorruptStore(
            "error.stored_unreadable", what=phrase("stored.run", run=values["id"])
        ) from error
