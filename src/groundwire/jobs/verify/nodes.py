"""The steps of the deep path. Outside failures become values here; nothing outside is raised."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

from groundwire.context import Context
from groundwire.evidence.messages.profiles import Profile
from groundwire.evidence.pages.injection import injected_instructions
from groundwire.evidence.reading.position import position
from groundwire.evidence.sources.official import entities_in
from groundwire.gather.failures import NOTHING, failed_models
from groundwire.gather.searches import most_results
from groundwire.gather.weighing import trace_origins
from groundwire.jobs.verify import decide_tools, domains, history, measuring, policy
from groundwire.jobs.verify.feature_types import Features
from groundwire.jobs.verify.features import features
from groundwire.jobs.verify.search_result import search_result
from groundwire.jobs.verify.searching import Ahead, Found, Round
from groundwire.jobs.verify.types import Held, KeywordSource, State
from groundwire.language.text.script import in_script
from groundwire.model.history import EventQuery
from groundwire.model.phrase import phrase
from groundwire.model.result import Degraded, Origin
from groundwire.model.source import Evidence
from groundwire.model.stance import SILENT, Stance
from groundwire.model.tool import ToolFailure, ToolName, ToolResult
from groundwire.reasoning.plan_queries import in_both_languages
from groundwire.reasoning.question import EMBEDDED

_NEAR_ORDER = 40  # characters around a quote in which an order to a model makes it one


async def context_gather(context: Context, state: State) -> dict[str, Any]:
    """Similar past events: what was made of them, and how they ended where that is known."""
    first = state.preliminary
    about = first.model_dump(include={"asset", "event_type", "keywords"})
    found = await history.past(context, EventQuery(text=state.text, **about))
    await context.emit(
        "thought",
        {
            "phase": "context_gather",
            "state": found.state,
            "remembered": len(found.events),
            "similarity": max((event.similarity for event in found.events), default=0.0),
        },
    )
    return {"memory": found.events}


async def planner(context: Context, state: State) -> dict[str, Any]:
    """Policy first; then a mind adds tools within it, and the words of a search always."""
    kind = state.profile
    camps = await asyncio.to_thread(features, state)
    decision = policy.decide(_facts(state, kind, camps), kind)
    if decision.over:
        await _planned(context, state, decision)
        return {"next_tools": (), "why_stopped": phrase(f"verify.why.{decision.why}")}
    if decision.why == "second_list":
        forced = decision.forced
        await _planned(context, state, decision, forced, keywords=state.keywords)
        return {"next_tools": forced, "why_stopped": None}
    left = (await history.tool_calls(context, f"r{state.round}")).left
    given = _asked(state, decision, kind, camps, left, context.parts.search.usd)
    answer = await context.ask(
        decide_tools.QUESTION, given, language=state.language, occasion=f"r{state.round}"
    )
    tools, ignored = policy.chosen(decision, answer.value.tools)
    keywords = decide_tools.keywords_of(answer.value.search_keywords)
    source: KeywordSource = "model"
    if answer.by == EMBEDDED:
        # A model was to give the words and did not: the rules' own, and the log says so.
        source = "fallback" if answer.failures else "embedded"
    if not keywords:
        # Nothing but pictures and marks: there are no words to look for.
        tools = tuple(tool for tool in tools if tool != "search")
    why = None if tools else phrase("verify.why.decided" if keywords else "verify.why.no_claim")
    by = "policy" if decision.forced and tools == decision.forced else answer.by
    await _planned(context, state, decision, tools, by, answer.value.reason, ignored, keywords)
    return {
        "next_tools": tools,
        "calls_left": left,
        "keywords": keywords,
        "keyword_source": source,
        "why_stopped": why,
        "degraded": (*state.degraded, *failed_models("plan", answer.by, answer.failures)),
    }


async def _planned(
    context: Context,
    state: State,
    decision: policy.Decision,
    tools: Sequence[str] = (),
    by: str = "policy",
    reason: str = "",
    ignored: Sequence[str] = (),
    keywords: str = "",
) -> None:
    await context.emit(
        "thought",
        {
            "phase": "planner",
            "tools": list(tools),
            "keywords": keywords,
            "why": decision.why,
            "reason": reason,
            "by": by,
            "ignored": list(ignored),
            "round": min(state.round + 1, state.limits.max_tool_calls),
            "of": state.limits.max_tool_calls,
        },
    )


def _facts(state: State, kind: Profile, camps: Features) -> policy.Facts:
    known = [event.similarity for event in state.memory if event.outcome is not None]
    which = _lists(state, kind)
    # Pages about something else are no origins of what is told.
    sided = {*camps.supports.origins, *camps.contradicts.origins, *camps.qualifies.origins}
    searched = [result for result in state.tools if result.tool == "search"]
    return policy.Facts(
        event_type=state.preliminary.event_type,
        by_hand=not state.given.gate,
        enabled=state.enabled,
        used=tuple(dict.fromkeys(result.tool for result in state.tools)),
        failed=tuple(dict.fromkeys(each.tool for each in state.tools if not each.success)),
        offline=state.offline,
        rounds=state.round,
        max_rounds=state.limits.max_tool_calls,
        multi_source=len(camps.supports.origins) >= state.limits.multi_source_threshold,
        contradiction_open=bool(camps.supports.origins and camps.contradicts.origins),
        unheard=len(searched) == 1 and bool(state.search_failures and which.parties),
        few_origins=len(searched) == 1
        and bool(which.preferred)
        and len(sided) < state.limits.multi_source_threshold,
        remembered=max(known, default=0.0),
        quota_left=not any(each.error and each.error.code == "quota" for each in state.tools),
    )


def _asked(
    state: State,
    decision: policy.Decision,
    kind: Profile,
    camps: Features,
    left: int,
    search_usd: float,
) -> decide_tools.DecideInput:
    preliminary = state.preliminary
    words = kind.type(preliminary.event_type)
    so_far = ""
    if state.round:
        so_far = (
            f"{len(camps.supports.origins)} independent origins support it,"
            f" {len(camps.contradicts.origins)} contradict it,"
            f" {len(camps.qualifies.origins)} qualify it"
        )
    return decide_tools.DecideInput(
        message=state.text,
        language=state.language,
        claim=state.claims[0] if state.claims else "",
        event_type=preliminary.event_type,
        confidence=preliminary.confidence,
        memory=state.memory,
        asset=preliminary.asset_name or preliminary.asset,
        names=_names(state),
        amounts=preliminary.amounts,
        event_words=(*words.queries.en, *in_script(words.queries.zh, state.language)),
        official_words=(*words.official.en, *in_script(words.official.zh, state.language)),
        forced=decision.forced,
        allowed=decision.may_add,
        searched=any(result.tool == "search" for result in state.tools),
        so_far=so_far,
        calls_left=left,
        search_usd=search_usd,
        round=state.round + 1,
        max_rounds=state.limits.max_tool_calls,
    )


def _names(state: State) -> tuple[str, ...]:
    """The asset by both its names, then the parties that the message names, as their press does."""
    preliminary = state.preliminary
    parties = [
        name.removeprefix("~")
        for party in entities_in(state.text)
        for name in (*party.en[:1], *party.zh_hans[:1])
    ]
    names = (preliminary.asset_name, preliminary.asset, *parties)
    return tuple(dict.fromkeys(name for name in names if name))


def more(state: State) -> Literal["executor", "synthesis"]:
    return "executor" if state.next_tools else "synthesis"


async def executor(context: Context, state: State) -> dict[str, Any]:
    """The chosen tools side by side, each counted before it runs; then stances, by code alone."""
    found, results = await _run_tools(context, state)
    clusters, held = await asyncio.to_thread(_weighed, (*state.held, *found.held), state)
    changed = {
        "round": state.round + 1,
        "held": held,
        "origins": clusters,
        "search_failures": state.search_failures + found.failed,
        "degraded": (*state.degraded, *found.degraded),
    }
    after = state.model_copy(update=changed)
    if "search" in state.next_tools:
        told = await asyncio.to_thread(search_result, after, found, context.now())
        results = (told, *results)
    listed = [each.model_dump(mode="json") for each in clusters]
    for result in results:
        searched = result.tool == "search"
        await context.step(result.tool).emit(
            "progress",
            {
                "phase": "executor",
                "tool": result.tool,
                "success": result.success,
                "triggered": result.triggered,
                "bearing": result.bearing,
                "results": len(found.hits) if searched else None,
                "origins": len(clusters) if searched else None,
                "clusters": listed if searched else None,
                "error": result.error.model_dump() if result.error else None,
            },
        )
    changed["degraded"] = (*after.degraded, *_refused(results, after.degraded))
    return {**changed, "tools": (*state.tools, *results)}


def _refused(results: Sequence[ToolResult], named: Sequence[Degraded]) -> list[Degraded]:
    """Tools that gave nothing, by their cause; once each, and no cause that is named already."""
    known = {each.part for each in named}
    searching = any(part.startswith("search:") for part in known)
    return [
        Degraded.of(f"tool:{result.tool}", result.error.code, result.error.said, NOTHING)
        for result in results
        if result.error is not None
        and f"tool:{result.tool}" not in known
        and not (result.tool == "search" and searching)
    ]


async def _run_tools(context: Context, state: State) -> tuple[Found, tuple[ToolResult, ...]]:
    """Each tool takes one call of the day's; what is refused is a failed call, not an empty one."""
    refused: dict[ToolName, ToolFailure] = {}
    for tool in state.next_tools:
        grant = await history.take_tool_call(context, f"r{state.round}/{tool}")
        if not grant.granted:
            refused[tool] = ToolFailure.under("quota", grant.said)
    measured: list[ToolName] = [
        tool for tool in state.next_tools if tool != "search" and tool not in refused
    ]
    found, results = await asyncio.gather(
        _search(context, state, refused.pop("search", None)),
        asyncio.gather(*(measuring.measure(context.step(tool), state, tool) for tool in measured)),
    )
    failed = (measuring.failed(tool, why, context.now()) for tool, why in refused.items())
    return found, (*results, *failed)


async def _search(context: Context, state: State, refusal: ToolFailure | None) -> Found:
    if refusal is not None:
        return Found(failed=1, failure=(refusal.code, refusal.said))
    if "search" not in state.next_tools:
        return Found()
    which = _lists(state, state.profile)
    results = most_results(context, state.limits.results)
    before = any(result.tool == "search" for result in state.tools)
    queries = domains.first_round(state.keywords, which, results)
    ahead: Ahead | None = None
    if before:
        # A denial is to be seen before anything is called supported: who failed is asked again.
        again = [each for each in queries if each[1].include_domains == which.parties]
        queries = domains.second_round(state.keywords, which, results)
        queries = (*queries, *again) if state.search_failures and which.parties else queries
    elif (
        which.preferred
        # A round after this one is within the caps, and the day has a tool call for it.
        and state.round + 1 < state.limits.max_tool_calls
        and state.calls_left > len(state.next_tools)
    ):

        async def take() -> bool:
            key = f"r{state.round + 1}/search"
            return (await history.take_tool_call(context, key)).granted

        ahead = Ahead(
            queries=domains.second_round(state.keywords, which, results),
            occasion=f"r{state.round + 1}",
            enough=state.limits.multi_source_threshold,
            patience=state.limits.patience,
            take=take,
        )
    return await Round(
        context=context.step("search"),
        queries=queries,
        known=state.held,
        pages=state.limits.pages,
        occasion=f"r{state.round}",
        as_of=state.as_of,
        wanted=in_both_languages(state.claims[0] if state.claims else state.text),
        named=frozenset(each.part for each in state.degraded),
        ahead=ahead,
    ).run()


def _lists(state: State, kind: Profile) -> domains.Lists:
    if state.offline:
        return domains.Lists()  # the archive is small enough to be searched as a whole
    return domains.lists(
        kind,
        state.preliminary.event_type,
        entities_in(state.text),
        state.limits.preferred_domains,
        state.limits.deny_domains,
    )


def _weighed(held: Sequence[Held], state: State) -> tuple[tuple[Origin, ...], tuple[Held, ...]]:
    """Origins over all that is held, and the stance of what is new; in a thread, it takes a while."""
    day = state.moment.said.date()
    clusters, evidence = trace_origins([each.evidence for each in held])

    def weighed(each: Held, traced: Evidence) -> Held:
        read = (position(claim, traced, told=day) for claim in state.claims)
        stances = each.stances or tuple(_unordered(stance, traced) for stance in read)
        return each.model_copy(update={"evidence": traced, "stances": stances})

    return clusters, tuple(map(weighed, held, evidence))


def _unordered(stance: Stance, evidence: Evidence) -> Stance:
    """Words that stand with orders to a model show no stance (law 9)."""
    if "injection" not in evidence.flags or stance.label == "unrelated":
        return stance
    start, end = max(0, stance.start - _NEAR_ORDER), stance.end + _NEAR_ORDER
    return SILENT if injected_instructions(evidence.document.text[start:end]) else stance
