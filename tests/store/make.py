"""Values that the store keeps, with sensible defaults; also used by the test's own processes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from groundwire.model.call import Cap, Intent, Lease, Settlement
from groundwire.model.event import Draft
from groundwire.model.run import NewRun, Versions
from groundwire.store import Store

NOW = datetime(2026, 11, 16, 12, 0, 0, 123456, tzinfo=UTC)


class Make:
    """Values with sensible defaults."""

    now = NOW
    later = NOW + timedelta(minutes=10)

    def run(self, name: str = "run_1", **changes: Any) -> NewRun:
        values: dict[str, Any] = {
            "id": name,
            "kind": "ask",
            "input": {"question": "USDC 为什么脱锚？"},
            "settings": {"language": "zh"},
            "now": NOW,
            "seed": "5eed",
            "versions": Versions(code="1", prompts="p", data="d"),
            "created_at": NOW,
        }
        typed = str({**values, **changes}["input"].get("question", "")).replace("\0", "")
        return NewRun(**{"text": typed, **values, **changes})

    def intent(self, key: str = "k1", estimate: int = 10, **caps: int | None) -> Intent:
        return Intent(
            key=key,
            kind="search",
            provider="tavily",
            occasion="round 1",
            request={"query": "usdc"},
            estimate=estimate,
            caps=tuple(Cap(scope=scope, limit=limit) for scope, limit in caps.items()),
            at=NOW,
        )

    def answer(self, key: str = "k1", **changes: Any) -> Settlement:
        values: dict[str, Any] = {
            "key": key,
            "outcome": "ok",
            "response": {"results": [{"title": "稳定币"}]},
            "cost": 3,
            "latency_ms": 12,
            "at": NOW,
        }
        return Settlement(**{**values, **changes})

    def draft(self, key: str = "e1", kind: Any = "progress", **payload: Any) -> Draft:
        return Draft(key=key, attempt=1, step="ask/search", type=kind, payload=payload)

    async def lease(self, store: Store, name: str = "run_1", **changes: Any) -> Lease:
        """Claim a new run, or one that is there and free."""
        await store.runs.create(self.run(name, **changes))
        lease = await store.runs.claim(name, "worker", NOW, self.later)
        assert lease is not None
        return lease
