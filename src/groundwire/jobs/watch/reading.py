"""Reading: the best pages of a round, and every page again that standing claims cite."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from datetime import datetime

from groundwire.context import Context
from groundwire.errors import Captcha, ForbiddenAddress, Missing, Offline, OutsideFailure
from groundwire.evidence.pages.assembly import announcement
from groundwire.evidence.sources.urls import canonical_url, host_of
from groundwire.gather.failures import NOTHING
from groundwire.gather.pages import ReadPage
from groundwire.gather.recoveries import recovered_pages
from groundwire.jobs.watch.ledger.claims import Ledger, Reread
from groundwire.jobs.watch.types import ReadAgain, Searched, State
from groundwire.model.phrase import phrase, phrase_of
from groundwire.model.query import Hit
from groundwire.model.result import Degraded, Gap
from groundwire.model.source import Evidence

_AT_ONCE = 16
# What no claim is read from: jokes, pages that give orders to machines, our own reports.
UNFIT = frozenset({"satire", "injection", "own_report"})

_NOBODY_ASKED = frozenset({Offline.code, ForbiddenAddress.code})


def chosen(state: State, found: Sequence[Searched]) -> tuple[Hit, ...]:
    """Choose the pages to read that were not read yet, the best of each batch first."""
    held = {each.document.canonical_url for each in state.evidence}
    best: dict[str, tuple[int, Hit]] = {}
    for batch in found:
        for rank, hit in enumerate(batch.hits):
            page = canonical_url(hit.url)
            if page not in held and rank < best.get(page, (math.inf, hit))[0]:
                best[page] = (rank, hit)
    ordered = sorted(best.values(), key=lambda pair: (pair[0], -pair[1].relevance, pair[1].url))
    return tuple(hit for _, hit in ordered[: state.limits.pages])


def found_by(state: State) -> dict[str, tuple[str, ...]]:
    """Return the sub-tasks whose searches brought a page, in this run or before."""
    pages: dict[str, set[str]] = {page: set(names) for page, names in state.found_by.items()}
    for each in state.searched:
        if each.batch.task is not None:
            for hit in each.hits:
                task = state.planned.tasks[each.batch.task].task
                pages.setdefault(canonical_url(hit.url), set()).add(task)
    return {page: tuple(sorted(names)) for page, names in sorted(pages.items())}


def usable(state: State) -> tuple[Evidence, ...]:
    """Return what claims are read from: fit, and not published after the run's moment."""
    return tuple(
        each
        for each in state.evidence
        if UNFIT.isdisjoint(each.flags) and not is_later_page(each, state.now)
    )


def is_later_page(evidence: Evidence, now: datetime) -> bool:
    """Tell whether a page says that it was published after a moment."""
    published = evidence.document.published_at
    return published is not None and published > now


def unread(pages: Sequence[ReadPage]) -> tuple[tuple[Gap, ...], tuple[Degraded, ...]]:
    """Name the pages of which not even a snippet is left, and the sites that ask who one is.

    A challenge is neither solved nor dodged: a person has to know of it.
    """
    gaps: list[Gap] = []
    challenged: list[Degraded] = []
    for page in pages:
        if page.failure is None:
            continue
        host, why = host_of(page.hit.url), phrase_of(page.failure)
        if page.evidence is None:
            gaps.append(Gap.of(phrase("watch.gap.page", host=host), why))
        if page.failure.code == Captcha.code:
            instead = phrase("instead.snippets") if page.evidence else NOTHING
            challenged.append(Degraded.of(f"page:{host}", page.failure.code, why, instead))
    return tuple(gaps), tuple(challenged)


# --- the pages that standing claims cite ---------------------------------------------------------


def cited(ledger: Ledger) -> tuple[Hit, ...]:
    """List the pages that standing claims cite, or that deny them, each once."""
    pages: dict[str, Hit] = {}
    for claim in ledger.claims:
        for each in (*claim.citations, *claim.denials) if claim.stands else ():
            pages.setdefault(
                each.url,
                Hit(
                    title=each.title,
                    url=each.url,
                    content="",
                    provider="ledger",
                    rank=len(pages) + 1,
                    published_at=each.published_at,
                    document_id=each.document_id,
                ),
            )
    return tuple(pages.values())


async def read_again(context: Context, pages: Sequence[Hit]) -> ReadAgain:
    """Read all of them fresh; gone, out of reach and changed are told apart."""
    slots = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int, hit: Hit) -> tuple[Evidence | None, Reread]:
        async with slots:
            return await _again(context.step(str(number)), hit)

    found = await asyncio.gather(*(one(number, hit) for number, hit in enumerate(pages)))
    return ReadAgain(
        evidence=tuple(each for each, _ in found if each is not None),
        outcomes=tuple(each for _, each in found),
        # Offline, and of a file, the stored copy makes up for nothing: it is all there is.
        recovered=tuple(
            each
            for each in recovered_pages(page for page, _ in found)
            if each.error not in _NOBODY_ASKED
        ),
    )


async def _again(context: Context, hit: Hit) -> tuple[Evidence | None, Reread]:
    try:
        evidence = await context.read(hit, fresh=True)
    except OutsideFailure as error:
        return None, _outcome(hit, error.code)
    met = [each.error for each in evidence.recoveries if each.tried == "stored"]
    if not met:
        outcome = "unchanged" if "stored" in evidence.flags else "read"
        reread = Reread(url=hit.url, outcome=outcome)
    elif met[0] in _NOBODY_ASKED:
        same = evidence.document.id == hit.document_id
        reread = Reread(url=hit.url, outcome="unchanged" if same else "read")
    else:
        reread = _outcome(hit, met[0])
    if reread.outcome in ("read", "unchanged"):
        await context.emit("evidence", {"phase": "read", **announcement(evidence)})
    return evidence, reread


def _outcome(hit: Hit, code: str) -> Reread:
    return Reread(url=hit.url, outcome="gone" if code == Missing.code else "failed")
