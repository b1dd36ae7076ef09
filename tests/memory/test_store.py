"""Memory on both databases: written with the run, found by words, kept through every change."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from groundwire.errors import Fenced, NotFoundHere
from groundwire.model.ending import Ending
from groundwire.model.memory import MemoryQuery, RecalledClaim, Withdrawal
from groundwire.store import Store, open_store
from groundwire.store.dialect import dialect_of
from groundwire.words import words
from tests.store.make import Make

from .make import FARE, FARE_HANT, FARE_NEW, OTHER, RATE_NEW, RATE_OLD, minutes, taught, teach

RATE = "What is the savings rate of Harbor Light Bank?"


async def recalled(store: Store, question: str = RATE, **options: Any) -> list[RecalledClaim]:
    return list(await store.memory.recall(MemoryQuery(text=question, **options), minutes(120)))


async def texts(store: Store, question: str = RATE, **options: Any) -> list[str]:
    return [entry.claim.text for entry in await recalled(store, question, **options)]


def rows(url: str, table: str) -> int:
    with dialect_of(url).engine().connect() as connection:
        return connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()


# --- writing ---------------------------------------------------------------------------------


async def test_what_a_run_teaches_is_there_when_the_run_is_over(store: Store):
    await teach(store, "run-1", minutes(0), taught(RATE_OLD, confidence=0.8))
    (entry,) = await recalled(store)
    assert entry.claim.text == RATE_OLD
    assert entry.standing.learned_at == minutes(0)
    assert (entry.standing.verdict, entry.standing.confidence) == ("supported", 0.8)
    assert [(each.kind, each.who) for each in entry.history] == [("learned", "run-1")]
    (source,) = entry.sources
    assert source.quote == RATE_OLD and source.document_id.startswith("doc_")


async def test_a_run_that_lost_its_lease_teaches_nothing(store: Store):
    make = Make()
    lease = await make.lease(store, "run-1")
    stale = lease.model_copy(update={"fence": lease.fence - 1})
    with pytest.raises(Fenced):
        await store.runs.finish(
            stale, Ending("complete", minutes(0), {}, lessons=[taught(RATE_OLD)])
        )
    assert await recalled(store) == []


async def test_finishing_twice_under_one_lease_learns_once(store: Store, database_url: str):
    make = Make()
    lease = await make.lease(store, "run-1")
    lessons = [taught(RATE_OLD), taught(RATE_OLD)]
    for at in (minutes(0), minutes(1)):
        await store.runs.finish(lease, Ending("complete", at, {}, lessons=lessons))
    (entry,) = await recalled(store)
    assert (entry.sightings, entry.standing.learned_at) == (1, minutes(0))
    assert rows(database_url, "grounds") == 1


async def test_learning_the_same_again_adds_a_sighting_not_a_claim(store: Store, database_url: str):
    await teach(store, "run-1", minutes(0), taught(FARE))
    await teach(store, "run-2", minutes(10), taught(FARE_HANT, url=OTHER))
    (entry,) = await recalled(store, "海角渡轮的票价")
    assert entry.sightings == 2
    assert (entry.standing.learned_at, entry.standing.seen_at) == (minutes(0), minutes(10))
    assert [each.kind for each in entry.history] == ["learned", "seen again"]
    assert rows(database_url, "beliefs") == 1


async def test_a_changed_fact_keeps_its_history(store: Store):
    await teach(store, "run-1", minutes(0), taught(RATE_OLD))
    await teach(store, "run-2", minutes(15), taught(RATE_NEW))
    (entry,) = await recalled(store)
    assert entry.claim.text == RATE_NEW
    (before,) = entry.replaced
    assert (before.text, before.learned_at, before.until) == (RATE_OLD, minutes(0), minutes(15))
    assert words("en").stored(before.why) == "figure: 4.2% → 4.5%"
    assert words("zh").stored(before.why) == "数字：4.2% → 4.5%"
    history = await store.memory.story(entry.claim.id)
    assert history is not None
    assert [(each.kind, each.at, each.who) for each in history.moments] == [
        ("learned", minutes(0), "run-1"),
        ("learned", minutes(15), "run-2"),
        ("superseded", minutes(15), "run-2"),
    ]


# --- as of -----------------------------------------------------------------------------------


async def test_what_was_believed_then_is_answered_for_any_moment(store: Store):
    await teach(store, "run-1", minutes(0), taught(RATE_OLD))
    await teach(store, "run-2", minutes(15), taught(RATE_NEW))
    (entry,) = await recalled(store)
    await store.memory.withdraw(
        entry.claim.id, Withdrawal(at=minutes(30), who="analyst", why="a misprint")
    )
    for at, believed in (
        (minutes(-1), []), (minutes(0), [RATE_OLD]), (minutes(14), [RATE_OLD]),
        (minutes(15), [RATE_NEW]), (minutes(29), [RATE_NEW]), (minutes(30), []),
    ):  # fmt: skip
        assert await texts(store, as_of=at) == believed, at
    assert await texts(store) == []
    past = await recalled(store, past=True)
    assert {entry.standing.state for entry in past} == {"withdrawn", "superseded"}


async def test_later_learning_does_not_change_what_an_earlier_day_answers(store: Store):
    await teach(store, "run-1", minutes(0), taught(RATE_OLD), taught(FARE))
    before = [(entry.claim.id, entry.standing) for entry in await recalled(store, as_of=minutes(5))]
    for number in range(6):
        more = taught(f"The tower of Marlow number {number} is {20 + number} metres high.")
        await teach(store, f"later-{number}", minutes(10 + number), more, taught(RATE_NEW))
    after = [(entry.claim.id, entry.standing) for entry in await recalled(store, as_of=minutes(5))]
    assert after == before


async def test_of_a_hundred_changes_the_one_that_holds_is_found(store: Store):
    """All are worded alike, so their words cannot tell which of them is current."""
    sentences = [f"The savings rate of Harbor Light Bank is {n}.{n % 9 + 1}%." for n in range(100)]
    for number, claim in enumerate(sentences):
        await teach(store, f"run-{number}", minutes(number), taught(claim))
    for number in (0, 1, 42, 98, 99):
        assert await texts(store, as_of=minutes(number)) == [sentences[number]]
    assert await texts(store) == [sentences[99]]


async def test_equal_times_give_the_same_whatever_came_first(new_database: Any):
    lessons = [taught(RATE_OLD), taught(RATE_NEW, url=OTHER), taught(FARE), taught(FARE_NEW)]
    found: list[Any] = []
    for order in (lessons, lessons[::-1]):
        async with open_store(new_database()) as store:
            for number, lesson in enumerate(order):
                await teach(store, f"run-{number}", minutes(0), lesson)
                await store.memory.recall(
                    MemoryQuery(text="anything"), minutes(0)
                )  # settled one by one
            entries = [*await recalled(store), *await recalled(store, "海角渡轮公司的单程票价")]
            found.append([(e.claim.id, e.similarity, e.standing.state) for e in entries])
    assert found[0] == found[1]
    assert len({name for name, _, _ in found[0]}) == 4


# --- recall ----------------------------------------------------------------------------------


async def library(store: Store) -> None:
    await teach(
        store,
        "run-1",
        minutes(0),
        taught("Silicon Valley Bank failed in March 2023.", confidence=0.9),
        taught("硅谷银行的存款得到全额保障。", confidence=0.5),
        taught("The Marlow reservoir holds 40 million cubic metres."),
    )
    await teach(store, "run-2", minutes(60), taught(FARE), taught("港灯银行在马洛设有十一家分行。"))


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("How large is the Marlow reservoir?", "The Marlow reservoir holds 40 million cubic metres."),
        ("海角渡轮多少钱", FARE),
        ("海角渡輪的票價", FARE),  # traditional asks, simplified answers
        ("硅谷银行倒闭", "Silicon Valley Bank failed in March 2023."),
        ("矽谷銀行倒閉", "Silicon Valley Bank failed in March 2023."),
        ("Silicon Valley Bank deposits guaranteed", "硅谷银行的存款得到全额保障。"),
    ],
)  # fmt: skip
async def test_a_claim_is_found_in_either_language_and_script(
    store: Store, question: str, best: str
):
    await library(store)
    found = await recalled(store, question)
    assert found[0].claim.text == best
    for entry in found:
        assert 0 <= entry.similarity.total <= 1
        whole = sum(part.value * part.weight for part in entry.similarity.parts)
        assert entry.similarity.total == pytest.approx(whole, abs=1e-5)


async def test_a_subject_limits_what_is_found_and_needs_no_query(store: Store):
    await library(store)
    banks = {"Silicon Valley Bank failed in March 2023.", "硅谷银行的存款得到全额保障。"}
    assert set(await texts(store, "", subject="SVB")) <= banks
    assert set(await texts(store, "", subject="硅谷银行")) == banks
    assert set(await texts(store, "deposits", subject="Silicon Valley Bank")) <= banks
    assert await texts(store, "", subject="Quelth") == []


async def test_since_confidence_about_and_limit(store: Store):
    await library(store)
    assert await texts(store, "海角渡轮票价", since=minutes(30)) == [FARE]
    assert await texts(store, "Marlow reservoir metres", since=minutes(30)) == []
    assert await texts(store, "硅谷银行", min_confidence=0.8) == [
        "Silicon Valley Bank failed in March 2023."
    ]
    assert await texts(store, "Marlow reservoir", min_confidence=0.1) == []  # it has none
    then = datetime(2023, 3, 10, tzinfo=UTC)
    dated = "Silicon Valley Bank failed in March 2023."
    assert dated in await texts(store, "硅谷银行", about=then)
    assert dated not in await texts(store, "硅谷银行", about=then + timedelta(days=60))
    assert len(await texts(store, "硅谷银行", limit=1)) == 1


async def test_what_is_asked_may_be_anything(store: Store):
    await library(store)
    for question in ("", "  ", "?!", '"(*', "的", "the", "x" * 5000, "'); DROP TABLE beliefs; --"):
        await recalled(store, question)


async def test_the_order_is_the_same_every_time(store: Store):
    for number in range(5):
        await teach(store, f"run-{number}", minutes(0), taught(f"Marlow gate {number} is open."))
    first = await recalled(store, "Marlow gate open")
    assert len(first) == 5
    assert [await recalled(store, "Marlow gate open") for _ in range(3)] == [first] * 3


# --- withdrawing and forgetting --------------------------------------------------------------


async def test_an_unknown_claim_cannot_be_withdrawn(store: Store):
    with pytest.raises(NotFoundHere):
        await store.memory.withdraw("cl_0", Withdrawal(at=minutes(0), who="x", why="y"))
    assert await store.memory.story("cl_0") is None


async def test_a_clock_set_back_still_withdraws(store: Store):
    await teach(store, "run-1", minutes(10), taught(RATE_OLD))
    (entry,) = await recalled(store)
    taken = Withdrawal(at=minutes(0), who="x", why="y")
    held = await store.memory.withdraw(entry.claim.id, taken)
    assert (held.standing.state, held.standing.until) == ("withdrawn", minutes(10))


async def test_ids_are_found_by_their_beginning(store: Store):
    await teach(store, "run-1", minutes(0), taught(RATE_OLD))
    (entry,) = await recalled(store)
    assert await store.memory.find(entry.claim.id[:8]) == [entry.claim.id]
    assert await store.memory.find("cl_zz") == []


TABLES = ("beliefs", "sightings", "grounds", "doubts", "memory_text")


async def test_forgetting_a_run_takes_out_every_word_of_it(store: Store, database_url: str):
    await teach(store, "run-1", minutes(0), taught(RATE_OLD), taught(FARE))
    await teach(store, "run-2", minutes(5), taught(RATE_NEW))
    assert await store.memory.find("cl_")
    for run_id, claims in (("run-2", 1), ("run-1", 2), ("run-1", 0)):
        forgotten = await store.memory.forget(run_ids=[run_id])
        assert forgotten == claims
    assert {table: rows(database_url, table) for table in TABLES} == dict.fromkeys(TABLES, 0)
    # The index counts what it holds: what is learned next is found as if nothing had been.
    await teach(store, "run-3", minutes(9), taught(RATE_OLD))
    assert await texts(store) == [RATE_OLD]


async def test_what_a_forgotten_claim_replaced_stays_replaced(store: Store, database_url: str):
    await teach(store, "run-1", minutes(0), taught(RATE_OLD))
    await teach(store, "run-2", minutes(5), taught(RATE_NEW))
    before = await texts(store, as_of=minutes(3))
    await store.memory.forget(run_ids=["run-2"])
    assert await texts(store) == []
    assert await texts(store, as_of=minutes(3)) == before == [RATE_OLD]
    (entry,) = await recalled(store, past=True)
    assert (entry.standing.state, entry.standing.until) == ("superseded", minutes(5))
    with dialect_of(database_url).engine().connect() as connection:
        left = connection.execute(text("SELECT why, successor FROM doubts")).fetchall()
    assert all("4.5" not in str(row) for row in left)


async def test_forgetting_a_page_leaves_what_rests_on_others(store: Store):
    both = taught(RATE_OLD)
    other = taught(RATE_OLD, url=OTHER)
    pair = both.model_copy(update={"grounds": (*both.grounds, *other.grounds)})
    await teach(store, "run-1", minutes(0), pair, taught(FARE))
    page = both.grounds[0].document_id
    forgotten = await store.memory.forget(document_ids=[page])
    assert forgotten == 0
    (entry,) = await recalled(store)
    assert [ground.url for ground in entry.sources] == [OTHER]
    forgotten = await store.memory.forget(document_ids=[other.grounds[0].document_id])
    assert forgotten == 1
    assert await texts(store) == []
    assert await texts(store, "海角渡轮票价") == [FARE]


async def test_forgetting_one_of_two_sightings_keeps_the_other(store: Store):
    await teach(store, "run-1", minutes(0), taught(RATE_OLD))
    await teach(store, "run-2", minutes(5), taught(RATE_OLD))
    assert await store.memory.forget(run_ids=["run-1"]) == 0
    (entry,) = await recalled(store)
    assert entry.standing.learned_at == minutes(5)


# --- settling --------------------------------------------------------------------------------


async def test_settling_at_once_in_two_processes_does_it_once(database_url: str):
    async with open_store(database_url) as one, open_store(database_url) as other:
        for number in range(12):
            await teach(one, f"run-{number}", minutes(number), taught(RATE_OLD), taught(FARE))
        await teach(one, "last", minutes(20), taught(RATE_NEW))
        found = await asyncio.gather(*(recalled(each) for each in (one, other) * 3))
        assert [[entry.claim.text for entry in each] for each in found] == [[RATE_NEW]] * 6
    assert rows(database_url, "memory_text") == 3
    assert rows(database_url, "doubts") == 2


async def test_rivals_learned_by_two_processes_at_once_are_noticed(database_url: str):
    async with open_store(database_url) as one, open_store(database_url) as other:
        await teach(one, "run-1", minutes(0), taught(RATE_OLD))
        await teach(other, "run-2", minutes(1), taught(RATE_NEW))
        await asyncio.gather(recalled(one), recalled(other))
        assert await texts(one) == await texts(other) == [RATE_NEW]


async def test_both_databases_find_the_same(store: Store):
    """One ranking on both, to the last digit."""
    await library(store)
    found = await recalled(store, "硅谷银行的存款")
    assert [(entry.claim.text, entry.similarity.total) for entry in found] == [
        ("硅谷银行的存款得到全额保障。", 0.999711),
        ("Silicon Valley Bank failed in March 2023.", 0.831477),
        ("港灯银行在马洛设有十一家分行。", 0.317831),
    ]
