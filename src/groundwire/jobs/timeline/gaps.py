"""What a history lacks: why there are few nodes, thin years, undated pages, failed searches; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.jobs.timeline.memories import empty_threads
from groundwire.jobs.timeline.namesakes import namesakes
from groundwire.jobs.timeline.research import usable
from groundwire.jobs.timeline.result import Node
from groundwire.jobs.timeline.synthesis import thin_years
from groundwire.jobs.timeline.types import State, is_folder
from groundwire.language.time.ancient import ancient
from groundwire.model.phrase import phrase
from groundwire.model.result import Gap
from groundwire.model.source import Evidence

_ROUND = 3  # searches of the gap round


def missing_years(nodes: Sequence[Node], short: bool) -> tuple[int, ...]:
    """Return the years that a further round looks for: empty ones, and where there are too few
    nodes those with the fewest."""
    empty = list(thin_years(nodes))
    if short:
        counts: dict[int, int] = {}
        for each in nodes:
            counts[each.interval.begin.year] = counts.get(each.interval.begin.year, 0) + 1
        empty += sorted(counts, key=lambda year: (counts[year], year))
    return tuple(empty[:_ROUND])


def gaps_of(state: State, nodes: Sequence[Node]) -> tuple[Gap, ...]:
    """Name everything that is missing, each with its reason."""
    return tuple(_gaps(state, nodes))


def _gaps(state: State, nodes: Sequence[Node]) -> Iterator[Gap]:
    plan = state.plan
    topic = plan.topic if plan else state.given.topic
    first_round = [each for each in state.found if not each.round]
    searched = sum(each.searches for each in first_round)
    failed = sum(each.failed for each in first_round)
    pages = usable(state.evidence, state.given.as_of, state.origins)
    if not pages:
        if old := _ancient(topic, ()):
            yield Gap.of(phrase("timeline.gap.ancient", date=old), phrase("timeline.gap.era"))
        why = "timeline.gap.folder" if is_folder(state.given) else "gap.nothing_found"
        if failed:
            why = "gap.every_search_failed" if failed == searched else "gap.some_searches_failed"
        yield Gap.of(topic, phrase(why, folder=state.given.within))
        return
    if several := namesakes(pages, topic):
        # The questions that would tell of one of them, for a person to choose from.
        names = ", ".join(each.called for each in several)
        yield Gap.of(phrase("timeline.gap.which", names=names), phrase("timeline.gap.namesakes"))
    if (old := _ancient(topic, pages)) and (not nodes or state.short is not None):
        yield Gap.of(phrase("timeline.gap.ancient", date=old), phrase("timeline.gap.era"))
    if not nodes:
        yield Gap.of(topic, phrase("timeline.gap.no_dates", pages=len(pages)))
        return
    for each in first_round:
        if each.searches and each.failed == each.searches and plan is not None:
            what = phrase("timeline.gap.thread", thread=plan.threads[each.thread].name)
            yield Gap.of(what, phrase("timeline.gap.thread_failed"))
    if plan is not None and not state.given.pages_of:
        unheard = {each.thread for each in first_round if not each.failed}
        for thread in empty_threads(plan, state.found):
            if plan.threads.index(thread) in unheard:
                what = phrase("timeline.gap.thread", thread=thread.name)
                yield Gap.of(what, phrase("timeline.gap.thread_empty"))
    if len(pages) == 1:
        yield Gap.of(phrase("timeline.gap.origins"), phrase("timeline.gap.one_page"))
    if state.short is not None:
        yield Gap.of(phrase("timeline.gap.nodes"), state.short)
    if years := list(thin_years(nodes)):
        listed = ", ".join(map(str, years))
        yield Gap.of(
            phrase("timeline.gap.years", years=listed), phrase("timeline.gap.nothing_dated")
        )


def _ancient(topic: str, pages: Sequence[Evidence]) -> str:
    """Return a year before our era that a topic or its pages name; ""."""
    texts = (topic, *(each.document.text for each in pages))
    return next((text[start:end] for text in texts for start, end in ancient(text)), "")
