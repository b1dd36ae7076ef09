"""A thought step: what a run thought, did and saw at one point, with what it took.

A job emits it as a `thought` event with `thought`, `action`, `observation` and `tool_calls`; the rest is
derived from the journal and the ledger, so that no event depends on time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from groundwire.model.base import Instant, JsonObject, Value
from groundwire.model.call import CallRecord
from groundwire.model.event import Event
from groundwire.model.phrase import Phrase


class ThoughtStep(Value):
    """One step of the chain."""

    step_id: str
    phase: str
    timestamp: Instant
    thought: Phrase
    action: Phrase | None = None
    observation: Phrase | None = None
    tool_calls: tuple[str, ...] = ()
    tokens_used: int = 0
    duration_ms: int = 0


def thought_steps(
    events: Sequence[Event], records: Sequence[CallRecord] = ()
) -> tuple[ThoughtStep, ...]:
    """Derive the chain of the latest attempt; calls count for the step that ends after them."""
    attempt = max((each.attempt for each in events), default=1)
    own = [each for each in events if each.attempt == attempt]
    return tuple(_steps(own, records))


def _steps(events: Sequence[Event], records: Sequence[CallRecord]) -> Iterator[ThoughtStep]:
    before: datetime | None = events[0].at if events else None
    for each in events:
        payload = each.payload
        if each.type != "thought" or "thought" not in payload or before is None:
            continue
        yield ThoughtStep(
            step_id=each.key[:16],
            phase=str(payload.get("phase", "")),
            timestamp=each.at,
            thought=payload["thought"],
            action=payload.get("action"),
            observation=payload.get("observation"),
            tool_calls=tuple(payload.get("tool_calls") or ()),
            tokens_used=sum(
                _tokens(call)
                for call in records
                if before < (call.finished_at or call.started_at) <= each.at
            ),
            duration_ms=max(0, round((each.at - before).total_seconds() * 1000)),
        )
        before = each.at


def _tokens(record: CallRecord) -> int:
    if record.kind != "model" or record.response is None:
        return 0
    usage: JsonObject = record.response.get("usage") or {}
    return sum(int(usage.get(name) or 0) for name in ("input_tokens", "output_tokens"))
