"""Read what a search found: the page, else what the search showed of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.context import Context
from groundwire.errors import OutsideFailure
from groundwire.evidence.pages.assembly import announced
from groundwire.model.base import JsonObject
from groundwire.model.call import Recovery
from groundwire.model.phrase import worded
from groundwire.model.query import Hit
from groundwire.model.source import Evidence


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A hit with the evidence that came of it, and the failure that stood in the way."""

    hit: Hit
    evidence: Evidence | None
    failure: OutsideFailure | None = None


async def read_pages(
    context: Context, hits: Sequence[Hit], about: Sequence[JsonObject] = ()
) -> list[ReadPage]:
    """Read all pages side by side.

    `about` is told with the evidence of each hit, beside what is told of all.
    """
    notes: Sequence[JsonObject] = about or [{} for _ in hits]
    return await asyncio.gather(
        *(
            _read(context.step(str(number)), hit, note)
            for number, (hit, note) in enumerate(zip(hits, notes, strict=True))
        )
    )


async def _read(context: Context, hit: Hit, about: JsonObject) -> ReadPage:
    """The page, else its snippet; never nothing without a word."""
    failure: OutsideFailure | None = None
    try:
        evidence: Evidence | None = await context.read(hit)
    except OutsideFailure as error:
        failure = error
        evidence = await context.snippet(hit) if hit.content.strip() else None
        if evidence is not None:
            shown = Recovery(error=error.code, tried="snippet", outcome="worked")
            evidence = evidence.model_copy(update={"recoveries": (shown,)})
        await context.emit(
            "warning",
            {
                "phase": "read",
                "url": hit.url,
                "code": error.code,
                **worded(error),
                "instead": "snippet" if evidence else "nothing",
            },
        )
    if evidence is not None:
        await context.emit("evidence", {"phase": "read", **announced(evidence), **about})
    return ReadPage(hit, evidence, failure)
