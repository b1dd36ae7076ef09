"""The steps of the deep path. Outside failures become values here; none is raised."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from groundwire.context import Context
from groundwire.evidence.messages.profiles import Profile
from groundwire.evidence.pages.presence import publication_day
from groundwire.evidence.reading.position import position
from groundwire.evidence.sources.official import entities_in
from groundwire.gather.failures import NOTHING, failed_models
from groundwire.gather.searches import most_results
from groundwire.gather.weighing import trace_origins
from groundwire.jobs.verify import decide_tools, domains, history, measuring, policy
from groundwire.jobs.verify.feature_types import Features
from groundwire.jobs.verify.features import day_told, features, overall_stances
from groundwire.jobs.verify.search_result import search_result
from groundwire.jobs.verify.searching import Found, NextSearch, Round
from groundwire.jobs.verify.stances import without_instructions
from groundwire.jobs.verify.types import Held, KeywordSource, State
from groundwire.language.text.script import in_script
from groundwire.model.history import EventQuery
from groundwire.model.measure import failed_tool
from groundwire.model.phrase import phrase
from groundwire.model.result import Degraded, Origin
from groundwire.model.source import Evidence
from groundwire.model.tool import ToolFailure, ToolName, ToolResult
from groundwire.reasoning.plan_queries import in_both_languages
from groundwire.reasoning.question import EMBEDDED

_TOLD_PAGES = 5  # that the planner is told of
_LONGEST_TITLE = 120  # characters


async def context_gather(context: Context, state: State) -> dict[str, Any]:
    """Recall similar past events, with their verdicts and known outcomes."""
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
    """Apply the policy; a model may add tools within it, and always gives the search words."""
    profile = state.profile
    gathered = await asyncio.to_thread(features, state)
    decision = policy.decide(_facts(state, profile, gathered), profile)
    if decision.over:
        await _announce_plan(context, state, decision)
        return {"next_tools": (), "why_stopped": phrase(f"verify.why.{decision.why}")}
    if decision.why == "second_list":
        forced = decision.forced
        await _announce_plan(context, state, decision, forced, keywords=state.keywords)
        return {"next_tools": forced, "why_stopped": None}
    left = (await history.tool_calls(context, f"r{state.round}")).left
    given = _decide_input(state, decision, profile, gathered, left, context.parts.search.usd)
    answer = await context.ask(
        decide_tools.QUESTION, given, language=state.language, occasion=f"r{state.round}"
    )
    wanted, words = answer.value.tools, answer.value.search_keywords
    if answer.vote != "decides" and answer.by != EMBEDDED:
        # An adviser adds: what would be looked for without it is looked for.
        own = await asyncio.to_thread(decide_tools.QUESTION.embedded, given)
        wanted = tuple(dict.fromkeys((*own.tools, *wanted)))
        words = f"{own.search_keywords} {words}"
    tools, ignored = policy.chosen(decision, wanted)
    keywords = decide_tools.keywords_of(words)
    source: KeywordSource = "model"
    if answer.by == EMBEDDED:
        # A model should have given the words and did not; the log says so.
        source = "fallback" if answer.failures else "embedded"
    if not keywords:
        # A message of nothing but pictures and symbols has no words to search for.
        tools = tuple(tool for tool in tools if tool != "search")
    why = None if tools else phrase("verify.why.decided" if keywords else "verify.why.no_claim")
    by = "policy" if decision.forced and tools == decision.forced else answer.by
    await _announce_plan(
        context, state, decision, tools, by, answer.value.reason, ignored, keywords
    )
    return {
        "next_tools": tools,
        "calls_left": left,
        "keywords": keywords,
        "keyword_source": source,
        "why_stopped": why,
        "degraded": (*state.degraded, *failed_models("plan", answer.by, answer.failures)),
    }


async def _announce_plan(
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


def _facts(state: State, profile: Profile, gathered: Features) -> policy.Facts:
    known = [event.similarity for event in state.memory if event.outcome is not None]
    lists = _lists(state, profile)
    # Pages about something else are no origins of this event.
    sided = {*gathered.supports.origins, *gathered.contradicts.origins, *gathered.qualifies.origins}
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
        multi_source=len(gathered.supports.origins) >= state.limits.multi_source_threshold,
        contradiction_open=bool(gathered.supports.origins and gathered.contradicts.origins),
        unheard=len(searched) == 1 and bool(state.search_failures and lists.parties),
        few_origins=len(searched) == 1
        and bool(lists.preferred)
        and len(sided) < state.limits.multi_source_threshold,
        remembered=max(known, default=0.0),
        quota_left=not any(each.error and each.error.code == "quota" for each in state.tools),
    )


def _decide_input(
    state: State,
    decision: policy.Decision,
    profile: Profile,
    gathered: Features,
    left: int,
    search_usd: float,
) -> decide_tools.DecideInput:
    preliminary = state.preliminary
    words = profile.type(preliminary.event_type)
    so_far = ""
    if state.round:
        so_far = (
            f"supports {len(gathered.supports.origins)}, contradicts {len(gathered.contradicts.origins)},"
            f" qualifies {len(gathered.qualifies.origins)}"
        )
    return decide_tools.DecideInput(
        message=state.text,
        language=state.language,
        claim=state.claims[0] if state.claims else "",
        claims=state.claims,
        searches=tuple(_searches(state)),
        pages=tuple(_best_pages(state)),
        event_type=preliminary.event_type,
        confidence=preliminary.confidence,
        memory=state.memory,
        asset=preliminary.asset_name or preliminary.asset,
        names=decide_tools.search_names(state.preliminary, state.text),
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


def _searches(state: State) -> Iterator[str]:
    """Tell what was searched before, and what it brought."""
    for result in state.tools:
        if result.tool == "search":
            data = result.data
            words = " ".join(str(data.get("keyword") or "").split())
            count = data.get("source_count", 0) if result.success else "failed"
            yield f"{words} | {count} | {data.get('independent_origins', 0)}"


def _best_pages(state: State) -> Iterator[str]:
    """Tell the days, publishers, titles and stances of the best pages: those that take a side first."""
    stances = overall_stances(state)
    order: dict[str, int] = {"contradicts": 0, "supports": 0, "qualifies": 1, "unrelated": 2}
    pages = sorted(
        (each.evidence for each in state.held),
        key=lambda page: (order[stances[page.id].label], -page.relevance, page.id),
    )
    for page in pages[:_TOLD_PAGES]:
        document = page.document
        day = publication_day(document) or "?"
        title = " ".join(document.title.split())[:_LONGEST_TITLE]
        yield f"{day} | {document.said_by} | {title} | {stances[page.id].label}"


def after_planning(state: State) -> Literal["executor", "synthesis"]:
    return "executor" if state.next_tools else "synthesis"


async def executor(context: Context, state: State) -> dict[str, Any]:
    """Run the chosen tools side by side, each counted first; then judge stances by code alone."""
    found, results = await _run_tools(context, state)
    clusters, held = await asyncio.to_thread(_weighed, (*state.held, *found.held), state)
    changed = {
        "round": state.round + 1,
        "held": held,
        "origins": clusters,
        "search_failures": state.search_failures + found.failed,
        "degraded": (*state.degraded, *found.degraded),
        "recovered": (*state.recovered, *found.recovered),
        "gaps": (*state.gaps, *(gap for gap in found.gaps if gap not in state.gaps)),
    }
    after = state.model_copy(update=changed)
    if "search" in state.next_tools:
        searched = await asyncio.to_thread(search_result, after, found, context.now())
        results = (searched, *results)
    listed = [each.model_dump(mode="json") for each in clusters]
    for result in results:
        is_search = result.tool == "search"
        await context.step(result.tool).emit(
            "progress",
            {
                "phase": "executor",
                "tool": result.tool,
                "success": result.success,
                "triggered": result.triggered,
                "bearing": result.bearing,
                "results": len(found.hits) if is_search else None,
                "origins": len(clusters) if is_search else None,
                "clusters": listed if is_search else None,
                "error": result.error.model_dump() if result.error else None,
            },
        )
    changed["degraded"] = (*after.degraded, *_refused(results, after.degraded))
    return {**changed, "tools": (*state.tools, *results)}


def _refused(results: Sequence[ToolResult], named: Sequence[Degraded]) -> list[Degraded]:
    """List tools that gave nothing, once each, without causes that are named already."""
    known = {each.part for each in named}
    searching = any(part.startswith("search:") for part in known)
    return [
        Degraded.of(f"tool:{result.tool}", result.error.code, result.error.phrase, NOTHING)
        for result in results
        if result.error is not None
        and f"tool:{result.tool}" not in known
        and not (result.tool == "search" and searching)
    ]


async def _run_tools(context: Context, state: State) -> tuple[Found, tuple[ToolResult, ...]]:
    """Run each tool on one of the day's calls; a refused call is a failed one, not an empty one."""
    refused: dict[ToolName, ToolFailure] = {}
    for tool in state.next_tools:
        grant = await history.take_tool_call(context, f"r{state.round}/{tool}")
        if not grant.granted:
            refused[tool] = ToolFailure.under("quota", grant.phrase)
    measured: list[ToolName] = [
        tool for tool in state.next_tools if tool != "search" and tool not in refused
    ]
    found, results = await asyncio.gather(
        _search(context, state, refused.pop("search", None)),
        asyncio.gather(*(measuring.measure(context.step(tool), state, tool) for tool in measured)),
    )
    failed = (failed_tool(tool, tool, why, context.now()) for tool, why in refused.items())
    return found, (*results, *failed)


async def _search(context: Context, state: State, refusal: ToolFailure | None) -> Found:
    if refusal is not None:
        return Found(failed=1, failure=(refusal.code, refusal.phrase))
    if "search" not in state.next_tools:
        return Found()
    lists = _lists(state, state.profile)
    results = most_results(context, state.limits.results)
    before = any(result.tool == "search" for result in state.tools)
    queries = domains.first_round(state.keywords, lists, results)
    ahead: NextSearch | None = None
    if before:
        # A denial must be seen before anything is called supported: failed queries go out again.
        again = [each for each in queries if each[1].include_domains == lists.parties]
        queries = domains.second_round(state.keywords, lists, results)
        queries = (*queries, *again) if state.search_failures and lists.parties else queries
    elif (
        lists.preferred
        # Another round is within the caps, and the day has a tool call left for it.
        and state.round + 1 < state.limits.max_tool_calls
        and state.calls_left > len(state.next_tools)
    ):

        async def take() -> bool:
            key = f"r{state.round + 1}/search"
            return (await history.take_tool_call(context, key)).granted

        ahead = NextSearch(
            queries=domains.second_round(state.keywords, lists, results),
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


def _lists(state: State, profile: Profile) -> domains.Lists:
    if state.offline:
        return domains.Lists()  # the archive is searched as a whole
    return domains.lists(
        profile,
        state.preliminary.event_type,
        entities_in(state.text),
        state.limits.preferred_domains,
        state.limits.deny_domains,
    )


def _weighed(held: Sequence[Held], state: State) -> tuple[tuple[Origin, ...], tuple[Held, ...]]:
    """Trace origins over all that is held, and judge the stance of what is new."""
    claims = [(claim, day_told(state, claim)) for claim in state.claims]
    clusters, evidence = trace_origins([each.evidence for each in held])

    def weighed(each: Held, traced: Evidence) -> Held:
        read = (position(claim, traced, told=told) for claim, told in claims)
        stances = each.stances or tuple(without_instructions(stance, traced) for stance in read)
        return each.model_copy(update={"evidence": traced, "stances": stances})

    return clusters, tuple(map(weighed, held, evidence))
