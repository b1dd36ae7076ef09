"""The steps of ask. Outside failures become values here; none is raised."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from datetime import datetime
from itertools import islice, zip_longest
from typing import Any, Literal

from groundwire.context import Context
from groundwire.evidence.pages.presence import was_there
from groundwire.evidence.questions.coverage import named_things
from groundwire.evidence.questions.intent import parse_question
from groundwire.evidence.questions.parts import asked_parts
from groundwire.evidence.questions.relevance import rank_passages, spread_origins
from groundwire.gather.as_of import is_later
from groundwire.gather.failures import failed_models, failed_pages, failed_searches, unread_pages
from groundwire.gather.pages import read_pages
from groundwire.gather.recoveries import recovered_reading, recovered_searches
from groundwire.gather.reviewing import review
from groundwire.gather.searches import most_results, search_all
from groundwire.gather.weighing import trace_origins
from groundwire.jobs.ask import write_answer
from groundwire.jobs.ask.checking import Outcome, check_sentences, shown_of
from groundwire.jobs.ask.gaps import NEAREST, shortened
from groundwire.jobs.ask.parts import tick
from groundwire.jobs.ask.types import State
from groundwire.language.text.characters import detect_language
from groundwire.language.text.script import language_of_question
from groundwire.model.phrase import phrase
from groundwire.model.query import Hit, Query, SearchReport
from groundwire.model.result import Gap, Origin
from groundwire.model.source import Evidence, NumberedPassage
from groundwire.reasoning import plan_queries
from groundwire.reasoning.question import EMBEDDED
from groundwire.words import words

_SENTENCES = 8  # of an answer, at most


async def plan(context: Context, state: State) -> dict[str, Any]:
    """Plan queries in both languages; a model may choose words, never whether to search."""
    language = state.given.language
    if language == "auto":
        language = language_of_question(detect_language(state.given.question))
    if not _names_something(state.given.question):
        return {"language": language, "queries": ()}
    given = plan_queries.PlanInput(
        question=state.given.question,
        language=language,
        today=state.as_of.date().isoformat(),
        max_queries=state.limits.queries,
        missing=missing_of(state),
        tried=state.tried,
    )
    answer = await context.ask(
        plan_queries.QUESTION, given, language=language, occasion=f"r{state.round}"
    )
    planned = merged(given, answer.value, answer.by)
    most = most_results(context, state.limits.results)
    queries = tuple(
        Query(text=each.text, language=each.language, max_results=most) for each, _ in planned
    )
    await context.emit(
        "thought",
        {
            "phase": "plan",
            "round": state.round,
            "queries": [
                {"text": each.text, "language": each.language, "by": by} for each, by in planned
            ],
            "by": answer.by,
        },
    )
    return {
        "language": language,
        "queries": queries,
        "tried": (*state.tried, *(query.text for query in queries)),
        "degraded": (*state.degraded, *failed_models("plan", answer.by, answer.failures)),
    }


def _names_something(question: str) -> bool:
    """Tell whether there is anything in a question to look for: "x" and "why?" have nothing."""
    return any(parse_question(part.alone).terms for part in asked_parts(question))


async def search(context: Context, state: State) -> dict[str, Any]:
    """Run all queries side by side; a failed search and an empty one stay different."""
    reports = await search_all(
        context, state.queries, f"r{state.round}", further=state.limits.queries
    )
    failed = [report for report in reports if report.failed]
    named = {each.part for each in state.degraded}
    fresh = _new_hits(reports, state.evidence, state.as_of)
    return {
        "searched": state.searched + len(reports),
        "search_failures": state.search_failures + len(failed),
        "degraded": (*state.degraded, *failed_searches(reports, named)),
        "recovered": (*state.recovered, *recovered_searches(reports)),
        "hits": tuple(fresh[: state.limits.pages]),
    }


def _new_hits(
    reports: list[SearchReport], known: tuple[Evidence, ...], as_of: datetime
) -> list[Hit]:
    """Order new hits, one a page: those published in time first, then by best rank."""
    held = {evidence.document.canonical_url for evidence in known}
    best: dict[str, tuple[int, Hit]] = {}
    for report in reports:
        for rank, hit in enumerate(report.hits):
            if hit.url not in held and rank < best.get(hit.url, (math.inf, hit))[0]:
                best[hit.url] = (rank, hit)
    ordered = sorted(
        best.values(),
        key=lambda pair: (is_later(pair[1], as_of), pair[0], -pair[1].relevance, pair[1].url),
    )
    return [hit for _, hit in ordered]


async def read(context: Context, state: State) -> dict[str, Any]:
    """Read the best pages in full; an unreadable one is kept as a snippet and counted."""
    pages = await read_pages(context, state.hits)
    evidence = {each.id: each for each in state.evidence}
    for page in pages:
        if page.evidence is not None:
            evidence.setdefault(page.evidence.id, page.evidence)
    return {
        "evidence": tuple(evidence.values()),
        "new_evidence": len(evidence) - len(state.evidence),
        "degraded": (*state.degraded, *failed_pages(pages)),
        "unread": (*state.unread, *(gap for gap in unread_pages(pages) if gap not in state.unread)),
        "recovered": (*state.recovered, *recovered_reading(pages)),
    }


async def weigh(context: Context, state: State) -> dict[str, Any]:
    """Trace origins, then number the passages that bear on the question."""
    # The longest computation of a run: on the event loop it would block every other run and reader.
    clusters, evidence, passages = await asyncio.to_thread(_weighed, state)
    await context.emit(
        "thought",
        {
            "phase": "weigh",
            "articles": len(evidence),
            "origins": len(clusters),
            "passages": len(passages),
            "clusters": [each.model_dump(mode="json") for each in clusters],
        },
    )
    return {"evidence": evidence, "origins": clusters, "passages": passages}


def _weighed(
    state: State,
) -> tuple[tuple[Origin, ...], tuple[Evidence, ...], tuple[NumberedPassage, ...]]:
    clusters, evidence = trace_origins(state.evidence)
    known = [
        each
        for each in evidence
        if was_there(each.document, state.given.as_of) and "own_report" not in each.flags
    ]
    passages = choose(state.given.question, state.tried, known, state.limits.passages)
    return clusters, evidence, passages


def after_weighing(state: State) -> Literal["write", "check"]:
    """Skip writing where there is no evidence (law 5)."""
    return "write" if state.passages else "check"


async def write(context: Context, state: State) -> dict[str, Any]:
    given = write_answer.WriteInput(
        question=state.given.question,
        language=state.language,
        today=state.as_of.date().isoformat(),
        max_sentences=_SENTENCES,
        passages=state.passages,
    )
    answer = await context.ask(
        write_answer.QUESTION, given, language=state.language, occasion=f"r{state.round}"
    )
    return {
        "written": answer.value,
        "reasoner": answer.by,
        "degraded": (*state.degraded, *failed_models("write", answer.by, answer.failures)),
    }


async def check(context: Context, state: State) -> dict[str, Any]:
    """Quote or drop (law 2): show only sentences that passed the check."""
    checked = await asyncio.to_thread(check_sentences, state)
    if state.reasoner != EMBEDDED:
        checked = await review(context, checked, state.evidence, state.language)
    outcome = await asyncio.to_thread(shown_of, state, checked)
    for number, sentence in enumerate(outcome.sentences):
        await context.step(str(number)).emit("answer", sentence.model_dump(mode="json"))
    gaps = (*_open_gaps(state, outcome), *_search_gaps(state))
    for gap in gaps:
        await context.emit("gap", gap.model_dump())
    return {**vars(outcome), "gaps": gaps, "round": state.round + 1}


def another_round(state: State) -> Literal["again", "done"]:
    """Go on only as deep as asked, while gaps are left and rounds bring something new."""
    if state.round > state.given.deep or not state.gaps:
        return "done"
    return "again" if state.new_evidence or state.round == 1 else "done"


def _open_gaps(state: State, outcome: Outcome) -> tuple[Gap, ...]:
    """List the gaps of the parts that no shown sentence answers; a writing model names its gaps itself."""
    parts = tick(state.given.question, outcome.sentences)
    if not state.passages or state.reasoner != EMBEDDED or len(parts) == 1:
        return outcome.gaps
    asked = {shortened(part.text): part.answered for part in parts}
    kept = [each for each in outcome.gaps if not asked.get(_question_of(each))]
    named = {_question_of(each) for each in kept}
    missed = (text for text, answered in asked.items() if not answered and text not in named)
    return (*kept, *(Gap.of(text, phrase("ask.gap.unsaid")) for text in missed))


def _question_of(gap: Gap) -> str:
    return str(gap.params.get("question", gap.what))


def _search_gaps(state: State) -> tuple[Gap, ...]:
    """Tell failed searches from empty ones where there is nothing to write from."""
    if state.passages:
        return ()
    if not _names_something(state.given.question):
        return (Gap.of(state.given.question, phrase("ask.gap.no_subject")),)
    why = "gap.nothing_found"
    if state.search_failures:
        every = state.search_failures == state.searched
        why = "gap.every_search_failed" if every else "gap.some_searches_failed"
    return (Gap.of(state.given.question, phrase(why)),)


def choose(
    question: str, queries: Sequence[str], evidence: Sequence[Evidence], limit: int
) -> tuple[NumberedPassage, ...]:
    """Choose at most `limit` passages, numbered from 1, whatever the order of the evidence.

    Each part of the question takes its turn: what answers the second says little of the first.
    """
    parts = asked_parts(question)
    lists = [
        spread_origins(
            rank_passages(part.alone, queries if len(parts) == 1 else (), evidence), limit
        )
        for part in parts
    ]
    chosen: dict[str, NumberedPassage] = {}
    for each in (each for turn in zip_longest(*lists) for each in turn if each is not None):
        chosen.setdefault(each.passage.passage_id, each.passage)
    return tuple(
        each.model_copy(update={"number": number})
        for number, each in enumerate(islice(chosen.values(), limit), start=1)
    )


_MOST_MISSING = 4


def merged(
    given: plan_queries.PlanInput, plan: plan_queries.Plan, by: str
) -> tuple[tuple[plan_queries.PlannedQuery, str], ...]:
    """Merge the queries of a round, each with its author.

    Code's first query in each language always goes out, so that no model can drop the subject of
    the question (law 3); the model's queries fill the remaining room.
    """
    if by == EMBEDDED:
        return tuple((each, by) for each in plan.queries[: given.max_queries])
    first: dict[str, plan_queries.PlannedQuery] = {}
    for each in plan_queries.QUESTION.embedded(given).queries:
        first.setdefault(each.language, each)
    found: dict[str, tuple[plan_queries.PlannedQuery, str]] = {}
    for each, author in (*((q, "code") for q in first.values()), *((q, by) for q in plan.queries)):
        found.setdefault(plan_queries.query_key(each.text), (each, author))
    return tuple(found.values())[: max(1, given.max_queries)]


def missing_of(state: State) -> tuple[str, ...]:
    """List what a later round looks for: what code finds uncovered, and the gaps code named.

    A writing model has read the pages, so its gaps are only shown, and steer nothing (law 9).
    """
    if not state.gaps:
        return ()
    parts = parse_question(state.given.question)
    heavy = [term for term in parts.terms if not term.light]
    shown = named_things("\n".join(sentence.text for sentence in state.sentences))
    uncovered = [term for term in heavy if not shown.names(term)]
    found: list[str] = []
    if uncovered and len(uncovered) < len(heavy):
        found.append(" ".join(term.written for term in uncovered))
    if state.reasoner == EMBEDDED:
        say = words(state.language)
        gaps = [say(gap.what, **gap.params) for gap in state.gaps if gap.what != NEAREST]
        found.extend(what for what in gaps if any(named_things(what).names(term) for term in heavy))
    return tuple(dict.fromkeys(found))[:_MOST_MISSING] or (state.given.question,)
