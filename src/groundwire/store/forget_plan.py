"""What a forgetting would take: found by looking through the ledger, without changing it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from sqlalchemy import bindparam, func, select

from groundwire.errors import InputError
from groundwire.evidence.pages.assembly import snippet_id
from groundwire.evidence.sources.urls import canonical_url, matches_domain, registrable_domain
from groundwire.model.base import JsonObject, fingerprint
from groundwire.model.forgetting import ForgottenPage, LedgerPlace, Marked
from groundwire.model.run import FINISHED
from groundwire.store import payload
from groundwire.store.calls import CallRow, rows_of_run
from groundwire.store.payload import expand, unpack
from groundwire.store.schema import bodies, cache, documents
from groundwire.store.schema import runs as run_rows
from groundwire.store.statement import Connection, Row, Statement

_DOCUMENT = re.compile(r"\bdoc_[0-9a-f]{16}\b")
_ADDRESS = re.compile(r'"(https?://[^"\\\s]{1,8000})"', re.IGNORECASE)
_HASH = re.compile(r'"([0-9a-f]{64})"')
# What a row of the ledger may say of a page without holding a word of it.
_POINTERS = frozenset({"document_id", "moved", "max_age", "validators", "held"})
# What is told to a model, or sent on, repeats pages without naming them.
REPEATING = frozenset({"model", "embed", "push"})

_RUNS = Statement(select(*run_rows.c["id", "kind", "state", "result"]).order_by(run_rows.c.id))
_page = select(documents.c.id, documents.c.canonical_url, documents.c.title)
_BY_ID = Statement(_page.where(documents.c.id == bindparam("id")))
_BY_URL = Statement(
    _page.where(
        (documents.c.canonical_url == bindparam("canonical"))
        | (documents.c.url == bindparam("asked"))
    ).order_by(documents.c.num)
)
_OF_SITE = Statement(
    _page.where(documents.c.domain == bindparam("domain")).order_by(documents.c.num)
)
# By its beginning, not by a range: how a database of another locale sorts is not ours to say.
_FROM = Statement(
    _page.where(func.substr(documents.c.url, 1, bindparam("width")) == bindparam("place")).order_by(
        documents.c.num
    )
)
_SHARED = Statement(select(cache.c.key, cache.c.response).order_by(cache.c.key))
_IS_SHARED = Statement(select(cache.c.key).where(cache.c.key == bindparam("key")))
_IS_BODY = Statement(select(bodies.c.sha256).where(bodies.c.sha256 == bindparam("sha256")))
_IS_TEXT = Statement(
    select(documents.c.num).where(documents.c.sha256 == bindparam("sha256")).limit(1)
)


class Sought(NamedTuple):
    """What is looked for; empty parts find nothing."""

    documents: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()  # canonical
    domain: str = ""  # a site with all that lies below it

    def within(self, text: str) -> bool:
        """Whether a JSON text names one of the documents or addresses, or a page of the site."""
        if self.documents and not self.documents.isdisjoint(_DOCUMENT.findall(text)):
            return True
        if not self.addresses and self.domain not in text.lower():
            return False
        return any(self.names(url) for url in dict.fromkeys(_ADDRESS.findall(text)))

    def names(self, url: str) -> bool:
        """Whether an address is one of those, or of the site."""
        try:
            if self.addresses and canonical_url(url) in self.addresses:
                return True
            return bool(self.domain) and matches_domain(url, self.domain)
        except InputError:
            return False


class _Run(NamedTuple):
    id: str
    kind: str
    over: bool
    result: str  # JSON text
    rows: list[CallRow]

    def texts(self) -> Iterator[str]:
        yield self.result
        yield from (_text(row) for row in self.rows)


def by_id(connection: Connection, document_id: str) -> list[ForgottenPage]:
    return _pages(connection.all(_BY_ID, {"id": document_id}))


def by_url(connection: Connection, canonical: str, asked: str) -> list[ForgottenPage]:
    """Every version of a page, and what searches showed of it."""
    return _pages(connection.all(_BY_URL, {"canonical": canonical, "asked": asked}))


def of_site(connection: Connection, domain: str) -> list[ForgottenPage]:
    """The documents of a domain and of all that lies below it."""
    found = _pages(connection.all(_OF_SITE, {"domain": registrable_domain(domain)}))
    site = Sought(domain=domain)
    return [page for page in found if site.names(page.url)]


def read_from(connection: Connection, place: str) -> list[ForgottenPage]:
    """The documents that were read from an address or from below it."""
    return _pages(connection.all(_FROM, {"place": place, "width": len(place)}))


def _pages(rows: Iterable[Row]) -> list[ForgottenPage]:
    return [ForgottenPage(id=id, url=url, title=title) for id, url, title in rows]


def with_documents(
    connection: Connection,
    pages: Sequence[ForgottenPage],
    sought: Sought,
    *,
    runs_too: bool,
    small: Collection[str],
) -> Marked:
    """Documents, and whatever else holds their text.

    Runs of a `small` kind did no more than read, and go as a whole. Others stay with their results,
    and the records of theirs that repeat the pages are emptied.
    """
    runs: list[str] = []
    records: list[LedgerPlace] = []
    quoting: list[str] = []
    unfinished: list[str] = []
    for run in _runs(connection):
        if not any(sought.within(text) for text in run.texts()):
            continue
        if not run.over:
            unfinished.append(run.id)
        elif run.kind in small or runs_too:
            runs.append(run.id)
        else:
            records += [
                _place(row)
                for row in run.rows
                if row.outcome != "intent" and (row.kind in REPEATING or _holds(row, sought))
            ]
            if sought.within(run.result):
                quoting.append(run.id)
    shared = connection.all(_SHARED, {})
    return Marked(
        documents=tuple(pages),
        runs=tuple(runs),
        records=tuple(records),
        shared=tuple(key for key, held in shared if sought.within(expand(held).decode())),
        quoting=tuple(quoting),
        unfinished=tuple(unfinished),
    )


def with_run(
    connection: Connection, run_id: str, *, keep_pages: bool, small: Collection[str]
) -> Marked:
    """A run with all its records, what it alone has read, and what others recall of it."""
    own: _Run | None = None
    known: set[str] = set()
    records: list[LedgerPlace] = []
    quoting: list[str] = []
    for run in _runs(connection):
        if run.id == run_id:
            own = run
            continue
        for text in run.texts():
            known.update(_DOCUMENT.findall(text), _HASH.findall(text))
        if run.over:
            records += [
                _place(row) for row in run.rows if row.kind == "read" and run_id in _text(row)
            ]
            quoting += [run.id] if run_id in run.result else []
    if own is None:
        return Marked()
    if not own.over:
        return Marked(unfinished=(run_id,))
    brought = [] if keep_pages else sorted(_brought(own, small) - known)
    return Marked(
        documents=tuple(page for id in brought for page in by_id(connection, id)),
        runs=(run_id,),
        records=tuple(records),
        quoting=tuple(quoting),
        shared=tuple(key for key in _keys(own) if connection.one(_IS_SHARED, {"key": key})),
        pictures=tuple(_pictures(connection, own, known)),
    )


def _place(row: CallRow) -> LedgerPlace:
    return LedgerPlace(run_id=row.run_id, key=row.key, attempt=row.attempt)


def _runs(connection: Connection) -> Iterator[_Run]:
    for id, kind, state, result in connection.all(_RUNS, {}):
        shown = "" if result is None else _shown(result)
        yield _Run(id, kind, state in FINISHED, shown, rows_of_run(connection, id))


def _shown(result: bytes) -> str:
    """A result without the list of its calls: whoever asked for a page has not quoted it."""
    whole = expand(result).decode()
    if '"tool_calls"' not in whole:
        return whole
    held: JsonObject = unpack(result)
    return payload.text({name: value for name, value in held.items() if name != "tool_calls"})


def _text(row: CallRow) -> str:
    answer = "" if row.response is None else expand(row.response).decode()
    return f"{expand(row.request).decode()}\n{answer}"


def _holds(row: CallRow, sought: Sought) -> bool:
    """Whether an answer that names a page also holds words of it."""
    if row.response is None or not sought.within(_text(row)):
        return False
    return not set(unpack(row.response)) <= _POINTERS


def _keys(run: _Run) -> Iterator[str]:
    """Under which keys the run's answers may be shared (`gateway.Call.shared_key`)."""
    for row in run.rows:
        occasion = row.occasion if row.kind in ("model", "push") else ""
        yield fingerprint([row.kind, row.provider, unpack(row.request), occasion])


def _brought(run: _Run, small: Collection[str]) -> set[str]:
    """The documents that came with this run: pages that it fetched, entries and snippets that it
    made documents of; not those that it found in the archive."""
    found: set[str] = set()
    for row in run.rows:
        if row.response is None:
            continue
        response: JsonObject = unpack(row.response)
        if row.kind == "fetch" and response.get("document_id"):
            found.add(str(response["document_id"]))
        for hit in cast("list[Any]", response.get("hits") or []):
            if row.kind == "search" and str(hit.get("content", "")).strip():
                found.update(_snippet(hit))
    if run.kind in small and '"kept"' in run.result:
        found.update(_DOCUMENT.findall(run.result))
    return found


def _snippet(hit: JsonObject) -> Iterator[str]:
    try:
        yield snippet_id(str(hit["url"]), str(hit["content"]))
    except (InputError, KeyError):
        return


def _pictures(connection: Connection, run: _Run, known: set[str]) -> Iterator[str]:
    """Pictures that only this run looked at."""
    for sha256 in sorted({each for text in run.texts() for each in _HASH.findall(text)} - known):
        held = connection.one(_IS_BODY, {"sha256": sha256})
        if held is not None and connection.one(_IS_TEXT, {"sha256": sha256}) is None:
            yield sha256
