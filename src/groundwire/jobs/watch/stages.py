"""The steps of a watch up to what was found. Outside failures become values here; none is raised."""

from __future__ import annotations

import asyncio
from typing import Any

from groundwire.context import Context
from groundwire.gather.failures import failed_pages, unread_pages
from groundwire.gather.pages import read_pages
from groundwire.gather.recoveries import recovered_reading
from groundwire.gather.weighing import trace_origins
from groundwire.jobs.watch import expanding, feeds, planning, reading, searching
from groundwire.jobs.watch.keywords import worthwhile
from groundwire.jobs.watch.thoughts import tell_failures, tell_recoveries, think
from groundwire.jobs.watch.types import Batch, Searched, State
from groundwire.model.phrase import phrase
from groundwire.model.query import EMPTY


async def plan(context: Context, state: State) -> dict[str, Any]:
    """Divide the question into sub-tasks, and show them before anything is spent."""
    before = await planning.believed(context, state.given.previous)
    drafted = await planning.draft(context, state, before)
    proposed = drafted.plan
    tasks = [each.model_dump(mode="json") for each in proposed.tasks]
    await think(
        context,
        "planning",
        phrase("watch.thought.planning", subject=proposed.subject),
        action=phrase("watch.action.planning"),
        observation=phrase(
            "watch.seen.planning",
            n=len(proposed.tasks),
            tasks=[each.task for each in proposed.tasks],
        ),
        plan=tasks,
        by=drafted.by,
    )
    await tell_failures(context, drafted.degraded)
    if state.given.review:
        proposed = (await context.confirm(proposed)).value
    return {
        "language": proposed.language,
        "subject": proposed.subject,
        "names": planning.names_of(proposed.subject),
        "before": before.ledger,
        "first": before.first,
        "words": before.words,
        "found_by": before.found_by,
        "searched_to": before.searched_to,
        "plan": proposed,
        "degraded": state.once(*drafted.degraded),
        "gaps": (*state.gaps, *drafted.gaps),
    }


async def execute(context: Context, state: State) -> dict[str, Any]:
    """Line up the searches of this round: those of the plan, then those of words that were found."""
    queue = state.queue or _first_batches(state)
    texts = [each.text for batch in queue for each in batch.searches]
    calls = [call for batch in queue for call in batch.tool_calls]
    pages = len(reading.cited(state.before)) if state.round == 0 else 0
    await think(
        context,
        "executing",
        phrase("watch.thought.executing", step=state.round + 1, most=state.given.max_steps),
        action=phrase("watch.action.executing", n=len(calls), pages=pages),
        tool_calls=tuple(dict.fromkeys(calls)),
    )
    return {"queue": queue, "tried": tuple(dict.fromkeys((*state.tried, *texts)))}


def _first_batches(state: State) -> tuple[Batch, ...]:
    """Begin with the feeds, where there are any: what they bring decides whether to search."""
    if not state.given.feeds:
        return searching.batches_of(state)
    return (Batch(task=None, feeds=state.given.feeds),)


async def search(context: Context, state: State) -> dict[str, Any]:
    """Make the searches of one batch."""
    batch = state.queue[state.at]
    here = context.step(str(state.at))
    read = feeds.read_batch if batch.feeds else searching.search_batch
    found = await read(here, state, batch)
    await think(
        here,
        "searching",
        phrase("watch.thought.searching", about=_about(state, batch)),
        action=phrase("watch.action.searching", n=found.made),
        observation=phrase(f"watch.seen.search_{found.outcome}", n=len(found.hits)),
        tool_calls=batch.tool_calls,
    )
    await tell_recoveries(here, [each for each in found.recovered if each.error != EMPTY])
    await tell_failures(here, found.degraded)
    return {"searched": (found,)}


def _about(state: State, batch: Batch) -> str:
    if batch.feeds:
        return " ".join(batch.feeds)
    return batch.searches[0].text if batch.task is None else state.planned.tasks[batch.task].task


async def reread(context: Context, state: State) -> dict[str, Any]:
    """Read every page again that standing claims cite, whether or not a search shows it."""
    pages = reading.cited(state.before)
    found = await reading.read_again(context, pages)
    counts = {
        name: sum(each.outcome == name for each in found.outcomes)
        for name in ("read", "unchanged", "gone", "failed")
    }
    await think(
        context,
        "scraping",
        phrase("watch.thought.reread", n=len(pages)),
        action=phrase("watch.action.scraping", n=len(pages)),
        observation=phrase("watch.seen.reread", **counts),
        tool_calls=[f"web_scrape: {each.url}" for each in pages],
    )
    await tell_recoveries(context, found.recovered)
    return {"again": (found,)}


async def choose(context: Context, state: State) -> dict[str, Any]:
    """Take together what the searches brought, and choose the pages to read."""
    del context
    known = {each.id: each for each in state.evidence}
    for each in state.again:
        known |= {one.id: one for one in each.evidence if one.id not in known}
    joined = state.model_copy(update={"evidence": tuple(known.values())})
    return {"evidence": joined.evidence, "hits": reading.chosen(joined, state.this_round)}


def other_ways(state: State) -> list[Searched]:
    """List the batches of this round for which other ways were tried: their first search was empty."""
    return [each for each in state.this_round if searching.came_empty(each)]


def hopeless(state: State) -> bool:
    """Tell whether every search failed and nothing was read: nothing is known, which is not nothing."""
    only_feeds = bool(state.given.feeds) and state.round == 0  # searches come next
    if state.evidence or state.hits or not state.searched or only_feeds:
        return False
    return all(each.outcome == "failed" for each in state.searched)


async def recover(context: Context, state: State) -> dict[str, Any]:
    """Tell what was tried where nothing was found: simpler words, the other language, another place."""
    for number, each in enumerate(other_ways(state)):
        tried = [one for one in each.recovered if one.error == EMPTY]
        await tell_recoveries(context.step(str(number)), tried)
    lost = hopeless(state)
    if lost:
        failure = phrase("watch.seen.every_search_failed")
        await think(context, "recovering", phrase("watch.thought.lost"), observation=failure)
    return {"phase": "recovering" if lost else state.phase}


async def give_up(context: Context, state: State) -> dict[str, Any]:
    """End as failed, with what there is: a resume makes only the calls that failed again."""
    gaps = [gap for each in state.searched for gap in each.gaps]
    gap = planning.every_search_failed(state)
    await context.emit("gap", gap.model_dump(mode="json"))
    return {
        "end": "failed",
        "gaps": (*state.gaps, *gaps, gap),
        "degraded": _failures(state),
        "recovered": state.all_recovered,
    }


def _failures(state: State) -> Any:
    return state.once(*(each for found in state.searched for each in found.degraded))


async def scrape(context: Context, state: State) -> dict[str, Any]:
    """Read the best pages in full, each once, and trace the origins of all."""
    pages = await read_pages(context, state.hits)
    recovered = recovered_reading(pages)
    known = {each.id: each for each in state.evidence}
    about = dict(state.about)
    fresh = 0
    for page in pages:
        # A search may know no date where the page itself gives one.
        if page.evidence is not None and not reading.is_later_page(page.evidence, state.now):
            fresh += page.evidence.id not in known
            known.setdefault(page.evidence.id, page.evidence)
            about.setdefault(page.evidence.id, page.hit)
    origins, evidence = await asyncio.to_thread(trace_origins, list(known.values()))
    await think(
        context,
        "scraping",
        phrase("watch.thought.scraping", n=len(state.hits)),
        action=phrase("watch.action.scraping", n=len(state.hits)),
        observation=phrase("watch.seen.scraping", n=fresh, origins=len(origins)),
        tool_calls=[f"web_scrape: {each.url}" for each in state.hits],
    )
    await tell_recoveries(context, recovered)
    failed = failed_pages(pages)
    await tell_failures(context, failed)
    return {
        "gaps": (*state.gaps, *unread_pages(pages)),
        "evidence": evidence,
        "origins": origins,
        "about": about,
        "found_by": {**state.found_by, **reading.found_by(state)},
        "fresh": fresh,
        "quiet": 0 if fresh else state.quiet + 1,
        "degraded": state.once(*_failures(state), *failed),
        "recovered": (*state.recovered, *recovered),
    }


async def expand(context: Context, state: State) -> dict[str, Any]:
    """Find words that are worth a search of their own, and say where each was found."""
    if state.given.feeds and state.round == 0:
        return await _after_feeds(context, state)
    expansion = await expanding.expand(context, state)
    chosen = worthwhile(expansion.words, state.limits.words)
    latest = searching.latest_of(state)
    end = expanding.ended(state, quiet=state.quiet, more=bool(chosen or latest))
    searched = tuple(
        each.model_copy(update={"query": expanding.query_for(state, each.word)}) for each in chosen
    )
    titles = {each.id: each.document.title for each in state.evidence}
    await think(
        context,
        "expanding",
        phrase("watch.thought.expanding", n=len(expansion.words)),
        action=phrase("watch.action.expanding", words=[each.word for each in chosen])
        if end is None
        else phrase(f"watch.end.{end}"),
        observation=phrase(
            "watch.seen.expanding",
            found=[f"{each.word} ← {titles.get(each.found_in, '')}" for each in chosen],
        )
        if chosen
        else phrase("watch.seen.no_words"),
        keywords=[each.model_dump(mode="json") for each in chosen],
        by=expansion.by,
    )
    await tell_failures(context, expansion.failed)
    more = {
        "degraded": state.once(*expansion.failed),
        "waiting": expansion.words[: 3 * state.limits.words],
    }
    if end is not None:
        return {**more, "end": end, "more": False}
    return {
        **more,
        "more": True,
        "keywords": (*state.keywords, *searched),
        "queue": (*latest, *expanding.batches_for(state, chosen)),
        "round": state.round + 1,
        "waiting": tuple(each for each in more["waiting"] if each not in chosen),
    }


async def _after_feeds(context: Context, state: State) -> dict[str, Any]:
    """Search only to confirm what feeds brought, or because none of them could be read."""
    unread = any(each.outcome == "failed" for each in state.searched)
    goes_on = bool(state.fresh) or unread
    seen = "watch.seen.feeds" if state.fresh else "watch.seen.no_feeds"
    await think(
        context,
        "expanding",
        phrase("watch.thought.feeds"),
        action=phrase("watch.action.confirm") if goes_on else phrase("watch.end.nothing_new"),
        observation=phrase(seen, n=state.fresh),
        keywords=[],
    )
    if not goes_on:
        return {"end": "nothing_new", "more": False}
    return {"more": True, "queue": searching.batches_of(state), "round": state.round + 1}
