"""The tool calls of a run in its report: totals by tool, and each call where there is room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.model.tool import ToolCall
from groundwire.report.blocks import Block, Heading, Table
from groundwire.words import Words


def tool_calls(calls: Sequence[ToolCall], say: Words) -> Iterator[Block]:
    """Yield the totals of each tool, and each call where there is room."""
    if not calls:
        return
    names = tuple(dict.fromkeys(each.tool for each in calls))
    groups = {name: [each for each in calls if each.tool == name] for name in names}

    def head(*columns: str) -> tuple[str, ...]:
        return tuple(say(f"column.{column}") for column in columns)

    yield Heading(text=say("tool_call.title"), name="tool_calls")
    yield Table(
        head=head("tool", "calls", "failed", "slowest", "cost"),
        rows=tuple(
            (
                say.name("tool_call.tool", name),
                str(len(group)),
                str(sum(each.outcome == "failed" for each in group)),
                f"{max(each.latency_ms for each in group)} ms",
                f"${sum(each.usd for each in group):.4f}",
            )
            for name, group in groups.items()
        ),
    )
    yield Table(
        head=head("tool", "request", "response", "latency", "cost", "outcome"),
        rows=tuple(
            (
                _name(each, say),
                each.request,
                say(each.response, **each.params),
                f"{each.latency_ms} ms",
                f"${each.usd:.4f}",
                say.name("failure", each.code)
                if each.code
                else say(f"tool_call.outcome.{each.outcome}"),
            )
            for group in groups.values()
            for each in group
        ),
        brief=False,
    )


def _name(call: ToolCall, say: Words) -> str:
    """Name a call by its tool and its provider, once where both have the same name."""
    names = (say.name("tool_call.tool", call.tool), say.name("provider", call.provider))
    return " · ".join(dict.fromkeys(names))
