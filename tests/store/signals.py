"""Signals with sensible defaults, and runs that end with them; invented, zh, zh-Hant and en."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from groundwire.model.call import Lease
from groundwire.model.ending import Ending
from groundwire.model.history import JudgedEvent, Witness
from groundwire.model.outbox import Notice, Parcel, Subscriber, parcel
from groundwire.model.stance import StanceLabel
from groundwire.store import Store

from .make import NOW, Make
from .messages import LOSS


def judged_event(text: str = LOSS, **more: Any) -> JudgedEvent:
    values: dict[str, Any] = {
        "message_id": "m1",
        "source": "telegram:desk",
        "text": text,
        "summary": text[:60],
        "event_type": "hack",
        "asset": "NOVA",
        "assets": ("NOVA",),
        "asset_name": "Nova Bridge",
        "keywords": ("Nova Bridge", "exploit"),
        "profile": "crypto",
        "preliminary": 0.7,
        "score": 0.8,
        "confidence": 0.8,
        "verdict": "supported",
        "path": "deep",
    }
    return JudgedEvent(**{**values, **more})


def witness(domain: str, stance: StanceLabel = "supports") -> Witness:
    return Witness(evidence_id=f"ev_{domain}", document_id="doc_1", domain=domain, stance=stance)


async def begun(store: Store, name: str, hours: float = 0, kind: str = "verify") -> Lease:
    now = NOW + timedelta(hours=hours)
    return await Make().lease(store, name, kind=kind, now=now)


async def end(
    store: Store,
    lease: Lease,
    left: JudgedEvent | None,
    notice: Notice | None = None,
    **result: Any,
) -> None:
    value = {"run_id": lease.run_id, **result}
    parcels = () if notice is None else (addressed(lease, notice),)
    await store.runs.finish(lease, Ending("complete", NOW, value, event=left, parcels=parcels))


def addressed(lease: Lease, notice: Notice, name: str = "desk") -> Parcel:
    to = Subscriber(channel="webhook", name=name)
    return parcel(lease.run_id, lease.attempt, notice, to, NOW)


async def ended(
    store: Store,
    name: str,
    left: JudgedEvent | None = None,
    hours: float = 0,
    notice: Notice | None = None,
    **result: Any,
) -> None:
    """End a run of verify, at a moment of its own clock, with a signal."""
    lease = await begun(store, name, hours)
    await end(store, lease, judged_event() if left is None else left, notice, **result)
