"""Run rows as values, and as a filtered list, newest first, paged by keyset."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from sqlalchemy import BigInteger, and_, bindparam, func, or_, select

from groundwire.errors import InputError
from groundwire.model.base import JsonObject
from groundwire.model.run import NewRun, Run, RunFilter, RunHead, RunPage, RunState
from groundwire.store import schema
from groundwire.store.columns import name_type
from groundwire.store.payload import parse, to_us
from groundwire.store.statement import Connection, Row, Statement
from groundwire.store.table import DatabaseTable, Rows, columns_of, reads

_runs = schema.runs
_ESCAPE = "\\"
_LATEST = 2**62
_CURSOR = re.compile(r"([0-9]{1,18})\.([A-Za-z0-9_-]{1,100})")

_NEW = Rows(NewRun, columns_of(_runs))
# Claims are shown as restarts; the proposal says, too, until when the run waits.
_ROWS = Rows(Run, columns_of(_runs, "claims", "waiting_until", "budgets"), "stored.run")
ROW = (*_ROWS.columns, _runs.c.claims, _runs.c.budgets)
_HEADS = Rows(RunHead, [_runs.c[name] for name in RunHead.model_fields])
HEAD = _HEADS.columns


def _param(name: str) -> Any:
    return bindparam(name, type_=name_type())


def _equals_if_given(column: Any, name: str) -> Any:
    return or_(_param(name).is_(None), column == _param(name))


_at = bindparam("before_at", type_=BigInteger())
_PAGE = Statement(
    select(*ROW)
    .where(
        _equals_if_given(_runs.c.owner, "of_owner"),
        _equals_if_given(_runs.c.kind, "of_kind"),
        _equals_if_given(_runs.c.state, "of_state"),
        or_(
            _param("like").is_(None),
            func.lower(_runs.c.text).like(_param("like"), escape=_ESCAPE),
        ),
        or_(
            _runs.c.created_at < _at,
            and_(_runs.c.created_at == _at, _runs.c.id < _param("before_id")),
        ),
    )
    .order_by(_runs.c.created_at.desc(), _runs.c.id.desc())
    .limit(bindparam("count"))
)
_this = _runs.c.id == bindparam("run_id")
_HEAD = Statement(select(*HEAD).where(_this))
_GET = Statement(select(*ROW).where(_this))
LOCK = Statement(select(*ROW).where(_this).with_for_update())
_COUNTS = Statement(select(_runs.c.state, func.count()).group_by(_runs.c.state))


class ListedRuns(DatabaseTable):
    """The runs for readers; executing them is the engine's part."""

    @reads
    def page(
        self, connection: Connection, wanted: RunFilter, after: str | None = None, limit: int = 20
    ) -> RunPage:
        at, run_id = (_LATEST, "") if after is None else _parse_cursor(after)
        values = {
            "of_owner": wanted.owner,
            "of_kind": wanted.kind,
            "of_state": wanted.state,
            "like": _pattern(wanted.text),
            "before_at": at,
            "before_id": run_id,
            "count": limit + 1,
        }
        runs = [run_of(row) for row in connection.all(_PAGE, values)]
        last = runs[limit - 1] if len(runs) > limit else None
        following = None if last is None else f"{to_us(last.created_at)}.{last.id}"
        return RunPage(runs=tuple(runs[:limit]), next=following)

    @reads
    def head(self, connection: Connection, run_id: str) -> RunHead | None:
        return connection.first(_HEAD, {"run_id": run_id}, head_of)

    @reads
    def counts(self, connection: Connection) -> Mapping[RunState, int]:
        """Count the runs in each state."""
        return {cast(RunState, state): count for state, count in connection.all(_COUNTS, {})}


def get(connection: Connection, run_id: str) -> Run | None:
    return connection.first(_GET, {"run_id": run_id}, run_of)


def lock(connection: Connection, run_id: str) -> Run | None:
    """Lock a run's row until the transaction ends; return the run."""
    return connection.first(LOCK, {"run_id": run_id}, run_of)


def _pattern(text: str) -> str | None:
    wanted = text.strip().lower().replace("\0", "")
    if not wanted:
        return None
    for special in (_ESCAPE, "%", "_"):
        wanted = wanted.replace(special, _ESCAPE + special)
    return f"%{wanted}%"


def _parse_cursor(cursor: str) -> tuple[int, str]:
    """Parse a cursor; any well-formed one is a place between runs, even if none was there."""
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise InputError("error.cursor", hint="hint.no_cursor")
    return int(found[1]), found[2]


def new_values(run: NewRun) -> dict[str, Any]:
    """Build the row of a run that nobody has claimed yet."""
    row = _NEW.cells(run, state="queued", attempt=1, fence=0, claims=0, cancel_requested=0)
    return {**row, "last_seq": 0, "updated_at": row["created_at"]}


def head_of(row: Row) -> RunHead:
    return RunHead.model_construct(**_HEADS.fields(row))


def run_of(row: Row) -> Run:
    *cells, claims, budgets = row
    limits: JsonObject = parse(budgets) if budgets else {}  # none: by an older version
    return _ROWS.value(cells, restarts=max(claims - 1, 0), budgets=limits)
