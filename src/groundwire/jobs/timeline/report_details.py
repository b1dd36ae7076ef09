"""The details of nodes as lines of a report."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.jobs.timeline.result import Detail, Node, TimelineResult
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


def details(node: Node, numbers: dict[str, int], say: Words) -> Iterator[blocks.Statement]:
    """List what is told of an event besides its description, each with its quotes."""
    if node.detail is None:
        return
    for step, said in zip(slips(node, say), node.history, strict=True):
        text = f"{step}{say('list.colon')}{said.said.text}"
        marks = sections.marks_of(said.said, numbers)
        yield blocks.Statement(text=text, marks=marks, level=1)
    yield from details_of(node.detail, numbers, say)


def details_of(detail: Detail, numbers: dict[str, int], say: Words) -> Iterator[blocks.Statement]:
    """List what a detail tells, part by part."""
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
            yield blocks.Statement(text=text, marks=sections.marks_of(each, numbers))
    for name, named in (
        ("numbers", [(each.of or each.text, each.sentence) for each in detail.key_numbers]),
        ("people", [(_person(p.name, p.role), p.sentence) for p in detail.key_people]),
    ):
        if named:
            marks = {m.number: m for _, said in named for m in sections.marks_of(said, numbers)}
            listed = say.listed(dict.fromkeys(text for text, _ in named))
            text = f"{say(f'timeline.detail.{name}')}{colon}{listed}"
            yield blocks.Statement(text=text, marks=tuple(marks.values()))
    for name, value in (("location", detail.location), ("tags", say.listed(detail.tags))):
        if value:
            yield blocks.Statement(text=f"{say(f'timeline.detail.{name}')}{colon}{value}")


def _person(name: str, role: str) -> str:
    return f"{name} ({role})" if role else name
