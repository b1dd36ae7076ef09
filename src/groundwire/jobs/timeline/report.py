"""Timelines as reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.jobs.timeline.ics import ICS
from groundwire.jobs.timeline.report_changes import changes
from groundwire.jobs.timeline.report_details import links
from groundwire.jobs.timeline.report_so_far import so_far
from groundwire.jobs.timeline.report_view import WEIGHED, dated, other_dates, overview, timeline
from groundwire.jobs.timeline.result import DatedBy, Node, Target, TimelineResult
from groundwire.jobs.timeline.sheet import sheet_of
from groundwire.model.base import JsonObject
from groundwire.model.result import Sentence
from groundwire.model.run import Run
from groundwire.report import blocks, exams, sections
from groundwire.report.findings import Command, Findings, how_made, imprint, source_entries
from groundwire.words import Words, words

_PICTURED = 10  # events in a picture


def _told(node: Node) -> Iterator[Sentence]:
    """Yield the cited sentences of a node in the order in which a reader meets them."""
    yield from (*node.description, node.telling)
    yield from (each.said for each in node.history)
    detail = node.detail
    if detail is not None:
        yield from (*detail.key_features, *detail.impact, *detail.context)
        yield from (each.sentence for each in (*detail.key_numbers, *detail.key_people))
        if detail.quote is not None:
            yield detail.quote


def _sentences(result: TimelineResult) -> tuple[Sentence, ...]:
    told = (each for node in result.nodes for each in _told(node))
    links = (each.sentence for each in result.links)
    return (*told, *links, *result.synthesis.sentences)


def _bare(run: Run) -> JsonObject:
    return {"level": run.input.get("level", "medium"), "target": Target(nodes=0, least=0, most=0)}


_FINDINGS = Findings(
    TimelineResult,
    subject="topic",
    sentences=_sentences,
    exports=(
        Command("gw export {run} -f html", "hint.export"),
        Command("gw export {run} -f ics", "timeline.hint.ics"),
    ),
    bare=_bare,
)


def _report(run: Run, language: str = "") -> blocks.Report:
    result = _FINDINGS.of(run)
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
            *changes(result, numbers, say),
            *(_history(result, numbers, say) if finished else ()),
            *_disputes(result, numbers, say),
            *sections.section("links", say("timeline.links"), links(result, numbers, say)),
            *sections.missing(result.gaps if finished else (), say),
            *sections.section("unsourced", say("timeline.unsourced"), _left(result, say)),
            *exams.decided(result.decided, say),
            *sections.degradations(result.degraded, say),
            *sections.recoveries(result.recovered, result.evidence, say),
            *sections.by_origin(result.evidence, result.origins, entries, say),
            *sections.cited(entries, say("report.sources")),
            *sections.also_read(result.evidence, entries, say),
            *sections.colophon(run, _facts(result, say) if finished else (), say),
        ),
        foot=say("report.made_by") if result.nodes else "",
        imprint=tuple(imprint(result, say)) if finished else (),
    )


def _entries(result: TimelineResult, say: Words) -> dict[str, blocks.SourceEntry]:
    # What details quote is shown beside them.
    quoting = (each for node in result.nodes for each in (*node.description, node.telling))
    return source_entries(_sentences(result), result.evidence, say, quoting=quoting)


def _summary(result: TimelineResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    said = result.synthesis
    if said.summary:
        yield blocks.Heading(text=say("timeline.summary"), name="summary")
        items = (sections.judged(each, numbers, say) for each in said.summary)
        yield blocks.Sentences(items=tuple(items))
    if said.insight:
        yield blocks.Heading(text=say("timeline.insight"), name="insight")
        together = (sections.judged(each, numbers, say) for each in said.insight)
        yield blocks.Sentences(items=tuple(together))


def _history(result: TimelineResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    yield blocks.Heading(text=say("timeline.result"), name="timeline")
    if not result.nodes:
        yield blocks.Paragraph(spans=(blocks.TextSpan(text=say("timeline.none")),))
        return
    yield from overview(result, say)
    yield from timeline(result, numbers, say)


def _disputes(
    result: TimelineResult, numbers: dict[str, int], say: Words
) -> Iterator[blocks.Block]:
    """Set the dates that sources disagree on side by side, with who gives which."""
    disputed = [each for each in result.nodes if other_dates(each)]
    if disputed:
        yield blocks.Heading(text=say("timeline.disputed"), name="contested")
    for node in disputed:
        sides = [
            blocks.Statement(
                text=each.quote,
                tone="contested",
                marks=(side := dated(each, numbers, say)).marks,
                about=f"{side.when} · {side.who}",
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
    yield from how_made(result, say)


def _picture(run: Run) -> blocks.Report | None:
    """Report what fits a picture: the timeline at a glance, and its weightiest events."""
    result = _FINDINGS.of(run)
    if not result.nodes:
        return None
    say = words(result.language)
    weighed = sorted(result.nodes, key=lambda each: (WEIGHED[each.significance], -each.origins))
    shown = result.model_copy(
        update={
            "nodes": tuple(each for each in result.nodes if each in weighed[:_PICTURED]),
            "eras": (),
        }
    )
    more = len(result.nodes) - len(shown.nodes)
    left = say("report.label.more", n=more) if more > 0 else ""
    return sections.build_report(
        run,
        say,
        title=result.topic,
        meta=(say("timeline.n.nodes", n=len(result.nodes)),),
        sample=sections.sample_word(result.evidence, say),
        blocks=(
            *overview(result, say),
            *timeline(shown, {}, say),
            *([blocks.Paragraph(spans=(blocks.TextSpan(text=left),))] if left else []),
        ),
    )


REPORT = _FINDINGS.report(_report, sheet_of, picture=_picture, so_far=so_far, forms={"ics": ICS})
