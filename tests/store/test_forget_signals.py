"""Forgetting a run of verify: its signal, its message and what repeats it, on both databases."""

from __future__ import annotations

from functools import partial
from typing import Any

from groundwire.model.history import EventQuery
from groundwire.model.outbox import Notice
from groundwire.model.outcome import Feedback
from groundwire.store import Store
from groundwire.store.messages import assign_run
from tests.parcels import waiting

from .make import NOW
from .messages import ALL, LOSS, LOSS_ZH, message
from .signals import ended, judged_event, witness
from .test_forget import PAGE, RESULT

TABLES = ("messages", "bands", "signals", "signals_text", "feedback", "outbox", "runs")


async def rows(store: Store) -> dict[str, int]:
    def count(connection: Any) -> dict[str, int]:
        found: dict[str, int] = {}
        for table in TABLES:
            found[table] = connection.raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return found

    return await store.database.read(count)


async def verified(store: Store) -> None:
    """Write two messages, one of them repeated, each with a signal that was judged."""
    given = [message("m1"), message("m2", hours=1), message("m3", LOSS_ZH)]
    await store.messages.receive_many(given, ALL)
    for run_id, message_id, text in (("verify-1", "m1", LOSS), ("verify-3", "m3", LOSS_ZH)):
        await store.database.write(partial(assign_run, message_id=message_id, run_id=run_id))
        evidence = (witness("news.example").model_copy(update={"document_id": PAGE.id}),)
        left = judged_event(text, message_id=message_id, evidence=evidence)
        await ended(store, run_id, left, notice=Notice(kind="signal", content=RESULT), **RESULT)
        feedback = Feedback(run_id=run_id, outcome="true", by="ana", note="看到公告", at=NOW)
        await store.signals.feedback(feedback)


async def test_a_run_goes_with_its_signal_its_message_and_its_sightings(store: Store):
    await verified(store)
    before = await rows(store)
    gone = await store.forgetting.carry_out(await store.forgetting.run("verify-1"))
    assert gone.runs == 1
    after = await rows(store)
    lost = {table: before[table] - after[table] for table in TABLES}
    assert lost == {
        "messages": 2, "bands": 20, "signals": 1, "signals_text": 1, "feedback": 1, "outbox": 1,
        "runs": 1,
    }  # fmt: skip
    assert await store.messages.get("m2") is None
    assert await store.signals.get("verify-3") is not None
    assert [each.run_id for each in await store.signals.labelled(NOW)] == ["verify-3"]
    found = await store.signals.similar(EventQuery(text=LOSS, asset="NOVA"), NOW)
    assert [each.run_id for each in found] == ["verify-3"]


async def test_what_was_forgotten_is_new_when_it_comes_again(store: Store):
    await verified(store)
    await store.forgetting.carry_out(await store.forgetting.run("verify-1"))
    assert (await store.messages.receive(message("m9"), ALL)).new


async def test_a_sighting_with_a_run_of_its_own_stays_with_it(store: Store):
    await verified(store)
    await store.messages.receive(message("m4", "Nova Bridge: hackers took $41M"), ALL)
    await ended(
        store,
        "verify-4",
        judged_event("Nova Bridge: hackers took $41M", message_id="m4", path="duplicate",
                duplicate_of="verify-1"),
    )  # fmt: skip
    assert len(await store.messages.sightings("m1")) == 2
    await store.forgetting.carry_out(await store.forgetting.run("verify-1"))
    kept = await store.messages.get("m4")
    assert kept is not None
    assert kept.new
    assert "m4" not in [each.id for each in await store.messages.unverified()]


async def test_a_forgotten_document_leaves_the_signal_and_names_its_run(store: Store):
    await store.index.add([PAGE])
    await verified(store)
    marked = await store.forgetting.document(PAGE.id)
    assert set(marked.quoting) == {"verify-1", "verify-3"}
    await store.forgetting.carry_out(marked)
    kept = await store.signals.get("verify-1")
    assert kept is not None
    assert [each.document_id for each in kept.evidence] == [PAGE.id]
    assert len(await waiting(store)) == 2


async def test_it_can_be_forgotten_twice(store: Store):
    await verified(store)
    marked = await store.forgetting.run("verify-1")
    await store.forgetting.carry_out(marked)
    before = await rows(store)
    await store.forgetting.carry_out(marked)
    assert await rows(store) == before
