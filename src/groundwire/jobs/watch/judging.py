"""The last steps of a watch: what the pages come to, how good that is, and what is told of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from groundwire.context import Context
from groundwire.gather.failures import failed_models
from groundwire.gather.reviewing import review
from groundwire.jobs.watch import brief, explain_critique, find_contradictions, write_brief
from groundwire.jobs.watch.alerts import alerts
from groundwire.jobs.watch.critique import covered, critique_of, supported
from groundwire.jobs.watch.expanding import shown
from groundwire.jobs.watch.ledger.claims import Compared, Today
from groundwire.jobs.watch.ledger.comparison import compare
from groundwire.jobs.watch.reading import usable
from groundwire.jobs.watch.result import Critique
from groundwire.jobs.watch.subject import spellings
from groundwire.jobs.watch.thoughts import tell_failures, think
from groundwire.jobs.watch.types import Batch, Search, State
from groundwire.model.claim import Checked
from groundwire.model.phrase import phrase
from groundwire.model.result import Checks, Contested, Degraded, Gap, Sentence, Unsupported
from groundwire.reasoning.question import EMBEDDED
from groundwire.words import words

_SHOWN = 24  # passages in which contradictions are looked for
_CLAIMS = 24  # that a critic is shown


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
    compared = await asyncio.to_thread(compare, None if state.first else state.before, today(state))
    found = await asyncio.to_thread(critique_of, state, compared.ledger.claims)
    asked = await _explained(context, state, compared, found)
    found, queries, failed = asked
    await tell_failures(context, failed)
    batches = _directed(state, compared, found, queries)
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


async def _explained(
    context: Context, state: State, compared: Compared, found: Critique
) -> tuple[Critique, tuple[str, ...], tuple[Degraded, ...]]:
    """Let a model say what is weak; the numbers stay those of code."""
    say = words(state.language)
    done = covered(state, compared.ledger.claims)
    tasks = [each.task for each in state.planned.tasks]
    given = explain_critique.CritiqueInput(
        command=state.given.command,
        language=state.language,
        numbers=f"{found.credibility} / {found.coverage} / {found.quality} / {found.overall}",
        tasks=tuple(tasks),
        uncovered=tuple(task for place, task in enumerate(tasks) if place not in done),
        claims=tuple(each.text for each in compared.ledger.claims if supported(each))[:_CLAIMS],
        notes=tuple(say.phrases((each,)) for each in found.notes),
    )
    answer = await context.ask(
        explain_critique.QUESTION, given, language=state.language, occasion=f"r{state.round}"
    )
    explained = found.model_copy(update={"explanation": answer.value.explanation, "by": answer.by})
    failed = failed_models("critique", answer.by, answer.failures)
    return explained, answer.value.queries, failed


def _directed(
    state: State, compared: Compared, found: Critique, queries: Sequence[str]
) -> tuple[Batch, ...]:
    """Make one more round where the brief is weak: for the sub-tasks that have no claim yet."""
    idle = bool(state.given.feeds) and not any(each.made for each in state.searched)
    spent = (
        idle or state.directed or state.round + 1 >= state.given.max_steps or state.end == "budget"
    )
    if found.overall >= state.limits.enough or spent:
        return ()
    done = covered(state, compared.ledger.claims)
    name = state.names[0] if state.names else state.subject
    batches: list[Batch] = []
    for place, task in enumerate(state.planned.tasks):
        if place not in done:
            text = task.task if name in task.task else f"{name} {task.task}"
            batches.append(Batch(task=place, searches=(Search(text=text),)))
    for each in queries:
        text = each if name in each else f"{name} {each}"
        batches.append(Batch(task=None, searches=(Search(text=text),)))
    tried = set(state.tried)
    return tuple(each for each in batches if each.searches[0].text not in tried)


# --- synthesis -----------------------------------------------------------------------------------


async def synthesize(context: Context, state: State) -> dict[str, Any]:
    """Write the brief: what is new, what changed, what is contested, what is missing."""
    compared = state.compared or Compared(ledger=state.before)
    contradictions, failed_points = await _contradictions(context, state)
    written = await _written(context, state, compared)
    failed = (*failed_points, *written.failed)
    await tell_failures(context, failed)
    gaps = _gaps(state, compared)
    found = await asyncio.to_thread(
        brief.sections_of, compared, _reader(state), first=state.first, gaps=gaps
    )
    sentences, unsupported = written.sentences, written.unsupported
    for number, sentence in enumerate(sentences):
        await context.step(str(number)).emit("answer", sentence.model_dump(mode="json"))
    for gap in gaps:
        await context.emit("gap", gap.model_dump(mode="json"))
    kinds = {
        kind: sum(each.kind == kind for each in compared.changes)
        for kind in ("new", "changed", "confirmed", "withdrawn", "contested")
    }
    told = alerts(compared, state.given.conditions)
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
        "alert": told,
        "gaps": gaps,
        "reasoner": written.by,
        "recovered": (*(r for each in state.searched for r in each.recovered), *state.recovered),
        "degraded": state.once(*failed),
    }


def _reader(state: State) -> brief.Reader:
    return brief.Reader(state.language, {each.id: each for each in state.evidence})


class _Written:
    """Checked sentences, and who wrote them."""

    def __init__(
        self,
        by: str = EMBEDDED,
        sentences: tuple[Sentence, ...] = (),
        unsupported: tuple[Unsupported, ...] = (),
        failed: tuple[Degraded, ...] = (),
    ) -> None:
        self.by = by
        self.sentences = sentences
        self.unsupported = unsupported
        self.failed = failed


async def _written(context: Context, state: State, compared: Compared) -> _Written:
    """Have the brief written from the passages of the claims; without any, nothing is (law 5)."""
    drafted = await asyncio.to_thread(brief.draft, compared, _reader(state), first=state.first)
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
    answer = await context.ask(write_brief.QUESTION, given, language=state.language)
    pages = brief.numbered(state.evidence, drafted.passages)
    checked: tuple[Checked, ...] = await asyncio.to_thread(
        brief.check_brief, answer.value, pages, state.subject
    )
    if answer.by != EMBEDDED:
        checked = await review(context, checked, state.evidence, state.language)
    sentences, unsupported = brief.stated(checked, pages, compared.ledger.claims)
    if not sentences:
        # Nothing of a model's stands: the pages say it in their own sentences.
        own = write_brief.QUESTION.embedded(given)
        checked = await asyncio.to_thread(brief.check_brief, own, pages, state.subject)
        sentences, _ = brief.stated(checked, pages, compared.ledger.claims)
    return _Written(
        answer.by, sentences, unsupported, failed_models("write", answer.by, answer.failures)
    )


async def _contradictions(
    context: Context, state: State
) -> tuple[tuple[Contested, ...], tuple[Degraded, ...]]:
    """Find what pages contradict each other on, and set the sides next to each other."""
    passages = await asyncio.to_thread(shown, state, _SHOWN)
    if not passages:
        return (), ()
    given = find_contradictions.ContradictionInput(
        subject=state.subject, language=state.language, passages=passages
    )
    answer = await context.ask(find_contradictions.QUESTION, given, language=state.language)
    pages = brief.numbered(state.evidence, passages)
    points = answer.value
    if answer.by != EMBEDDED:
        # What code finds stands, whatever a model passes over.
        own = await asyncio.to_thread(find_contradictions.QUESTION.embedded, given)
        points = find_contradictions.Points(points=(*own.points, *points.points))
    found = await asyncio.to_thread(brief.disputes, points, pages, state.subject)
    return found, failed_models("contradictions", answer.by, answer.failures)


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
        gaps.append(Gap.of(state.subject, phrase("watch.gap.no_claims", n=len(state.evidence))))
    once = {(each.what, each.why, str(each.params)): each for each in gaps}
    return tuple(once.values())
