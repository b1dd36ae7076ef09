"""Forgetting a run, documents or a site, with every copy of their text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import bindparam, delete, null, update

from groundwire.errors import Forgotten
from groundwire.evidence.sources.urls import canonical_url, scrub_url
from groundwire.model.call import CallError
from groundwire.model.forgetting import ForgottenPage, Gone, LedgerPlace, Marked
from groundwire.store import forget_plan, runs
from groundwire.store.cache import RecentAnswers
from groundwire.store.calls import BY_KEY, rows_of_key
from groundwire.store.database import Database
from groundwire.store.dialect import Sqlite
from groundwire.store.documents import DELETE_BODY
from groundwire.store.forget_plan import Sought
from groundwire.store.fulltext import COLLECTIONS
from groundwire.store.payload import pack, text
from groundwire.store.schema import cache, calls
from groundwire.store.statement import Connection, Statement
from groundwire.store.table import DatabaseTable, reads

if TYPE_CHECKING:
    from groundwire.store.memory import MemoryTable

Kinds: TypeAlias = Collection[str]
_EMPTIED = pack({"forgotten": True})
_UNSHARE = Statement(delete(cache).where(cache.c.key == bindparam("key")))
_EMPTY = Statement(
    update(calls)
    .where(*BY_KEY)
    .values(
        request=bindparam("to_request"),
        response=null(),
        outcome="failed",
        error=bindparam("to_error"),
        via="local",  # so that it no longer counts in any provider's record
    )
)


class Forgetter(DatabaseTable):
    """Marks first, so that a person can be asked; then carries out what was marked.

    `small` are the kinds of runs that only read: they are forgotten with what they have read.
    """

    def __init__(
        self, database: Database, memory: RecentAnswers, claims: Callable[[], MemoryTable]
    ) -> None:
        super().__init__(database)
        self._memory = memory
        self._claims = claims

    @reads
    def run(
        self, connection: Connection, run_id: str, *, keep_pages: bool = False, small: Kinds = ()
    ) -> Marked:
        """Mark a run, and the pages that no other run has used."""
        return forget_plan.with_run(connection, run_id, keep_pages=keep_pages, small=small)

    @reads
    def document(
        self, connection: Connection, document_id: str, *, runs_too: bool = False, small: Kinds = ()
    ) -> Marked:
        """Mark one version of a page; its address too, if no other version is kept."""
        pages = forget_plan.by_id(connection, document_id)
        urls = {page.url for page in pages}
        versions = {each.id for url in urls for each in forget_plan.by_url(connection, url, url)}
        addresses = frozenset(urls if versions <= {document_id} else ())
        sought = Sought(frozenset({document_id}), addresses)
        return forget_plan.with_documents(connection, pages, sought, runs_too=runs_too, small=small)

    @reads
    def page(
        self, connection: Connection, url: str, *, runs_too: bool = False, small: Kinds = ()
    ) -> Marked:
        """Mark every version of a page, and what searches showed of it."""
        canonical = canonical_url(url)
        pages = forget_plan.by_url(connection, canonical, scrub_url(url))
        sought = Sought(_ids(pages), frozenset({canonical, *(page.url for page in pages)}))
        return forget_plan.with_documents(connection, pages, sought, runs_too=runs_too, small=small)

    @reads
    def file(
        self, connection: Connection, place: str, *, runs_too: bool = False, small: Kinds = ()
    ) -> Marked:
        """Mark all that was read from a file of the user's own; `place` is its address."""
        pages = forget_plan.read_from(connection, place)
        sought = Sought(_ids(pages))
        return forget_plan.with_documents(connection, pages, sought, runs_too=runs_too, small=small)

    @reads
    def site(
        self, connection: Connection, domain: str, *, runs_too: bool = False, small: Kinds = ()
    ) -> Marked:
        """Mark all documents of a domain and of what lies below it."""
        pages = forget_plan.of_site(connection, domain)
        sought = Sought(_ids(pages), domain=domain)
        return forget_plan.with_documents(connection, pages, sought, runs_too=runs_too, small=small)

    async def carry_out(self, marked: Marked) -> Gone:
        """Forget what was marked; what is gone by now is no failure."""
        ids = [page.id for page in marked.documents]
        claims = await self._claims().forget(run_ids=marked.runs, document_ids=ids)
        gone = await self.database.write(lambda c: _forget(c, marked))
        self._memory.forget(marked.shared)
        purged = await asyncio.to_thread(_purge, self.database)
        return gone.model_copy(update={"claims": claims, "purged": purged})


def _ids(pages: Sequence[ForgottenPage]) -> frozenset[str]:
    return frozenset(page.id for page in pages)


def _forget(connection: Connection, marked: Marked) -> Gone:
    from groundwire.store.archive import remove

    runs_gone = sum(runs.remove(connection, run_id) for run_id in marked.runs)
    records = sum(_empty(connection, place) for place in marked.records)
    shared = sum(connection.change(_UNSHARE, {"key": key}) for key in marked.shared)
    pictures = sum(connection.change(DELETE_BODY, {"sha256": each}) for each in marked.pictures)
    # Last: on PostgreSQL all who add to the archive wait for its totals.
    pages = remove(connection, sorted(page.id for page in marked.documents))
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
    """Leave nothing readable in a file's free space: SQLite only marks what is deleted.

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
