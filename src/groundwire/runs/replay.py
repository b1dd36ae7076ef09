"""A run again from its records alone, without a call, and whether the result is identical."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NoReturn

from groundwire.context import Context, Parts
from groundwire.errors import GroundwireError, IllegalState
from groundwire.gateway.call import Scope
from groundwire.jobs import Job
from groundwire.model.base import JsonObject, Value
from groundwire.model.call import CallRecord, Lease
from groundwire.model.event import Draft
from groundwire.model.phrase import Phrase, phrase, phrase_of
from groundwire.model.ports import ArchiveHit
from groundwire.model.query import Query
from groundwire.model.run import Run, Versions, digest
from groundwire.model.source import Document
from groundwire.report.bundle import Bundle
from groundwire.runs.runner import result_of


class Replayed(Value):
    """The outcome of a replay."""

    run_id: str
    identical: bool
    recorded: str | None
    replayed: str | None
    differences: tuple[Phrase, ...] = ()


class _NoJournal:
    """Drops events: a replay writes no journal."""

    async def append(self, drafts: Sequence[Draft]) -> None:
        return


async def replay(job: Job, run: Run, parts: Parts, versions: Versions) -> Replayed:
    """Run the job on records only. What has no record is a difference, not a call."""
    scope = Scope(
        lease=Lease(run_id=run.id, fence=run.fence, attempt=run.attempt),
        now=run.now,
        caps=lambda _now: (),
        mode="replay",
        offline=bool(run.settings.get("offline", False)),
    )
    context = Context(run.id, run.seed, scope, parts, _NoJournal())
    differences: list[Phrase] = []
    stamp: str | None = None
    try:
        result = await result_of(job, context, run)
        value: JsonObject = result.model_dump(mode="json")
        stamp = digest(value)
        differences += _differing(run.result, value)
    except GroundwireError as error:
        if run.error not in (error.kept, error.message):
            differences.append(phrase("replay.ended", why=phrase_of(error)))
    differences += scope.missing
    if versions != run.versions and (differences or stamp != run.digest):
        differences.append(phrase("replay.versions", made=run.versions.code, here=versions.code))
    return Replayed(
        run_id=run.id,
        identical=not differences and stamp == run.digest,
        recorded=run.digest,
        replayed=stamp,
        differences=tuple(differences),
    )


def _differing(before: JsonObject | None, after: JsonObject) -> list[Phrase]:
    """List the parts of the result that are not as recorded."""
    if before is None:
        return [phrase("replay.no_result")]
    return [
        phrase("replay.differs", name=name)
        for name in sorted(before.keys() | after.keys())
        if digest({name: before.get(name)}) != digest({name: after.get(name)})
    ]


class BundleLedger:
    """The records of a bundle, read only."""

    def __init__(self, bundle: Bundle) -> None:
        self._rows: dict[str, CallRecord] = {}
        for row in sorted(bundle.calls, key=lambda row: (row.attempt, row.outcome == "ok")):
            best = self._rows.get(row.key)
            if best is None or best.outcome != "ok":
                self._rows[row.key] = row

    async def find(self, run_id: str, key: str) -> CallRecord | None:
        return self._rows.get(key)

    async def records(self, run_id: str) -> Sequence[CallRecord]:
        return tuple(self._rows.values())

    async def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise IllegalState("a replay makes no call and writes no record")

    begin = finish = note = _refuse


class BundleIndex:
    """The pages of a bundle, read only."""

    def __init__(self, bundle: Bundle) -> None:
        self._pages = {page.id: page for page in bundle.pages}

    async def get(self, document_id: str) -> Document | None:
        return self._pages.get(document_id)

    async def by_url(self, canonical_url: str) -> Document | None:
        return next((p for p in self._pages.values() if p.canonical_url == canonical_url), None)

    async def add(self, documents: Sequence[Document]) -> int:
        return 0

    async def search(self, query: Query, now: datetime) -> Sequence[ArchiveHit]:
        raise IllegalState("a replay searches nothing")
