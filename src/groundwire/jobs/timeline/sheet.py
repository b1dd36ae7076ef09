"""A timeline as a sheet: a row for each citation of each node, for each change, and for what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.jobs.timeline.report_changes import shown_event, word_of
from groundwire.jobs.timeline.result import TimelineResult
from groundwire.report import sections
from groundwire.report.csv import Cell, Sheet
from groundwire.report.plain import day
from groundwire.words import Words, words

_HEAD = (
    "run", "part", "node", "date", "precision", "begin", "end", "title", "thread", "significance",
    "standing", "text", "verdict", "source", "publisher", "source_title", "url", "published",
    "quote",
)  # fmt: skip


def sheet_of(result: TimelineResult) -> Sheet:
    """Write one row for each citation of each node."""
    say = words(result.language)
    rows: list[tuple[Cell, ...]] = []
    for node in result.nodes:
        head: tuple[Cell, ...] = (
            result.run_id, "node", node.id, node.date, node.precision, node.interval.begin.isoformat(),
            node.interval.end.isoformat(), node.title, node.thread, node.significance, node.standing,
        )  # fmt: skip
        for said in node.description:
            for each in said.citations:
                source = (
                    each.evidence_id, sections.publisher(each, say), each.title, each.url,
                    day(each.published_at), each.quote,
                )  # fmt: skip
                rows.append((*head, said.text, said.verdict, *source))
    bare: tuple[Cell, ...] = (None,) * 6
    for left in result.unsourced:
        why = say.phrases(left.problems)
        rows.append(
            (
                result.run_id,
                "unsourced",
                "",
                left.date,
                "",
                "",
                "",
                left.title,
                left.thread,
                "",
                "",
                why,
                "unsupported",
                *bare,
            )
        )
    rows += _changes(result, say)
    for gap in result.gaps:
        what, why = (say(code, **gap.params) for code in (gap.what, gap.why))
        rows.append(
            (result.run_id, "missing", "", "", "", "", "", what, "", "", "", why, "", *bare)
        )
    return Sheet(head=_HEAD, rows=tuple(rows))


def _changes(result: TimelineResult, say: Words) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each change: what it is called, and how the event stood before."""
    found = result.changes
    for each in found.rows if found is not None else ():
        side = each.after or each.before
        if found is None or side is None:
            continue
        before = shown_event(each.before, say) if each.before and each.after else ""
        yield (
            result.run_id, f"change.{each.kind}", side.node, side.date, "", side.interval.begin.isoformat(),
            side.interval.end.isoformat(), side.title, "", "", side.standing,
            word_of(each, say, certain=found.certain), "", "", "", "", "", "", before,
        )  # fmt: skip
