"""Signals as memory of events, on both databases: found again, judged, and counted for sources."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from groundwire.errors import Fenced, InputError, NotFoundHere
from groundwire.model.ending import Ending
from groundwire.model.history import EventQuery
from groundwire.model.message import DedupRules
from groundwire.model.outbox import Notice
from groundwire.model.outcome import Feedback, Outcome
from groundwire.store import Store
from tests.parcels import waiting

from .make import NOW, Make
from .messages import ALL, LOSS, LOSS_HANT, LOSS_ZH, message
from .signals import begun, end, ended, judged_event, witness

LATER = NOW + timedelta(hours=1)
OTHER = "Harbor Light Bank opens a branch in Marlow"
RETOLD = f"{LOSS}, it says"
NOTICE = Notice(kind="signal", content={"summary": LOSS})


def feedback_on(run_id: str, outcome: Outcome, minutes: int = 0, **more: Any) -> Feedback:
    at = NOW + timedelta(minutes=minutes)
    return Feedback(run_id=run_id, outcome=outcome, by="ana", at=at, **more)


# --- written with the run's end --------------------------------------------------------------


async def test_a_signal_is_there_when_its_run_is_over(store: Store):
    left = judged_event(
        evidence=(witness("a.example"),), risk_flags=("single_source",), tool_calls=2
    )
    await ended(store, "verify-1", left, hours=-2)
    row = await store.signals.get("verify-1")
    assert row is not None
    assert (row.run_id, row.at, row.outcome) == ("verify-1", NOW - timedelta(hours=2), None)
    assert {**row.model_dump(), **left.model_dump()} == row.model_dump()
    assert [each.run_id for each in await store.signals.recent()] == ["verify-1"]
    assert await store.signals.get("verify-2") is None


async def test_a_run_that_lost_its_lease_leaves_no_signal(store: Store):
    lease = await begun(store, "verify-1")
    stale = lease.model_copy(update={"fence": lease.fence - 1})
    with pytest.raises(Fenced):
        await end(store, stale, judged_event(), NOTICE)
    assert await store.signals.get("verify-1") is None
    assert await waiting(store) == []


async def test_the_end_written_twice_leaves_one_signal(store: Store):
    lease = await begun(store, "verify-1")
    for _ in range(2):
        await end(store, lease, judged_event(), NOTICE)
    assert len(await store.signals.recent()) == 1
    assert len(await waiting(store)) == 1


async def test_another_attempt_replaces_the_signal_and_keeps_what_was_said_of_it(store: Store):
    await ended(store, "verify-1")
    await store.signals.feedback(feedback_on("verify-1", "true"))
    await store.runs.reopen("verify-1", LATER)
    lease = await store.runs.claim("verify-1", "worker", LATER, LATER + timedelta(minutes=1))
    assert lease is not None
    await end(store, lease, judged_event(OTHER, score=0.3, confidence=0.3, verdict="contested"))
    row = await store.signals.get("verify-1")
    assert row is not None
    assert (row.text, row.verdict, row.outcome) == (OTHER, "contested", "true")
    assert [each.score for each in await store.signals.labelled(LATER)] == [0.3]
    assert not await store.signals.similar(EventQuery(text=LOSS, limit=5), LATER)


async def test_the_message_of_a_signal_has_its_run_even_if_that_was_never_noted(store: Store):
    await store.messages.receive(message("m1"), ALL)
    await ended(store, "verify-1")
    assert await store.messages.unverified() == []


async def test_the_same_event_becomes_a_sighting_of_the_first_message(store: Store):
    retold = LOSS.replace("Nova Bridge loses", "Nova Bridge: hackers take")
    for name, text in (("m1", LOSS), ("m2", retold)):
        assert (await store.messages.receive(message(name, text), ALL)).new
    await ended(store, "verify-1")
    twin = judged_event(retold, message_id="m2", path="duplicate", duplicate_of="verify-1")
    await ended(store, "verify-2", twin)
    receipt = await store.messages.get("m2")
    assert receipt is not None
    assert (receipt.first_id, receipt.layer) == ("m1", "signal")
    assert "verify-1" in receipt.why
    assert 0.5 < receipt.similarity < 1
    (sighting,) = await store.messages.sightings("m1")
    assert (sighting.message_id, sighting.layer) == ("m2", "signal")


# --- similar events --------------------------------------------------------------------------


async def test_a_similar_event_comes_with_what_was_made_of_it(store: Store):
    await ended(store, "verify-1", hours=-48)
    await store.signals.feedback(feedback_on("verify-1", "true"))
    query = EventQuery(text=LOSS, asset="NOVA", event_type="hack", keywords=("exploit",))
    (found,) = await store.signals.similar(query, LATER)
    assert (found.run_id, found.verdict, found.confidence) == ("verify-1", "supported", 0.8)
    assert (found.outcome, found.age_hours, found.differs) == ("true", 49.0, "")
    assert found.similarity > 0.9
    total = sum(part.value * part.weight for part in found.parts)
    assert total == pytest.approx(found.similarity, abs=1e-4)
    assert {part.name for part in found.parts} == {
        "text", "subject", "event", "keywords", "recency",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "more", "least", "most"),
    [
        (LOSS, {"asset": "NOVA", "event_type": "hack"}, 0.9, 1.0),
        (LOSS_ZH, {"asset": "NOVA", "event_type": "hack"}, 0.35, 0.8),  # other words, same asset
        (LOSS.replace("$41M", "$14M"), {"asset": "NOVA", "event_type": "hack"}, 0.6, 0.8),
        (f"Team denies that {LOSS}", {"asset": "NOVA", "event_type": "hack"}, 0.6, 0.8),
        (LOSS, {"asset": "ETH", "event_type": "listing"}, 0.5, 0.8),
        (OTHER, {"asset": "NOVA", "event_type": "partnership"}, 0.0, 0.5),
        (OTHER, {}, 0.0, 0.4),
    ],
)
async def test_similarity_is_a_share_that_facts_can_cap(
    store: Store, text: str, more: dict[str, str], least: float, most: float
):
    await ended(store, "verify-1")
    await store.signals.feedback(feedback_on("verify-1", "true"))
    await ended(
        store, "verify-2", judged_event("央行宣布降息25个基点", asset="CNY", event_type="macro")
    )
    found = await store.signals.similar(EventQuery.model_validate({"text": text, **more}), LATER)
    near = {each.run_id: each.similarity for each in found}.get("verify-1", 0.0)
    assert least <= near <= most


async def test_chinese_in_either_script_finds_the_event(store: Store):
    await ended(store, "verify-1", judged_event(LOSS_ZH, summary=LOSS_ZH))
    await store.signals.feedback(feedback_on("verify-1", "true"))
    await ended(
        store, "verify-2", judged_event("海角渡轮公司宣布票价上调", asset="", event_type="other")
    )
    (first, *_) = await store.signals.similar(EventQuery(text=LOSS_HANT), LATER)
    assert first.run_id == "verify-1"
    assert first.similarity > 0.8


async def test_nearest_first_and_not_more_than_asked_for(store: Store):
    for number in range(6):
        left = judged_event(f"{LOSS} {'and more ' * number}", event_type="hack")
        await ended(store, f"verify-{number}", left, hours=-number)
    query = EventQuery(text=RETOLD, asset="NOVA", limit=3)
    found = await store.signals.similar(query, LATER)
    shares = [each.similarity for each in found]
    assert len(found) == 3
    assert shares == sorted(shares, reverse=True)
    assert found[0].run_id == "verify-0"


async def test_neither_the_run_itself_nor_what_comes_later_is_remembered(store: Store):
    await ended(store, "verify-1", hours=-1)
    await ended(store, "verify-2", hours=2)
    query = EventQuery(text=RETOLD, asset="NOVA")
    found = await store.signals.similar(query, NOW, except_run="verify-0")
    assert [each.run_id for each in found] == ["verify-1"]
    assert list(await store.signals.similar(query, NOW, except_run="verify-1")) == []


async def test_an_outcome_that_became_known_later_is_not_known_yet(store: Store):
    await ended(store, "verify-1", hours=-1)
    await store.signals.feedback(feedback_on("verify-1", "false", minutes=30))
    query = EventQuery(text=RETOLD)
    before = await store.signals.similar(query, NOW)
    after = await store.signals.similar(query, LATER)
    assert [each.outcome for each in (*before, *after)] == [None, "false"]


@pytest.mark.parametrize("text", [LOSS, LOSS_ZH, LOSS_HANT])
async def test_the_same_text_is_remembered_only_with_what_came_of_it(store: Store, text: str):
    await ended(store, "verify-1", judged_event(text), hours=-1)
    again = EventQuery(text=f"{text}!", asset="NOVA", event_type="hack")
    assert list(await store.signals.similar(again, NOW)) == []
    await store.signals.feedback(feedback_on("verify-1", "true"))
    assert [each.run_id for each in await store.signals.similar(again, LATER)] == ["verify-1"]


@pytest.mark.parametrize(
    ("past", "text"),
    [
        (LOSS, "Nova Bridge names a new head of security for its team"),
        (LOSS_ZH, "诺瓦桥任命新的安全主管，团队扩大"),
        (LOSS_HANT, "諾瓦橋任命新的安全主管，團隊擴大"),
    ],
)
async def test_what_only_shares_a_name_is_not_remembered(store: Store, past: str, text: str):
    await ended(store, "verify-1", judged_event(past), hours=-1)
    await store.signals.feedback(feedback_on("verify-1", "true"))
    query = EventQuery(text=text, asset="NOVA", event_type="personnel")
    assert list(await store.signals.similar(query, LATER)) == []


async def test_a_memory_without_any_event_gives_none(store: Store):
    assert list(await store.signals.similar(EventQuery(text=LOSS, asset="NOVA"), NOW)) == []
    assert list(await store.signals.similar(EventQuery(), NOW)) == []


# --- the same signal (layer 4) ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("asset", "event_type", "text", "hours", "same"),
    [
        ("NOVA", "hack", LOSS, 1, True),
        ("NOVA", "hack", LOSS.replace("loses $41M in a", "$41M loss, a"), 5.9, True),
        ("NOVA", "hack", LOSS, 6.1, False),  # six hours
        ("ETH", "hack", LOSS, 1, False),
        ("NOVA", "listing", LOSS, 1, False),
        ("NOVA", "hack", LOSS.replace("$41M", "$14M"), 1, False),
        ("NOVA", "hack", f"{LOSS}, funds recovered", 1, False),
        ("NOVA", "hack", OTHER, 1, False),
        ("NOVA", "hack", LOSS, -1, False),  # of later than now
    ],
)
async def test_the_same_event_of_the_last_hours_is_the_same_signal(
    store: Store, asset: str, event_type: str, text: str, hours: float, same: bool
):
    await ended(store, "verify-1")
    now = NOW + timedelta(hours=hours)
    found = await store.signals.twin(asset, event_type, text, now)
    assert (found is not None) == same
    if found is not None:
        assert (found.run_id, found.message_id) == ("verify-1", "m1")
        assert found.similarity >= 0.68
        assert await store.signals.twin(asset, event_type, text, now, except_run="verify-1") is None


async def test_a_repetition_is_nobodys_first(store: Store):
    await ended(store, "verify-1", hours=-7)
    await ended(
        store, "verify-2", judged_event(path="duplicate", duplicate_of="verify-1"), hours=-2
    )
    assert await store.signals.twin("NOVA", "hack", LOSS, NOW) is None
    found = await store.signals.similar(EventQuery(text=RETOLD, asset="NOVA"), NOW)
    assert [each.run_id for each in found] == ["verify-1"]


async def test_an_asset_is_one_however_it_is_written(store: Store):
    await ended(store, "verify-1", judged_event("Bitcoin miners halt payouts", asset="BTC"))
    assert await store.signals.twin("比特币", "hack", "Bitcoin miners halt payouts", LATER)


# --- feedback --------------------------------------------------------------------------------


async def test_the_newest_feedback_holds_and_all_is_kept(store: Store):
    await ended(store, "verify-1")
    await store.signals.feedback(feedback_on("verify-1", "true", 1, note="看到公告"))
    row = await store.signals.feedback(feedback_on("verify-1", "partly", 2))
    assert (row.outcome, row.labelled_by, row.note) == ("partly", "ana", "")
    assert row.labelled_at == NOW + timedelta(minutes=2)
    history = await store.signals.history("verify-1")
    assert [(each.outcome, each.note) for each in history] == [("partly", ""), ("true", "看到公告")]
    assert [each.outcome for each in await store.signals.labelled(LATER)] == ["partly"]
    early = await store.signals.labelled(NOW + timedelta(minutes=1))
    assert [each.outcome for each in early] == ["true"]
    assert list(await store.signals.labelled(NOW)) == []


async def test_only_a_finished_signal_can_be_judged(store: Store):
    with pytest.raises(NotFoundHere, match="no run"):
        await store.signals.feedback(feedback_on("verify-0", "true"))
    await ended(store, "ask-1", None)
    lease = await Make().lease(store, "ask-2", kind="ask")
    await end(store, lease, None)
    with pytest.raises(InputError, match="of ask ended"):
        await store.signals.feedback(feedback_on("ask-2", "true"))
    lease = await begun(store, "verify-2")
    with pytest.raises(InputError, match="not over yet"):
        await store.signals.feedback(feedback_on("verify-2", "true"))
    await store.runs.finish(lease, Ending("failed", NOW, error="no"))
    with pytest.raises(InputError, match="left no signal") as refusal:
        await store.signals.feedback(feedback_on("verify-2", "true"))
    assert refusal.value.hint == "gw resume verify-2"
    await ended(store, "verify-3", judged_event(path="duplicate", duplicate_of="ask-1"))
    with pytest.raises(InputError, match="only repeats ask-1"):
        await store.signals.feedback(feedback_on("verify-3", "true"))
    assert list(await store.signals.labelled(LATER)) == []


async def test_channels_and_publishers_are_right_as_often_as_they_were(store: Store):
    for name, outcome, evidence in (
        ("verify-1", "true", (witness("a.example"), witness("b.example", "contradicts"))),
        ("verify-2", "false", (witness("a.example"), witness("b.example", "contradicts"))),
        ("verify-3", "partly", (witness("a.example"), witness("c.example", "unrelated"))),
        ("verify-4", None, (witness("a.example"),)),
    ):
        await ended(store, name, judged_event(evidence=evidence))
        if outcome is not None:
            await store.signals.feedback(feedback_on(name, outcome))  # type: ignore[arg-type]
    found = {each.source: each for each in await store.signals.sources(LATER)}
    assert found.keys() == {"telegram:desk", "a.example", "b.example"}
    desk, a, b = found["telegram:desk"], found["a.example"], found["b.example"]
    assert (desk.kind, desk.hits, desk.misses, desk.partly, desk.rate) == ("message", 1, 1, 1, 0.5)
    assert (a.kind, a.hits, a.misses, a.partly) == ("publisher", 1, 1, 1)
    assert (b.hits, b.misses, b.rate) == (1, 1, 0.5)  # it contradicted the false one: a hit
    assert list(await store.signals.sources(NOW - timedelta(days=1))) == []


async def test_what_repeats_a_repetition_belongs_to_the_first_message(store: Store):
    other = "An exploit of Nova Bridge's hot wallet took $41M; its team has paused withdrawals"
    await store.messages.receive(message("m1"), ALL)
    await ended(store, "verify-1", judged_event(message_id="m1"))
    assert (await store.messages.receive(message("m2", other, 1), ALL)).new
    before = await store.messages.receive(message("m3", f"BREAKING: {other}", 1), ALL)
    assert before.first_id == "m2"
    # A run finds that the second message tells of the same event (layer 4).
    same = judged_event(other, message_id="m2", path="duplicate", duplicate_of="verify-1")
    await ended(store, "verify-2", same)
    exactly = await store.messages.receive(message("m4", other, 2), ALL)
    nearly = await store.messages.receive(
        message("m5", other, 2), DedupRules(exact=False, hash=False)
    )
    assert (exactly.first_id, exactly.layer) == ("m1", "exact")
    assert (nearly.first_id, nearly.layer) == ("m1", "near")
    seen = await store.messages.sightings("m1")
    assert [each.message_id for each in seen] == ["m2", "m3", "m4", "m5"]
    assert not await store.messages.sightings("m2")
