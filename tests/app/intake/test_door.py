"""The door: what is let in, what is known already, what becomes a run, and what a crash leaves."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from groundwire.app import App
from groundwire.app.intake.arrivals import arrival, shortened
from groundwire.app.intake.door import Door, Ways
from groundwire.errors import InputError, TooBig
from groundwire.jobs.verify.messages import of_message
from groundwire.model.base import short_id
from groundwire.model.message import Cursor, Message
from groundwire.model.run import Run
from groundwire.words import words

from .conftest import Opened

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
DEPEG = "USDC depegs to $0.88 after Silicon Valley Bank collapse"
DULL = "市议会讨论新的公园长椅"


def post(text: str, *, sender_id: str = "", source: str = "feed:x", minutes: int = 0) -> Message:
    return arrival(text, NOW + timedelta(minutes=minutes), source=source, sender_id=sender_id)


async def verify_runs(app: App) -> list[Run]:
    return list(await app.runs.recent(100, "verify"))


# --- what arrives ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        (None, InputError, "is no text"),
        (7, InputError, "is no text"),
        ("", InputError, "is empty"),
        (" \n\t", InputError, "is empty"),
        ("\u200b\ufeff\u2060", InputError, "is empty"),
        ("\x00\x01", InputError, "is empty"),
        ("\ud800", InputError, "not valid text"),
        ("字" * 20_001, TooBig, "20,001 characters; at most 20,000"),
    ],
)
def test_what_is_no_message_is_refused_by_its_type(
    text: object, kind: type[InputError], why: str
) -> None:
    with pytest.raises(kind, match=why):
        arrival(text, NOW, source="x")


def test_a_message_keeps_its_lines_and_loses_what_no_database_takes() -> None:
    message = arrival("a\r\nb\x00\x1b c", NOW, source="x", author="me\nyou", language="no; code")
    assert message.text == "a\nb c"
    assert message.author == "me you"
    assert message.language == "und" or message.language.isalpha()


def test_a_time_that_is_still_to_come_is_none() -> None:
    ahead = NOW + timedelta(days=3)
    assert arrival("a b", NOW, source="x", published_at=ahead).published_at is None
    assert arrival("a b", NOW, source="x", published_at=NOW).published_at == NOW


def test_a_whole_article_is_shortened_to_a_message() -> None:
    assert len(arrival(shortened("長" * 50_000), NOW, source="x").text) == 20_000


# --- dedup -----------------------------------------------------------------------------------


async def test_layers_attach_a_repetition_and_say_why(app: App) -> None:
    door = Door(app)
    texts = [DEPEG, DEPEG, f"🚨 {DEPEG.upper()}!", f"{DEPEG}. More details to follow"]
    receipts = await door.receive([post(text, sender_id=str(at)) for at, text in enumerate(texts)])
    assert [each.layer for each in receipts] == [None, "exact", "hash", "near"]
    assert all(each.why for each in receipts[1:])
    sightings = await app.store.messages.sightings(receipts[0].message.id)
    assert len(sightings) == 3
    assert door.counts.repeated == {"exact": 1, "hash": 1, "near": 1}


@pytest.mark.parametrize(
    ("off", "layers"),
    [
        ((), [None, "exact", "hash", "near"]),
        (("exact",), [None, "hash", "hash", "near"]),
        (("exact", "hash"), [None, "near", "near", "near"]),
        (("near",), [None, "exact", "hash", None]),
        (("exact", "hash", "near"), [None, None, None, None]),
    ],
    ids=lambda value: "-".join(map(str, value)),
)
async def test_each_layer_has_its_switch(
    opened: Opened, off: tuple[str, ...], layers: list[str | None]
) -> None:
    async with opened(**{f"intake__dedup__{name}": False for name in off}) as app:
        texts = [DEPEG, DEPEG, f"🚨 {DEPEG.upper()}!", f"{DEPEG}. More details to follow"]
        given = [post(text, sender_id=str(at)) for at, text in enumerate(texts)]
        assert [each.layer for each in await Door(app).receive(given)] == layers


async def test_a_message_that_comes_again_is_known_and_no_second_run(app: App) -> None:
    door = Door(app)
    assert await door.take([post(DULL, sender_id="1"), post(DULL, sender_id="1")]) == 1
    assert await door.take([post(DULL, sender_id="1", minutes=1)]) == 0
    await door.idle()
    assert (door.counts.new, door.counts.known, door.counts.signals) == (1, 2, 1)
    assert door.counts.ended == {"plain": 1}
    assert len(await verify_runs(app)) == 1


async def test_the_same_id_with_other_words_is_an_edit_and_a_message_of_its_own(app: App) -> None:
    door = Door(app)
    for minutes, text in enumerate((DULL, DEPEG, DEPEG)):
        await door.take([post(text, sender_id="1", minutes=minutes)])
    await door.idle()
    assert {str(run.input["text"]) for run in await verify_runs(app)} == {DULL, DEPEG}
    assert (door.counts.new, door.counts.known) == (2, 1)


async def test_what_a_person_asked_by_hand_is_repeated_by_what_comes_later(app: App) -> None:
    given = {"text": DEPEG, "source": "cli", "tools": False}
    first, again = [await app.submit("verify", given) for _ in range(2)]
    assert first.id != again.id  # whoever asks again gets an answer again
    await app.ended(again.id)
    receipts = await Door(app).receive(
        [post(DEPEG, sender_id="1"), post(f"{DEPEG}. More details to follow", sender_id="2")]
    )
    first_id = receipts[0].first_id
    assert [(each.layer, each.first_id) for each in receipts] == [
        ("exact", first_id),
        ("near", first_id),
    ]
    assert not await app.store.messages.unverified()


# --- lists and priorities --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("allow", "deny", "text", "hit", "why"),
    [
        (["hack"], [], "Exchange Hack drains wallets", ("hack",), ""),
        (["hack"], [], "A hackathon in town", (), "none of the words"),
        (["脱锚"], [], "USDC 脫錨至 0.88", ("脱锚",), ""),  # traditional text
        (["脫錨"], [], "USDC 脱锚至 0.88", ("脫錨",), ""),  # traditional word
        (["ＵＳＤＣ"], [], "usdc falls", ("ＵＳＤＣ",), ""),  # wide
        (["price target"], [], "New price  target for ETH", ("price target",), ""),
        (["usdc", "脱锚"], [], "USDC 脱锚", ("usdc", "脱锚"), ""),
        ([], ["giveaway"], "USDC giveaway, hurry", (), "'giveaway'"),
        ([], ["giveaway"], "giveaways are banned", (), ""),
        ([], ["抽奖"], "關注即可抽獎", (), "'抽奖'"),
        (["usdc"], ["抽奖"], "USDC 抽奖", (), "intake.deny"),  # deny goes first
        ([], [], "anything", (), ""),
    ],
)
async def test_lists_match_words_in_any_case_width_and_script(
    opened: Opened, allow: list[str], deny: list[str], text: str, hit: tuple[str, ...], why: str
) -> None:
    async with opened(intake__allow=allow, intake__deny=deny) as app:
        door = Door(app)
        receipts = await door.receive([post(text)])
        turned = dict(door.counts.turned_away)
        if why:
            assert not receipts
            assert [n for reason, n in turned.items() if why in words("en").stored(reason)] == [1]
            assert await app.store.messages.get(post(text).id) is None
        else:
            assert not turned
            assert receipts[0].message.keywords_hit == hit


async def test_a_persons_messages_pass_no_list(opened: Opened) -> None:
    async with opened(intake__deny=["giveaway"]) as app:
        door = Door(app, Ways(gate=False, lists=False))
        assert len(await door.receive([post("A giveaway")])) == 1


async def test_a_cursor_is_kept_even_where_everything_was_turned_away(opened: Opened) -> None:
    async with opened(intake__deny=["giveaway"]) as app:
        cursor = Cursor(source="feed:x", state={"seen": {"1": "a"}}, at=NOW)
        await Door(app).take([post("A giveaway")], cursor=cursor)
        assert await app.store.messages.cursor("feed:x") == cursor


async def test_a_priority_channel_goes_deep_from_its_own_threshold(opened: Opened) -> None:
    text = "Binance will list the token XYZ tomorrow, sources say"
    async with opened(
        intake__priority=["telegram:Whales=0.0", "feed:dull=1.0"], offline=True
    ) as app:
        door = Door(app)
        await door.take([post(text, source="telegram:whales")])
        await door.idle()
        await door.take([post(f"{text} 42", source="feed:other")])
        await door.idle()
        runs = {str(run.input["source"]): run for run in await verify_runs(app)}
        assert runs["telegram:whales"].input["threshold"] == 0.0
        assert runs["feed:other"].input["threshold"] is None
        assert (runs["telegram:whales"].result or {})["path"] == "deep"


# --- runs ------------------------------------------------------------------------------------


async def test_no_more_are_under_way_than_may_be_and_the_source_waits(opened: Opened) -> None:
    async with opened(intake__concurrency=2) as app:
        door = Door(app)
        most = 0

        async def watch() -> None:
            nonlocal most
            while True:
                most = max(most, door.in_flight)
                await asyncio.sleep(0)

        watching = asyncio.create_task(watch())
        await door.take([post(f"{DULL} {at}", sender_id=str(at)) for at in range(12)])
        assert len(await verify_runs(app)) == 12  # all have a run when the source goes on
        await door.idle()
        watching.cancel()
        assert most == 2
        assert door.counts.signals == 12


async def test_a_run_is_told_of_once_and_carries_the_message(app: App) -> None:
    reported_runs: list[Run] = []
    door = Door(app, on_end=reported_runs.append)
    message = post(DEPEG, sender_id="9").model_copy(update={"media_urls": ("https://t.me/x/9",)})
    await door.take([message])
    await door.idle()
    (run,) = reported_runs
    assert run.input["gate"] is True
    assert run.input["media_urls"] == ["https://t.me/x/9"]
    assert (run.result or {})["message"]["id"] == message.id
    receipt = await app.store.messages.get(message.id)
    assert receipt is not None
    assert not await app.store.messages.unverified()


async def test_messages_without_a_run_are_handed_on_at_the_next_start(opened: Opened) -> None:
    async with opened() as app:  # killed right after the receipt
        await Door(app).receive([post(f"{DULL} {at}", sender_id=str(at)) for at in range(3)])
    async with opened() as app:  # killed between the submit and its note
        await app.submit(
            "verify",
            of_message(post(f"{DULL} 0", sender_id="0"), True, True, app.settings.language, None),
            idempotency_key=short_id("verify", post("x", sender_id="0").id),
        )
    async with opened() as app:
        door = Door(app)
        await door.recover()
        await door.idle()
        assert door.counts.signals == 3
        assert len(await verify_runs(app)) == 3
        assert not await app.store.messages.unverified()


async def test_a_run_asked_for_deep_is_another_one_than_the_gated(app: App) -> None:
    message = post(DULL)
    gated, deep = Door(app), Door(app, Ways(gate=False, lists=False))
    await gated.receive([message])
    first = await gated.run_to_end(message)
    assert (first.result or {})["path"] == "plain"
    second, third = await deep.run_to_end(message), await deep.run_to_end(message)
    assert second.id == third.id != first.id
    assert (second.result or {})["path"] == "deep"
    assert (await gated.run_to_end(message)).id == first.id


async def test_who_asks_for_a_message_says_how_and_for_how_much(app: App) -> None:
    message = post(DULL)
    door = Door(app, Ways(lists=False))
    await door.receive([message])
    first = await door.run_to_end(message)
    then = {"gate": False, "tools": False, "as_of": "2026-11-01T23:59:59Z"}
    second, third = [await door.run_to_end(message, then, 0.5) for _ in range(2)]
    assert second.id == third.id != first.id
    assert (second.result or {})["as_of"] == then["as_of"]
    assert "not_searched" in (second.result or {})["risk_flags"]
    assert (first.budgets, second.budgets) == ({}, {"run": 500_000})
    assert (await door.run_to_end(message)).id == first.id
