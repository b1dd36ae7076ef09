"""Pages on the gateway: read once, recorded as documents, shared by HTTP's own rules."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol

from groundwire.errors import Missing
from groundwire.evidence.urls import canonical_url, host_of, scrub_url
from groundwire.fetch.reader import ReadOutcome, Validators
from groundwire.gateway.call import Call, Reply, Scope, Sending, Sharing
from groundwire.gateway.gateway import Gateway
from groundwire.model.base import JsonObject
from groundwire.model.ports import Index
from groundwire.model.source import Document

# A page that went stale stays useful for a conditional GET this long.
_KEPT = timedelta(days=30).total_seconds()


def _fresh(response: JsonObject, stored_at: datetime, now: datetime) -> bool:
    max_age = response.get("max_age")
    return isinstance(max_age, int) and now < stored_at + timedelta(seconds=max_age)


_SHARED = Sharing(seconds=_KEPT, fresh=_fresh)


class Reader(Protocol):
    async def read(self, url: str, *, validators: Validators | None = None) -> ReadOutcome: ...


class Pages:
    """The run's way to pages and to the stored documents behind evidence."""

    def __init__(self, reader: Reader, gateway: Gateway, index: Index, *, timeout: float) -> None:
        self._reader = reader
        self._gateway = gateway
        self._index = index
        self._timeout = timeout

    async def read(
        self, scope: Scope, url: str, occasion: str = "", *, sharing: Sharing = _SHARED
    ) -> Document:
        """The document behind a URL; raises `OutsideFailure`."""
        call = Call(
            kind="fetch",
            provider="web",
            request={"url": scrub_url(url)},
            occasion=occasion,
            lane=host_of(url),
            timeout=self._timeout,
            tries=3,
            sharing=sharing,
        )

        async def send(sending: Sending) -> Reply:
            stale = sending.stale
            if stale is not None and await self._index.get(str(stale["document_id"])) is None:
                stale = None
            outcome = await self._reader.read(url, validators=_validators(stale))
            if outcome.document is None:
                if stale is None:
                    raise Missing("the site says the page is unchanged, but we never read it")
                document_id: str = stale["document_id"]
            else:
                # Stored before the record that names it: a record never points at nothing.
                await self._index.add([outcome.document])
                document_id = outcome.document.id
            response: JsonObject = {
                "document_id": document_id,
                "max_age": outcome.max_age,
                "validators": outcome.validators.model_dump(mode="json"),
            }
            return Reply(response)

        record = await self._gateway.call(scope, call, send)
        document = await self._index.get(str((record.response or {}).get("document_id")))
        if document is None and call.sharing.seconds and record.via != "sent":
            # A shared answer outlives the page it names when a person forgets that page.
            return await self.read(scope, url, f"{occasion}again", sharing=Sharing())
        if document is None:
            raise Missing("the page was read in this run and has been forgotten since")
        return document

    async def stored(self, scope: Scope, document_id: str) -> Document | None:
        """A page of the archive by its id; that it was there is recorded (rule a)."""

        async def get() -> JsonObject:
            return {"held": await self._index.get(document_id) is not None}

        call = Call(kind="read", provider="document", request={"id": document_id})
        record = await self._gateway.read(scope, call, get)
        return await self._index.get(document_id) if (record.response or {})["held"] else None

    async def held(self, scope: Scope, url: str) -> Document | None:
        """The newest copy of a page in the archive; which one is recorded (rule a)."""
        address = canonical_url(url)

        async def get() -> JsonObject:
            document = await self._index.by_url(address)
            return {"document_id": None if document is None else document.id}

        call = Call(kind="read", provider="document", request={"url": scrub_url(address)})
        found = (await self._gateway.read(scope, call, get)).response or {}
        document_id = found.get("document_id")
        return None if document_id is None else await self._index.get(str(document_id))

    async def keep(self, document: Document) -> None:
        """Store a snippet, so that its quotes can be looked up; it is not made searchable."""
        await self._index.add([document])


def _validators(stale: JsonObject | None) -> Validators | None:
    return Validators.model_validate(stale["validators"]) if stale else None
