"""Messages at the door, on both databases: new once, afterwards sightings, never lost."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from groundwire.model.message import Cursor, DedupRules
from groundwire.store import Store, open_store
from groundwire.store.messages import ExactWindow, assign_run
from groundwire.words import LANGUAGES, words

from .make import NOW
from .messages import ALL, LOSS, LOSS_HANT, LOSS_ZH, message

ROOT = Path(__file__).parents[2]


async def test_a_message_that_says_something_new_is_first(store: Store):
    given = message(
        "m1",
        LOSS_ZH,
        language="zh",
        author="小林",
        published_at=NOW - timedelta(minutes=3),
        zone="Asia/Shanghai",
        keywords_hit=("攻击",),
        media_urls=("https://a.example/p.png",),
    )
    receipt = await store.messages.receive(given, ALL)
    assert receipt.new
    assert (receipt.first_id, receipt.layer, receipt.message) == ("m1", None, given)
    assert await store.messages.get("m1") == receipt
    assert await store.messages.get("m2") is None


async def test_the_same_id_again_gives_the_same_receipt_and_stores_nothing(store: Store):
    first = await store.messages.receive(message("m1"), ALL)
    repeated = await store.messages.receive(message("m2", hours=1), ALL)
    assert await store.messages.receive(message("m1", "other words", hours=2), ALL) == first
    assert await store.messages.receive(message("m2", hours=3), ALL) == repeated
    assert [each.message_id for each in await store.messages.sightings("m1")] == ["m2"]


@pytest.mark.parametrize(
    ("first", "later", "hours", "layer"),
    [
        (LOSS, LOSS, 1, "exact"),
        (LOSS, LOSS, 25, "hash"),  # the window of memory is a day
        (LOSS, f"🚨 {LOSS.upper()} #crypto", 1, "near"),
        (LOSS, f"🚨 {LOSS.upper()}!", 1, "hash"),
        (LOSS_ZH, LOSS_HANT, 1, "hash"),
        (LOSS_ZH, LOSS_HANT, 24 * 90, "hash"),  # the store forgets no digest
        (LOSS_HANT, f"{LOSS_ZH}，请大家注意", 1, "near"),
        (LOSS, f"{LOSS}. More details to follow", 24 * 6.9, "near"),
        (LOSS, f"{LOSS}. More details to follow", 24 * 7.1, None),  # seven days
        (LOSS, LOSS.replace("$41M", "$14M"), 1, None),
        (LOSS_ZH, LOSS_ZH.replace("遭攻击", "未遭攻击"), 1, None),
    ],
)
async def test_each_layer_knows_what_it_is_for(
    store: Store, first: str, later: str, hours: float, layer: str | None
):
    await store.messages.receive(message("m1", first), ALL)
    receipt = await store.messages.receive(message("m2", later, hours, source="feed:x"), ALL)
    assert receipt.layer == layer
    assert receipt.first_id == ("m1" if layer else "m2")
    if layer:
        for language in LANGUAGES:
            assert "telegram:desk" in words(language).stored(receipt.why)
        assert "came" not in words("zh").stored(receipt.why)
        assert receipt.similarity >= 0.85
        (sighting,) = await store.messages.sightings("m1")
        assert (sighting.message_id, sighting.source, sighting.layer) == ("m2", "feed:x", layer)
        assert (sighting.why, sighting.similarity) == (receipt.why, receipt.similarity)
    else:
        assert await store.messages.sightings("m1") == []


@pytest.mark.parametrize(
    ("rules", "later", "layer"),
    [
        (DedupRules(exact=False), LOSS, "hash"),
        (DedupRules(exact=False, hash=False), LOSS, "near"),
        (DedupRules(exact=False, hash=False, near=False), LOSS, None),
        (DedupRules(hash=False, near=False), LOSS, "exact"),
        (DedupRules(near=False), f"{LOSS}. More details to follow", None),
    ],
)
async def test_each_layer_can_be_switched_off(
    store: Store, rules: DedupRules, later: str, layer: str | None
):
    await store.messages.receive(message("m1"), ALL)
    assert (await store.messages.receive(message("m2", later), rules)).layer == layer


async def test_a_repetition_of_a_repetition_belongs_to_the_first(store: Store):
    changed = f"{LOSS}. More details to follow"
    await store.messages.receive(message("m1"), ALL)
    await store.messages.receive(message("m2", changed), ALL)
    rules = DedupRules(exact=False, near=False)
    third = await store.messages.receive(message("m3", f"{changed}!!", 24 * 30), rules)
    assert (third.layer, third.first_id) == ("hash", "m1")
    assert [each.message_id for each in await store.messages.sightings("m1")] == ["m2", "m3"]


async def test_after_a_restart_the_store_still_knows_what_was_said(new_database: object):
    assert callable(new_database)
    url = str(new_database())
    async with open_store(url) as store:
        await store.messages.receive(message("m1"), ALL)
    async with open_store(url) as store:
        assert (await store.messages.receive(message("m2"), ALL)).layer == "hash"


async def test_many_are_received_in_one_go_and_know_each_other(store: Store):
    given = [message("m1"), message("m2"), message("m3", LOSS_ZH), message("m4", f"{LOSS} !")]
    receipts = await store.messages.receive_many(given, ALL)
    assert [each.layer for each in receipts] == [None, "exact", None, "hash"]
    assert [each.first_id for each in receipts] == ["m1", "m1", "m3", "m1"]


async def test_what_no_database_can_keep_is_left_out_of_a_message(store: Store):
    given = message(
        "m\x001", f"{LOSS}\x00 😀𠮷", source="feed:\x00x", author="\x00", keywords_hit=("\x00",)
    )
    assert (given.id, given.source, given.author) == ("m1", "feed:x", "")
    await store.messages.receive(given, ALL)
    kept = await store.messages.get("m1")
    assert kept is not None
    assert kept.message == given
    assert kept.message.text == f"{LOSS} 😀𠮷"


async def test_a_message_of_the_longest_kind_is_received(store: Store):
    text = "诺瓦桥被盗 " * 3_333
    for name in ("m1", "m2"):
        await store.messages.receive(message(name, text), DedupRules(exact=False, hash=False))
    assert [each.layer for each in await store.messages.sightings("m1")] == ["near"]


# --- cursors ---------------------------------------------------------------------------------


async def test_how_far_a_source_was_read_is_written_with_its_message(store: Store):
    assert await store.messages.cursor("telegram:desk") is None
    for number in (1, 2):
        at = Cursor(source="telegram:desk", state={"last": number}, at=NOW)
        await store.messages.receive(message(f"m{number}", f"{LOSS} {number}"), ALL, at)
        assert await store.messages.cursor("telegram:desk") == at
    quiet = Cursor(source="feed:x", state={"etag": 'W/"1"'}, at=NOW)
    await store.messages.receive_many([], ALL, quiet)
    assert await store.messages.cursor("feed:x") == quiet


async def test_a_message_that_cannot_be_stored_leaves_the_cursor_where_it_was(store: Store):
    at = Cursor(source="telegram:desk", state={"last": 1}, at=NOW)
    bad = message("m2").model_copy(update={"published_at": "never"})  # no time at all
    with pytest.raises(TypeError):
        await store.messages.receive_many([message("m1"), bad], ALL, at)
    assert await store.messages.cursor("telegram:desk") is None
    assert await store.messages.get("m1") is None
    assert (await store.messages.receive(message("m3"), ALL)).new  # nor is it kept in mind


# --- handing on ------------------------------------------------------------------------------


async def test_first_messages_without_a_run_are_found_again_oldest_first(store: Store):
    for name, text, hours in (("m2", LOSS_ZH, 2), ("m1", LOSS, 1), ("m3", LOSS, 3)):
        await store.messages.receive(message(name, text, hours), ALL)
    assert [each.id for each in await store.messages.unverified()] == ["m1", "m2"]
    assert [each.id for each in await store.messages.unverified(limit=1)] == ["m1"]
    await store.database.write(lambda c: assign_run(c, "m1", "verify-1"))
    assert [each.id for each in await store.messages.unverified()] == ["m2"]


async def test_keys_of_old_messages_go_and_the_messages_stay(store: Store):
    await store.messages.receive(message("m1"), ALL)
    await store.messages.receive(message("m2", LOSS_ZH, 24 * 8), ALL)
    assert await store.messages.prune(NOW + timedelta(days=8)) == 20
    assert await store.messages.prune(NOW + timedelta(days=8)) == 0
    assert await store.messages.get("m1") is not None


# --- at once ---------------------------------------------------------------------------------


async def test_of_many_at_once_one_is_first(store: Store):
    clothes = ("", "🚨 ", "see this: ")
    given = [message(f"m{n}", f"{clothes[n % 3]}{LOSS}") for n in range(24)]
    receipts = await asyncio.gather(*(store.messages.receive(each, ALL) for each in given))
    assert [each.new for each in receipts].count(True) == 1
    (first,) = {each.first_id for each in receipts}
    assert len(await store.messages.sightings(first)) == 23


def test_of_two_processes_with_the_same_texts_one_is_first(database_url: str):
    count = 30
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.store.receiver", database_url, name, str(count)],
            cwd=ROOT,
        )
        for name in "ab"
    ]
    assert [each.wait(timeout=60) for each in started] == [0, 0]

    async def look() -> list[tuple[str, int]]:
        async with open_store(database_url) as store:
            firsts = await store.messages.unverified(limit=1000)
            return [(each.id, len(await store.messages.sightings(each.id))) for each in firsts]

    found = asyncio.run(look())
    assert len(found) == count
    assert {sightings for _, sightings in found} == {1}


# --- the window of memory --------------------------------------------------------------------


def test_the_window_keeps_the_first_of_a_day_and_not_more_than_it_may():
    window = ExactWindow(most=2)
    window.add("a", "m1", NOW)
    window.add("a", "m2", NOW + timedelta(hours=20))
    assert window.first("a", NOW + timedelta(hours=24)) == "m1"
    assert window.first("a", NOW + timedelta(hours=25)) is None
    window.add("a", "m3", NOW + timedelta(hours=25))
    assert window.first("a", NOW + timedelta(hours=26)) == "m3"
    for text in ("b", "c"):
        window.add(text, text, NOW + timedelta(hours=26))
    assert window.first("a", NOW + timedelta(hours=26)) is None
    assert window.first("c", NOW + timedelta(hours=26)) == "c"
