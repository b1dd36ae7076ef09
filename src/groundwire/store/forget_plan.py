"""What a forgetting would remove: found by searching the ledger, without changing it."""

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
# What a ledger row may say of a page without holding a word of it.
_POINTERS = frozenset({"document_id", "moved", "max_age", "validators", "held"})
# What is sent to a model, or pushed, repeats pages without naming them.
REPEATING = frozenset({"model", "embed", "push"})

_RUNS = Statement(select(*run_rows.c["id", "kind", "state", "result"]).order_by(run_rows.c.id))
_page = select(documents.c.id, documents.c.canonical_url, documents.c.title)
_BY_ID = Statement(_page.where(documents.c.id == bindparam("id")))
_BY_URL = Statement(
    _page.where(
        (documents.c.canonical_url == bindparam("canonical"))
        | (documents.c.url == bindparam("as_given"))
    ).order_by(documents.c.num)
)
_OF_SITE = Statement(
    _page.where(documents.c.domain == bindparam("domain")).order_by(documents.c.num)
)
# By prefix, not by range: how the database sorts depends on its locale.
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
    """What is searched for; empty parts match nothing."""

    documents: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()  # canonical
    domain: str = ""  # a site with all that lies below it

    def within(self, text: str) -> bool:
        """Tell whether a JSON text names one of the documents or addresses, or a site's page."""
        if self.documents and not self.documents.isdisjoint(_DOCUMENT.findall(text)):
            return True
        if not self.addresses and self.domain not in text.lower():
            return False
        return any(self.names(url) for url in dict.fromkeys(_ADDRESS.findall(text)))

    def names(self, url: str) -> bool:
        """Tell whether an address is one of these, or on the site."""
        try:
            if self.addresses and canonical_url(url) in self.addresses:
                return True
            return bool(self.domain) and matches_domain(url, self.domain)
        except InputError:
            return False


class _Run(NamedTuple):
    id: str
    kind: str
    finished: bool
    result: str  # JSON text
    rows: list[CallRow]

    def texts(self) -> Iterator[str]:
        yield self.result
        yield from (_text(row) for row in self.rows)


def by_id(connection: Connection, document_id: str) -> list[ForgottenPage]:
    return _pages(connection.all(_BY_ID, {"id": document_id}))


def by_url(connection: Connection, canonical: str, url: str) -> list[ForgottenPage]:
    """Return every version of a page, and its search snippets."""
    return _pages(connection.all(_BY_URL, {"canonical": canonical, "as_given": url}))


def of_site(connection: Connection, domain: str) -> list[ForgottenPage]:
    """Return the documents of a domain and its subdomains."""
    found = _pages(connection.all(_OF_SITE, {"domain": registrable_domain(domain)}))
    site = Sought(domain=domain)
    return [page for page in found if site.names(page.url)]


def read_from(connection: Connection, place: str) -> list[ForgottenPage]:
    """Return the documents that were read from an address or below it."""
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
    """Mark documents, and whatever else holds their text.

    Runs of a `small` kind only read, and go as a whole. Others keep their results, and their
    records that repeat the pages are emptied.
    """
    runs: list[str] = []
    records: list[LedgerPlace] = []
    quoting: list[str] = []
    unfinished: list[str] = []
    for run in _runs(connection):
        if not any(sought.within(text) for text in run.texts()):
            continue
        if not run.finished:
            unfinished.append(run.id)
        elif run.kind in small or runs_too:
            runs.append(run.id)
        else:
            records += [
                _place(row)
                for row in run.rows
                if row.outcome != "intent" and (row.kind in REPEATING or _holds_words(row, sought))
            ]
            if sought.within(run.result):
                quoting.append(run.id)
    shared = connection.all(_SHARED, {})
    return Marked(
        documents=tuple(pages),
        runs=tuple(runs),
        records=tuple(records),
        shared=tuple(key for key, response in shared if sought.within(expand(response).decode())),
        quoting=tuple(quoting),
        unfinished=tuple(unfinished),
    )


def with_run(
    connection: Connection, run_id: str, *, keep_pages: bool, small: Collection[str]
) -> Marked:
    """Mark a run with all its records, what it alone has read, and what others recall of it."""
    target: _Run | None = None
    elsewhere: set[str] = set()
    records: list[LedgerPlace] = []
    quoting: list[str] = []
    for run in _runs(connection):
        if run.id == run_id:
            target = run
            continue
        for text in run.texts():
            elsewhere.update(_DOCUMENT.findall(text), _HASH.findall(text))
        if run.finished:
            records += [
                _place(row) for row in run.rows if row.kind == "read" and run_id in _text(row)
            ]
            quoting += [run.id] if run_id in run.result else []
    if target is None:
        return Marked()
    if not target.finished:
        return Marked(unfinished=(run_id,))
    document_ids = [] if keep_pages else sorted(_added_documents(target, small) - elsewhere)
    return Marked(
        documents=tuple(page for id in document_ids for page in by_id(connection, id)),
        runs=(run_id,),
        records=tuple(records),
        quoting=tuple(quoting),
        shared=tuple(
            key for key in _shared_keys(target) if connection.one(_IS_SHARED, {"key": key})
        ),
        pictures=tuple(_pictures(connection, target, elsewhere)),
    )


def _place(row: CallRow) -> LedgerPlace:
    return LedgerPlace(run_id=row.run_id, key=row.key, attempt=row.attempt)


def _runs(connection: Connection) -> Iterator[_Run]:
    for id, kind, state, result in connection.all(_RUNS, {}):
        text = "" if result is None else _quotable(result)
        yield _Run(id, kind, state in FINISHED, text, rows_of_run(connection, id))


def _quotable(result: bytes) -> str:
    """Return a result without the list of its calls: asking for a page is not quoting it."""
    whole = expand(result).decode()
    if '"tool_calls"' not in whole:
        return whole
    content: JsonObject = unpack(result)
    return payload.text({name: value for name, value in content.items() if name != "tool_calls"})


def _text(row: CallRow) -> str:
    answer = "" if row.response is None else expand(row.response).decode()
    return f"{expand(row.request).decode()}\n{answer}"


def _holds_words(row: CallRow, sought: Sought) -> bool:
    """Tell whether an answer that names a page also holds words of it."""
    if row.response is None or not sought.within(_text(row)):
        return False
    return not set(unpack(row.response)) <= _POINTERS


def _shared_keys(run: _Run) -> Iterator[str]:
    """Yield the keys under which the run's answers may be shared (`gateway.Call.shared_key`)."""
    for row in run.rows:
        occasion = row.occasion if row.kind in ("model", "push") else ""
        yield fingerprint([row.kind, row.provider, unpack(row.request), occasion])


def _added_documents(run: _Run, small: Collection[str]) -> set[str]:
    """Find the documents that a run added, not those that it found in the archive.

    They are pages that it fetched, and entries and snippets that it made documents of.
    """
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


def _pictures(connection: Connection, run: _Run, elsewhere: set[str]) -> Iterator[str]:
    """Yield the pictures that only this run looked at."""
    for sha256 in sorted(
        {each for text in run.texts() for each in _HASH.findall(text)} - elsewhere
    ):
        body = connection.one(_IS_BODY, {"sha256": sha256})
        if body is not None and connection.one(_IS_TEXT, {"sha256": sha256}) is None:
            yield sha256
