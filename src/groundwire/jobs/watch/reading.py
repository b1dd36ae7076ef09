"""Reading: the best pages of a round, and every page again that standing claims cite."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from datetime import datetime

from groundwire.context import Context
from groundwire.errors import ForbiddenAddress, Missing, Offline, OutsideFailure
from groundwire.evidence.pages.assembly import announcement
from groundwire.evidence.sources.urls import canonical_url
from groundwire.gather.recoveries import recovered_pages
from groundwire.jobs.watch.ledger.claims import Ledger, Reread
from groundwire.jobs.watch.types import ReadAgain, Searched, State
from groundwire.language.text.characters import simplify
from groundwire.language.text.rarity import UNLISTED, rarity
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens
from groundwire.language.text.wording import is_han
from groundwire.model.query import Hit
from groundwire.model.source import Evidence

_AT_ONCE = 16
_SEVERAL, _PARTS = 3, 2  # words of a name that is no single one, and of a Chinese name
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
            about = bool(batch.batch.feeds) or bears(
                hit, state.names
            )  # feeds are a person's choice
            if page not in held and about and rank < best.get(page, (math.inf, hit))[0]:
                best[page] = (rank, hit)
    ordered = sorted(best.values(), key=lambda pair: (pair[0], -pair[1].relevance, pair[1].url))
    return tuple(hit for _, hit in ordered[: state.limits.pages])


def bears(hit: Hit, names: Sequence[str]) -> bool:
    """Tell whether a hit may be about the subject: of a name of several words, more than a common one stands in it."""
    text = simplify(f"{hit.title} {hit.content}")
    return any(_may_be(name, text) for name in names)


def _may_be(name: str, text: str) -> bool:
    if is_han(name):
        parts = [simplify(each) for each in name.split()]
        return len(parts) < _PARTS or sum(each in text for each in parts) > 1
    words = {stem(each) for each in content_tokens(name)}
    shared = words & {stem(each) for each in content_tokens(text)}
    rare = any(rarity(each) >= UNLISTED for each in shared)
    return len(words) < _SEVERAL or len(shared) > 1 or rare


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
