"""Reading what a search found: the page, else the snippet that the search showed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.context import Context
from groundwire.errors import OutsideFailure
from groundwire.evidence.pages.assembly import announcement
from groundwire.model.base import JsonObject
from groundwire.model.call import Recovery
from groundwire.model.phrase import error_fields
from groundwire.model.query import Hit
from groundwire.model.source import Evidence
from groundwire.report.links import web_link


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A hit with the evidence that came of it, and the failure that stood in the way."""

    hit: Hit
    evidence: Evidence | None
    failure: OutsideFailure | None = None
    recoveries: tuple[Recovery, ...] = ()  # what was tried to have it, in order


async def read_pages(
    context: Context, hits: Sequence[Hit], about: Sequence[JsonObject] = (), *, fresh: bool = False
) -> list[ReadPage]:
    """Read all pages side by side; `fresh` asks the sites of those that are held, too.

    `about` holds what the event of each hit's evidence adds to the usual fields.
    """
    notes: Sequence[JsonObject] = about or [{} for _ in hits]
    return await asyncio.gather(
        *(
            _read(
                context.step(str(number)), hit, note, fresh=fresh and web_link(hit.url) is not None
            )
            for number, (hit, note) in enumerate(zip(hits, notes, strict=True))
        )
    )


async def _read(context: Context, hit: Hit, about: JsonObject, *, fresh: bool) -> ReadPage:
    """Read the page, else keep its snippet; a failure is always announced."""
    failure: OutsideFailure | None = None
    recoveries: tuple[Recovery, ...] = ()
    try:
        evidence: Evidence | None = await context.read(hit, fresh=fresh)
    except OutsideFailure as error:
        failure = error
        evidence = await context.snippet(hit) if hit.content.strip() else None
        shown = Recovery.of(error.code, "snippet", worked=evidence is not None)
        recoveries = (*Recovery.in_vain(error), shown)
        if evidence is not None:
            evidence = evidence.model_copy(update={"recoveries": recoveries})
        await context.emit(
            "warning",
            {
                "phase": "read",
                "url": hit.url,
                "code": error.code,
                **error_fields(error),
                "instead": "snippet" if evidence else "nothing",
            },
        )
    if evidence is not None:
        recoveries = evidence.recoveries
        await context.emit("evidence", {"phase": "read", **announcement(evidence), **about})
    return ReadPage(hit, evidence, failure, recoveries)
