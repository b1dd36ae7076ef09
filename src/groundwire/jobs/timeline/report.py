"""Timelines as reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from groundwire.jobs.timeline.ics import ICS
from groundwire.jobs.timeline.report_details import details, links, shown_date, slips
from groundwire.jobs.timeline.result import DatedBy, Node, Target, TimelineResult
from groundwire.jobs.timeline.sheet import sheet_of
from groundwire.model.base import JsonObject
from groundwire.model.result import Gap, ResultStatus, Sentence
from groundwire.model.run import FINISHED, Run
from groundwire.report import blocks, exams, sections
from groundwire.report.reporting import CitedText, Failure, JobReport, ended_without, why_failed
from groundwire.words import Words, words

_WEIGHTS: dict[str, blocks.Weight] = {"revolutionary": "high", "high": "medium", "medium": "low"}
_STANDING: dict[str, blocks.Tone] = {
    "planned": "unverified",
    "due": "insufficient",
    "denied": "contradicted",
}


def result_of(run: Run) -> TimelineResult:
    """Return a timeline's result; a run that ended without one says so in the same shape."""
    if run.result is not None:
        return TimelineResult.model_validate(run.result)
    topic = str(run.input.get("topic", ""))
    return TimelineResult(
        run_id=run.id,
        status=cast(ResultStatus, run.state if run.state in FINISHED else "failed"),
        topic=topic,
        level=run.input.get("level", "medium"),
        language=sections.language_of(run, topic),
        target=Target(nodes=0, least=0, most=0),
        gaps=(Gap.of(topic, ended_without(run)),),
    )


def _result(run: Run) -> JsonObject:
    return run.result or result_of(run).model_dump(mode="json")


def _told(node: Node) -> Iterator[Sentence]:
    """Yield the cited sentences of a node in the order in which a reader meets them."""
    yield from node.description
    yield from (each.said for each in node.history)
    detail = node.detail
    if detail is not None:
        yield from (*detail.key_features, *detail.impact, *detail.context)
        yield from (each.sentence for each in (*detail.key_numbers, *detail.key_people))
        if detail.quote is not None:
            yield detail.quote


def _sentences(result: TimelineResult) -> tuple[Sentence, ...]:
    told = (each for node in result.nodes for each in _told(node))
    return (*told, *(each.sentence for each in result.links))


def _cites(run: Run) -> CitedText:
    if run.result is None:
        return CitedText()
    result = result_of(run)
    return CitedText(_sentences(result), result.evidence)


def _report(run: Run, language: str = "") -> blocks.Report:
    result = result_of(run)
    say = words(language or result.language)
    entries = _entries(result, say)
    numbers = {name: each.number for name, each in entries.items() if each.number}
    finished = run.result is not None
    state = say.name("state", result.status)
    counted = sections.counted(result.evidence, result.origins, say)
    return sections.build_report(
        run,
        say,
        title=result.topic,
        meta=(
            f"{state} · {say('timeline.n.nodes', n=len(result.nodes))} · {counted}",
            *sections.as_of(result.as_of, run, say),
        ),
        sample=sections.sample_word(result.evidence, say),
        blocks=(
            *sections.without_result(run, say),
            *sections.of_the_sample(result.evidence, say),
            *_summary(result, numbers, say),
            *(_eras(result, numbers, say) if finished else ()),
            *_disputes(result, numbers, say),
            *sections.section("links", say("timeline.links"), links(result, numbers, say)),
            *sections.missing(result.gaps if finished else (), say),
            *sections.section("unsourced", say("timeline.unsourced"), _left(result, say)),
            *details(result.nodes, numbers, say),
            *exams.decided(result.decided, say),
            *sections.degradations(result.degraded, say),
            *sections.recoveries(result.recovered, result.evidence, say),
            *sections.by_origin(result.evidence, result.origins, entries, say),
            *sections.cited(entries, say("report.sources")),
            *sections.also_read(result.evidence, entries, say),
            *sections.colophon(run, _facts(result, say) if finished else (), say),
        ),
        foot=say("report.made_by") if result.nodes else "",
        imprint=tuple(_imprint(result, say)) if finished else (),
    )


def _entries(result: TimelineResult, say: Words) -> dict[str, blocks.SourceEntry]:
    """Make the source entry of all evidence; what is cited is numbered and comes first."""
    known = {each.id: each for each in result.evidence}
    sentences = _sentences(result)
    # What details quote is shown beside them.
    quotes = sections.quotes_of(each for node in result.nodes for each in node.description)
    cited = {c.evidence_id: c for each in reversed(sentences) for c in each.citations}
    found: dict[str, blocks.SourceEntry] = {}
    for name, number in sections.numbered(sentences).items():
        view = known.get(name)
        found[name] = sections.entry(
            cited[name], say, view, number=number, quotes=tuple(quotes.get(name, ()))
        )
    for view in result.evidence:
        found.setdefault(view.id, sections.entry(view, say, view))
    return found


def _summary(result: TimelineResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    said = result.synthesis
    if said.summary:
        yield blocks.Heading(text=say("timeline.summary"), name="summary")
        items = (sections.judged(each, numbers, say) for each in said.summary)
        yield blocks.Sentences(items=tuple(items))


# --- the timeline ------------------------------------------------------------------------------


def _eras(result: TimelineResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    yield blocks.Heading(text=say("timeline.result"), name="timeline")
    if not result.nodes:
        yield blocks.Paragraph(spans=(blocks.TextSpan(text=say("timeline.none")),))
        return
    nodes = {each.id: each for each in result.nodes}
    for era in result.eras:
        if len(result.eras) > 1:
            yield blocks.Heading(text=era.name, name="era")
        items = (_node(nodes[name], numbers, say) for name in era.nodes)
        yield blocks.Timeline(items=tuple(items))


def _node(node: Node, numbers: dict[str, int], say: Words) -> blocks.TimelineNode:
    first = next(iter(node.description))
    more = say("timeline.n.origins", n=node.origins)
    about = " · ".join(part for part in (_body(node), *slips(node, say), more) if part)
    others = _other_dates(node)
    return blocks.TimelineNode(
        dates=(
            blocks.NodeDate(when=shown_date(node.date, node.precision, say)),
            *(_dated(each, numbers, say) for each in others),
        ),
        text=node.title,
        about=about,
        marks=sections.marks_of(first, numbers),
        weight=_WEIGHTS[node.significance],
        thread=node.thread,
        tone=_STANDING.get(node.standing, ""),
        word=say(f"timeline.standing.{node.standing}") if node.standing in _STANDING else "",
    )


def _body(node: Node) -> str:
    """Return what is told beneath the title: nothing that the title says already."""
    said = (each.text for each in node.description if each.text.rstrip("。.") != node.title)
    return " ".join(said)


def _other_dates(node: Node) -> list[DatedBy]:
    """List who puts the event on another day, each date once."""
    found: dict[str, DatedBy] = {}
    for each in node.date_sources:
        agrees = each.date.startswith(node.date) or node.date.startswith(each.date)
        if not agrees:
            found.setdefault(each.date, each)
    return list(found.values())


def _dated(each: DatedBy, numbers: dict[str, int], say: Words) -> blocks.NodeDate:
    number = numbers.get(each.evidence_id)
    quotes = (blocks.Excerpt(text=each.quote),)
    mark = blocks.Mark(number=number or 0, quotes=quotes, evidence_id=each.evidence_id)
    return blocks.NodeDate(
        when=shown_date(each.date, each.precision, say),
        who=each.publisher,
        marks=(mark,) if number else (),
    )


def _disputes(
    result: TimelineResult, numbers: dict[str, int], say: Words
) -> Iterator[blocks.Block]:
    """Set the dates that sources disagree on side by side, with who gives which."""
    disputed = [each for each in result.nodes if _other_dates(each)]
    if disputed:
        yield blocks.Heading(text=say("timeline.disputed"), name="contested")
    for node in disputed:
        sides = [
            blocks.Statement(
                text=each.quote,
                tone="contested",
                word=shown_date(each.date, each.precision, say),
                marks=_dated(each, numbers, say).marks,
                about=each.publisher,
            )
            for each in _one_a_date(node)
        ]
        yield blocks.Sides(point=node.title, items=tuple(sides))


def _one_a_date(node: Node) -> Sequence[DatedBy]:
    found: dict[str, DatedBy] = {}
    for each in node.date_sources:
        found.setdefault(each.date, each)
    return list(found.values())


def _left(result: TimelineResult, say: Words) -> Iterator[blocks.Statement]:
    for each in result.unsourced:
        text = f"{each.date} · {each.title}"
        yield blocks.Statement(text=text, tone="unverified", about=say.phrases(each.problems))


# --- the foot ----------------------------------------------------------------------------------


def _facts(result: TimelineResult, say: Words) -> Iterator[blocks.Fact]:
    yield blocks.Fact(name=say("timeline.level"), value=say(f"timeline.level.{result.level}"))
    threads = (f"{each.name} ({each.nodes}/{each.estimated_nodes})" for each in result.threads)
    yield blocks.Fact(name=say("timeline.threads"), value=say.listed(threads))
    yield blocks.Fact(name=say("timeline.searches"), value=str(result.searches))
    checks = say("report.checks", **result.checks.model_dump())
    yield blocks.Fact(name=say("report.label.checks"), value=checks)
    yield sections.written_by(result.reasoner, say)
    yield blocks.Fact(name=say("report.label.cost"), value=sections.spent(result.cost, say))


def _imprint(result: TimelineResult, say: Words) -> Iterator[str]:
    yield say("report.checks", **result.checks.model_dump())
    took = say("span.seconds", n=f"{result.latency_ms / 1000:.1f}")
    yield sections.imprint(result.reasoner, result.cost, say, took, result.run_id)


def _failure(run: Run) -> Failure | None:
    """Give the reason in one sentence, with whatever failed first."""
    result = result_of(run)
    if result.status != "failed":
        return None
    return why_failed(run, result.language, result.gaps, result.degraded)


def _next_steps(run: Run, *, archive_empty: bool) -> Sequence[blocks.NextStep]:
    """List what a person can do now, the most useful first."""
    result = result_of(run)
    say = words(result.language)
    step = sections.hints(say)
    again = step(f"gw resume {run.id}", "hint.resume")
    if result.status == "failed":
        return [again, step("gw doctor", "hint.doctor")]
    if result.status == "cancelled":
        return [again]
    if not result.evidence:
        return [sections.where_to_look(run, archive_empty=archive_empty, say=say)]
    steps = [
        step(f"gw export {run.id} -f html", "hint.export"),
        step(f"gw export {run.id} -f ics", "timeline.hint.ics"),
        step(f"gw replay {run.id}", "hint.replay"),
    ]
    return [again, *steps] if result.status == "degraded" else steps


REPORT = JobReport(
    result=_result,
    report=_report,
    sheet=lambda run: sheet_of(result_of(run)),
    cites=_cites,
    noun=TimelineResult,
    failure=_failure,
    next_steps=_next_steps,
    forms={"ics": ICS},
)
