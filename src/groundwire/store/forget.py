"""Forgetting: a run, documents or a site, with every text of theirs that is kept elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, null, select, update

from groundwire.errors import Forgotten
from groundwire.evidence.sources.urls import canonical_url, scrub_url
from groundwire.model.call import CallError
from groundwire.model.forgetting import Gone, LedgerPlace, Marked
from groundwire.store import forget_plan, runs
from groundwire.store.cache import RecentAnswers
from groundwire.store.calls import rows_of_key
from groundwire.store.database import Database
from groundwire.store.dialect import Sqlite
from groundwire.store.fulltext import COLLECTIONS, Fulltext, fulltext_of
from groundwire.store.payload import pack, text
from groundwire.store.schema import bodies, cache, calls, documents
from groundwire.store.statement import Connection, Statement
from groundwire.store.traces import Sought

if TYPE_CHECKING:
    from groundwire.model.ports import Memory as Claims

_EMPTIED = pack({"forgotten": True})
_UNSHARE = Statement(delete(cache).where(cache.c.key == bindparam("key")))
_EMPTY = Statement(
    update(calls)
    .where(
        calls.c.run_id == bindparam("at_run_id"),
        calls.c.key == bindparam("at_key"),
        calls.c.attempt == bindparam("at_attempt"),
    )
    .values(
        request=bindparam("to_request"),
        response=null(),
        outcome="failed",
        error=bindparam("to_error"),
        via="local",  # it no longer tells how well anybody answers
    )
)
_DROP_PICTURE = Statement(
    delete(bodies).where(
        bodies.c.sha256 == bindparam("sha256"),
        ~select(documents.c.num).where(documents.c.sha256 == bodies.c.sha256).exists(),
    )
)


class Forgetter:
    """Marks first, so that a person can be asked; then carries out what was marked."""

    def __init__(
        self, database: Database, memory: RecentAnswers, claims: Callable[[], Claims]
    ) -> None:
        self._database = database
        self._memory = memory
        self._claims = claims
        self._fulltext = fulltext_of(database.dialect)

    async def run(self, run_id: str, *, keep_pages: bool = False) -> Marked:
        """A run, and the pages that no other run has used."""
        return await self._database.read(
            lambda c: forget_plan.with_run(c, run_id, keep_pages=keep_pages)
        )

    async def document(self, document_id: str, *, runs_too: bool = False) -> Marked:
        """One version of a page; its address too, if no other version is kept."""

        def work(connection: Connection) -> Marked:
            pages = forget_plan.by_id(connection, document_id)
            versions = [
                each
                for page in pages
                for each in forget_plan.by_url(connection, page.url, page.url)
            ]
            alone = {each.id for each in versions} <= {document_id}
            addresses = frozenset(page.url for page in pages if alone)
            sought = Sought(frozenset({document_id}), addresses)
            return forget_plan.with_documents(connection, pages, sought, runs_too=runs_too)

        return await self._database.read(work)

    async def page(self, url: str, *, runs_too: bool = False) -> Marked:
        """Every version of a page, and what searches showed of it."""
        canonical, asked = canonical_url(url), scrub_url(url)

        def work(connection: Connection) -> Marked:
            pages = forget_plan.by_url(connection, canonical, asked)
            places = frozenset({canonical, *(page.url for page in pages)})
            sought = Sought(frozenset(page.id for page in pages), places)
            return forget_plan.with_documents(connection, pages, sought, runs_too=runs_too)

        return await self._database.read(work)

    async def file(self, place: str, *, runs_too: bool = False) -> Marked:
        """Everything that was read from a file of the user's own; `place` is its address."""

        def work(connection: Connection) -> Marked:
            pages = forget_plan.read_from(connection, place)
            sought = Sought(frozenset(page.id for page in pages))
            return forget_plan.with_documents(connection, pages, sought, runs_too=runs_too)

        return await self._database.read(work)

    async def site(self, domain: str, *, runs_too: bool = False) -> Marked:
        """All documents of a domain and of what lies below it."""

        def work(connection: Connection) -> Marked:
            pages = forget_plan.of_site(connection, domain)
            sought = Sought(frozenset(page.id for page in pages), domain=domain)
            return forget_plan.with_documents(connection, pages, sought, runs_too=runs_too)

        return await self._database.read(work)

    async def carry_out(self, marked: Marked) -> Gone:
        """Forget what was marked; what is no longer there by now is no failure."""
        ids = [page.id for page in marked.documents]
        learned = await self._claims().forget(run_ids=marked.runs, document_ids=ids)
        gone = await self._database.write(lambda c: _carried_out(c, self._fulltext, marked))
        self._memory.forget(marked.shared)
        purged = await asyncio.to_thread(_purge, self._database)
        return gone.model_copy(update={"claims": learned.claims, "purged": purged})


def _carried_out(connection: Connection, fulltext: Fulltext, marked: Marked) -> Gone:
    from groundwire.store.archive import remove

    runs_gone = sum(runs.remove(connection, run_id) for run_id in marked.runs)
    records = sum(_empty(connection, place) for place in marked.records)
    shared = sum(connection.change(_UNSHARE, {"key": key}) for key in marked.shared)
    pictures = sum(connection.change(_DROP_PICTURE, {"sha256": each}) for each in marked.pictures)
    # Last: on PostgreSQL all who add to the archive wait for its totals.
    pages = remove(connection, fulltext, sorted(page.id for page in marked.documents))
    return Gone(documents=pages, runs=runs_gone, records=records, shared=shared, pictures=pictures)


def _empty(connection: Connection, place: LedgerPlace) -> bool:
    """Take the words out of a record; that there was a call, when and at what cost, stays."""
    rows = rows_of_key(connection, place.run_id, place.key)
    row = next((each for each in rows if each.attempt == place.attempt), None)
    if row is None or row.outcome == "intent":
        return False
    values: dict[str, Any] = {
        "at_run_id": place.run_id,
        "at_key": place.key,
        "at_attempt": place.attempt,
        # A search's question is the person's own; a prompt is made of pages.
        "to_request": _EMPTIED if row.kind in forget_plan.REPEATING else row.request,
        "to_error": text(CallError.of(Forgotten()).model_dump(mode="json")),
    }
    return connection.change(_EMPTY, values) == 1


def _purge(database: Database) -> bool:
    """Leave nothing readable in the free space of a file: SQLite only marks what is deleted.

    PostgreSQL does this in its own time (autovacuum). False: somebody else was writing.
    """
    dialect = database.dialect
    if not isinstance(dialect, Sqlite):
        return False
    try:
        raw = dialect.connect(writer=True)
    except dialect.errors:
        return False
    try:
        for each in COLLECTIONS:
            # Merges the parts of the index, which until then hold the words of deleted rows.
            name = f"{each.name}_text"
            raw.execute(f"INSERT INTO {name}({name}) VALUES ('optimize')")
        raw.execute("VACUUM")
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except dialect.errors:
        return False
    finally:
        raw.close()
    return True
