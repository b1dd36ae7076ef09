"""A stored page for who opens it: its text, the passage that is meant, and who cites it."""

from __future__ import annotations

from typing import cast

from groundwire.app import App
from groundwire.errors import NotFoundHere
from groundwire.model.access import Caller
from groundwire.model.base import JsonObject, Value
from groundwire.model.citing import Citer, Resting
from groundwire.model.run import RunFilter
from groundwire.model.source import Document

_NEWEST = 50  # runs that are looked through for a piece of evidence
_AROUND = 300  # characters shown before and after a passage


class Highlight(Value):
    """A passage of a page: `text[start:end]` is `quote`."""

    start: int
    end: int
    before: str
    quote: str
    after: str


class StoredPage(Value):
    """A page as it was read, with who cites it; of runs, only those that the reader owns."""

    document: Document
    highlight: Highlight | None
    claims: tuple[Resting, ...]
    runs: tuple[Citer, ...]


async def page_named(app: App, who: Caller, name: str) -> Document | None:
    """A page by its own id, or by the id that a recent run of this caller gave it as evidence."""
    if "\0" in name:
        return None
    wanted = await _document_id(app, who, name) if name.startswith("ev_") else name
    return await app.store.index.get(wanted)


async def _document_id(app: App, who: Caller, evidence_id: str) -> str:
    owner = None if who.may("admin") else who.id
    for run in (await app.store.runs.page(RunFilter(owner=owner), None, _NEWEST)).runs:
        for each in cast("list[JsonObject]", (run.result or {}).get("evidence") or []):
            if each.get("id") == evidence_id:
                return str(each.get("document_id"))
    return evidence_id


async def stored_page(
    app: App, who: Caller, document_id: str, start: int | None = None, end: int | None = None
) -> StoredPage:
    """A page by its id; with both ends of a passage, that passage."""
    document = await page_named(app, who, document_id)
    if document is None:
        raise NotFoundHere(
            f"there is no page {document_id[:80]!r} in the archive",
            hint="search: GET /api/evidence",
        )
    runs = await app.store.citations.runs(document.id)
    own = {each.run_id for each in runs if who.owns(each.owner)}
    claims = await app.store.citations.claims(document.id)
    return StoredPage(
        document=document,
        highlight=_highlight(document.text, start, end),
        claims=tuple(
            each if each.run_id in own else each.model_copy(update={"run_id": ""})
            for each in claims
        ),
        runs=tuple(each for each in runs if each.run_id in own),
    )


def _highlight(text: str, start: int | None, end: int | None) -> Highlight | None:
    if start is None or end is None:
        return None
    if not start < end <= len(text):
        raise NotFoundHere(
            f"the page has no characters {start} to {end}", hint=f"it has {len(text):,}"
        )
    return Highlight(
        start=start,
        end=end,
        before=text[max(0, start - _AROUND) : start],
        quote=text[start:end],
        after=text[end : end + _AROUND],
    )
