"""Real recorded answers: every one that concerns a provider is read, or refused with a type.

The recordings are not in this tree. `GROUNDWIRE_EVAL_DIR` names their folder.
"""

from __future__ import annotations

import json
import os
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from search_stubs import http

from groundwire.errors import Malformed
from groundwire.model.base import canonical
from groundwire.model.query import Hit, Query

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("GROUNDWIRE_EVAL_DIR") or ROOT.parent / "shared" / "eval") / "payloads"


@pytest.fixture(scope="module", autouse=True)
def recordings() -> Path:
    if not FOLDER.is_dir():
        warnings.warn(f"NO RECORDED ANSWERS in {FOLDER}, their tests are skipped", stacklevel=1)
        pytest.skip("set GROUNDWIRE_EVAL_DIR to the folder that holds payloads/")
    return FOLDER


def lines(name: str) -> list[Any]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def read(name: str, body: object, text: str) -> list[Hit]:
    """Read an answer through the same steps as one from the network, and into the record."""
    provider, query = http(name), Query(text=text or "q", max_results=50)
    raw = json.dumps(body).encode()
    provider.check(200, {}, raw)
    hits = provider.parse(provider.decode(raw), query)
    canonical([hit.model_dump(mode="json") for hit in hits] + [provider.notes(body)])
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    return hits


def test_tavilys_answers_are_read_whole() -> None:
    exchanges = [row for row in lines("search_api_recordings.jsonl") if "tavily" in row["uri"]]
    assert exchanges
    for row in exchanges:
        hits = read("tavily", row["response"], row["request"]["query"])
        assert [hit.url for hit in hits] == [each["url"] for each in row["response"]["results"]]
        assert all(hit.score is not None and hit.title and hit.content for hit in hits)
        query = Query(
            text=row["request"]["query"],
            include_domains=tuple(row["request"].get("include_domains", ())),
        )
        sent = http("tavily").request(query).json or {}
        assert {k: sent[k] for k in row["request"] if k != "max_results"} == {
            k: v for k, v in row["request"].items() if k != "max_results"
        }


def test_searxngs_answer_is_read_whole() -> None:
    body = json.loads((FOLDER / "searxng_response_trimmed.json").read_text(encoding="utf-8"))
    hits = read("searxng", body, body["query"])
    assert [hit.url for hit in hits] == [row["url"] for row in body["results"]]
    assert sum(hit.published_at is not None for hit in hits) == sum(
        bool(row.get("publishedDate")) for row in body["results"]
    )


def searches() -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Yield the rows that other programs kept of their searches, by engine and question."""
    kept: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in lines("bettafish_search_results.jsonl"):
        kept[row["engine"], row["query"]].append(row)
    for file in sorted((FOLDER / "bettafish_states").glob("*.json")):
        state = json.loads(file.read_text(encoding="utf-8"))
        for paragraph in state["paragraphs"]:
            for row in paragraph["research"]["search_history"]:
                kept[file.name.partition("__")[0], row["query"]].append(row)
    for (engine, query), found in kept.items():
        yield engine, query, found


def as_tavily(found: list[dict[str, Any]]) -> object:
    names = ("title", "url", "content", "score")
    return {"results": [{name: row[name] for name in names} for row in found]}


def as_bocha(found: list[dict[str, Any]]) -> object:
    pages = [{"name": r["title"], "url": r["url"], "snippet": r["content"]} for r in found]
    return {"code": 200, "data": {"_type": "SearchResponse", "webPages": {"value": pages}}}


def test_rows_of_chinese_searches_are_read_or_refused() -> None:
    """A row without an address is left out; a list of nothing else is refused."""
    seen = 0
    for _, query, found in searches():
        pages = [row["url"] for row in found if row["url"].startswith("http")]
        for name, body in (("tavily", as_tavily(found)), ("bocha", as_bocha(found))):
            seen += 1
            try:
                hits = read(name, body, query)
            except Malformed:
                assert found
                assert not pages
                continue
            assert [hit.url for hit in hits] == pages
    assert seen > 100
