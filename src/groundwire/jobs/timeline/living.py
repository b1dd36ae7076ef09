"""A living timeline: its events over time, what changed, and the letter that tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from groundwire.jobs.timeline.changes import told
from groundwire.jobs.timeline.report_changes import shown_event, word_of
from groundwire.jobs.timeline.result import Changed, Changes, Node, NodeChange, TimelineResult, Told
from groundwire.model.change import Belief, Change, ChangeKind
from groundwire.model.outbox import Letter, Notice
from groundwire.model.source import publisher_name
from groundwire.report.plain import day
from groundwire.words import Words, words

_MOST = 12  # changes that a letter tells
_ORDER: tuple[Changed, ...] = ("moved", "turned", "withdrawn", "new")
_KINDS: Mapping[Changed, ChangeKind] = {
    "new": "new",
    "moved": "changed",
    "turned": "changed",
    "withdrawn": "withdrawn",
}


def believes(result: TimelineResult, language: str) -> tuple[Belief, ...]:
    """Return the events of a timeline, in order."""
    say = words(language)
    return tuple(_belief(result, each, say) for each in result.nodes)


def changes(result: TimelineResult, language: str) -> tuple[Change, ...]:
    """Return what changed since the run before; what only was not found again is not among it."""
    say = words(language)
    nodes = {each.id: each for each in result.nodes}
    return tuple(_change(result, each, nodes, say) for each in _certain(result.changes))


def notice_of(result: TimelineResult) -> Notice | None:
    """Return what subscribers are told; None: nothing changed, or there was nothing to compare with."""
    if not _certain(result.changes):
        return None
    content = result.model_dump(mode="json", include={"run_id", "topic", "changes"})
    return Notice(kind="timeline", content=content, letter=letter_of(result))


def letter_of(result: TimelineResult) -> Letter:
    """Write the letter, in the language of the timeline."""
    say = words(result.language)
    found = sorted(_certain(result.changes), key=lambda each: _ORDER.index(each.kind))
    counts = (
        say(f"timeline.n.{kind}", n=n)
        for kind in _ORDER
        if (n := sum(c.kind == kind for c in found))
    )
    nodes = {each.id: each for each in result.nodes}
    lines = [line for each in found[:_MOST] for line in _lines(each, nodes, say)]
    if len(found) > _MOST:
        lines.append(say("n.more", n=len(found) - _MOST))
    return Letter(title=f"{result.topic} · {' · '.join(counts)}", lines=tuple(lines))


def _certain(found: Changes | None) -> tuple[NodeChange, ...]:
    if found is None:
        return ()
    return tuple(each for each in found.rows if each.kind != "withdrawn" or found.certain)


def _lines(change: NodeChange, nodes: Mapping[str, Node], say: Words) -> Iterator[str]:
    before, after = change.before, change.after
    colon = say("list.colon")
    if before is not None and after is not None:
        values = f"{_value(before, say)} → {_value(after, say)}"
        yield f"{word_of(change, say)}{colon}{values} · {after.title}"
    else:
        side = after or before
        yield f"{word_of(change, say)}{colon}{shown_event(side, say) if side else ''}"
    node = nodes.get(after.node) if after is not None else None
    for said in node.description[:1] if node is not None else ():
        cited = {each.url: each for each in said.citations}
        yield " · ".join(
            f"{publisher_name(c.publisher, say)} {day(c.published_at)} {c.url}"
            for c in cited.values()
        )


def _value(each: Told, say: Words) -> str:
    if each.standing == "happened":
        return each.date
    return f"{each.date} ({say(f'timeline.standing.{each.standing}')})"


def _belief(result: TimelineResult, node: Node, say: Words) -> Belief:
    first = node.description[0]
    side = _side(result, told(node), say)
    return side.model_copy(update={"verdict": first.verdict, "citations": first.citations})


def _side(result: TimelineResult, each: Told, say: Words) -> Belief:
    text = shown_event(each, say)
    return Belief(id=each.node, text=text, subject=result.topic, value=_value(each, say))


def _change(
    result: TimelineResult, change: NodeChange, nodes: Mapping[str, Node], say: Words
) -> Change:
    before, after = change.before, change.after
    known = before or after
    return Change(
        kind=_KINDS[change.kind],
        claim_id=known.node if known is not None else "",
        subject=result.topic,
        before=None if before is None else _side(result, before, say),
        after=None if after is None else _belief(result, nodes[after.node], say),
    )
