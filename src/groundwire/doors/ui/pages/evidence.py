"""A stored page: its text as it was read, the passages that a run cites, and who else cites it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from groundwire.doors.ui.passages import Span, stretches
from groundwire.doors.ui.render import page
from groundwire.doors.ui.run_view import RunView, view_run
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
_LOOKED_AT = 300_000  # characters searched for orders to a model while somebody waits
Place = Annotated[str, Query(max_length=20)]


class PageUsage(NamedTuple):
    """A page as a run used it: its card, its group, and the sentences that quote it."""

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
    """Show a stored page; with `run` as that run used it, with `start` and `end` at a passage."""
    found = await visit.app.archive.page(visit.who, document_id)
    document = found.document
    usage = await _usage(visit, run, document) if run else None
    passage = _parse_passage(start, end, len(document.text))
    spans = [*(usage.spans if usage else ()), *([passage] if passage else [])]
    if usage is not None:
        tier, flags = usage.card.source.tier, usage.card.source.flags
    else:
        tier, flags = await asyncio.to_thread(_tier_and_flags, document)
    if "injection" in flags:
        orders = await asyncio.to_thread(injected_instructions, document.text[:_LOOKED_AT])
        spans += [Span(*place, "order") for place in orders]
    return page(
        visit,
        "evidence.html",
        active="archive",
        document=document,
        stretches=await asyncio.to_thread(stretches, document.text, spans),
        asked=passage,
        lost=passage is None and bool(start or end),
        light=usage,
        tier=tier,
        flags=flags,
        snippet=document.media_type == SNIPPET_TYPE,
        name=shown_publisher(document.publisher, document.canonical_url, visit.say),
        link=web_link(document.canonical_url),
        file=local_name(document.canonical_url),
        claims=found.claims,
        runs=await _citing_runs(visit, found.runs, usage),
        more_runs=max(0, len(found.runs) - _SHOWN),
        shown=_SHOWN,
    )


async def _citing_runs(visit: Visit, runs: Sequence[Citer], usage: PageUsage | None) -> list[Run]:
    """List the other runs that cite it, newest first, as far as they are shown."""
    current = "" if usage is None else usage.run_id
    wanted = [each.run_id for each in runs if each.run_id != current][:_SHOWN]
    found = [await visit.app.runs.get(run_id) for run_id in wanted]
    return [run for run in found if run is not None and visit.who.owns(run.owner)]


def _parse_passage(start: str, end: str, length: int) -> Span | None:
    """Return the requested passage; None where it is none, or lies outside the text."""
    if not (start.isascii() and start.isdigit() and end.isascii() and end.isdigit()):
        return None
    low, high = int(start), int(end)
    return Span(low, high, "asked") if low < high <= length else None


async def _usage(visit: Visit, run_id: str, document: Document) -> PageUsage | None:
    """Return how a run used the page; None: no run of this visitor, or it has not read the page."""
    try:
        view = await view_run(visit, run_id)
    except NotFoundHere:
        return None
    ledger = view.content.ledger
    for group in ledger.groups if ledger is not None else ():
        for card in group.cards:
            if card.source.document_id == document.id:
                return _usage_of_card(view, group, card)
    return None


def _usage_of_card(view: RunView, group: Group, card: Card) -> PageUsage:
    quoting: dict[tuple[int, int], list[str]] = {(each.start, each.end): [] for each in card.quotes}
    evidence_id = card.source.evidence_id
    chips = [chip for chip in view.content.chips if chip.source.evidence_id == evidence_id]
    for chip in chips:
        for each in chip.quotes:
            quoting.setdefault((each.start, each.end), []).append(chip.sentence)
    return PageUsage(
        run_id=view.run.id,
        title=view.content.report.title,
        card=card,
        group=group,
        spans=tuple(Span(*place, sentences=tuple(names)) for place, names in quoting.items()),
        sentences=tuple(dict.fromkeys(chip.sentence for chip in chips)),
        texts=view.content.texts,
    )


def _tier_and_flags(document: Document) -> tuple[str, tuple[str, ...]]:
    """Return the tier and flags of a page by itself, without a run."""
    flags = set(text_flags(document))
    if document.sample:
        flags.add("sample")
    if injected_instructions(f"{document.title}\n{document.text[:_LOOKED_AT]}"):
        flags.add("injection")
    return tier_of(document), tuple(sorted(flags))
