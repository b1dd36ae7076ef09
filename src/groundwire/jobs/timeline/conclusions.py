"""What a model adds to a whole history: what it comes to, and which events join; code checks every word."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from groundwire.context import Context
from groundwire.evidence.citations.quotes import locate
from groundwire.gather.failures import failed_models
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.timeline import find_links, write_synthesis
from groundwire.jobs.timeline.advice import numbered
from groundwire.jobs.timeline.links import Found, joining, links_of, standing
from groundwire.jobs.timeline.result import Link, Node, Synthesis
from groundwire.jobs.timeline.synthesis import summary_of, weightiest
from groundwire.jobs.timeline.threads import both_names
from groundwire.model.phrase import Phrase
from groundwire.model.result import Degraded, Sentence
from groundwire.model.source import Evidence, NumberedPassage
from groundwire.reasoning import quoting
from groundwire.reasoning.question import EMBEDDED
from groundwire.reasoning.quoting import Said, places_of

_MOST = 24  # events and passages that a model is shown
_FEWEST = 3  # sentences that a model's summary comes to, where code's has as many


async def synthesise(
    context: Context, topic: str, language: str, nodes: Sequence[Node], evidence: Sequence[Evidence]
) -> tuple[Synthesis, tuple[Degraded, ...]]:
    """Let a model tell what the history comes to; of an adviser only the insight counts, which code has not."""
    drafted = summary_of(nodes)
    passages = _events(nodes, {each.id: each for each in evidence})
    given = write_synthesis.OverviewInput(topic=topic, language=language, passages=passages)
    answer = await context.ask(write_synthesis.QUESTION, given, language=language)
    failed = failed_models("synthesis", answer.by, answer.failures)
    if answer.by == EMBEDDED:
        return drafted, failed
    told = await asyncio.to_thread(_stated, answer.value, passages, evidence, topic)
    whole = len(told.summary) >= min(_FEWEST, len(drafted.summary))
    summary = told.summary if answer.vote == "decides" and whole else drafted.summary
    if summary == drafted.summary and not told.insight:
        return drafted, failed
    return Synthesis(summary=summary, insight=told.insight, by=answer.by), failed


def _events(nodes: Sequence[Node], evidence: Mapping[str, Evidence]) -> tuple[NumberedPassage, ...]:
    """Give numbers to the events, in their order; of many, to the weightiest."""
    found: list[NumberedPassage] = []
    for number, node in enumerate(_weightiest(nodes), start=1):
        first = node.description[0].citations[0]
        holder = evidence[first.evidence_id]
        found.append(numbered(holder, first.start, number, node.date))
    return tuple(found)


def _weightiest(nodes: Sequence[Node]) -> list[Node]:
    """Return the events that a model is shown, in their order: of many, the weightiest."""
    told = [each for each in nodes if each.description]
    kept = {each.id for each in weightiest(told)[:_MOST]}
    return [each for each in told if each.id in kept]


def _stated(
    written: write_synthesis.Overview,
    passages: Sequence[NumberedPassage],
    evidence: Sequence[Evidence],
    topic: str,
) -> Synthesis:
    """Keep what stands: of a summary each sentence for itself, of an insight all or nothing."""
    places = places_of(passages, evidence)

    def standing(told: Sequence[Said]) -> tuple[Sentence, ...]:
        checked = (quoting.checked(each.text, each.quotes, places, topic) for each in told)
        kept = (each for each in checked if each.result != "unsupported")
        return tuple(sentence_of(c, (holder for holder, _ in places.values()), None) for c in kept)

    insight = standing(written.insight)
    return Synthesis(
        summary=standing(written.summary[: write_synthesis.MOST_SENTENCES]),
        insight=insight if len(insight) == len(written.insight) else (),
    )


# --- links -------------------------------------------------------------------------------------


async def link(
    context: Context, topic: str, language: str, nodes: Sequence[Node], evidence: Sequence[Evidence]
) -> tuple[tuple[Link, ...], tuple[Degraded, ...]]:
    """Let a model join events; who advises adds links in words of cause to those that code finds."""
    names = both_names(topic)
    drafted = await asyncio.to_thread(links_of, nodes, evidence, names)
    shown = _weightiest(nodes)
    places = await asyncio.to_thread(lambda: list(joining(shown, evidence, _MOST)))
    if len(shown) < 2 or not places:
        return drafted, ()
    passages = tuple(numbered(held, at, n) for n, (held, at) in enumerate(places, start=1))
    given = find_links.LinksInput(
        topic=topic,
        language=language,
        events=tuple(
            find_links.NumberedEvent(
                number=number, date=each.date, text=f"{each.title}: {each.description[0].text}"
            )
            for number, each in enumerate(shown, start=1)
        ),
        passages=passages,
    )
    answer = await context.ask(find_links.QUESTION, given, language=language)
    failed = failed_models("links", answer.by, answer.failures)
    if answer.by == EMBEDDED:
        return drafted, failed
    decides = answer.vote == "decides"
    told = await asyncio.to_thread(
        _linked, answer.value, shown, passages, evidence, names, not decides
    )
    return _ordered(told if decides else (*drafted, *told), nodes), failed


def _linked(
    joined: find_links.Joined,
    shown: Sequence[Node],
    passages: Sequence[NumberedPassage],
    evidence: Sequence[Evidence],
    names: Sequence[str],
    cued: bool,
) -> tuple[Link, ...]:
    """Keep the links whose words are found and tell of both events."""
    held = {each.id: each for each in evidence}
    places = places_of(passages, evidence)
    found: list[Link] = []
    for each in joined.links:
        place = locate(each.passage, each.quote, places)
        if isinstance(place, Phrase):
            continue
        cause, effect = shown[each.cause - 1], shown[each.effect - 1]
        proposed = Found(cause, effect, each.relation, place.evidence, place.start, place.end)
        link = standing(proposed, names, held, cued=cued)
        if link is not None:
            found.append(link)
    return tuple(found)


def _ordered(links: Sequence[Link], nodes: Sequence[Node]) -> tuple[Link, ...]:
    """Join two events once, as the first that joins them says, in the order of their sources."""
    once: dict[frozenset[str], Link] = {}
    for each in links:
        once.setdefault(frozenset((each.source, each.target)), each)
    order = {each.id: place for place, each in enumerate(nodes)}
    return tuple(sorted(once.values(), key=lambda one: (order[one.source], order[one.target])))
