"""A stored page: its text as it was read, the passages that a run cites, and who else cites it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from groundwire.doors.ui.passages import Span, stretches
from groundwire.doors.ui.render import page
from groundwire.doors.ui.run_view import RunView, look
from groundwire.doors.ui.visits import Visit, VisitHere
from groundwire.errors import NotFoundHere
from groundwire.evidence.pages.flags import text_flags
from groundwire.evidence.pages.injection import injected_instructions
from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.evidence.sources.tiers import tier_of
from groundwire.model.claim import Citer
from groundwire.model.run import Run
from groundwire.model.source import SNIPPET_TYPE, Document
from groundwire.report.links import local_name, web_link
from groundwire.report.page import Card, Group

router = APIRouter(include_in_schema=False)
_SHOWN = 8  # claims and runs beside a page
_LOOKED_AT = 300_000  # characters in which orders to a model are looked for while somebody waits
Place = Annotated[str, Query(max_length=20)]


class Light(NamedTuple):
    """What a run sees in a page: its card, its kin, and the sentences that quote it."""

    run_id: str
    title: str  # what the run is about
    card: Card
    group: Group
    spans: tuple[Span, ...]
    sentences: tuple[str, ...]  # ids
    texts: dict[str, str]  # of those sentences


@router.get("/evidence/{document_id}")
async def evidence_page(
    document_id: str,
    visit: VisitHere,
    run: Annotated[str, Query(max_length=200)] = "",
    start: Place = "",
    end: Place = "",
) -> HTMLResponse:
    """The page; with `run` in that run's light, with `start` and `end` at a passage."""
    found = await visit.app.archive.page(visit.who, document_id)
    document = found.document
    light = await _light(visit, run, document) if run else None
    asked = _asked(start, end, len(document.text))
    spans = [*(light.spans if light else ()), *([asked] if asked else [])]
    if light is not None:
        tier, flags = light.card.source.tier, light.card.source.flags
    else:
        tier, flags = await asyncio.to_thread(_judged, document)
    if "injection" in flags:
        orders = await asyncio.to_thread(injected_instructions, document.text[:_LOOKED_AT])
        spans += [Span(*place, "order") for place in orders]
    return page(
        visit,
        "evidence.html",
        active="archive",
        document=document,
        stretches=await asyncio.to_thread(stretches, document.text, spans),
        asked=asked,
        lost=asked is None and bool(start or end),
        light=light,
        tier=tier,
        flags=flags,
        snippet=document.media_type == SNIPPET_TYPE,
        name=shown_publisher(document.publisher, document.canonical_url, visit.say),
        link=web_link(document.canonical_url),
        file=local_name(document.canonical_url),
        claims=found.claims,
        runs=await _others(visit, found.runs, light),
        more_runs=max(0, len(found.runs) - _SHOWN),
        shown=_SHOWN,
    )


async def _others(visit: Visit, runs: Sequence[Citer], light: Light | None) -> list[Run]:
    """The other runs that hold it up, newest first, as far as they are shown."""
    here = "" if light is None else light.run_id
    wanted = [each.run_id for each in runs if each.run_id != here][:_SHOWN]
    found = [await visit.app.runs.get(run_id) for run_id in wanted]
    return [run for run in found if run is not None and visit.who.owns(run.owner)]


def _asked(start: str, end: str, length: int) -> Span | None:
    """The passage that is meant; what is none, or stands in no text of this length, is not."""
    if not (start.isascii() and start.isdigit() and end.isascii() and end.isdigit()):
        return None
    low, high = int(start), int(end)
    return Span(low, high, "asked") if low < high <= length else None


async def _light(visit: Visit, run_id: str, document: Document) -> Light | None:
    """None: there is no such run for this visitor, or it has not read this page."""
    try:
        view = await look(visit, run_id)
    except NotFoundHere:
        return None
    ledger = view.content.ledger
    for group in ledger.groups if ledger is not None else ():
        for card in group.cards:
            if card.source.document_id == document.id:
                return _lit(view, group, card)
    return None


def _lit(view: RunView, group: Group, card: Card) -> Light:
    quoting: dict[tuple[int, int], list[str]] = {(each.start, each.end): [] for each in card.quotes}
    name = card.source.evidence_id
    chips = [chip for chip in view.content.chips if chip.source.evidence_id == name]
    for chip in chips:
        for each in chip.quotes:
            quoting.setdefault((each.start, each.end), []).append(chip.sentence)
    return Light(
        run_id=view.run.id,
        title=view.content.report.title,
        card=card,
        group=group,
        spans=tuple(Span(*place, sentences=tuple(names)) for place, names in quoting.items()),
        sentences=tuple(dict.fromkeys(chip.sentence for chip in chips)),
        texts=view.content.texts,
    )


def _judged(document: Document) -> tuple[str, tuple[str, ...]]:
    """Tier and flags of a page that is looked at for itself."""
    flags = set(text_flags(document))
    if document.sample:
        flags.add("sample")
    if injected_instructions(f"{document.title}\n{document.text[:_LOOKED_AT]}"):
        flags.add("injection")
    return tier_of(document), tuple(sorted(flags))
