"""Forgetting: no text of what was forgotten is left anywhere, and nothing else goes with it."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from datetime import timedelta
from pathlib import Path
from typing import Any

from groundwire.evidence.pages.assembly import snippet_id
from groundwire.model.base import JsonObject, short_id
from groundwire.model.call import CallKind, Intent, Lease
from groundwire.model.ending import Ending
from groundwire.model.query import Query
from groundwire.model.source import SNIPPET_TYPE, Document
from groundwire.store import Store

from .make import NOW, Make

SECRET, SECOND = "zylantro", "vornikka"  # each in one page, and nowhere else


def document(url: str, text: str, kind: str = "text/html", **more: Any) -> Document:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    parts = [url, sha256] if kind != SNIPPET_TYPE else [url, sha256, SNIPPET_TYPE]
    values: dict[str, Any] = {
        "id": short_id("doc", parts),
        "url": url,
        "canonical_url": url,
        "publisher": "Post",
        "title": text[:30],
        "language": "en",
        "text": text,
        "sha256": sha256,
        "media_type": kind,
        "fetched_at": NOW,
    }
    return Document(**{**values, **more})


PAGE = document("https://news.example/a", f"The {SECRET} was seen in 灯笼市 on Monday, they said.")
SAME_SITE = document("https://www.news.example/b", f"A {SECOND} was seen later that week.")
OTHER = document("https://mynews.example/c", "A bridge was opened in Velmora in the spring.")


async def call(
    store: Store,
    make: Make,
    lease: Lease,
    key: str,
    response: JsonObject,
    kind: CallKind = "fetch",
    provider: str = "web",
    request: JsonObject | None = None,
    cache_key: str | None = None,
) -> None:
    intent = Intent(
        key=key,
        kind=kind,
        provider=provider,
        occasion="",
        request=request or {"url": "https://x.example/"},
        estimate=0,
        caps=(),
        at=NOW,
    )
    await store.ledger.begin(lease, intent)
    until = NOW + timedelta(days=1) if cache_key else None
    answer = make.answer(key, response=response, cache_key=cache_key, cache_until=until)
    await store.ledger.finish(lease, answer)


async def finished(store: Store, make: Make, name: str, result: JsonObject, **more: Any) -> None:
    lease = await make.lease(store, name, **more)
    await finish(store, make, lease, result)


async def finish(store: Store, make: Make, lease: Lease, result: JsonObject) -> None:
    await store.runs.finish(lease, Ending("complete", NOW, result))


async def used(store: Store, make: Make, name: str = "ask-1", kind: str = "ask") -> Lease:
    """Write a run that found the page, read it, sent it to a model and quotes it; not finished yet."""
    await store.index.add([PAGE, SAME_SITE, OTHER])
    lease = await make.lease(store, name, kind=kind)
    hit = {"url": PAGE.url, "title": PAGE.title, "content": f"the {SECRET} was seen"}
    await call(store, make, lease, "search", {"hits": [hit]}, "search", "tavily", cache_key="s1")
    other = {"url": OTHER.url, "title": OTHER.title, "content": "a bridge"}
    await call(store, make, lease, "search2", {"hits": [other]}, "search", "tavily", cache_key="s2")
    await call(store, make, lease, "fetch", {"document_id": PAGE.id, "max_age": 60}, cache_key="f1")
    prompt: JsonObject = {"prompt": f"[1] {PAGE.text}"}
    await call(store, make, lease, "model", {"text": SECRET}, "model", "openai", prompt)
    return lease


RESULT: JsonObject = {
    "evidence": [{"id": "ev_1", "document_id": PAGE.id, "url": PAGE.url}],
    "answer": [{"text": "It was seen.", "citations": [{"url": PAGE.url, "quote": "was seen"}]}],
}


async def everything(store: Store) -> str:
    """Return every stored byte that can be read, unpacked."""
    found: list[str] = []

    def read(connection: Any) -> None:
        tables = ["runs", "calls", "events", "cache", "bodies", "documents", "archive_text"]
        for table in tables:
            for row in connection.raw.execute(f"SELECT * FROM {table}").fetchall():
                found.extend(_readable(value) for value in row)

    await store.database.read(read)
    return "\n".join(found)


def _readable(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        data = bytes(value)
        return (zlib.decompress(data) if data[:1] == b"x" else data).decode("utf-8", "replace")
    return str(value)


async def test_a_document_goes_with_every_copy_of_its_text(store: Store, make: Make) -> None:
    await finish(store, make, await used(store, make), RESULT)
    marked = await store.forgetting.document(PAGE.id)
    assert [page.id for page in marked.documents] == [PAGE.id]
    assert {place.key for place in marked.records} == {"search", "model"}
    assert marked.quoting == ("ask-1",)
    assert set(marked.shared) == {"s1", "f1"}
    assert await store.index.get(PAGE.id) is not None  # marking changes nothing
    gone = await store.forgetting.carry_out(marked)
    assert (gone.documents, gone.records, gone.shared) == (1, 2, 2)
    assert await store.index.get(PAGE.id) is None
    assert await store.index.search(Query(text="灯笼市"), NOW) == []
    kept = await everything(store)
    assert SECRET not in kept
    assert SECOND in kept
    assert "a bridge" in kept  # what was not of it stays
    record = await store.ledger.find("ask-1", "model")
    assert record is not None
    assert (record.error.code if record.error else "") == "forgotten"
    assert record.cost == 3  # that it was paid is not forgotten
    assert record.request == {"forgotten": True}


async def test_a_run_that_only_fetched_a_page_does_not_quote_it(store: Store, make: Make) -> None:
    requests = [{"tool": "read", "request": each.url} for each in (PAGE, OTHER)]
    await finish(store, make, await used(store, make), {"evidence": [], "tool_calls": requests})
    cited = {**RESULT, "tool_calls": requests}
    await finished(store, make, "ask-2", cited, kind="ask")
    for marked in (
        await store.forgetting.document(PAGE.id),
        await store.forgetting.page(PAGE.url),
        await store.forgetting.site("news.example"),
    ):
        assert marked.quoting == ("ask-2",)
        # What it was told of the page goes all the same.
        assert {place.key for place in marked.records} == {"search", "model"}


async def test_shared_answers_are_gone_from_memory_too(store: Store, make: Make) -> None:
    await finish(store, make, await used(store, make), RESULT)
    assert await store.cache.get("s1", NOW) is not None
    await store.forgetting.carry_out(await store.forgetting.page(PAGE.url))
    assert await store.cache.get("s1", NOW) is None
    assert await store.cache.get("s2", NOW) is not None


async def test_a_site_goes_with_all_below_it_and_no_other(store: Store, make: Make) -> None:
    await finish(store, make, await used(store, make), RESULT)
    marked = await store.forgetting.site("news.example")
    assert {page.id for page in marked.documents} == {PAGE.id, SAME_SITE.id}
    await store.forgetting.carry_out(marked)
    assert await store.index.get(OTHER.id) is not None
    kept = await everything(store)
    assert SECRET not in kept
    assert SECOND not in kept
    below = await store.forgetting.site("www.mynews.example")
    assert below.documents == ()


async def test_small_runs_that_read_it_go_as_a_whole(store: Store, make: Make) -> None:
    lease = await used(store, make, "tool-1", kind="tool")
    result = {"output": {"document": PAGE.model_dump(mode="json")}}
    await finish(store, make, lease, result)
    marked = await store.forgetting.document(PAGE.id, small={"tool"})
    assert (marked.runs, marked.records, marked.quoting) == (("tool-1",), (), ())
    await store.forgetting.carry_out(marked)
    assert await store.runs.get("tool-1") is None
    assert PAGE.text not in await everything(store)


async def test_runs_that_quote_it_go_when_told(store: Store, make: Make) -> None:
    await finish(store, make, await used(store, make), RESULT)
    marked = await store.forgetting.page(PAGE.url, runs_too=True)
    assert (marked.runs, marked.quoting) == (("ask-1",), ())
    await store.forgetting.carry_out(marked)
    assert await store.runs.get("ask-1") is None
    assert list(await store.ledger.records("ask-1")) == []
    assert list(await store.journal.read("ask-1")) == []


async def test_what_a_run_still_needs_is_named_and_not_marked(store: Store, make: Make) -> None:
    await used(store, make)
    assert (await store.forgetting.document(PAGE.id)).unfinished == ("ask-1",)
    assert (await store.forgetting.run("ask-1")).unfinished == ("ask-1",)


async def test_a_run_goes_with_what_it_alone_has_read(store: Store, make: Make) -> None:
    lease = await used(store, make)
    shown = document(PAGE.url, f"the {SECRET} was seen", SNIPPET_TYPE)
    assert shown.id == snippet_id(PAGE.url, shown.text)
    await store.index.add([shown])
    await finish(store, make, lease, RESULT)
    marked = await store.forgetting.run("ask-1")
    assert {page.id for page in marked.documents} == {PAGE.id, shown.id}
    assert marked.runs == ("ask-1",)
    assert await store.forgetting.run("ask-1", keep_pages=True) == marked.model_copy(
        update={"documents": ()}
    )
    await store.forgetting.carry_out(marked)
    assert await store.runs.get("ask-1") is None
    assert await store.index.get(OTHER.id) is not None  # it came from elsewhere
    assert await store.index.get(SAME_SITE.id) is not None


async def test_what_another_run_has_used_stays(store: Store, make: Make) -> None:
    await finish(store, make, await used(store, make), RESULT)
    await finish(store, make, await used(store, make, "ask-2"), {"evidence": []})
    marked = await store.forgetting.run("ask-1")
    assert marked.documents == ()
    await store.forgetting.carry_out(marked)
    assert await store.index.get(PAGE.id) is not None
    assert await store.ledger.find("ask-2", "model") is not None


async def test_a_text_that_stands_under_another_address_is_kept_for_it(
    store: Store, make: Make
) -> None:
    twin = document("https://copy.example/a", PAGE.text)
    await store.index.add([PAGE, twin])
    await store.forgetting.carry_out(await store.forgetting.document(PAGE.id))
    held = await store.index.get(twin.id)
    assert held is not None
    assert held.text == PAGE.text


async def test_an_older_version_goes_alone(store: Store, make: Make) -> None:
    newer = document(PAGE.url, PAGE.text + " And again.", fetched_at=NOW + timedelta(hours=1))
    await store.index.add([newer])
    await finish(store, make, await used(store, make), RESULT)
    marked = await store.forgetting.document(PAGE.id)
    assert [page.id for page in marked.documents] == [PAGE.id]
    both = await store.forgetting.page(PAGE.url)
    assert {page.id for page in both.documents} == {PAGE.id, newer.id}


async def test_a_file_goes_with_all_its_records(store: Store) -> None:
    place = "https://f00.invalid/posts.csv"
    rows = [
        document(f"https://site.example/{n}", f"Row {n} of a table.").model_copy(
            update={"url": f"{place}/row%20{n}"}
        )
        for n in range(3)
    ]
    other = document("https://f01.invalid/posts.csv", "A file of the same name elsewhere.")
    shouted = document("https://f00.invalid/POSTS.CSV", "Another file, whatever a locale says.")
    await store.index.add([*rows, other, shouted])
    marked = await store.forgetting.file(place)
    assert {page.id for page in marked.documents} == {row.id for row in rows}


async def test_what_is_not_here_is_nothing(store: Store) -> None:
    assert (await store.forgetting.document("doc_0000000000000000")).nothing
    assert (await store.forgetting.page("https://nowhere.example/")).nothing
    assert (await store.forgetting.site("nowhere.example")).nothing
    assert (await store.forgetting.run("ask-none")).nothing


async def test_it_can_be_forgotten_twice(store: Store, make: Make) -> None:
    await finish(store, make, await used(store, make), RESULT)
    marked = await store.forgetting.document(PAGE.id)
    await store.forgetting.carry_out(marked)
    again = await store.forgetting.carry_out(marked)
    assert (again.documents, again.runs) == (0, 0)


async def test_nothing_is_left_in_the_free_space_of_the_file(
    sqlite_template: Path, tmp_path: Path, make: Make
) -> None:
    """SQLite marks deleted pages as free and leaves what stood in them."""
    from groundwire.store import open_store

    path = tmp_path / "purge.db"
    path.write_bytes(sqlite_template.read_bytes())
    async with open_store(f"sqlite:///{path}") as store:
        await store.index.add([document(f"https://a.example/{n}", f"words {n}") for n in range(50)])
        await store.index.add([PAGE])
        gone = await store.forgetting.carry_out(await store.forgetting.document(PAGE.id))
        assert gone.purged
        held = b"".join(file.read_bytes() for file in tmp_path.glob("purge.db*"))
        assert SECRET.encode() not in held
        assert (await store.index.stats()).documents == 50
    with sqlite3.connect(path) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    raw.close()
