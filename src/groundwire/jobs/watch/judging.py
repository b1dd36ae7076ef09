"""The last steps of a watch: what the pages come to, how good that is, and what is told of it."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

from groundwire.context import Context
from groundwire.gather.failures import failed_models
from groundwire.gather.reviewing import review
from groundwire.jobs.watch import brief, disputes, find_contradictions, write_brief
from groundwire.jobs.watch.aspects import narrowed
from groundwire.jobs.watch.critique import critique_of
from groundwire.jobs.watch.differing import differing
from groundwire.jobs.watch.directing import direct
from groundwire.jobs.watch.edits import edits
from groundwire.jobs.watch.expanding import shown
from groundwire.jobs.watch.ledger.claims import Compared, Today
from groundwire.jobs.watch.ledger.comparison import compare
from groundwire.jobs.watch.news import news
from groundwire.jobs.watch.reading import usable
from groundwire.jobs.watch.subject import spellings
from groundwire.jobs.watch.thoughts import asked, tell_failures, think
from groundwire.jobs.watch.types import State
from groundwire.model.phrase import phrase
from groundwire.model.result import Checks, Contested, Degraded, Gap, Sentence, Unsupported
from groundwire.reasoning.question import EMBEDDED
from groundwire.reasoning.quoting import places_of

_SHOWN = 24  # passages in which contradictions are looked for


def today(state: State) -> Today:
    """Return the day of reading: a cited page that did not answer says nothing today."""
    outcomes = [each for again in state.again for each in again.outcomes]
    silent = {each.url for each in outcomes if each.outcome in ("gone", "failed")}
    pages = [each for each in usable(state) if each.document.canonical_url not in silent]
    names = spellings(state.names, (each.document.text for each in pages))
    return Today(names=names, at=state.now, pages=tuple(pages), reread=tuple(outcomes))


# --- critique ------------------------------------------------------------------------------------


async def critique(context: Context, state: State) -> dict[str, Any]:
    """Read the claims, compare them with what was believed, and rate the brief to come."""
    before = None if state.first else state.before
    compared = await asyncio.to_thread(compare, before, today(state))
    compared = await asyncio.to_thread(narrowed, compared, state.subject)
    found = await asyncio.to_thread(critique_of, state, compared.ledger.claims)
    batches, failed = await direct(context, state, compared, found)
    await tell_failures(context, failed)
    await think(
        context,
        "critiquing",
        phrase("watch.thought.critiquing", claims=len(compared.ledger.claims)),
        action=phrase("watch.action.directed", n=len(batches)) if batches else None,
        observation=phrase(
            "watch.seen.critiquing",
            overall=f"{found.overall:.2f}",
            credibility=f"{found.credibility:.2f}",
            coverage=f"{found.coverage:.2f}",
            quality=f"{found.quality:.2f}",
        ),
        critique=found.model_dump(mode="json"),
    )
    more = {"compared": compared, "critique": found, "degraded": state.once(*failed)}
    if not batches:
        return {**more, "more": False}
    return {
        **more,
        "more": True,
        "directed": state.directed + 1,
        "queue": batches,
        "round": state.round + 1,
    }


# --- synthesis -----------------------------------------------------------------------------------


async def synthesize(context: Context, state: State) -> dict[str, Any]:
    """Write the brief: what is new, what changed, what is contested, what is missing."""
    compared = state.compared or Compared(ledger=state.before)
    contradictions, failed_points = await _contradictions(context, state, compared)
    written = await _written(context, state, compared)
    failed = (*failed_points, *written.failed)
    await tell_failures(context, failed)
    gaps = _gaps(state, compared)
    reader = _reader(state)
    noticed = await asyncio.to_thread(news, compared, reader, state.given.conditions)
    edited = await edits(context, compared.changes, usable(state))
    found = await asyncio.to_thread(
        brief.sections_of, compared, noticed, reader, first=state.first, gaps=gaps
    )
    sentences = brief.with_all_pages(written.sentences, found)
    unsupported = written.unsupported
    for number, sentence in enumerate(sentences):
        await context.step(str(number)).emit("answer", sentence.model_dump(mode="json"))
    for gap in gaps:
        await context.emit("gap", gap.model_dump(mode="json"))
    kinds = {
        kind: sum(each.kind == kind for each in compared.changes)
        for kind in ("new", "changed", "confirmed", "withdrawn", "contested")
    }
    told = any(each.told for each in noticed)
    nothing = phrase("watch.seen.nothing_changed", pages=len(state.evidence))
    seen = phrase("watch.seen.changes", **kinds) if compared.changes else nothing
    first = phrase("watch.seen.first", n=len(compared.ledger.claims), pages=len(state.evidence))
    await think(
        context,
        "synthesizing",
        phrase("watch.thought.synthesizing"),
        action=phrase("watch.action.alert") if told else None,
        observation=first if state.first else seen,
        alert=told,
    )
    verdicts = [each.verdict for section in found for each in section.sentences]
    return {
        "compared": compared,
        "contradictions": contradictions,
        "summary": sentences,
        "sections": found,
        "unsupported": unsupported,
        "checks": Checks(
            supported=verdicts.count("supported"),
            qualified=verdicts.count("qualified"),
            contested=verdicts.count("contested"),
            unsupported=len(unsupported),
        ),
        "changes": noticed,
        "edits": edited,
        "told": await asyncio.to_thread(brief.told_otherwise, compared, reader),
        "alert": told,
        "gaps": gaps,
        "reasoner": written.by,
        "recovered": state.all_recovered,
        "degraded": state.once(*failed),
    }


def _reader(state: State) -> brief.Reader:
    return brief.Reader(state.language, {each.id: each for each in state.evidence})


class _Written(NamedTuple):
    """Checked sentences, and who wrote them."""

    by: str = EMBEDDED
    sentences: tuple[Sentence, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    failed: tuple[Degraded, ...] = ()


async def _written(context: Context, state: State, compared: Compared) -> _Written:
    """Have the brief written from the passages of the claims; without any, nothing is (law 5)."""
    drafted = await asyncio.to_thread(
        brief.draft, compared, _reader(state), first=state.first, names=state.names
    )
    if not drafted.passages:
        return _Written()
    given = write_brief.BriefInput(
        command=state.given.command,
        subject=state.subject,
        language=state.language,
        today=state.now.date().isoformat(),
        claims=drafted.claims,
        passages=drafted.passages,
    )
    answer = await asked(context, write_brief.QUESTION, given, state.language)
    failed = failed_models("write", answer.by, answer.failures)
    pages = places_of(drafted.passages, state.evidence)

    async def stated(told: write_brief.Brief, by: str) -> brief.Stated:
        checked = await asyncio.to_thread(brief.check_brief, told, pages, state.subject)
        if by != EMBEDDED:
            checked = await review(context, checked, state.evidence, state.language)
        return brief.stated(checked, pages, compared.ledger.claims)

    own = await stated(write_brief.in_own_words(given), EMBEDDED)
    if answer.by == EMBEDDED:
        return _Written(EMBEDDED, *own, failed)
    told = await stated(answer.value, answer.by)
    if answer.vote != "decides":
        sentences = brief.translated(own.sentences, told.sentences, state.language)
        by = EMBEDDED if sentences == own.sentences else answer.by
        return _Written(by, sentences, own.unsupported, failed)
    if not told.sentences:
        return _Written(EMBEDDED, own.sentences, told.unsupported, failed)
    changed = await stated(write_brief.in_own_words(given, "changed"), EMBEDDED)
    sentences = brief.completed(told.sentences, changed.sentences)
    return _Written(answer.by, sentences, told.unsupported, failed)


async def _contradictions(
    context: Context, state: State, compared: Compared
) -> tuple[tuple[Contested, ...], tuple[Degraded, ...]]:
    """Set what pages contradict each other on next to each other: what code holds, and what a model adds."""
    own = disputes.of_claims(compared.ledger.claims)
    found = await asyncio.to_thread(differing, usable(state), state.names, state.language)
    own = disputes.joined(own, found)
    passages = await asyncio.to_thread(shown, state, _SHOWN)
    seen = frozenset(each.url for each in state.before.pages)
    if not passages:
        return disputes.told(own, compared.ledger.claims, seen), ()
    given = find_contradictions.ContradictionInput(
        subject=state.subject, language=state.language, passages=passages
    )
    answer = await asked(context, find_contradictions.QUESTION, given, state.language)
    pages = places_of(passages, state.evidence)
    found = await asyncio.to_thread(disputes.counted, own, answer, pages, state.subject)
    return disputes.told(found, compared.ledger.claims, seen), failed_models(
        "contradictions", answer.by, answer.failures
    )


def _gaps(state: State, compared: Compared) -> tuple[Gap, ...]:
    """Name what could not be had: platforms, sub-tasks, pages that did not answer, and no claim at all."""
    gaps = [*state.gaps, *(gap for each in state.searched for gap in each.gaps)]
    gaps += [
        Gap.of(state.planned.tasks[each.batch.task].task, phrase("watch.gap.failed"))
        for each in state.searched
        if each.unanswered and each.batch.task is not None and not each.gaps
    ]
    if compared.not_seen:
        pages = len({each.url for each in compared.not_seen})
        gaps.append(
            Gap.of(
                phrase("watch.gap.not_seen", n=len(compared.not_seen)),
                phrase("watch.gap.unread", pages=pages),
            )
        )
    if not compared.ledger.claims:
        read = len(state.evidence)
        why = phrase("watch.gap.no_claims", n=read) if read else phrase("watch.gap.nothing_found")
        gaps.append(Gap.of(state.subject, why))
    once = {(each.what, each.why, str(each.params)): each for each in gaps}
    return tuple(once.values())
