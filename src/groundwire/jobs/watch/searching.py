"""Searching side by side, and what is tried where a search brings nothing."""

from __future__ import annotations

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
from groundwire.model.query import EMPTY, Hit, Query, SearchReport
from groundwire.model.result import Gap

_WAYS = 3  # simpler words, the other language, another place
_MOST = 6  # searches of a batch
_LATE = 2  # days after which engines know a page
_BEFORE_NEWEST = (
    180  # days up to the newest page: what came in them is looked for by the name alone
)


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


def latest_of(state: State) -> tuple[Batch, ...]:
    """Make the search of a first run for what came last, by the days of the newest page that was found.

    An engine orders by likeness, so that of many pages about a subject the newest may be none of the first.
    """
    if state.round or state.searched_to is not None or state.given.days is not None:
        return ()
    dated = [each.document.published_at for each in state.evidence if each.document.published_at]
    if not dated:
        return ()
    days = max(1, (state.now - max(dated)).days) + _BEFORE_NEWEST
    own = state.planned.tasks[0]
    where = tuple("" if each == "web" else each for each in own.platforms) or ("",)
    searches = [Search(text=t, platform=p, days=days) for t in state.names for p in where]
    return (Batch(task=0, searches=tuple(searches[: max(_MOST, len(where))])),)


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


async def search_batch(context: Context, state: State, batch: Batch) -> Searched:
    """Make the searches of a batch; a failed one and an empty one stay different."""
    queries = [query_of(each, state) for each in batch.searches]
    further = _further(state, batch)
    reports = await search_all(context, queries, f"r{state.round}", further=further)
    recovered = recovered_searches(reports)
    found = Searched(
        round=state.round,
        batch=batch,
        hits=usable(reports, state),
        made=len(reports) + sum(each.error == EMPTY for each in recovered),
        failed=sum(map(_is_unanswered, reports)),
        quota=any(f.code == BudgetReached.code for each in reports for f in each.failures),
        degraded=failed_searches(reports, ()),
        recovered=recovered,
    )
    return found.model_copy(update={"gaps": _gaps(state, found)})


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


def _further(state: State, batch: Batch) -> int:
    """Return how many other ways are tried where nothing is found for a sub-task.

    Where only what is newer is searched for, nothing is what one expects.
    """
    return _WAYS if batch.task is not None and state.searched_to is None else 0


def came_empty(found: Searched) -> bool:
    """Tell whether other ways were tried for what was searched."""
    return any(each.error == EMPTY for each in found.recovered)


def _gaps(state: State, found: Searched) -> tuple[Gap, ...]:
    """Name what nothing helps: of a platform, although another place may have it, or of the sub-task."""
    batch = found.batch
    if not (came_empty(found) or (found.outcome == "empty" and _further(state, batch))):
        return ()
    why = phrase("watch.gap.nothing")
    platforms = dict.fromkeys(each.platform for each in batch.searches if each.platform)
    if platforms:
        named = (phrase("watch.gap.platform", platform=phrase(f"platform.{p}")) for p in platforms)
        return tuple(Gap.of(each, why) for each in named)
    if found.hits or batch.task is None:
        return ()
    return (Gap.of(state.planned.tasks[batch.task].task, why),)
