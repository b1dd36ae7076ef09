"""The archive by meaning, from the command to the hit, over the stub's embeddings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lab.stubs import Fault, Rule, Stubs, running_stubs

from groundwire import sample
from groundwire.app import App
from groundwire.app.health import PartState
from groundwire.errors import UserError
from groundwire.gateway.call import Scope
from groundwire.model.base import JsonObject
from groundwire.model.ports import ArchiveHit
from groundwire.model.query import Query
from groundwire.search.providers.similar import Options, Provider
from tests.laws.house import MODEL_KEY, NOW, House

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
            "models.providers.openai.base_url": stubs.url("model"),
            "models.providers.openai.api_key": MODEL_KEY,
        },
    )
    async with house.open() as opened:
        await opened.archive.add(sample.documents(NOW)[:20])
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


async def test_a_question_is_embedded_once_a_day_whoever_asks_it(app: App, stubs: Stubs) -> None:
    await app.tool("embed", limit=1000)
    sent = len(stubs.log())
    for _ in range(2):
        await app.tool("search", query=QUERY)
    assert len(stubs.log()) == sent + 1


async def test_what_is_not_near_is_no_hit() -> None:
    """The nearest of a far away archive are still far away."""
    near, far = (
        ArchiveHit(document=document, score=score, snippet="s", snippet_start=0)
        for document, score in zip(sample.documents(NOW)[:2], (0.21, 0.19), strict=True)
    )

    class Near:
        label = "openai:tiny/2"

        async def embed(self, scope: Scope, texts: Sequence[str]) -> list[tuple[float, ...]]:
            return [(1.0, 0.0) for _ in texts]

        async def nearest(self, *args: object) -> Sequence[ArchiveHit]:
            return [near, far]

    class Reads:
        async def recorded_read(
            self, scope: Scope, provider: str, request: JsonObject, get: Any, occasion: str
        ) -> Any:
            return await get()

    ground: Any = SimpleNamespace(gateway=Reads(), likeness=Near())
    scope: Any = SimpleNamespace(now=NOW)
    found = await Provider(Options()).search(ground, scope, Query(text="x"), "")
    assert [hit.document_id for hit in found.hits] == [near.document.id]


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


@pytest.mark.parametrize("kind", ["malformed", "empty"])
async def test_an_answer_that_cannot_be_used_is_paid_for(app: App, stubs: Stubs, kind: Any) -> None:
    stubs.faults(Rule(Fault(kind)))
    run = await app.tool("embed", limit=1)
    (record,) = [each for each in await app.store.ledger.records(run.id) if each.kind == "embed"]
    assert record.error is not None
    assert record.error.code == "malformed"
    assert record.cost == record.estimate > 0


async def test_a_failing_vendor_fails_the_embedding_resumably(app: App, stubs: Stubs) -> None:
    stubs.faults(Rule(Fault("error")))
    run = await app.tool("embed", limit=1000)
    assert run.result is not None
    assert (run.state, run.result["error"]["code"]) == ("failed", "server")
    stubs.faults()
    table = app.store.vectors
    assert await table.database.read(lambda c: c.select("SELECT 1 FROM vectors", ())) == []


@pytest.mark.parametrize(
    ("model", "to_set"),
    [([], "GROUNDWIRE_MODELS__EMBED=…"), (["openai:text-embedding-3-small"], "OPENAI_API_KEY=…")],
)
async def test_without_a_model_or_its_key_it_is_off_and_says_what_to_set(
    tmp_path: Path, model: list[str], to_set: str
) -> None:
    chosen = {"search.chain": [], "models.embed": model}
    async with House(tmp_path / "home").open(**chosen) as app:
        similar = await state_of_similar(app)
        assert (similar.on, similar.to_set) == (False, to_set)
        assert "similar" not in app.outside.run_settings()["search"]["chain"]


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("openia:text-embedding-3-small", "unknown vendor of embeddings 'openia'; did you mean"),
        ("anthropic:claude", "unknown vendor of embeddings 'anthropic'"),
        ("openai_compatible:bge-m3", "openai_compatible: no base_url"),
    ],
)
async def test_a_model_that_cannot_be_is_refused_before_it_is_a_run(
    tmp_path: Path, model: str, expected: str
) -> None:
    async with House(tmp_path / "home").open(**{"models.embed": [model]}) as app:
        with pytest.raises(UserError, match=expected):
            await app.submit("ask", {"question": "USDC?"})
        with pytest.raises(UserError, match=expected):
            await app.health.providers()
        assert await app.runs.recent(limit=1) == []


async def state_of_similar(app: App) -> PartState:
    (found,) = [each for each in await app.health.providers() if each.name == "similar"]
    return found
