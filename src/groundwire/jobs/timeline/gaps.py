"""What a history lacks: why there are few nodes, thin years, undated pages, failed searches; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from groundwire.jobs.timeline.memories import empty_threads
from groundwire.jobs.timeline.namesakes import namesakes
from groundwire.jobs.timeline.research import usable
from groundwire.jobs.timeline.result import Node
from groundwire.jobs.timeline.synthesis import thin_years, weightiest
from groundwire.jobs.timeline.types import State, is_folder
from groundwire.language.time.ancient import ancient
from groundwire.model.phrase import phrase
from groundwire.model.result import Gap
from groundwire.model.source import Evidence
from groundwire.words import words

_ROUND = 3  # searches of the gap round
_CAUSES = 2  # events whose causes are looked for


def lacking(
    topic: str, language: str, nodes: Sequence[Node], causes: Collection[str] = (), *, short: bool
) -> tuple[str, ...]:
    """Return what a further round searches for: empty years, causes that nobody told, then thin years."""
    say = words(language)
    wanted = [say("timeline.query.year", topic=topic, year=year) for year in thin_years(nodes)]
    wanted += [
        say("timeline.query.cause", topic=topic, title=each.title)
        for each in unexplained(nodes, causes)
    ]
    if short:
        counts = Counter(each.interval.begin.year for each in nodes)
        thin = sorted(counts, key=lambda year: (counts[year], year))
        wanted += [say("timeline.query.year", topic=topic, year=year) for year in thin]
    return tuple(dict.fromkeys(wanted))[:_ROUND]


def unexplained(nodes: Sequence[Node], causes: Collection[str] = ()) -> list[Node]:
    """List the weightiest events of which no page says why they came about; `causes`: of these one says it."""
    return [
        each
        for each in weightiest(nodes)
        if each.significance == "revolutionary"
        and each.id not in causes
        and each.detail
        and not each.detail.context
    ][:_CAUSES]


def gaps_of(state: State, nodes: Sequence[Node], causes: Collection[str] = ()) -> tuple[Gap, ...]:
    """Name everything that is missing, each with its reason."""
    return tuple(_gaps(state, nodes, causes))


def _gaps(state: State, nodes: Sequence[Node], causes: Collection[str]) -> Iterator[Gap]:
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
    for years in _together(thin_years(nodes)):
        before = max(each.date for each in nodes if each.interval.begin.year < years[0])
        after = min(each.date for each in nodes if each.interval.begin.year > years[-1])
        span = str(years[0]) if len(years) == 1 else f"{years[0]}–{years[-1]}"
        why = phrase("timeline.gap.nothing_dated", pages=len(pages), before=before, after=after)
        yield Gap.of(phrase("timeline.gap.years", years=span), why)
    for each in unexplained(nodes, causes):
        what = phrase("timeline.gap.cause", title=each.title, date=each.date)
        yield Gap.of(what, phrase("timeline.gap.no_cause", sources=len(each.citations)))


def _together(years: Iterable[int]) -> list[list[int]]:
    """Group years that follow each other."""
    found: list[list[int]] = []
    for year in sorted(years):
        if found and year == found[-1][-1] + 1:
            found[-1].append(year)
        else:
            found.append([year])
    return found


def _ancient(topic: str, pages: Sequence[Evidence]) -> str:
    """Return a year before our era that a topic or its pages name; ""."""
    texts = (topic, *(each.document.text for each in pages))
    return next((text[start:end] for text in texts for start, end in ancient(text)), "")
