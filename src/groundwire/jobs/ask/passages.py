"""The passages that a mind sees: those that bear on the question, spread over origins, numbered."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.questions.relevance import bearings, spread
from groundwire.model.source import Evidence, NumberedPassage


def choose(
    question: str, queries: Sequence[str], evidence: Sequence[Evidence], limit: int
) -> tuple[NumberedPassage, ...]:
    """At most `limit` passages, numbered from 1; the same whatever the order of the evidence."""
    chosen = spread(bearings(question, queries, evidence), limit)
    return tuple(
        each.passage.model_copy(update={"number": number})
        for number, each in enumerate(chosen, start=1)
    )
