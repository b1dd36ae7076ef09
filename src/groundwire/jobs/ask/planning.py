"""What a round searches for: code's own queries first, then a model's, towards what is missing."""

from __future__ import annotations

from groundwire.evidence.questions.coverage import reading
from groundwire.evidence.questions.intent import asked
from groundwire.jobs.ask.types import State
from groundwire.reasoning.plan_queries import QUESTION, Plan, PlanInput, PlannedQuery, query_key
from groundwire.reasoning.question import EMBEDDED
from groundwire.words import words

_MOST_MISSING = 4


def merged(given: PlanInput, plan: Plan, by: str) -> tuple[tuple[PlannedQuery, str], ...]:
    """The queries of a round, each with whose it is.

    Code's first query in each language always goes out, so that no model can leave out the
    subject of the question (law 3); the model's fill what room is left.
    """
    if by == EMBEDDED:
        return tuple((each, by) for each in plan.queries[: given.max_queries])
    own = QUESTION.embedded(given).queries
    first: dict[str, PlannedQuery] = {}
    for each in own:
        first.setdefault(each.language, each)
    found: dict[str, tuple[PlannedQuery, str]] = {}
    for each, whose in (*((q, "code") for q in first.values()), *((q, by) for q in plan.queries)):
        found.setdefault(query_key(each.text), (each, whose))
    return tuple(found.values())[: max(1, given.max_queries)]


def missing_of(state: State) -> tuple[str, ...]:
    """What a later round looks for: what code finds uncovered, and the gaps that code named.

    A model that writes has read the pages; its gaps are shown to people and steer nothing (law 9).
    """
    if not state.gaps:
        return ()
    parts = asked(state.given.question)
    heavy = [term for term in parts.terms if not term.light]
    shown = reading("\n".join(sentence.text for sentence in state.sentences))
    uncovered = [term for term in heavy if not shown.names(term)]
    found: list[str] = []
    if uncovered and len(uncovered) < len(heavy):
        found.append(" ".join(term.written for term in uncovered))
    if state.reasoner == EMBEDDED:
        say = words(state.language)
        gaps = [say(gap.what, **gap.params) for gap in state.gaps]
        found.extend(what for what in gaps if any(reading(what).names(term) for term in heavy))
    return tuple(dict.fromkeys(found))[:_MOST_MISSING] or (state.given.question,)
