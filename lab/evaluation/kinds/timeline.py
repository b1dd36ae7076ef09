"""Timelines beside gold timelines, as published: one task per gold timeline, told its length and range.

A set is a folder with `timelines.jsonl` (topic; events of date and sents, or gold_dates) and, for each topic,
`articles_<topic>.jsonl` (id, pub_date, sentences or text) or `date_sentences_<topic>.jsonl` (date, sentences: each
sentence becomes a page of that day); `queries.jsonl` gives a topic's words, else its name does.

The pages go the way of a run without a model: events, everybody who tells of them, what is told twice joined, dates that
slipped, the best telling, details from the pages that are there. A run shows as many events as were asked for; a
published timeline is as many dates, each with as many sentences. So events are asked for, twice as many each time,
until the weightiest of them have that many dates within the range, or there are no more; an event of which only the month or the year is known has no date; of each date its
events' sentences count, then the facts of their details, up to the number that the system is told. A topic's figure is
the mean over its timelines, a set's the mean over its topics.

A set without gold timelines has `topics.jsonl` (id, query, granularity, time_range) and `articles.jsonl` (topic_id, title,
time, content): of each topic with articles as many nodes as its granularity says are asked for, of any time, as a run
has none; what is counted is how many of them are made, how many lie in the time_range (in a topic of which some page
was published in it), and whether every quote stands in its page.

A set of pairs has `dedup.jsonl`: whether two milestones are told as one (`told_twice`).
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel

from groundwire.errors import InputError
from groundwire.evidence.pages.passages import split
from groundwire.jobs.timeline.detail import detail_of
from groundwire.jobs.timeline.entries import Entry, Material, node_of
from groundwire.jobs.timeline.history import Wanted
from groundwire.jobs.timeline.result import Node
from groundwire.jobs.timeline.skeleton import events_told, weighty
from groundwire.language.text.characters import detect_language
from groundwire.model.base import short_id
from groundwire.model.claim import CitationView
from groundwire.model.source import Evidence
from lab.archives import document
from lab.evaluation.alignment import Scores, date_f1, score
from lab.evaluation.figures import (
    EvaluationFigure,
    Measured,
    Part,
    collected,
    mean_of,
    places_in,
    rows_as,
)
from lab.evaluation.kinds.retrieval import MOMENT
from lab.evaluation.told_twice import FILE as PAIRS
from lab.evaluation.told_twice import measure_pairs
from lab.evaluation.treebank import plain, tokenised

GOLD, QUERIES = "timelines.jsonl", "topics.jsonl"


class _Event(BaseModel):
    date: date
    sents: list[str]


class _Gold(BaseModel):
    topic: str
    events: list[_Event] = []
    gold_dates: list[date] = []

    @property
    def days(self) -> list[date]:
        return sorted({each.date for each in self.events} or set(self.gold_dates))


class _Article(BaseModel):
    id: str
    pub_date: date
    sentences: list[str] = []
    text: str = ""


class _Dated(BaseModel):
    date: date
    sentences: list[str]


class _Query(BaseModel):
    topic: str
    keywords: list[str]


class _Asked(BaseModel):
    id: str
    query: str
    granularity: int
    time_range: tuple[date, date]

    def has(self, day: date) -> bool:
        return self.time_range[0] <= day <= self.time_range[1]


class _News(BaseModel):
    topic_id: str
    doc_id: int
    title: str
    time: str  # empty where nobody knows
    content: str

    def evidence(self) -> Evidence:
        return _page(f"{self.topic_id}/{self.doc_id}", self.time[:10], self.title, self.content)


def read_topics(folder: Path, limit: int = 0) -> list[Topic]:
    """Read a set: its topics with their gold timelines; `limit` bounds the topics."""
    gold: dict[str, list[_Gold]] = defaultdict(list)
    for each in rows_as(_Gold, folder / GOLD, 0, "topic and events or gold_dates"):
        gold[each.topic].append(each)
    path = folder / "queries.jsonl"
    queries = rows_as(_Query, path, 0, "topic and keywords") if path.is_file() else []
    words = {each.topic: tuple(each.keywords) for each in queries}
    names = sorted(gold)[: limit or None]
    return [
        Topic(folder, name, words.get(name, tuple(name.split("_"))), tuple(gold[name]))
        for name in names
    ]


@dataclass(frozen=True)
class Topic:
    """A topic of a set: its words and its gold timelines."""

    folder: Path
    name: str
    words: tuple[str, ...]
    gold: tuple[_Gold, ...]

    def evidence(self) -> list[Evidence]:
        """Read its articles as a run would hold them."""
        path = self.folder / f"articles_{self.name}.jsonl"
        if path.is_file():
            articles = rows_as(_Article, path, 0, "id and pub_date")
            found = [
                (each.id, each.pub_date, each.sentences or each.text.split("\n"))
                for each in articles
            ]
        else:
            dated = rows_as(_Dated, self.folder / f"date_sentences_{self.name}.jsonl", 0, "date")
            found = [
                (f"{day.date}/{n}", day.date, [each])
                for day in dated
                for n, each in enumerate(day.sentences)
            ]
        texts = ((name, day, "\n".join(map(plain, parts))) for name, day, parts in found)
        return [_page(name, day.isoformat(), "", text) for name, day, text in texts if text.strip()]


def _page(name: str, day: str, title: str, text: str) -> Evidence:
    page = document(
        f"https://news.example/{short_id('a', [name])}",
        title,
        text,
        MOMENT,
        language=detect_language(text),
        published_at=f"{day}T00:00:00Z" if day else None,
    )
    key = short_id("ev", [page.id])
    return Evidence(id=key, kind="page", document=page, passages=split(page), origin_id=key)


def dated(material: Material, topic: Topic, gold: _Gold) -> dict[date, list[str]]:
    """Write the history of these pages as a timeline is published: as many dates as this one has, and sentences."""
    days = gold.days
    asked, found, before = len(days), _by_date(material, topic, gold, len(days)), -1
    while before < len(found) < len(days):
        asked, before = 2 * asked, len(found)
        found = _by_date(material, topic, gold, asked)
    if not gold.events:
        return {when: [] for when in found}
    count = max(1, round(sum(len(each.sents) for each in gold.events) / len(days)))
    return {when: list(_sentences(own, material))[:count] for when, own in found.items()}


def _by_date(material: Material, topic: Topic, gold: _Gold, asked: int) -> dict[date, list[Entry]]:
    """Take the weightiest of that many events until they have as many dates as the timeline."""
    first, *_, last = (gold.days[0], *gold.days)
    told, _ = events_told(material, Wanted(topic.words, asked, since=first, until=last))
    found: dict[date, list[Entry]] = {}
    for entry in weighty(told):
        inside = entry.precision == "day" and first <= entry.first <= last
        if inside and (len(found) < len(gold.days) or entry.first in found):
            found.setdefault(entry.first, []).append(entry)
    return found


def _sentences(entries: list[Entry], material: Material) -> Iterator[str]:
    """Yield what the nodes of a date say, then the facts of their details."""
    nodes = [node_of(each, "", material) for each in entries]
    for node in nodes:
        yield from (each.text for each in node.description)
    for node in nodes:
        pages = [material.page(each) for each in node.citations]
        yield from (each.text for each in detail_of(node, pages, material.language).key_features)


def judged(made: Mapping[date, list[str]], gold: _Gold) -> Scores:
    """Score a timeline by a gold one; where that has no sentences, only its dates count."""
    if not gold.events or not made:
        return Scores(0.0, 0.0, date_f1(made, gold.days))
    ours = {when: [tokenised(each) for each in sentences] for when, sentences in made.items()}
    return score(ours, {each.date: each.sents for each in gold.events})


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure every set in the folder; `limit` bounds the topics of each."""
    parts: list[Part] = []
    for path in places_in(folder):
        if (path / GOLD).is_file():
            parts.append(await asyncio.to_thread(_measure, path, limit))
        elif (path / PAIRS).is_file():
            parts.append(await asyncio.to_thread(measure_pairs, path, limit))
        elif (path / QUERIES).is_file():
            parts.append(await asyncio.to_thread(_measure_unlabelled, path, limit))
    if not parts:
        raise InputError(
            f"nothing in {folder} can be measured: no {GOLD}, {QUERIES} or {PAIRS} there"
        )
    return collected("timeline", parts, limit)


def _measure(folder: Path, limit: int) -> Part:
    topics = read_topics(folder, limit)
    scores: list[list[Scores]] = []
    clock = _Clock()
    for topic in topics:
        evidence = topic.evidence()
        with clock.over(len(evidence)):
            material = _material(evidence)
            made = [dated(material, topic, gold) for gold in topic.gold]
        scores.append([judged(*each) for each in zip(made, topic.gold, strict=True)])
    return _figures(folder.name, topics, scores), [clock.said(folder.name)]


def _material(evidence: list[Evidence]) -> Material:
    """Hold pages as a run does whose reader reads their language."""
    languages = Counter(each.document.language for each in evidence)
    language = max(sorted(languages), key=lambda each: languages[each], default="en")
    return Material.of(evidence, language, MOMENT.date())


def _measure_unlabelled(folder: Path, limit: int) -> Part:
    articles: dict[str, list[_News]] = defaultdict(list)
    for each in rows_as(_News, folder / "articles.jsonl", 0, "topic_id, title, time and content"):
        articles[each.topic_id].append(each)
    queries = rows_as(_Asked, folder / QUERIES, 0, "id, query, granularity and time_range")
    queries = [each for each in queries if each.id in articles][: limit or None]
    clock = _Clock()
    shares: list[float] = []
    inside: list[float] = []
    cited: list[float] = []
    for query in queries:
        evidence = [each.evidence() for each in articles[query.id] if each.content.strip()]
        with clock.over(len(evidence)):
            material = _material(evidence)
            made = _nodes(material, query)
        shares.append(len(made) / query.granularity)
        if made and any(page.day and query.has(page.day) for page in material.pages):
            inside += [float(query.has(each.interval.begin)) for each in made]
        held = {each.id: each for each in evidence}
        said = [s for each in made for s in each.description]
        cited += [float(_stands(one, held)) for each in said for one in each.citations]
    figures = [
        mean_of(folder.name, "nodes_made", shares, "topics", "share of the nodes asked for"),
        mean_of(folder.name, "in_range", inside, "nodes", "in the time that is asked for"),
        mean_of(folder.name, "cited", cited, "citations", "the quote stands in its page"),
    ]
    return figures, [clock.said(folder.name)]


def _nodes(material: Material, query: _Asked) -> list[Node]:
    told, _ = events_told(material, Wanted((query.query,), query.granularity))
    return [node_of(each, "", material) for each in weighty(told)[: query.granularity]]


def _stands(cited: CitationView, held: Mapping[str, Evidence]) -> bool:
    """Tell whether a quote is what its page says."""
    page = held.get(cited.evidence_id)
    return page is not None and page.document.text[cited.start : cited.end] == cited.quote


class _Clock:
    """CPU time spent on pages."""

    def __init__(self) -> None:
        self._pages = 0
        self._spent = 0.0

    @contextmanager
    def over(self, pages: int) -> Generator[None]:
        start = time.process_time()
        yield
        self._spent += time.process_time() - start
        self._pages += pages

    def said(self, name: str) -> str:
        rate = self._pages / self._spent if self._spent else 0.0
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        return (
            f"{name}: {self._pages:,} pages made into nodes, {rate:.0f} a second of one core;"
            f" peak memory {peak:,} MB"
        )


def _figures(name: str, topics: list[Topic], scores: list[list[Scores]]) -> list[EvaluationFigure]:
    kinds = ["dates"] if not topics[0].gold[0].events else ["ar1", "ar2", "dates"]
    note = f"{sum(map(len, scores))} timelines"
    return [
        mean_of(
            name,
            f"{kind}_f1",
            [sum(getattr(one, kind) for one in each) / len(each) for each in scores],
            "topics",
            note,
        )
        for kind in kinds
    ]
