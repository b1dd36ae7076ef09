"""Searching side by side, and what is tried where a search brings nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from groundwire.context import Context
from groundwire.errors import BudgetReached
from groundwire.gather.as_of import is_later
from groundwire.gather.failures import failed_searches
from groundwire.gather.recoveries import recovered_searches
from groundwire.gather.searches import search_all
from groundwire.jobs.watch.proposal import LONGEST_QUERY
from groundwire.jobs.watch.types import Batch, Search, Searched, State
from groundwire.language.text.tokens import best_relevance
from groundwire.language.text.wording import is_han
from groundwire.model.phrase import phrase
from groundwire.model.query import Hit, Query, SearchReport
from groundwire.model.result import Gap, Recovered
from groundwire.reasoning.plan_queries import in_both_languages, query_key

_EMPTY = "empty"
_SIMPLE = 3  # words that a simplified query keeps
_MOST = 6  # searches of a batch
_LATE = 2  # days after which engines know a page


def batches_of(state: State) -> tuple[Batch, ...]:
    """Make the searches of the plan: of each sub-task each query, where it is to look.

    Of what is new alone there is little, so a run that looks for no more joins them.
    """
    found: list[Batch] = []
    for place, task in enumerate(state.planned.tasks):
        where = tuple("" if each == "web" else each for each in task.platforms) or ("",)
        days = days_of(state, task.days)
        queries = task.queries
        if state.searched_to is not None:
            queries = _joined(task.queries) if place else (*state.names, *_joined(task.queries))
        searches = [
            Search(text=query, platform=platform, days=days)
            for platform in where
            for query in queries
        ]
        # Every platform has its turn before any query has its second.
        by_turn = sorted(searches, key=lambda each: queries.index(each.text))
        found.append(Batch(task=place, searches=tuple(by_turn[: max(_MOST, len(where))])))
    return tuple(found)


def _joined(queries: Sequence[str]) -> tuple[str, ...]:
    """Join queries to one in each language, with each of their words once."""
    found: dict[bool, dict[str, None]] = {}
    for query in queries:
        found.setdefault(is_han(query), {}).update(dict.fromkeys(query.split()))
    return tuple(" ".join(words)[:LONGEST_QUERY] for words in found.values())


def days_of(state: State, wanted: int | None) -> int | None:
    """Return how far back a search looks: as wanted, and no further than the run before has looked."""
    if state.searched_to is None:
        return wanted
    since = max(1, (state.now - state.searched_to).days + 1 + _LATE)
    return since if wanted is None else min(wanted, since)


def query_of(search: Search, state: State) -> Query:
    """Return a search as the chain takes it; its time range ends with the run's own moment."""
    time_range = None
    if search.days is not None:
        begin = (state.now - timedelta(days=search.days)).date()
        time_range = f"{begin.isoformat()}/{state.now.date().isoformat()}"
    return Query(
        text=search.text,
        language="zh" if is_han(search.text) else "en",
        max_results=state.limits.results,
        platform=search.platform,
        time_range=time_range,
    )


async def search_batch(
    context: Context, state: State, batch: Batch, occasion: str = ""
) -> Searched:
    """Make the searches of a batch; a failed one and an empty one stay different."""
    queries = [query_of(each, state) for each in batch.searches]
    reports = await search_all(context, queries, occasion or f"r{state.round}")
    return Searched(
        round=state.round,
        batch=batch,
        hits=usable(reports, state),
        made=len(reports),
        failed=sum(map(_is_unanswered, reports)),
        quota=any(f.code == BudgetReached.code for each in reports for f in each.failures),
        degraded=failed_searches(reports, ()),
        recovered=recovered_searches(reports),
    )


def _is_unanswered(report: SearchReport) -> bool:
    """Tell whether nobody who sees the web answered; what the archive holds is no news."""
    answered = set(report.providers) - {each.provider for each in report.failures}
    return bool(report.failures) and not answered - set(report.partial)


def usable(reports: Sequence[SearchReport], state: State) -> tuple[Hit, ...]:
    """Return the hits, one a page, best first: of the subject, not published after the run's moment.

    An engine gives the nearest it has; a page that does not name the subject is nothing found.
    """
    best: dict[str, tuple[int, Hit]] = {}
    for report in reports:
        for rank, hit in enumerate(report.hits):
            about = best_relevance(state.names, hit.content, hit.title)
            if not about or is_later(hit, state.now):
                continue
            if hit.url not in best or rank < best[hit.url][0]:
                best[hit.url] = (rank, hit)
    ordered = sorted(best.values(), key=lambda pair: (pair[0], -pair[1].relevance, pair[1].url))
    return tuple(hit for _, hit in ordered)


# --- a search that brought nothing ---------------------------------------------------------------


async def heal(context: Context, state: State, found: Searched) -> Searched:
    """Try a simpler query, then the other language, then another place, each before the next.

    What nothing helps is a gap that is named: of a platform, or of the sub-task.
    """
    recovered: list[Recovered] = []
    healed = found
    for tried, batch in ways(state, found.batch):
        again = await search_batch(context.step(tried), state, batch, f"r{state.round}/{tried}")
        outcome = "worked" if again.hits else "failed"
        subject = found.batch.searches[0].text
        recovered.append(
            Recovered(part="search", subject=subject, error=_EMPTY, tried=tried, outcome=outcome)
        )
        healed = healed.model_copy(
            update={
                "hits": again.hits,
                "made": healed.made + again.made,
                "failed": healed.failed + again.failed,
                "degraded": (*healed.degraded, *again.degraded),
            }
        )
        if again.hits:
            break
    gaps = _gaps(state, found, healed)
    return healed.model_copy(update={"recovered": (*found.recovered, *recovered), "gaps": gaps})


def ways(state: State, batch: Batch) -> list[tuple[str, Batch]]:
    """List what can be tried, in order; what would be the same search again is left out."""
    tried = {(query_key(each.text), each.platform, each.days) for each in batch.searches}
    ways: list[tuple[str, Batch]] = []
    for name, change in (("simpler", _simpler), ("language", _translated), ("place", _elsewhere)):
        searches: list[Search] = []
        for each in batch.searches:
            other = change(state, each)
            key = (query_key(other.text), other.platform, other.days)
            if other.text and key not in tried:
                tried.add(key)
                searches.append(other)
        if searches:
            ways.append((name, batch.model_copy(update={"searches": tuple(searches)})))
    return ways


def _simpler(state: State, search: Search) -> Search:
    """Keep the name of the subject and a word or two."""
    name = next((each for each in state.names if each in search.text), "")
    rest = re.findall(r"\w+", search.text.replace(name, " ")) if name else search.text.split()
    words = [name, *rest[:1]] if name else rest[:_SIMPLE]
    return search.model_copy(update={"text": " ".join(word for word in words if word)})


def _translated(state: State, search: Search) -> Search:
    del state
    return search.model_copy(update={"text": in_both_languages(search.text)[1]})


def _elsewhere(state: State, search: Search) -> Search:
    """Look anywhere, at any time, for the bare subject."""
    return Search(text=state.names[0]) if search.platform or search.days else search


def _gaps(state: State, found: Searched, healed: Searched) -> tuple[Gap, ...]:
    batch = found.batch
    why = "watch.gap.failed" if healed.outcome == "failed" else "watch.gap.nothing"
    gaps: list[Gap] = []
    for platform in dict.fromkeys(each.platform for each in batch.searches if each.platform):
        named = phrase("watch.gap.platform", platform=phrase(f"platform.{platform}"))
        gaps.append(Gap.of(named, phrase(why)))
    if not gaps and not healed.hits and batch.task is not None:
        gaps.append(Gap.of(state.planned.tasks[batch.task].task, phrase(why)))
    return tuple(gaps)
