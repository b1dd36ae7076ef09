"""The archive: everything ever read, searched and added to, and each page with who cites it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from groundwire.app.additions.web import Added
from groundwire.app.part import AppPart
from groundwire.errors import NotFoundHere
from groundwire.model.access import Caller
from groundwire.model.base import JsonObject, Value
from groundwire.model.catalogue import Look, Shelf
from groundwire.model.claim import Citer, Resting
from groundwire.model.picture import Picture
from groundwire.model.ports import ArchiveHit, ArchiveStats
from groundwire.model.query import Query
from groundwire.model.run import RunFilter
from groundwire.model.source import Document

_NEWEST = 50  # runs that are searched for a piece of evidence
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


class Archive(AppPart):
    """The archive, as doors and use cases see it."""

    async def named(self, who: Caller, name: str) -> Document | None:
        """Find a page by its id, or by the evidence id that a recent run of this caller gave it."""
        if "\0" in name:
            return None
        document_id = await self._document_id(who, name) if name.startswith("ev_") else name
        return await self._app.store.index.get(document_id)

    async def _document_id(self, who: Caller, evidence_id: str) -> str:
        wanted = RunFilter(owner=who.sees)
        for run in (await self._app.store.runs.page(wanted, None, _NEWEST)).runs:
            for each in cast("list[JsonObject]", (run.result or {}).get("evidence") or []):
                if each.get("id") == evidence_id:
                    return str(each.get("document_id"))
        return evidence_id

    async def page(
        self, who: Caller, document_id: str, start: int | None = None, end: int | None = None
    ) -> StoredPage:
        """Return a page by its id; with both ends of a passage, that passage too."""
        document = await self.named(who, document_id)
        if document is None:
            raise NotFoundHere("error.no_page", name=document_id[:80], hint="hint.search_evidence")
        runs = await self._app.store.citations.runs(document.id)
        owned = {each.run_id for each in runs if who.owns(each.owner)}
        claims = await self._app.store.citations.claims(document.id)
        return StoredPage(
            document=document,
            highlight=_highlight(document.text, start, end),
            claims=tuple(
                each if each.run_id in owned else each.model_copy(update={"run_id": ""})
                for each in claims
            ),
            runs=tuple(each for each in runs if each.run_id in owned),
        )

    async def get(self, document_id: str) -> Document | None:
        return await self._app.store.index.get(document_id)

    async def stats(self) -> ArchiveStats:
        return await self._app.store.index.stats()

    async def search(self, query: Query) -> Sequence[ArchiveHit]:
        """Find the pages that match best, best first."""
        return await self._app.store.index.search(query, self._app.clock())

    async def look(self, request: Look) -> Shelf:
        """Return one page of what matches, with its facets: for browsing."""
        return await self._app.store.catalogue.look(request)

    async def add(self, documents: Sequence[Document]) -> int:
        """Add documents to the archive; return how many were new."""
        return await self._app.store.index.add(documents)

    async def add_sample(self) -> Added:
        """Add the sample documents of the first minute."""
        from groundwire import sample

        documents = sample.documents(self._app.clock())
        new = await self.add(documents)
        return Added(new=new, known=len(documents) - new)

    async def keep(self, picture: Picture) -> None:
        """Store a picture for a model to look at."""
        await self._app.store.pictures.put(picture)


def _highlight(text: str, start: int | None, end: int | None) -> Highlight | None:
    if start is None or end is None:
        return None
    if not start < end <= len(text):
        raise NotFoundHere(
            "error.no_characters", start=start, end=end, n=len(text), hint="hint.it_has"
        )
    return Highlight(
        start=start,
        end=end,
        before=text[max(0, start - _AROUND) : start],
        quote=text[start:end],
        after=text[end : end + _AROUND],
    )
