"""The tool calls of a run, from its ledger: the request, the response, the time and the cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal
from urllib.parse import unquote, urlencode, urlsplit

from groundwire.data.provider import tool_of
from groundwire.model.base import JsonObject
from groundwire.model.call import MICRO, CallRecord
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.tool import ToolCall

_LONGEST = 160  # characters of a request and of a response
_QUERY = ("query", "q", "srsearch")  # how the search providers name it
# The kinds of responses, each by the field that it alone has; only `absent` is nothing.
_KINDS = (
    ("document_id", "tool_call.page"),
    ("moved", "tool_call.moved"),
    ("listed", "tool_call.list"),
    ("sha256", "tool_call.picture"),
    ("absent", "tool_call.nothing"),
)


def tool_calls(records: Sequence[CallRecord]) -> tuple[ToolCall, ...]:
    """List the calls by tool, in the order of each tool's first call; models are no tools."""
    first: dict[str, int] = {}
    found: list[ToolCall] = []
    for record in sorted(records, key=lambda each: (each.started_at, each.key)):
        if tool := tool_of(record.kind, record.provider):
            first.setdefault(tool, len(first))
            found.append(_call(tool, record))
    return tuple(sorted(found, key=lambda each: first[each.tool]))


def _call(tool: str, record: CallRecord) -> ToolCall:
    what = record.error.phrase if record.error is not None else _response(record.response)
    return ToolCall(
        tool=tool,
        provider=record.provider,
        request=_request(record)[:_LONGEST],
        response=what.code,
        params=what.params,
        latency_ms=record.latency_ms,
        usd=round(record.cost / MICRO, 6),
        outcome=_outcome(record),
        code="" if record.error is None else record.error.code,
    )


def _outcome(record: CallRecord) -> Literal["ok", "failed", "intent", "cache", "joined"]:
    """Return how it ended, or `cache` or `joined` for an answer that needed no sending."""
    if record.outcome == "ok" and (record.via == "cache" or record.via == "joined"):
        return record.via
    return record.outcome


def _request(record: CallRecord) -> str:
    """Show the address with its parameters; of a search its words: a field, else the end of the path."""
    request = record.request
    params: JsonObject = request.get("params") or {}
    if record.kind == "search":
        fields: JsonObject = {**params, **(request.get("json") or {})}
        words = next((str(fields[name]) for name in _QUERY if fields.get(name)), "")
        return words or unquote(urlsplit(str(request.get("url", ""))).path.rpartition("/")[2])
    return f"{request.get('url', '')}{'?' if params else ''}{urlencode(params)}"


def _response(response: JsonObject | None) -> Phrase:
    """Summarise a response: how many results, the numbers as they are, or its kind."""
    if response is None:
        return phrase("tool_call.outcome.intent")
    if "hits" in response:
        return phrase("n.results", n=len(response["hits"]))
    if "found" in response:
        data = json.dumps(response["found"], ensure_ascii=False)  # with spaces, where lines may end
        return phrase("tool_call.data", data=data[:_LONGEST])
    return Phrase(code=next((code for name, code in _KINDS if name in response), "tool_call.other"))
