"""The details of nodes as lines of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.jobs.timeline.result import Node, TimelineResult
from groundwire.report import blocks, sections
from groundwire.words import Words


def shown_date(date: str, precision: str, say: Words) -> str:
    """Write a date as people read it: a quarter and a decade by their names."""
    if precision == "quarter":
        return say("timeline.quarter", year=date[:4], n=(int(date[5:7]) - 1) // 3 + 1)
    if precision == "decade":
        return say("timeline.decade", year=date[:4])
    return date


def slips(node: Node, say: Words) -> list[str]:
    """Say for which days an event was planned before."""
    return [
        say("timeline.slipped", date=shown_date(each.date, each.precision, say))
        for each in node.history
    ]


def links(
    result: TimelineResult, numbers: dict[str, int], say: Words
) -> Iterator[blocks.Statement]:
    """Say which event brought about, enabled or answered which, in whose words."""
    nodes = {each.id: each for each in result.nodes}
    for each in result.links:
        source, target = (_named(nodes[name], say) for name in (each.source, each.target))
        text = say(f"timeline.link.{each.relation}", source=source, target=target)
        marks = sections.marks_of(each.sentence, numbers)
        yield blocks.Statement(text=text, marks=marks, about=each.sentence.text)


def _named(node: Node, say: Words) -> str:
    return f"{node.title} ({shown_date(node.date, node.precision, say)})"


def details(nodes: Sequence[Node], numbers: dict[str, int], say: Words) -> Iterator[blocks.Block]:
    shown = [each for each in nodes if each.detail is not None]
    lines = [line for node in shown for line in _detail(node, numbers, say)]
    yield from sections.section("details", say("timeline.details"), lines, brief=False)


def _detail(node: Node, numbers: dict[str, int], say: Words) -> Iterator[blocks.Statement]:
    detail = node.detail
    if detail is None:
        return
    date = shown_date(node.date, node.precision, say)
    lines = [*_parts(node, numbers, say)]
    if lines:
        about = say.listed(detail.tags) if detail.tags else ""
        yield blocks.Statement(text=f"{date} · {node.title}", about=about)
        yield from lines


def _parts(node: Node, numbers: dict[str, int], say: Words) -> Iterator[blocks.Statement]:
    detail = node.detail
    if detail is None:
        return
    for step, said in zip(slips(node, say), node.history, strict=True):
        text = f"{step}{say('list.colon')}{said.said.text}"
        marks = sections.marks_of(said.said, numbers)
        yield blocks.Statement(text=text, marks=marks, level=1)
    groups = (
        ("features", detail.key_features),
        ("impact", detail.impact),
        ("context", detail.context),
        ("quote", (detail.quote,) if detail.quote is not None else ()),
    )
    colon = say("list.colon")
    for name, sentences in groups:
        for each in sentences:
            text = f"{say(f'timeline.detail.{name}')}{colon}{each.text}"
            yield blocks.Statement(text=text, marks=sections.marks_of(each, numbers), level=1)
    for name, named in (
        ("numbers", [(each.text, each.sentence) for each in detail.key_numbers]),
        ("people", [(_person(p.name, p.role), p.sentence) for p in detail.key_people]),
    ):
        if named:
            marks = {m.number: m for _, said in named for m in sections.marks_of(said, numbers)}
            listed = say.listed(dict.fromkeys(text for text, _ in named))
            text = f"{say(f'timeline.detail.{name}')}{colon}{listed}"
            yield blocks.Statement(text=text, marks=tuple(marks.values()), level=1)


def _person(name: str, role: str) -> str:
    return f"{name} ({role})" if role else name
