"""The details of nodes as lines of a report."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.jobs.timeline.result import Node
from groundwire.report import blocks, sections
from groundwire.words import Words


def shown_date(date: str, precision: str, say: Words) -> str:
    """Write a date as people read it: a quarter and a decade by their names."""
    if precision == "quarter":
        return say("timeline.quarter", year=date[:4], n=(int(date[5:7]) - 1) // 3 + 1)
    if precision == "decade":
        return say("timeline.decade", year=date[:4])
    return date


def details(node: Node, numbers: dict[str, int], say: Words) -> Iterator[blocks.Statement]:
    """List what is told of an event besides its description, each with its quotes."""
    detail = node.detail
    if detail is None:
        return
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
        ("numbers", [(each.text, each.sentence) for each in detail.key_numbers]),
        ("people", [(_person(p.name, p.role), p.sentence) for p in detail.key_people]),
    ):
        if named:
            marks = {m.number: m for _, said in named for m in sections.marks_of(said, numbers)}
            listed = say.listed(dict.fromkeys(text for text, _ in named))
            text = f"{say(f'timeline.detail.{name}')}{colon}{listed}"
            yield blocks.Statement(text=text, marks=tuple(marks.values()))


def _person(name: str, role: str) -> str:
    return f"{name} ({role})" if role else name
