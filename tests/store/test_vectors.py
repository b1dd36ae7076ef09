"""Vectors on both databases: nearest first, filters hold, forgotten documents are gone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from groundwire.model.ports import Piece
from groundwire.model.query import Query
from groundwire.model.source import SNIPPET_TYPE, Document
from groundwire.store import Store
from groundwire.store.archive import remove

from .make import NOW

MODEL = "openai:tiny/2"


def page(name: str, *, media_type: str = "text/html", **changes: object) -> Document:
    values = {
        "id": name,
        "url": f"https://{name}.example/1",
        "canonical_url": f"https://{name}.example/1",
        "publisher": name,
        "title": name,
        "language": "en",
        "text": f"first part of {name}. second part of {name}.",
        "sha256": name * 8,
        "media_type": media_type,
        "published_at": datetime(2023, 3, 11, tzinfo=UTC),
        "fetched_at": NOW,
    }
    return Document.model_validate({**values, **changes})


def piece(name: str, place: int, *vector: float) -> Piece:
    start = place * 19
    return Piece(document_id=name, place=place, start=start, end=start + 18, vector=vector)


async def filled(store: Store) -> None:
    await store.index.add([page("a"), page("b"), page("c"), page("s", media_type=SNIPPET_TYPE)])
    await store.vectors.put(
        MODEL, [piece("a", 0, 1, 0), piece("a", 1, 0.8, 0.6), piece("b", 0, 0, 1)]
    )


async def names(store: Store, *vector: float, model: str = MODEL, **query: object) -> list[str]:
    search_query = Query.model_validate({"text": "x", **query})
    return [
        hit.document.id for hit in await store.vectors.nearest(model, vector, search_query, NOW)
    ]


async def test_nearest_come_first_and_each_document_once(store: Store) -> None:
    await filled(store)
    assert await names(store, 1, 0) == ["a", "b"]
    assert await names(store, 0, 1) == ["b", "a"]
    assert await names(store, 1, 0, max_results=1) == ["a"]


async def test_a_hit_shows_the_piece_that_is_near(store: Store) -> None:
    await filled(store)
    (near, _) = await store.vectors.nearest(MODEL, (0.8, 0.6), Query(text="x"), NOW)
    assert (near.snippet_start, near.snippet) == (19, near.document.text[19:37])
    assert near.score > 0.999


async def placed(store: Store) -> list[tuple[str, int]]:
    """Count the documents that have vectors, by model."""
    sql = "SELECT model, count(DISTINCT document_num) FROM vectors GROUP BY model"
    return await store.database.read(lambda c: c.select(sql, ()))


async def test_filters_hold(store: Store) -> None:
    await filled(store)
    assert await names(store, 1, 0, exclude_domains=("a.example",)) == ["b"]
    assert await names(store, 1, 0, include_domains=("b.example",)) == ["b"]
    assert await names(store, 1, 0, time_range="day") == []
    assert await names(store, 1, 0, language="en") == ["a", "b"]


async def test_what_has_no_vectors_yet_is_listed_and_snippets_are_not(store: Store) -> None:
    await filled(store)
    assert await store.vectors.unplaced(MODEL, 10) == ["c"]
    assert await store.vectors.unplaced("other:model/2", 2) == ["a", "b"]
    assert await placed(store) == [(MODEL, 2)]


async def test_vectors_of_two_models_are_never_compared(store: Store) -> None:
    await filled(store)
    assert await names(store, 1, 0, 0, model="other:model/3") == []


async def test_new_vectors_are_seen_and_old_ones_kept(store: Store) -> None:
    await filled(store)
    assert await names(store, 0.6, 0.8) == ["a", "b"]
    await store.vectors.put(MODEL, [piece("c", 0, 0.6, 0.8), piece("a", 0, 0, -1)])
    assert await names(store, 0.6, 0.8) == ["c", "a", "b"]
    assert await names(store, 1, 0) == ["a", "c", "b"]


async def test_a_forgotten_document_takes_its_vectors_along(store: Store) -> None:
    await filled(store)
    await store.database.write(lambda c: remove(c, ["a"]))
    assert await names(store, 1, 0) == ["b"]
    assert await placed(store) == [(MODEL, 1)]
    await store.vectors.put(MODEL, [piece("a", 0, 1, 0)])
    assert await names(store, 1, 0) == ["b"]


async def test_a_page_is_found_as_it_was_read_last(store: Store) -> None:
    """What it said before is kept, but it does not say it any more; a time range has its own last."""
    place = {"url": "https://p.example/1", "canonical_url": "https://p.example/1"}
    days = {name: NOW - timedelta(days=age) for name, age in (("old", 20), ("new", 1))}
    versions = [page(name, **place, published_at=at, fetched_at=at) for name, at in days.items()]
    await store.index.add(versions)
    await store.vectors.put(MODEL, [piece("old", 0, 1, 0), piece("new", 0, 0, 1)])
    assert await names(store, 1, 0) == ["new"]
    assert await names(store, 1, 0, time_range=f"/{days['old']:%Y-%m-%d}") == ["old"]


async def test_a_new_document_does_not_inherit_the_vectors_of_a_forgotten_one(store: Store) -> None:
    """SQLite gives the number of the last row to the next one when it is gone."""
    await store.index.add([page("a"), page("b")])
    await store.vectors.put(MODEL, [piece("a", 0, 1, 0), piece("b", 0, 0, 1)])
    assert await names(store, 0, 1) == ["b", "a"]
    await store.database.write(lambda c: remove(c, ["b"]))
    await store.index.add([page("n")])
    await store.vectors.put(MODEL, [piece("n", 0, -1, 0)])
    near = await store.vectors.nearest(MODEL, (1, 0), Query(text="x"), NOW)
    assert [(hit.document.id, hit.score) for hit in near] == [("a", 1.0), ("n", -1.0)]
