"""The feeds that a run searches: each read once a run, and the outline that lists them."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from groundwire.errors import Malformed, OutsideFailure, Unreadable
from groundwire.fetch.pages import Pages
from groundwire.gateway.call import Call, Scope
from groundwire.gateway.gateway import Gateway
from groundwire.model.base import JsonObject
from groundwire.model.feed import Feed, Outline

_LARGEST = 5_000_000  # bytes of an outline


@dataclass(slots=True, eq=False)
class Subscriptions:
    """`search.provider.FeedReader` on the gateway."""

    pages: Pages
    gateway: Gateway

    async def feed(self, scope: Scope, url: str) -> Feed:
        """Return the feed behind an address; raises `OutsideFailure`."""
        return await self.pages.feed(scope, url)

    async def outline(self, scope: Scope, place: str) -> Outline:
        """The feeds that an address or a file lists; what a file held is recorded (rule a)."""
        if place.lower().startswith(("http://", "https://")):
            found = await self.pages.open(scope, place)
            if isinstance(found, Outline):
                return found
            raise Malformed("outside.gives_no_opml")
        # By its hash: where a file lies on the disk is nobody's business who reads the record.
        name = hashlib.sha256(place.encode()).hexdigest()[:16]
        call = Call(kind="read", provider="feeds", request={"opml": name})
        record = await self.gateway.read(scope, call, lambda: _file(place))
        response = record.response or {}
        if "error" in response:
            params: JsonObject = response.get("params") or {}
            raise Unreadable(str(response["error"]), **params)
        try:
            return Outline.model_validate(response["outline"])
        except ValidationError as error:
            raise Malformed("outside.record_unreadable") from error


async def _file(place: str) -> JsonObject:
    """Read and parsed, or the reason why not: a failure is recorded as well."""
    from groundwire.fetch.opml import read_opml

    def work() -> Outline:
        with Path(place).expanduser().open("rb") as opened:
            return read_opml(opened.read(_LARGEST))

    try:
        return {"outline": (await asyncio.to_thread(work)).model_dump(mode="json")}
    except OSError as error:
        return {"error": "outside.file_unreadable", "params": {"why": error.strerror}}
    except OutsideFailure as error:
        return {"error": error.says, "params": error.params}
