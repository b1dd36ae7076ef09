"""`competitor_lookup`: a profile from what ask and verify have taught, each field cited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from groundwire.app import App
from tests.laws.house import House, ask

from .make import RATE_NEW, RATE_OLD, minutes, taught, teach
from .pages import BANK, page

GROUPS = ("products", "prices", "people", "moves", "disputed", "other")

EN = {
    "products": "Quill launched a pocket translator on 4 May 2026.",
    "prices": "Quill sells its pocket translator for $199.",
    "people": "Quill named Ada Brandt as its chief executive officer on 2 March 2026.",
    "moves": "Quill acquired the Oslo firm Fjordtech for $40 million in June 2026.",
    "other": "Quill is based in Marlow.",
}
ZH = {
    "products": "青禾科技于2026年5月4日推出掌上翻译机。",
    "prices": "青禾科技的掌上翻译机售价为1299元。",
    "people": "青禾科技于2026年3月2日任命李伟为总裁。",
    "moves": "青禾科技于2026年6月收购了海灯软件公司。",
    "other": "青禾科技总部位于临江。",
}
HANT = {
    "products": "青禾科技於2026年5月4日推出掌上翻譯機。",
    "prices": "青禾科技的掌上翻譯機售價為1299元。",
    "people": "青禾科技於2026年3月2日任命李偉為總裁。",
    "moves": "青禾科技於2026年6月收購了海燈軟體公司。",
    "other": "青禾科技總部位於臨江。",
}


@pytest.fixture
def house(tmp_path: Path, database_url: str) -> House:
    return House(tmp_path / "house", database=database_url, more={"offline": True})


async def profile(app: App, name: str) -> dict[str, Any]:
    run = await app.tool("competitor_lookup", name=name)
    assert run.result is not None, run.error
    assert run.result["error"] is None, run.result["error"]
    return run.result["output"]


def texts(found: dict[str, Any]) -> dict[str, list[str]]:
    return {name: [each["text"] for each in found[name]] for name in GROUPS if found[name]}


@pytest.mark.parametrize(
    ("name", "known"),
    [("Quill", EN), ("青禾科技", ZH), ("青禾科技", HANT)],
    ids=["en", "zh", "hant"],
)
async def test_claims_stand_where_they_belong_each_with_its_quote_and_times(
    house: House, name: str, known: dict[str, str]
) -> None:
    async with house.open() as app:
        for number, text in enumerate(known.values()):
            claim = taught(text, published=minutes(0), subject=name)
            await teach(app.store, f"run-{number}", minutes(number), claim)
        found = await profile(app, name)
    assert texts(found) == {group: [text] for group, text in known.items()}
    assert (found["state"], found["name"]) == ("ok", name)
    for group, text in known.items():
        (fact,) = found[group]
        (source,) = fact["sources"]
        assert (source["quote"], source["url"][:8]) == (text, "https://")
        assert fact["learned_at"] and fact["seen_at"]
        assert bool(fact["time"]) == ("2026" in text)


async def test_only_what_is_still_believed_is_told_and_what_is_denied_stands_apart(
    house: House,
) -> None:
    async with house.open() as app:
        await teach(app.store, "run-1", minutes(1), taught(RATE_OLD, published=minutes(0)))
        await teach(app.store, "run-2", minutes(2), taught(RATE_NEW, published=minutes(1)))
        rumour = "Harbor Light Bank suspended withdrawals on 16 November 2026."
        await teach(app.store, "run-3", minutes(3), taught(rumour, verdict="contradicted"))
        found = await profile(app, "Harbor Light Bank")
    assert texts(found) == {"prices": [RATE_NEW], "disputed": [rumour]}


async def test_a_claim_about_another_that_mentions_the_name_is_no_part_of_the_profile(
    house: House,
) -> None:
    rival = "Fjordtech cut its list price by a third after Quill did."
    async with house.open() as app:
        await teach(app.store, "run-1", minutes(1), taught(rival, subject="Fjordtech"))
        assert texts(await profile(app, "Quill")) == {"other": [rival]}
        assert texts(await profile(app, "Fjordtech")) == {"prices": [rival]}


async def test_what_ask_and_verify_have_taught_is_there(house: House) -> None:
    """Nothing is canned: the same name has no profile before, and a cited one after."""
    name = "Harbor Light Bank"
    move = "Harbor Light Bank acquired Marlow Savings for $40 million on 12 November 2026."
    async with house.open(**{"intake.dedup.signal": False}) as app:
        assert texts(await profile(app, name)) == {}
        await app.archive.add([page(BANK, f"{RATE_OLD} The bank is based in Marlow.", minutes(0))])
        await ask(app, "What is the savings rate of Harbor Light Bank?")
        others = ("https://reuters.com/bank", "https://bbc.com/bank", "https://ft.com/deals")
        told = (f"{move} {each} reports." for each in ("Our desk", "The paper", "A clerk"))
        await app.archive.add(
            [page(url, text, minutes(0)) for url, text in zip(others, told, strict=True)]
        )
        given = {"text": move, "published_at": minutes(5).isoformat(), "id": "own"}
        run = await app.submit("verify", given, now=minutes(20))
        await app.finished(run.id)
        found = await profile(app, name)
    assert RATE_OLD in [each["text"] for each in found["prices"]]
    assert move.rstrip(".") in [each["text"] for each in found["moves"]]
    urls = {
        source["url"] for group in GROUPS for fact in found[group] for source in fact["sources"]
    }
    assert BANK in urls and urls & set(others)


@pytest.mark.parametrize("settings", [{"memory.enabled": False}])
async def test_memory_that_is_off_says_so(house: House, settings: dict[str, Any]) -> None:
    async with house.open(**settings) as app:
        found = await profile(app, "Quill")
    assert (found["state"], texts(found)) == ("off", {})
