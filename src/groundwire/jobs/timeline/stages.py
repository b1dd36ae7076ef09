"""The steps of timeline. Outside failures become values here; none is raised."""

from __future__ import annotations

import asyncio
from typing import Any

from groundwire.context import Context
from groundwire.gather.weighing import trace_origins
from groundwire.jobs.timeline import advice, conclusions, memories, planning, research
from groundwire.jobs.timeline.changes import compare, known_again
from groundwire.jobs.timeline.detail import detail_of
from groundwire.jobs.timeline.entries import Material, strengthened
from groundwire.jobs.timeline.gaps import gaps_of, lacking
from groundwire.jobs.timeline.links import explained
from groundwire.jobs.timeline.proposal import Plan
from groundwire.jobs.timeline.result import Changes, Node
from groundwire.jobs.timeline.similar import are_alike, similar
from groundwire.jobs.timeline.skeleton import candidates_of, skeleton_of
from groundwire.jobs.timeline.subject import topic_of
from groundwire.jobs.timeline.threads import (
    both_names,
    gap_query,
    named_in,
    node_query,
    queries_of,
)
from groundwire.jobs.timeline.types import Detailed, State, is_folder, is_living
from groundwire.model.phrase import phrase
from groundwire.model.result import Degraded, Gap
from groundwire.model.run import LAST
from groundwire.model.source import Evidence

_UNSEEN = ("search:", "pages")  # parts without which an event may only not have been found
_FURTHER = 3  # searches more for a thread of which nothing is found
_ALL = 50  # results of a search of which most are of other folders


def plan_of(state: State) -> Plan:
    if state.plan is None:
        raise ValueError("nothing was proposed yet")
    return state.plan


async def propose(context: Context, state: State) -> dict[str, Any]:
    """Propose threads, searches, cost and time, and wait for a person's word."""
    language = planning.language_of(state.given)
    terms = await planning.terms_of(context)
    before = await _confirmed_before(context, state)
    drafted = await planning.draft(context, state, language, terms, before)
    degraded = _once((*state.degraded, *drafted.degraded))
    if state.given.standing:  # the plan was confirmed when the watch was made
        return {"language": language, "plan": drafted.plan, "degraded": degraded}
    alike = await similar(context, drafted.plan.topic)
    degraded = _once((*degraded, *alike.degraded))
    confirmed = (await context.confirm(drafted.plan, offers=alike.offers)).value
    threads = named_in(confirmed.language, confirmed.threads)
    plan = confirmed.model_copy(update={"threads": threads})
    return {
        "language": plan.language,
        "plan": planning.counted(plan, terms, state.limits),
        "degraded": degraded,
    }


async def _confirmed_before(context: Context, state: State) -> research.Earlier | None:
    """Return the run before of a standing one, whose threads a person confirmed."""
    if not (state.given.standing and state.given.since):
        return None
    earlier = await research.earlier_run(context, state)
    if earlier is None or not earlier.threads:
        return None
    return earlier if are_alike(topic_of(state.given.topic), earlier.topic) else None


async def search(context: Context, state: State) -> dict[str, Any]:
    """Make the searches of one thread; in a later round, one for what was missing."""
    plan = plan_of(state)
    if state.given.pages_of:
        return {"found": () if state.at else (await research.pages_of_run(context, state),)}
    if state.round:
        wanted = state.looked_for[state.at]
        queries = [gap_query(wanted, state.language, state.limits.node_results)]
    else:
        queries = queries_of(
            plan.topic,
            plan.threads[state.at],
            state.language,
            both=plan.both_languages,
            today=state.as_of.date(),
            most=_ALL if is_folder(state.given) else state.limits.results,
        )
    found = await research.search_thread(
        context.step(str(state.at)), state, state.at, queries, further=_FURTHER
    )
    return {"found": (found,)}


async def read(context: Context, state: State) -> dict[str, Any]:
    """Read the best pages of all threads in full, each once, and trace their origins."""
    held = {each.document.canonical_url for each in state.evidence}
    fresh = [each for each in state.found if each.round == state.round]
    hits = [h for h in research.interleaved(fresh, state.limits.pages) if h.url not in held]
    pages = await research.read(
        context, plan_of(state).topic, hits, fresh=is_living(context, state.given)
    )
    origins, evidence = await asyncio.to_thread(
        trace_origins, _joined(state.evidence, pages.evidence)
    )
    failures = [each for found in fresh for each in found.degraded]
    return {
        "evidence": evidence,
        "origins": origins,
        "degraded": _once((*state.degraded, *failures, *pages.degraded)),
        "recovered": (
            *state.recovered,
            *(each for found in fresh for each in found.recovered),
            *pages.recovered,
        ),
        "unread": (*state.unread, *(gap for gap in pages.gaps if gap not in state.unread)),
    }


async def skeleton(context: Context, state: State) -> dict[str, Any]:
    """Build the nodes that the pages support, and show them before they are researched further."""
    plan = plan_of(state)
    usable = research.usable(state.evidence, state.given.as_of, state.origins)
    finders = research.finders_of([f for f in state.found if not f.round], usable)
    candidates = await asyncio.to_thread(
        candidates_of, plan, usable, finders, state.language, state.as_of.date()
    )
    advised = await advice.choose(context, state.round, plan, candidates)
    built = await asyncio.to_thread(skeleton_of, plan, advised.candidates)
    fresh = await _named_again(context, state, built.nodes)
    known = {each.id: each for each in state.nodes}
    nodes = tuple(_again(known.get(each.id), each) for each in fresh)
    await context.emit(
        "skeleton",
        {
            "phase": "skeleton",
            "round": state.round,
            "count": len(nodes),
            "partial": any(each.failed == each.searches for each in state.found),
            "nodes": [_brief(each) for each in nodes],
        },
    )
    return {
        "nodes": nodes,
        "short": built.short,
        "reasoner": advised.by,
        "degraded": _once((*state.degraded, *advised.degraded)),
    }


def _again(known: Node | None, fresh: Node) -> Node:
    """Keep what is known of an event, with the dates that the pages of the further round give it."""
    if known is None:
        return fresh
    dates = {each.evidence_id: each for each in (*known.date_sources, *fresh.date_sources)}
    return known.model_copy(update={"date_sources": tuple(dates.values())})


async def _named_again(context: Context, state: State, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Keep the ids that events had in the run before, for calendars and for what is known of each."""
    earlier = await research.earlier_run(context, state) if state.given.since else None
    if earlier is None or not are_alike(plan_of(state).topic, earlier.topic):
        return nodes
    topic = both_names(plan_of(state).topic)
    return await asyncio.to_thread(known_again, nodes, earlier.events, topic)


def _brief(node: Node) -> dict[str, Any]:
    kept = {"id", "date", "precision", "title", "significance", "standing", "thread"}
    return node.model_dump(mode="json", include=kept)


def groups_of(state: State) -> list[tuple[Node, ...]]:
    """Divide the nodes that have no detail yet into those that share a search."""
    size = plan_of(state).nodes_per_search
    open_nodes = [each for each in state.nodes if each.detail is None]
    return [tuple(open_nodes[at : at + size]) for at in range(0, len(open_nodes), size)]


async def detail(context: Context, state: State) -> dict[str, Any]:
    """Make one search for a node, or for several that share it, and tell what its passages tell."""
    plan, nodes = plan_of(state), groups_of(state)[state.at]
    here = context.step(nodes[0].id)
    titles = " ".join(each.title for each in nodes)
    year = nodes[0].interval.begin.year
    searched = {each.node.date for each in state.detailed}
    queries = [node_query(plan.topic, titles, year, state.limits.node_results)]
    if state.given.pages_of or all(each.date in searched for each in nodes):
        queries = []  # everything is at hand, or an earlier round has looked for what happened then
    found = await research.search_thread(here, state, state.at, queries)
    held = {each.document.canonical_url for each in state.evidence}
    hits = [each for each in found.hits if each.url not in held]
    pages = await research.read(here, plan.topic, hits, fresh=is_living(context, state.given))
    everything = research.usable(_joined(state.evidence, pages.evidence), state.given.as_of)
    made: list[Detailed] = []
    failed: list[Degraded] = []
    for node in nodes:
        drafted, material = await asyncio.to_thread(_drafted, node, everything, state)
        written = await advice.detail(here, plan.topic, drafted, material)
        told, detailed = written.node, written.detail
        failed += written.degraded
        await here.step(node.id).emit(
            "detail",
            {
                "phase": "detail",
                "node": node.id,
                "date": node.date,
                "title": node.title,
                "hits": len(found.hits),
                "facts": len(detailed.key_features),
                "detail": detailed.model_dump(mode="json"),
            },
        )
        made.append(Detailed(node=told))
    first = made[0].model_copy(
        update={
            "evidence": pages.evidence,
            "searches": found.searches,
            "failed": found.failed,
            "degraded": (*found.degraded, *pages.degraded, *failed),
            "recovered": (*found.recovered, *pages.recovered),
        }
    )
    return {"detailed": (first, *made[1:])}


def _drafted(node: Node, evidence: tuple[Evidence, ...], state: State) -> tuple[Node, Material]:
    """Add the sources that a search brought, and what all sources tell besides."""
    material = Material.of(evidence, state.language, state.as_of.date())
    node = strengthened(node, material)
    pages = [each for each in material.pages if each.evidence.id in node.citations]
    shared = plan_of(state).nodes_per_search > 1
    detail = detail_of(node, pages, state.language, both_names(plan_of(state).topic))
    return node.model_copy(update={"detail": detail, "shared_search": shared}), material


async def settle(context: Context, state: State) -> dict[str, Any]:
    """Put the details beside their nodes, and name what is thin or missing."""
    details = {each.node.id: each.node for each in state.detailed}
    nodes = tuple(_again(details.get(each.id), each) for each in state.nodes)
    pages = [page for each in state.detailed for page in each.evidence]
    origins, evidence = await asyncio.to_thread(trace_origins, _joined(state.evidence, pages))
    again = not state.round and not state.given.pages_of
    short = state.short is not None
    topic = plan_of(state).topic
    causes = await asyncio.to_thread(explained, nodes, evidence, both_names(topic))
    wanted = lacking(topic, state.language, nodes, causes, short=short) if again else ()
    again = bool(wanted) or (again and len(evidence) > len(state.evidence))
    gaps = gaps_of(state, nodes, causes)
    if not again:
        for gap in gaps:
            await context.emit("gap", {"phase": "gap", **gap.model_dump(mode="json")})
    return {
        "nodes": nodes,
        "evidence": evidence,
        "origins": origins,
        "looked_for": wanted,
        "again": again,
        "gaps": gaps,
        "round": state.round + 1,
        "degraded": _once(
            (*state.degraded, *(d for each in state.detailed for d in each.degraded))
        ),
        "recovered": (*state.recovered, *(r for each in state.detailed for r in each.recovered)),
    }


async def synthesis(context: Context, state: State) -> dict[str, Any]:
    """Say what the history comes to, and what changed; nothing is said without nodes (law 5)."""
    compared = await _compared(context, state) if state.given.since else {}
    recalled = await _recalled(context, state)
    if not state.nodes:
        return {**recalled, **compared}
    plan = plan_of(state)
    pages = research.usable(state.evidence, state.given.as_of, state.origins)
    told, failed = await conclusions.synthesise(
        context, plan.topic, state.language, state.nodes, state.evidence
    )
    text = " ".join(each.text for each in told.sentences)
    await context.emit("synthesis", {"phase": "synthesis", "text": text, "by": told.by})
    links, unlinked = await conclusions.link(
        context, plan.topic, state.language, state.nodes, pages
    )
    degraded = _once((*recalled.get("degraded", state.degraded), *failed, *unlinked))
    return {**recalled, "synthesis": told, "links": links, "degraded": degraded, **compared}


async def _recalled(context: Context, state: State) -> dict[str, Any]:
    """Add what a model remembers of threads without a page, where a person allowed it; never with --strict."""
    plan = plan_of(state)
    bare = memories.empty_threads(plan, state.found)
    if not (state.given.allow_model_memory and bare) or state.given.strict:
        return {}
    today = state.as_of.date().isoformat()
    told, failed = await memories.remembered(context, plan, bare, state.language, today)
    return {
        "unsourced": (*state.unsourced, *told),
        "degraded": _once((*state.degraded, *failed)),
    }


async def _compared(context: Context, state: State) -> dict[str, Any]:
    """Compare with an earlier run; where nothing could be searched, nothing is known to be gone."""
    failed = sum(each.failed for each in (*state.found, *state.detailed))
    if failed and not state.evidence:
        return {}
    earlier = await research.earlier_run(context, state)
    none = "timeline.gap.none_yet" if state.given.since == LAST else "timeline.gap.no_earlier"
    why = none if earlier is None else "timeline.gap.other_topic"
    if earlier is None or not are_alike(plan_of(state).topic, earlier.topic):
        gap = Gap.of(phrase("timeline.gap.changes"), phrase(why))
        return {"gaps": (*state.gaps, gap)}
    topic = both_names(plan_of(state).topic)
    certain = not any(each.part.startswith(_UNSEEN) for each in state.degraded)
    pages = [each.document.text for each in state.evidence]
    found = await asyncio.to_thread(
        compare, earlier.events, state.nodes, topic, pages, certain=certain
    )
    changes = Changes(
        since=earlier.run, at=earlier.at, certain=certain, rows=found.rows, aside=found.aside
    )
    return {"changes": changes}


def _joined(known: tuple[Evidence, ...], more: Any) -> tuple[Evidence, ...]:
    found = {each.id: each for each in known}
    for each in more:
        found.setdefault(each.id, each)
    return tuple(found.values())


def _once(degraded: tuple[Degraded, ...]) -> tuple[Degraded, ...]:
    """Name each part that failed once."""
    found: dict[str, Degraded] = {}
    for each in degraded:
        found.setdefault(each.part, each)
    return tuple(found.values())
