"""What a model adds to a timeline: events chosen and titled, details written; every word of it is checked by code."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from groundwire.context import Context
from groundwire.evidence.citations.checker import check
from groundwire.gather.failures import failed_models
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.timeline import choose_milestones, write_detail
from groundwire.jobs.timeline.entries import Entry, Material, reduced
from groundwire.jobs.timeline.likeness import FAR
from groundwire.jobs.timeline.proposal import Plan, Thread
from groundwire.jobs.timeline.result import Detail, Figure, Node, Person
from groundwire.jobs.timeline.skeleton import Candidates
from groundwire.jobs.timeline.titles import shortened
from groundwire.language.names.names import has_name
from groundwire.model.result import Degraded, Sentence
from groundwire.model.source import Evidence, NumberedPassage, Passage
from groundwire.reasoning import quoting
from groundwire.reasoning.question import EMBEDDED
from groundwire.reasoning.quoting import places_of

_SPARE = 2  # times the nodes of a thread that a model chooses from
_MOST = 60  # passages of one request
_PASSAGES = 8  # that a detail is written from


@dataclass(frozen=True, slots=True)
class Advised:
    """Candidates with what a model said of them, and who that was."""

    candidates: Candidates
    by: str
    degraded: tuple[Degraded, ...]


@dataclass(frozen=True, slots=True)
class WrittenNode:
    """A node with its detail, and which models failed at it."""

    node: Node
    detail: Detail
    degraded: tuple[Degraded, ...] = ()


def numbered(holder: Evidence, start: int, number: int, date: str = "") -> NumberedPassage:
    """Give a number to the passage of a page in which a sentence begins."""
    passage = _passage(holder, start)
    document = holder.document
    day = document.published_at
    return NumberedPassage(
        number=number,
        passage_id=passage.id,
        evidence_id=holder.id,
        title=document.title,
        publisher=document.said_by,
        date=date or (day.date().isoformat() if day else ""),
        language=document.language,
        tier=holder.tier,
        origin_id=holder.origin_id,
        flags=holder.flags,
        relevance=holder.relevance,
        text=passage.text,
    )


def _passage(holder: Evidence, start: int) -> Passage:
    return next(each for each in holder.passages if each.start <= start < each.end)


# --- choosing ----------------------------------------------------------------------------------


async def choose(context: Context, turn: int, plan: Plan, found: Candidates) -> Advised:
    """Let a model choose and title the events of each thread, all threads side by side."""
    answers = await asyncio.gather(
        *(
            _choose(context, turn, plan, thread, found, found.of(place))
            for place, thread in enumerate(plan.threads)
        )
    )
    entries = [entry for kept, _, _ in answers for entry in kept]
    authors = [by for _, by, _ in answers if by != EMBEDDED]
    return Advised(
        replace(found, entries=tuple(entries)),
        authors[0] if authors else EMBEDDED,
        tuple(each for _, _, failed in answers for each in failed),
    )


async def _choose(
    context: Context, turn: int, plan: Plan, thread: Thread, found: Candidates, own: list[Entry]
) -> tuple[list[Entry], str, tuple[Degraded, ...]]:
    shown = own[: min(_MOST, _SPARE * thread.estimated_nodes)]
    if not shown:
        return own, EMBEDDED, ()
    given = choose_milestones.ChooseInput(
        topic=plan.topic,
        thread=thread.name,
        description=thread.description,
        language=plan.language,
        most=thread.estimated_nodes,
        passages=tuple(_told(each, n) for n, each in enumerate(shown, start=1)),
        titles=tuple(each.title for each in shown),
        significance=tuple("medium" for _ in shown),
    )
    question = choose_milestones.QUESTION
    occasion = f"r{turn}/{thread.name}"
    answer = await context.ask(question, given, language=plan.language, occasion=occasion)
    failed = failed_models("choose", answer.by, answer.failures)
    if answer.by == EMBEDDED:
        return own, EMBEDDED, failed
    chosen = [(each, shown[each.passages[0] - 1]) for each in answer.value.events]
    for event, entry in chosen:
        _entitle(event, entry, answer.by)
    if answer.vote != "decides":
        # An adviser gives titles that stand; what is told, and what is one event, stays code's.
        return own, answer.by if chosen else EMBEDDED, failed
    for event, entry in chosen:
        _join(event, entry, shown)
        entry.preferred, entry.wish, entry.by = True, event.significance, answer.by
    return [entry for _, entry in chosen], answer.by if chosen else EMBEDDED, failed


def _told(entry: Entry, number: int) -> NumberedPassage:
    """Show the sentence that tells of an event and the next one: a passage may tell of several."""
    lead = entry.lead
    date = reduced(entry.first, entry.precision)
    after = (each.end for each in lead.page.accounts if each.order == lead.order + 1)
    text = lead.page.text[lead.start : next(after, lead.end)]
    shown = numbered(lead.page.evidence, lead.start, number, date)
    return shown.model_copy(update={"text": text})


def _entitle(event: choose_milestones.Event, entry: Entry, by: str) -> None:
    """Give an entry a model's title where its words stand."""
    holder = entry.lead.page.evidence
    title = shortened(event.title)
    places = {1: (holder, _passage(holder, entry.lead.start))}
    if check(title, [(1, entry.lead.text)], places).result != "unsupported":
        entry.title, entry.by = title, by


def _join(event: choose_milestones.Event, entry: Entry, shown: Sequence[Entry]) -> None:
    """Take in the other tellings of an event that are near it in time."""
    for number in event.passages[1:]:
        other = shown[number - 1]
        if abs((other.first - entry.first).days) <= FAR:
            entry.absorb(other)


# --- details -----------------------------------------------------------------------------------


async def detail(context: Context, topic: str, node: Node, material: Material) -> WrittenNode:
    """Let a model write the detail of a node; where it says nothing that stands, the draft does."""
    drafted = node.detail or Detail()
    passages = _supporting(node, material)
    given = write_detail.WriteInput(
        topic=topic,
        title=node.title,
        date=node.date,
        language=material.language,
        passages=passages,
    )
    question = write_detail.QUESTION
    answer = await context.ask(question, given, language=material.language, occasion=node.id)
    failed = failed_models("detail", answer.by, answer.failures)
    if answer.by == EMBEDDED:
        return WrittenNode(node, drafted, failed)
    told = await asyncio.to_thread(_checked, answer.value, passages, material, answer.by)
    # What an adviser tells stands where code found nothing to tell.
    kept = _filled(told, drafted) if answer.vote == "decides" else _filled(drafted, told)
    kept = kept.model_copy(update={"by": answer.by if told != Detail(by=answer.by) else EMBEDDED})
    return WrittenNode(node.model_copy(update={"detail": kept}), kept, failed)


def _filled(first: Detail, second: Detail) -> Detail:
    """Tell each part as the first tells it, else as the second does."""
    empty = {
        name: getattr(second, name) for name in Detail.model_fields if not getattr(first, name)
    }
    return first.model_copy(update=empty)


def _supporting(node: Node, material: Material) -> tuple[NumberedPassage, ...]:
    """Give numbers to the passages that tell of a node: those that it cites, then those that date it."""
    places = [(c.evidence_id, c.start) for each in node.description for c in each.citations]
    for each in node.date_sources:
        text = material.evidence[each.evidence_id].document.text
        places.append((each.evidence_id, text.find(each.quote)))
    found: dict[str, NumberedPassage] = {}
    for name, start in places:
        passage = _passage(material.evidence[name], max(0, start))
        if passage.id not in found and len(found) < _PASSAGES:
            found[passage.id] = numbered(material.evidence[name], start, len(found) + 1)
    return tuple(found.values())


def _checked(
    written: write_detail.Written,
    passages: Sequence[NumberedPassage],
    material: Material,
    by: str,
) -> Detail:
    """Keep what stands."""
    places = places_of(passages, material.evidence.values())

    def said(text: str, quotes: Iterable[write_detail.Quoted]) -> Sentence | None:
        checked = quoting.checked(text, quotes, places)
        if checked.result == "unsupported":
            return None
        return sentence_of(checked, (holder for holder, _ in places.values()), None)

    def lines(part: write_detail.Part) -> tuple[Sentence, ...]:
        found = (said(each.text, each.quotes) for each in written.of(part))
        return tuple(each for each in found if each is not None)

    def own(quoted: write_detail.Quoted) -> Sentence | None:
        return said(quoted.quote, [quoted])

    people = [(each, own(each)) for each in written.people[: write_detail.MOST_PEOPLE]]
    amounts = [(each, own(each)) for each in written.figures[: write_detail.MOST_FIGURES]]
    words = [each for quoted in written.words[:1] if (each := own(quoted)) is not None]
    named = tuple(
        Person(name=each.name, role=each.role if each.role in told.text else "", sentence=told)
        for each, told in people
        if told is not None and has_name(each.name, told.text)
    )
    figures = tuple(
        Figure(text=each.text, sentence=told)
        for each, told in amounts
        if told is not None and each.text in told.text
    )
    read = "\n".join(each.text for each in passages)
    return Detail(
        key_features=lines("fact"),
        impact=lines("impact"),
        context=lines("context"),
        key_people=named,
        key_numbers=figures,
        quote=words[0] if words else None,
        location=written.location if written.location and written.location in read else "",
        tags=tuple(each for each in written.tags if each in read)[:5],
        by=by,
    )
