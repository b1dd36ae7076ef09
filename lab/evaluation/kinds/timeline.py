"""Timelines beside gold timelines, as published: one task per gold timeline, told its length and range.

A set is a folder with `timelines.jsonl` (topic; events of date and sents, or gold_dates) and, for each topic,
`articles_<topic>.jsonl` (id, pub_date, sentences or text) or `date_sentences_<topic>.jsonl` (date, sentences: each
sentence becomes a page of that day); `queries.jsonl` gives a topic's words, else its name does. The pages go the
product's own way without a model. The system is told how many dates, how many sentences a date, and the first and
last date. A topic's figure is the mean over its timelines, a set's the mean over its topics.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel

from groundwire.evidence.pages.passages import split
from groundwire.jobs.timeline.history import Wanted, history_of
from groundwire.jobs.timeline.milestones import Milestone
from groundwire.jobs.timeline.pages import Page
from groundwire.language.text.characters import detect_language
from groundwire.model.base import short_id
from groundwire.model.source import Evidence
from lab.archives import document
from lab.evaluation.alignment import Scores, date_f1, score
from lab.evaluation.figures import EvaluationFigure, Measured, Part, mean_of, measure_sets, rows_as
from lab.evaluation.kinds.retrieval import MOMENT
from lab.evaluation.treebank import plain, tokenised

GOLD = "timelines.jsonl"


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
        return [_page(*each) for each in found if any(part.strip() for part in each[2])]


def _page(name: str, day: date, sentences: Sequence[str]) -> Evidence:
    text = "\n".join(plain(each) for each in sentences if each.strip())
    page = document(
        f"https://news.example/{short_id('a', [name])}",
        "",
        text,
        MOMENT,
        language=detect_language(text),
        published_at=f"{day}T00:00:00Z",
    )
    key = short_id("ev", [page.id])
    return Evidence(id=key, kind="page", document=page, passages=split(page), origin_id=key)


def wanted(topic: Topic, gold: _Gold) -> Wanted:
    """Say what the protocol tells the system of a gold timeline."""
    days = gold.days
    sentences = sum(len(each.sents) for each in gold.events)
    return Wanted(
        topic=topic.words,
        nodes=len(days),
        sentences=max(1, round(sentences / len(days))),
        since=days[0],
        until=days[-1],
    )


def judged(made: Sequence[Milestone], gold: _Gold) -> Scores:
    """Score milestones by a gold timeline; where it has no sentences, only its dates count."""
    sentences: dict[date, list[str]] = defaultdict(list)
    for each in made:
        sentences[each.interval[0]] += [tokenised(one.text) for one in each.sentences]
    if not gold.events or not sentences:
        return Scores(0.0, 0.0, date_f1(sentences, gold.days))
    return score(sentences, {each.date: each.sents for each in gold.events})


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure every set in the folder; `limit` bounds the topics of each."""
    return await measure_sets("timeline", folder, limit, GOLD, _measure)


def _measure(folder: Path, limit: int) -> Part:
    topics = read_topics(folder, limit)
    scores: list[list[Scores]] = []
    count = spent = 0.0
    for topic in topics:
        evidence = topic.evidence()
        start = time.process_time()
        pages = [Page(each) for each in evidence]
        made = [history_of(pages, wanted(topic, gold)) for gold in topic.gold]
        spent += time.process_time() - start
        count += len(pages)
        scores.append([judged(*each) for each in zip(made, topic.gold, strict=True)])
    note = f"{folder.name}: {count:,.0f} pages, {count / spent:.0f} a CPU second, tagged, clustered and ranked"
    return _figures(folder.name, topics, scores), [note]


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
