"""The archive under load: a synthetic library in Chinese and English, added and then queried."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from statistics import quantiles

from groundwire.model.query import Query
from groundwire.model.source import Document
from groundwire.store.archive import ArchiveIndex
from lab.archives import document, fresh_app
from lab.bench.table import Report
from lab.stubs.terms import listed

_SEED = 20
_BATCH = 1000
_AHEAD = 2  # batches under way at once: one is segmented while the other is written
_VOCABULARY = 30_000
_ZIPF = list(itertools.accumulate(1 / (rank + 1) for rank in range(_VOCABULARY)))
_WORDS = 400
# The segmenter makes one word or two of a random pair of characters, often with the characters
# themselves; this many pairs come out as about `_WORDS` terms.
_PAIRS = 172
_START = datetime(2026, 1, 1, tzinfo=UTC)
_CHARACTERS = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多"
    "定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因"
    "由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解"
)
_SYLLABLES = listed("ba con dal er fin gra ing ker lo men nor os pre qua ris sta ter us ven wal")


async def bench_archive(documents: int = 100_000, queries: int = 200) -> Report:
    """Measure in a folder of its own, so that the user's archive is not filled with inventions."""
    async with fresh_app() as app:
        return await measure(app.store.index, documents, queries)


async def measure(index: ArchiveIndex, documents: int, queries: int) -> Report:
    """Add a deterministic library and run five-word queries on it."""
    added, adding = await _fill(index, documents)
    waits: list[float] = []
    found = 0
    for query in _queries(queries):
        begun = time.perf_counter()
        hits = await index.search(query, _START + timedelta(days=400))
        waits.append((time.perf_counter() - begun) * 1000)
        found += bool(hits)
    cuts = quantiles(waits, n=100, method="inclusive")
    stats = await index.stats()
    report = Report(f"archive: {documents:,} documents of about 400 tokens, zh and en")
    report.add("added a second", added / adding, "/s", target=2000, sense="at least")
    report.add("five-word query, p50", cuts[49], "ms", target=100)
    report.add("five-word query, p99", cuts[98], "ms", target=300)
    report.add("size", stats.bytes / 1_000_000, "MB")
    report.notes.append(f"{found} of {queries} queries found something")
    return report


async def _fill(index: ArchiveIndex, count: int) -> tuple[int, float]:
    """Add documents; return how many and the seconds it took, without the time to invent them."""
    added, spent = 0, 0.0
    source = synthetic(count)
    while group := [
        batch for _ in range(_AHEAD) if (batch := list(itertools.islice(source, _BATCH)))
    ]:
        begun = time.perf_counter()
        added += sum(await asyncio.gather(*(index.add(batch) for batch in group)))
        spent += time.perf_counter() - begun
    return added, spent


def synthetic(count: int) -> Iterator[Document]:
    """Yield documents of about 400 tokens, Chinese and English in turn, the same each time.

    Words are as unevenly distributed as in real texts.
    """
    rng = random.Random(_SEED)
    chinese, english = _vocabularies(rng)
    for number in range(count):
        if number % 2:
            words = rng.choices(chinese, cum_weights=_ZIPF, k=_PAIRS + 6)
            title = "".join(words[:6])
            text = "".join(f"{''.join(line)}。" for line in _lines(words[6:], 12))
        else:
            words = rng.choices(english, cum_weights=_ZIPF, k=_WORDS + 8)
            title = " ".join(words[:8])
            text = " ".join(f"{' '.join(line)}." for line in _lines(words[8:], 15))
        url, at = f"https://site{number % 500}.example/{number}", _START + timedelta(minutes=number)
        language = "zh" if number % 2 else "en"
        dates = {"published_at": at, "published_how": "declared"}
        yield document(url, title, text, at, language=language, **dates)


def _queries(count: int) -> Iterator[Query]:
    # The same first draws give the same vocabularies as in `synthetic`; then a seed of its own.
    rng = random.Random(_SEED)
    chinese, english = _vocabularies(rng)
    rng.seed(_SEED + 1)
    for number in range(count):
        words = rng.choices(chinese if number % 2 else english, cum_weights=_ZIPF, k=5)
        yield Query(text=" ".join(words), max_results=10)


def _vocabularies(rng: random.Random) -> tuple[list[str], list[str]]:
    chinese = ["".join(rng.choices(_CHARACTERS, k=2)) for _ in range(_VOCABULARY)]
    english = ["".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4))) for _ in range(_VOCABULARY)]
    return chinese, english


def _lines(words: Sequence[str], length: int) -> Iterator[Sequence[str]]:
    for at in range(0, len(words), length):
        yield words[at : at + length]
