"""The tool calls of a run, out of its ledger: what each tool asked, what came, how long, for how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast
from urllib.parse import urlencode

from groundwire.data.provider import tool_of
from groundwire.model.base import Json, JsonObject, canonical
from groundwire.model.call import MICRO, CallRecord
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.tool import ToolCall

_LONGEST = 160  # characters of what was asked and of what came


def tool_calls(records: Sequence[CallRecord]) -> tuple[ToolCall, ...]:
    """The calls by tool, in the order of each tool's first; models are no tools."""
    first: dict[str, int] = {}
    found: list[ToolCall] = []
    for record in sorted(records, key=lambda each: (each.started_at, each.key)):
        if tool := tool_of(record.kind, record.provider):
            first.setdefault(tool, len(first))
            found.append(_call(tool, record))
    return tuple(sorted(found, key=lambda each: first[each.tool]))


def _call(tool: str, record: CallRecord) -> ToolCall:
    said = record.error.said if record.error is not None else _answer(record.response or {})
    return ToolCall(
        tool=tool,
        provider=record.provider,
        request=_asked(record)[:_LONGEST],
        response=said.code,
        params=said.params,
        latency_ms=record.latency_ms,
        usd=round(record.cost / MICRO, 6),
        outcome=record.outcome if record.via in ("sent", "local") else record.via,
        code="" if record.error is None else record.error.code,
    )


def _asked(record: CallRecord) -> str:
    """An address with its parameters; of a search its words: the longest text that is no address."""
    request = record.request
    if record.kind == "search":
        texts = [each for each in _texts(request) if "://" not in each]
        return max(texts, key=len, default="")
    params: JsonObject = request.get("params") or {}
    return f"{request.get('url', '')}{'?' if params else ''}{urlencode(params)}"


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        held = cast("JsonObject | list[Json]", value)
        for each in held.values() if isinstance(held, dict) else held:
            yield from _texts(each)


def _answer(response: JsonObject) -> Phrase:
    """What came, in short: how many results, which page, or the numbers as they are."""
    if "hits" in response:
        return phrase("n.results", n=len(response["hits"]))
    if "found" in response:
        return phrase("tool_call.data", data=canonical(response["found"]).decode()[:_LONGEST])
    return phrase("tool_call.page" if "document_id" in response else "tool_call.nothing")
