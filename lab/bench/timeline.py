"""Histories under load: articles tagged, clustered and ranked by two processes, as two runs at once would."""

from __future__ import annotations

import asyncio
import random
import re
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, date, datetime, timedelta
from multiprocessing import get_context

from groundwire.evidence.pages.passages import split
from groundwire.jobs.timeline.history import Wanted, history_of
from groundwire.jobs.timeline.pages import page_of
from groundwire.model.base import short_id
from groundwire.model.source import Document, Evidence
from groundwire.sample import documents
from lab.archives import document
from lab.bench.details import bench_details
from lab.bench.table import Report

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_START = date(2023, 1, 1)
_SEED, _DAYS = 12, 700
_PARTS = 3  # documents of the sample that an article is made of, other days in each
_PROCESSES = 2
_NODES = 65  # as the level `deep` asks for
_TOPIC = ("DeepSeek", "bitcoin", "比特币", "OpenAI", "硅谷银行")
_DAY = re.compile(
    r"(?<!\d)\d{1,2}(?=日| (?:January|February|March|April|May|June|July|August|September|October|November|December)\b)"
)


async def bench_timeline(quick: bool = False) -> Report:
    """Measure articles a second over both processes, and the memory of each."""
    each = 150 if quick else 1_000
    report = Report(f"timeline: {_PROCESSES} × {each:,} articles in Chinese and English")
    context = get_context("spawn")
    with ProcessPoolExecutor(_PROCESSES, mp_context=context) as pool:
        loop = asyncio.get_running_loop()
        made = [loop.run_in_executor(pool, _build, each, n) for n in range(_PROCESSES)]
        found = await asyncio.gather(*made)
    begun, ended = (pick(one[n] for one in found) for pick, n in ((min, 0), (max, 1)))
    size = sum(one[2] for one in found) / (_PROCESSES * each)
    rate = _PROCESSES * each / (ended - begun)
    note = f"{size:,.0f} characters each"
    report.add("tagged, clustered and ranked", rate, "/s", target=300, sense="at least", note=note)
    cpu = sum(one[3] for one in found) / _PROCESSES / each
    report.add("CPU per article", cpu * 1000, "ms")
    report.add("the same by CPU time, on idle cores", _PROCESSES / cpu, "/s")
    report.add("nodes of a history", min(one[4] for one in found), target=1, sense="at least")
    report.add("peak memory of a process", max(one[5] for one in found), "MB")
    report.rows += (await bench_details(quick=quick)).rows
    return report


def _build(count: int, seed: int) -> tuple[float, float, int, float, int, float]:
    """Build one history; returns begin and end, characters, CPU seconds, nodes, peak memory in MB."""
    pages = _articles(count, seed)
    history_of(
        [page_of(each) for each in pages[:5]], Wanted(_TOPIC, 5)
    )  # tables are loaded once a process
    begun, spent = time.monotonic(), time.process_time()
    made = history_of([page_of(each) for each in pages], Wanted(_TOPIC, _NODES))
    ended, spent = time.monotonic(), time.process_time() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return begun, ended, sum(len(e.document.text) for e in pages), spent, len(made), peak


def _articles(count: int, seed: int) -> list[Evidence]:
    """Make articles of what the sample says, each on days of its own."""
    chance = random.Random(_SEED + seed)
    sample = documents(_NOW)
    by_language: dict[str, list[Document]] = {}
    for each in sample:
        by_language.setdefault(each.language[:2], []).append(each)
    return [_article(n, chance, by_language) for n in range(count)]


def _article(n: int, chance: random.Random, sample: dict[str, list[Document]]) -> Evidence:
    language = chance.choice(sorted(sample))
    parts = chance.sample(sample[language], _PARTS)
    text = _DAY.sub(lambda _: str(chance.randint(1, 28)), "\n\n".join(p.text for p in parts))
    day = _START + timedelta(days=chance.randrange(_DAYS))
    page = document(
        f"https://press{n % 40}.example/{n}", parts[0].title, text, _NOW,
        language=language, published_at=f"{day.isoformat()}T08:00:00Z",
    )  # fmt: skip
    name = short_id("ev", [page.id])
    return Evidence(id=name, kind="page", document=page, passages=split(page), origin_id=name)
