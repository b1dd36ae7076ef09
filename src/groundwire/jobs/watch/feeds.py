"""Reading a watch's own feeds: what they list of the subject, before anything is searched for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from groundwire.context import Context
from groundwire.errors import InputError, Malformed, OutsideFailure
from groundwire.evidence.sources.urls import canonical_url, host_of
from groundwire.gather.as_of import is_later
from groundwire.jobs.watch.types import Batch, Searched, State
from groundwire.language.text.tokens import best_relevance
from groundwire.model.feed import Feed, Outline
from groundwire.model.phrase import phrase, phrase_of
from groundwire.model.query import Hit
from groundwire.model.result import Degraded, Gap

_SHOWN = 600  # characters of an entry


async def read_batch(context: Context, state: State, batch: Batch) -> Searched:
    """Read all feeds side by side; one that does not answer is named, and says nothing."""
    found = await asyncio.gather(*(_read(context, url) for url in batch.feeds))
    failed = [each for each in found if not isinstance(each, Feed)]
    feeds = [each for each in found if isinstance(each, Feed)]
    return Searched(
        round=state.round,
        batch=batch,
        hits=tuple(_entries(feeds, state)),
        made=0 if feeds else len(failed),
        failed=0 if feeds else len(failed),
        degraded=tuple(failed),
        gaps=tuple(
            Gap.of(phrase("watch.gap.feed", feed=each.part), phrase("watch.gap.failed"))
            for each in failed
        ),
    )


async def _read(context: Context, url: str) -> Feed | Degraded:
    try:
        read = await context.open(url, feed=True)
        if isinstance(read, Outline) and len(read.feeds) == 1:
            read = await context.open(read.feeds[0].url)
        if isinstance(read, Feed):
            return read
        raise Malformed("outside.gives_no_feed")
    except (OutsideFailure, InputError) as error:
        code = getattr(error, "code", "bad_request")
        host = host_of(url) or url[:80]
        return Degraded.of(host, code, phrase_of(error), phrase("instead.nothing"))


def _entries(feeds: list[Feed], state: State) -> Iterator[Hit]:
    """Yield the entries that are about the subject, the newest first, each page once."""
    pages: dict[str, Hit] = {}
    for feed in feeds:
        for entry in feed.entries:
            try:
                page = canonical_url(entry.url)
            except InputError:
                continue
            hit = Hit(
                title=entry.title,
                url=entry.url,
                content=entry.text[:_SHOWN],
                published_at=entry.published or entry.updated,
                provider="feeds",
                rank=1,
            )
            if not is_later(hit, state.now) and best_relevance(
                state.names, entry.text, entry.title
            ):
                pages.setdefault(page, hit)
    newest = sorted(
        pages.values(),
        key=lambda hit: (hit.published_at is None, -_stamp(hit), hit.url),
    )
    for rank, hit in enumerate(newest, start=1):
        yield hit.model_copy(update={"rank": rank})


def _stamp(hit: Hit) -> float:
    return hit.published_at.timestamp() if hit.published_at else 0.0
