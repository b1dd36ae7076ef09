"""Claims beside whole pages, labelled with what the page says of the claim: what the heads for pages learn from.

Headlines beside their articles, and edited; leads beside other articles of their topic; generated pairs put back into
their articles; the public pairs; and news written for training (`data/news.jsonl`: families of pages around a claim that
differ in meaning rather than in words) or for the rules that came before (`data/*.tsv`). No scenario is learned from.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from groundwire.language.text.script import traditional
from groundwire.sample import documents
from lab.training import chinese, english
from lab.training.pairs import articles, generate, joined, other_number
from lab.training.sets import public

_HERE = Path(__file__).parent / "data"
_MOST = {"headlines": 450, "leads": 8, "sentences": 60, "public": 400}
_QUESTION = re.compile(r"[?？]")
_LIST = re.compile(r"how|why|what|\d+ |top |best |the \d+", re.IGNORECASE)
_SITE = re.compile(r"\s[-|_–—·]\s|[|_]")


@dataclass(frozen=True, slots=True)
class PagePair:
    """A claim, a page and its label; `group` keeps what belongs together in one fold."""

    name: str  # the set
    group: str
    claim: str
    title: str
    text: str
    label: str
    published: date | None = None
    said: date | None = None


def page_pairs(folder: Path) -> list[PagePair]:
    """Collect every pair; `folder` holds the development sets."""
    rng = random.Random(5)
    return [
        *_chinese_headlines(folder, rng),
        *_english_headlines(folder, rng),
        *_sample(rng),
        *_leads(folder, rng),
        *_generated(folder, rng),
        *_public(folder),
        *_news(),
        *_tables(),
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _headline(title: str) -> str:
    """Strip the name of the site from a headline."""
    return _SITE.split(title)[0].strip()


def _tells(title: str, least: int, most: int) -> bool:
    return least <= len(title) <= most and not _QUESTION.search(title)


def _edited(pair: PagePair, language: str, rng: random.Random) -> Iterator[PagePair]:
    """Yield the pair with its claim negated, turned into its opposite, or with another figure."""
    edits = english if language == "en" else chinese
    stop = "." if language == "en" else "。"
    base = pair.claim if pair.claim.endswith(stop) else pair.claim + stop
    made = [
        english.negate(base, rng, frozenset()) if language == "en" else chinese.negate(base, rng),
        edits.oppose(base, rng),
    ]
    number = re.search(r"\d[\d,]*(?:\.\d+)?", base)
    if number:
        other = other_number(number.group(), rng)
        made.append(base[: number.start()] + other + base[number.end() :])
    for claim in made:
        if claim:
            yield PagePair(
                pair.name, pair.group, claim.rstrip(".。"), pair.title, pair.text, "contradicts"
            )


def _chinese_headlines(folder: Path, rng: random.Random) -> Iterator[PagePair]:
    path = folder / "timeline" / "zh_unlabelled" / "articles.jsonl"
    if not path.is_file():
        return
    rows = [row for row in _rows(path) if row["time"] and len(row["content"] or "") > 150]
    topics: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        row["title"] = _headline(row["title"] or "")
        topics.setdefault(row["topic_id"], []).append(row)
    for row in rng.sample(rows, min(_MOST["headlines"], len(rows))):
        if not _tells(row["title"], 10, 60):
            continue
        group, body = f"zh{row['topic_id']}", row["content"][:6000]
        written = traditional if rng.random() < 0.3 else str
        pair = PagePair("headline_zh", group, written(row["title"]), "", written(body), "supports")
        yield pair
        yield from _edited(pair, "zh", rng)
        other, stranger = rng.choice(topics[row["topic_id"]]), rng.choice(rows)
        apart = datetime.fromisoformat(other["time"]) - datetime.fromisoformat(row["time"])
        if abs(apart.days) >= 2 and _tells(other["title"], 10, 60):
            yield PagePair("headline_zh", group, other["title"], row["title"], body, "unrelated")
        if stranger["topic_id"] != row["topic_id"] and _tells(stranger["title"], 10, 60):
            yield PagePair("headline_zh", group, stranger["title"], row["title"], body, "unrelated")


def _english_headlines(folder: Path, rng: random.Random) -> Iterator[PagePair]:
    path = folder / "extract" / "wcxb_dev" / "ground_truth.jsonl"
    if not path.is_file():
        return
    rows = [
        row
        for row in _rows(path)
        if row.get("page_type") == "article" and row.get("title") and row.get("main_content")
    ]
    for row in rows:
        title, body = _headline(row["title"]), row["main_content"][:8000]
        if not _tells(title, 30, 140) or _LIST.match(title) or not title[:40].isascii():
            continue
        pair = PagePair("headline_en", row["id"], title, "", body, "supports")
        yield pair
        yield from _edited(pair, "en", rng)
        stranger = rng.choice(rows)
        if stranger is not row:
            claim = _headline(stranger["title"])
            yield PagePair("headline_en", row["id"], claim, title, body, "unrelated")


def _sample(rng: random.Random) -> Iterator[PagePair]:
    held = list(documents(datetime(2025, 1, 1, tzinfo=UTC)))
    for at, document in enumerate(held):
        if _QUESTION.search(document.title):
            continue
        language = "en" if document.text[:200].isascii() else "zh"
        pair = PagePair("sample", document.id, document.title, "", document.text, "supports")
        yield pair
        yield from _edited(pair, language, rng)
        place = rng.randrange(len(held))
        if abs(place - at) > 8:
            claim = held[place].title
            yield PagePair("sample", document.id, claim, document.title, document.text, "unrelated")


def _leads(folder: Path, rng: random.Random) -> Iterator[PagePair]:
    """Yield first sentences beside their own article, and beside another one about the same person."""
    for path in sorted((folder / "timeline" / "entities").glob("articles_*.jsonl")):
        rows = [(joined(row["text"]).split("\n"), row["pub_date"]) for row in _rows(path)[:60]]
        rows = [row for row in rows if len(row[0]) > 5 and 40 < len(row[0][0]) < 220]
        for lines, day in rng.sample(rows, min(_MOST["leads"], len(rows))):
            others, other_day = rng.choice(rows)
            if day == other_day:
                continue
            text = " ".join(lines[:40])
            yield PagePair("lead_en", path.stem, others[0], "", text, "unrelated")
            short = english.shorten(lines[0], rng)
            claim = english.paraphrase(short, rng) or short
            pair = PagePair("lead_en", path.stem, claim, "", text, "supports")
            yield pair
            yield from _edited(pair, "en", rng)


def _generated(folder: Path, rng: random.Random) -> Iterator[PagePair]:
    found = articles(folder)
    by_name = {article.name: article for article in found}
    for pair in generate(found, seed=1, most=_MOST["sentences"]):
        text = pair.passage
        article = by_name.get(pair.group)
        if article is not None and pair.kind != "denied_other" and rng.random() < 0.7:
            around = [
                traditional(s) if pair.language == "zh-Hant" else s
                for s in article.sentences
                if s not in pair.passage and s not in pair.claim
            ][:12]
            place = rng.randint(0, min(3, len(around)))
            glue = " " if pair.language == "en" else ""
            text = glue.join([*around[:place], text, *around[place : place + 8]])
        yield PagePair("generated", pair.group, pair.claim, "", text, pair.label)


def _public(folder: Path) -> Iterator[PagePair]:
    for name, pairs in public(folder).items():
        for pair in random.Random(name).sample(pairs, min(_MOST["public"], len(pairs))):
            yield PagePair(name, pair.claim, pair.claim, "", pair.passage, pair.label)


def _news() -> Iterator[PagePair]:
    """Read the news written for training: families of pages around a claim that differ in meaning, not in words."""
    for row in _rows(_HERE / "news.jsonl"):
        yield PagePair(
            f"news_{row['set']}",
            row["event"],
            row["claim"],
            row["title"],
            f"{row['title']}\n{row['text']}",
            row["label"],
            _day(row.get("published")),
            _day(row.get("said")),
        )


def _day(written: str | None) -> date | None:
    return date.fromisoformat(written) if written else None


def _tables() -> Iterator[PagePair]:
    """Read the tables of short news pages that were written for the rules before this reader."""
    for path in sorted(_HERE.glob("*.tsv")):
        name = path.stem.partition("_")[0]
        for line in path.read_text("utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            cells = line.split("\t")
            if name == "position":
                label, day, claim, title, text = cells
                published = date.fromisoformat(day) if day else None
                text = text.replace(" ¶ ", "\n\n")
            else:
                claim, text, label = cells
                title, _, text = text.partition("\\n")
                published = None
            yield PagePair(
                f"table_{name}",
                claim,
                claim,
                title,
                f"{title}\n{text}",
                label.partition("|")[0],
                published,
            )
