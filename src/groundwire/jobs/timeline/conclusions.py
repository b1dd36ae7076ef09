"""What a model adds to a whole history: what it comes to; code checks every word."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from groundwire.context import Context
from groundwire.evidence.citations.checker import check
from groundwire.gather.failures import failed_models
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.timeline import write_synthesis
from groundwire.jobs.timeline.advice import numbered, places_of
from groundwire.jobs.timeline.result import Node, Synthesis
from groundwire.jobs.timeline.synthesis import WEIGHTS, summary_of
from groundwire.model.result import Degraded, Sentence
from groundwire.model.source import Evidence, NumberedPassage
from groundwire.reasoning.question import EMBEDDED

_MOST = 24  # events that a synthesis is written from
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
    told = [each for each in nodes if each.description]
    weighed = sorted(told, key=lambda one: (-WEIGHTS[one.significance], -one.origins, one.date))
    kept = {each.id for each in weighed[:_MOST]}
    found: list[NumberedPassage] = []
    for node in told:
        if node.id in kept:
            first = node.description[0].citations[0]
            holder = evidence[first.evidence_id]
            found.append(numbered(holder, first.start, len(found) + 1, node.date))
    return tuple(found)


def _stated(
    written: write_synthesis.Overview,
    passages: Sequence[NumberedPassage],
    evidence: Sequence[Evidence],
    topic: str,
) -> Synthesis:
    """Keep what stands: of a summary each sentence for itself, of an insight all or nothing."""
    places = places_of(passages, {each.id: each for each in evidence})

    def standing(told: Sequence[write_synthesis.Stated]) -> tuple[Sentence, ...]:
        checked = (
            check(each.text, [(one.passage, one.quote) for one in each.quotes], places, topic)
            for each in told
        )
        kept = (each for each in checked if each.result != "unsupported")
        return tuple(sentence_of(c, (holder for holder, _ in places.values()), None) for c in kept)

    insight = standing(written.insight)
    return Synthesis(
        summary=standing(written.summary[: write_synthesis.MOST_SENTENCES]),
        insight=insight if len(insight) == len(written.insight) else (),
    )
