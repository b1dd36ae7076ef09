"""The sample articles as the stubs read them: front matter, body, nearest neighbours."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from urllib.parse import urlsplit

from lab.stubs.terms import sentences, terms

_OPTIONAL = {"publisher", "author", "published_at", "language", "event"}


class BadArticle(ValueError):
    """An article file without the front matter that the stubs need."""


@dataclass(frozen=True, slots=True)
class Article:
    """One sample article."""

    slug: str
    url: str
    title: str
    body: str
    publisher: str = ""
    author: str = ""
    published_at: str = ""
    language: str = "en"
    event: str = ""  # a search finds the article only if it names this event

    @property
    def host(self) -> str:
        """Host of the article's address."""
        return urlsplit(self.url).hostname or "sample.example"

    @property
    def path(self) -> str:
        """Path of the article's address without the last slash."""
        return urlsplit(self.url).path.rstrip("/") or f"/{self.slug}"

    @property
    def chinese(self) -> bool:
        return self.language.lower().startswith("zh")

    @property
    def moment(self) -> datetime | None:
        """Time of publication in UTC; None if the file does not say."""
        try:
            moment = datetime.fromisoformat(self.published_at)
        except ValueError:
            return None
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)

    def paragraphs(self) -> list[str]:
        """Split the body into paragraphs."""
        blocks = (" ".join(block.split()) for block in self.body.split("\n\n"))
        return [block for block in blocks if block]

    def lines(self) -> list[str]:
        """Split the body into sentences, without the very short ones."""
        return [s for paragraph in self.paragraphs() for s in sentences(paragraph) if len(s) > 12]


def parse(slug: str, text: str) -> Article:
    """Parse `---` front matter of `key: value` lines and the body below it."""
    head, mark, body = text.removeprefix("\ufeff").lstrip().removeprefix("---").partition("\n---")
    if not mark:
        raise BadArticle(f"{slug}: no front matter")
    meta: dict[str, str] = {}
    for line in head.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            meta[key.strip()] = value.strip().strip("\"'")
    if not meta.get("url") or not meta.get("title"):
        raise BadArticle(f"{slug}: url and title are needed")
    known = {name: meta[name] for name in _OPTIONAL & meta.keys()}
    body = body.partition("\n")[2].strip()
    return Article(slug, meta["url"], meta["title"], body, **known)


def load(folder: Path | None = None) -> tuple[Article, ...]:
    """Load all articles of the folder, or of the shipped sample, in the order of their names."""
    root: Traversable = folder or files("groundwire").joinpath("sample", "articles")
    found = sorted((f for f in root.iterdir() if f.name.endswith(".md")), key=lambda f: f.name)
    articles = tuple(parse(f.name[:-3], f.read_text(encoding="utf-8")) for f in found)
    if not articles:
        raise BadArticle("there are no sample articles to build the web from")
    return articles


class Overlap:
    """Lexical scores over the articles: idf-weighted overlap of words and bigrams."""

    def __init__(self, articles: tuple[Article, ...]) -> None:
        self.articles = articles
        self._counts = [Counter(terms(f"{a.title} {a.title} {a.body}")) for a in articles]
        seen = Counter(term for counts in self._counts for term in counts)
        self._idf = {t: math.log(1 + len(articles) / n) for t, n in seen.items()}
        self.neighbours = cache(self.nearest)

    def scores(self, text: str) -> list[float]:
        """Score each article in [0, 1) against a text."""
        wanted = Counter(terms(text))
        weight = sum(self._idf.get(t, 1.0) for t in wanted) or 1.0
        found: list[float] = []
        for counts in self._counts:
            hit = sum(self._idf[t] * (c / (c + 1)) for t in wanted if (c := counts.get(t, 0)))
            found.append(round(min(hit / weight, 0.999999), 6))
        return found

    def nearest(self, number: int, limit: int = 6) -> list[int]:
        """Find the nearest other articles of the same language, best first."""
        article = self.articles[number]
        scores = self.scores(f"{article.title} {article.body}")
        candidates = [
            i
            for i, other in enumerate(self.articles)
            if i != number and other.chinese == article.chinese
        ]
        return sorted(candidates, key=lambda i: (-scores[i], i))[:limit]
