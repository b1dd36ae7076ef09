"""The archive by meaning, from the command to the hit, over the stub's embeddings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.laws.house import MODEL_KEY, NOW, House

from groundwire import sample
from groundwire.app import App
from groundwire.bench.stubs import Fault, Rule, Stubs, running_stubs

QUERY = "USDC stablecoin peg reserves Silicon Valley Bank"


@pytest.fixture(scope="module")
def model_stub() -> Iterator[Stubs]:
    with running_stubs("model") as stubs:
        yield stubs


@pytest.fixture
def stubs(model_stub: Stubs) -> Stubs:
    model_stub.reset()
    return model_stub


@pytest.fixture
async def app(tmp_path: Path, stubs: Stubs) -> AsyncIterator[App]:
    house = House(
        tmp_path / "home",
        more={
            "search.chain": ["archive", "similar"],
            "models.embed": ["openai:text-embedding-3-small"],
            "models.providers.openai.base_url": stubs.model_url,
            "models.providers.openai.api_key": MODEL_KEY,
        },
    )
    async with house.open() as opened:
        await opened.add(sample.documents(NOW)[:20])
        yield opened


async def test_documents_get_vectors_once_and_meaning_finds_them(app: App, stubs: Stubs) -> None:
    first = await app.tool("embed", limit=1000)
    assert first.result is not None, first.error
    assert first.result["output"] == {
        "model": "openai:text-embedding-3-small/256",
        "placed": 20,
        "left": False,
    }
    assert first.result["cost"]["usd"] > 0
    sent = len(stubs.log())
    again = await app.tool("embed", limit=1000)
    assert again.result is not None
    assert again.result["output"]["placed"] == 0
    assert len(stubs.log()) == sent

    found = await app.tool("search", query=QUERY, max_results=5)
    assert found.result is not None
    report = found.result["output"]
    assert report["failures"] == []
    assert set(report["providers"]) == {"archive", "similar"}
    assert report["hits"]


async def test_a_limit_leaves_the_rest_for_the_next_time(app: App) -> None:
    first = await app.tool("embed", limit=15)
    second = await app.tool("embed", limit=15)
    outputs = [run.result["output"] for run in (first, second) if run.result]
    assert [(each["placed"], each["left"]) for each in outputs] == [(15, True), (5, False)]


async def test_the_record_holds_no_text_and_no_key(app: App) -> None:
    run = await app.tool("embed", limit=3)
    records = [each for each in await app.store.ledger.records(run.id) if each.kind == "embed"]
    assert records
    shown = "".join(each.model_dump_json() for each in records)
    assert "Circle" not in shown
    assert MODEL_KEY not in shown


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault("error"), "server"),
        (Fault("rate_limited", seconds=60), "rate_limit"),
        (Fault("malformed"), "malformed"),
        (Fault("empty"), "malformed"),
    ],
)
async def test_a_failing_vendor_is_named_and_words_still_answer(
    app: App, stubs: Stubs, fault: Fault, code: str
) -> None:
    await app.tool("embed", limit=1000)
    stubs.faults(Rule(fault))
    run = await app.tool("search", query=QUERY, max_results=5)
    assert run.result is not None
    report = run.result["output"]
    assert [(each["provider"], each["code"]) for each in report["failures"]] == [("similar", code)]
    assert report["hits"]


async def test_a_failing_vendor_fails_the_embedding_resumably(app: App, stubs: Stubs) -> None:
    stubs.faults(Rule(Fault("error")))
    run = await app.tool("embed", limit=1000)
    assert run.result is not None
    assert (run.state, run.result["error"]["code"]) == ("failed", "server")
    stubs.faults()
    assert dict(await app.store.vectors.counts()) == {}


async def test_without_a_model_it_is_off_and_says_what_to_set(tmp_path: Path) -> None:
    from groundwire.health import provider_states

    async with House(tmp_path / "home").open(**{"search.chain": []}) as app:
        (similar,) = [each for each in await provider_states(app) if each.name == "similar"]
        assert not similar.on
        assert "GROUNDWIRE_MODELS__EMBED" in similar.to_set
