"""What changed since an earlier timeline as a block of a report, and as rows of a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from groundwire.jobs.timeline.result import Changed, NodeChange, TimelineResult, Told
from groundwire.report import blocks, sections
from groundwire.report.plain import day
from groundwire.report.statements import Change
from groundwire.words import Words

_SHAPES: Mapping[Changed, Change] = {
    "new": "added",
    "moved": "changed",
    "turned": "changed",
    "withdrawn": "removed",
}


def changes(result: TimelineResult, numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    """Show what is new, moved, turned and withdrawn since the earlier run."""
    found = result.changes
    if found is None:
        return
    since = say("timeline.changes", day=day(found.at), run=found.since)
    yield blocks.Heading(text=since, name="changes")
    if not found.rows:
        yield blocks.Paragraph(spans=(blocks.TextSpan(text=say("timeline.changes.none")),))
        return
    if not found.certain:
        yield blocks.Notice(tone="unverified", title=say("timeline.changes.uncertain"))
    nodes = {each.id: each for each in result.nodes}
    rows: list[blocks.DiffRow] = []
    for each in found.rows:
        node = nodes.get(each.after.node) if each.after else None
        marks = sections.marks_of(node.description[0], numbers) if node else ()
        rows.append(
            blocks.DiffRow(
                change=_SHAPES[each.kind],
                word=word_of(each, say, certain=found.certain),
                before=_shown(each.before, say),
                after=_shown(each.after, say),
                after_marks=marks,
            )
        )
    head = (say("timeline.changes.before"), say("timeline.changes.now"))
    yield blocks.Diff(head=head, rows=tuple(rows))


def word_of(change: NodeChange, say: Words, *, certain: bool = True) -> str:
    """Name a change; what a failed search might have found is only not found again."""
    if change.kind == "withdrawn" and not certain:
        return say("timeline.change.not_found")
    return say(f"timeline.change.{change.kind}")


def shown_event(each: Told, say: Words) -> str:
    """Write an event in one line: its date, its title, and what became of it unless it happened."""
    standing = each.standing
    state = "" if standing == "happened" else f" ({say(f'timeline.standing.{standing}')})"
    return f"{each.date} · {each.title}{state}"


def _shown(each: Told | None, say: Words) -> str:
    return "" if each is None else shown_event(each, say)
