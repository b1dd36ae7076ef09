"""The steps of ask. Outside failures become values here; nothing outside is raised."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

from groundwire.context import Context
from groundwire.errors import BreakerOpen, OutsideFailure
from groundwire.evidence.pages.assembly import announced
from groundwire.evidence.sources.origins import origins
from groundwire.jobs.ask import write_answer
from groundwire.jobs.ask.checking import check_written
from groundwire.jobs.ask.passages import choose
from groundwire.jobs.ask.planning import merged, missing_of
from groundwire.jobs.ask.types import State
from groundwire.language.text.script import in_script, language_of_question
from groundwire.language.text.tokens import detect_language
from groundwire.llm.answer import Failure
from groundwire.model.query import Hit, Query, SearchReport
from groundwire.model.result import Degraded, Gap, Origin
from groundwire.model.source import Evidence, NumberedPassage
from groundwire.reasoning import plan_queries

_SENTENCES = 8  # of an answer, at most


async def plan(context: Context, state: State) -> dict[str, Any]:
    """Queries in both languages; the model may choose the words, never whether to search."""
    language = state.given.language
    if language == "auto":
        language = language_of_question(detect_language(state.given.question))
    given = plan_queries.PlanInput(
        question=state.given.question,
        language=language,
        today=context.now().date().isoformat(),
        max_queries=state.limits.queries,
        missing=missing_of(state),
        tried=state.tried,
    )
    answer = await context.ask(
        plan_queries.QUESTION, given, language=language, occasion=f"r{state.round}"
    )
    planned = merged(given, answer.value, answer.by)
    queries = tuple(
        Query(text=each.text, language=each.language, max_results=state.limits.results)
        for each, _ in planned
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
        "degraded": (*state.degraded, *_degraded("plan", answer.by, answer.failures)),
    }


async def search(context: Context, state: State) -> dict[str, Any]:
    """All queries side by side. A failed search and an empty one stay different."""
    reports = await asyncio.gather(
        *(
            _search_one(context.step(str(number)), query, f"r{state.round}")
            for number, query in enumerate(state.queries)
        )
    )
    failed = [report for report in reports if report.failed]
    degraded = list(state.degraded)
    named = {each.part for each in degraded}
    failures = [(report, failure) for report in reports for failure in report.failures]
    # Which query found the breaker open is chance; why it is open is not.
    for report, failure in sorted(failures, key=lambda pair: pair[1].code == BreakerOpen.code):
        part = f"search:{failure.provider}"
        if part not in named:
            named.add(part)
            silent = {each.provider for each in report.failures}
            others = [name for name in report.providers if name not in silent]
            instead = f"answered by {', '.join(others)}" if others else "nothing"
            degraded.append(
                Degraded(part=part, code=failure.code, reason=failure.message, instead=instead)
            )
    fresh = _new_hits(reports, state.evidence)
    return {
        "searched": state.searched + len(reports),
        "search_failures": state.search_failures + len(failed),
        "degraded": tuple(degraded),
        "hits": tuple(fresh[: state.limits.pages]),
    }


async def _search_one(context: Context, query: Query, occasion: str) -> SearchReport:
    report = await context.search(query, occasion)
    await context.emit(
        "progress",
        {
            "phase": "search",
            "query": query.text,
            "hits": len(report.hits),
            "failures": [failure.model_dump() for failure in report.failures],
        },
    )
    return report


def _new_hits(reports: list[SearchReport], known: tuple[Evidence, ...]) -> list[Hit]:
    """Best rank first over all queries, one hit a page, pages already held left out."""
    held = {evidence.document.canonical_url for evidence in known}
    best: dict[str, tuple[int, Hit]] = {}
    for report in reports:
        for rank, hit in enumerate(report.hits):
            if hit.url in held:
                continue
            previous = best.get(hit.url)
            if previous is None or rank < previous[0]:
                best[hit.url] = (rank, hit)
    ordered = sorted(best.values(), key=lambda pair: (pair[0], -pair[1].relevance, pair[1].url))
    return [hit for _, hit in ordered]


async def read(context: Context, state: State) -> dict[str, Any]:
    """The best pages in full; what cannot be read is kept as a snippet and counted."""
    found = await asyncio.gather(
        *(_read_one(context.step(str(number)), hit) for number, hit in enumerate(state.hits))
    )
    evidence = {each.id: each for each in state.evidence}
    fresh = 0
    for each, _ in found:
        if each is not None and each.id not in evidence:
            evidence[each.id] = each
            fresh += 1
    unread = sum(1 for each, _ in found if each is None or each.kind == "snippet")
    asked = sum(1 for hit in state.hits if hit.document_id is None)
    return {
        "evidence": tuple(evidence.values()),
        "unread": state.unread + unread,
        "new_evidence": fresh,
        "degraded": (*state.degraded, *_unreached([why for _, why in found], asked)),
    }


def _unreached(failures: Sequence[OutsideFailure | None], asked: int) -> tuple[Degraded, ...]:
    """A page that fails is ordinary; when most of them fail, reading itself did."""
    faults = [
        each
        for each in failures
        if each is not None and (each.provider_fault or isinstance(each, BreakerOpen))
    ]
    if 2 * len(faults) <= asked:
        return ()
    reason = f"{len(faults)} of {asked} pages could not be read: {faults[0].message}"
    return (Degraded(part="pages", code=faults[0].code, reason=reason, instead="their snippets"),)


async def _read_one(context: Context, hit: Hit) -> tuple[Evidence | None, OutsideFailure | None]:
    failure: OutsideFailure | None = None
    try:
        evidence = await context.read(hit)
    except OutsideFailure as error:
        failure = error
        evidence = await context.snippet(hit) if hit.content.strip() else None
        await context.emit(
            "warning",
            {
                "phase": "read",
                "url": hit.url,
                "code": error.code,
                "message": error.message,
                "instead": "snippet" if evidence else "nothing",
            },
        )
        if evidence is None:
            return None, failure
    await context.emit("evidence", {"phase": "read", **announced(evidence)})
    return evidence, failure


async def weigh(context: Context, state: State) -> dict[str, Any]:
    """Origins, then the passages that bear on the question, numbered."""
    # The longest computation of a run: on the event loop it would hold every other run and reader.
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
    clusters = origins(state.evidence)
    of = {member: cluster.id for cluster in clusters for member in cluster.members}
    evidence = tuple(
        each.model_copy(update={"origin_id": of.get(each.id, each.id)}) for each in state.evidence
    )
    return (
        clusters,
        evidence,
        choose(state.given.question, state.tried, evidence, state.limits.passages),
    )


def anything_to_write_from(state: State) -> Literal["write", "check"]:
    """No evidence, no writing (law 5)."""
    return "write" if state.passages else "check"


async def write(context: Context, state: State) -> dict[str, Any]:
    given = write_answer.WriteInput(
        question=state.given.question,
        language=state.language,
        today=context.now().date().isoformat(),
        max_sentences=_SENTENCES,
        passages=state.passages,
    )
    answer = await context.ask(
        write_answer.QUESTION, given, language=state.language, occasion=f"r{state.round}"
    )
    return {
        "written": answer.value,
        "reasoner": answer.by,
        "degraded": (*state.degraded, *_degraded("write", answer.by, answer.failures)),
    }


async def check(context: Context, state: State) -> dict[str, Any]:
    """Quote or drop (law 2): what is shown is a checked sentence."""
    outcome = check_written(state)
    for number, sentence in enumerate(outcome.sentences):
        await context.step(str(number)).emit("answer", sentence.model_dump(mode="json"))
    gaps = (*outcome.gaps, *_search_gaps(state))
    for gap in gaps:
        await context.emit("gap", gap.model_dump())
    return {
        "sentences": outcome.sentences,
        "unsupported": outcome.unsupported,
        "contested": outcome.contested,
        "checks": outcome.checks,
        "gaps": gaps,
        "round": state.round + 1,
    }


def another_round(state: State) -> Literal["again", "done"]:
    """Deeper only as far as asked, towards named gaps, and while rounds bring something new."""
    if state.round > state.given.deep or not state.gaps:
        return "done"
    return "again" if state.new_evidence or state.round == 1 else "done"


_NOTHING = {
    "failed": ("every search failed", "所有搜索都失败了"),
    "partly": (
        "some searches failed and the others found nothing",
        "部分搜索失败，其余没有找到相关内容",
    ),
    "empty": ("nothing was found", "没有找到相关内容"),
}


def _search_gaps(state: State) -> tuple[Gap, ...]:
    """What a person is told when there is nothing to write from: failure is not emptiness."""
    if state.passages:
        return ()
    why = "empty"
    if state.search_failures:
        why = "failed" if state.search_failures == state.searched else "partly"
    en, zh = _NOTHING[why]
    told = in_script(zh, state.language) if state.language.startswith("zh") else en
    return (Gap(what=state.given.question, why=told),)


def _degraded(part: str, by: str, failures: tuple[Failure, ...]) -> tuple[Degraded, ...]:
    return tuple(
        Degraded(
            part=f"model:{failure.model} ({part})",
            code=failure.code,
            reason=failure.message,
            instead=f"answered by {by}",
        )
        for failure in failures
    )
