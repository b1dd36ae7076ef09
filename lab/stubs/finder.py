"""The engine behind every search stub: the best pages of the small web, within limits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from lab.stubs.articles import Article
from lab.stubs.faults import Fault
from lab.stubs.terms import sentences, terms
from lab.stubs.web import Leaf, Web


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A checked search request; `since` and `until` are moments, the latter excluded."""

    query: str
    limit: int
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    length: int = 500  # characters of a snippet


@dataclass(frozen=True, slots=True)
class SearchRow:
    """One result, before a vendor puts it into its own form."""

    url: str
    title: str
    snippet: str
    score: float
    moment: datetime | None = None
    text: str = ""


def digest(*parts: str) -> bytes:
    """A hash of the parts, the same in every process."""
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()


def within(host: str, domains: tuple[str, ...]) -> bool:
    """True if the host is one of the domains or lies below one."""
    bare = host.lower().removeprefix("www.")
    return any(bare == domain or bare.endswith(f".{domain}") for domain in domains)


class Finder:
    """Searches the articles of the web; `now` is the moment that spans of time count from."""

    def __init__(self, web: Web, now: Callable[[], datetime]) -> None:
        self.web = web
        self.now = now

    def rows(self, wanted: SearchRequest, fault: Fault | None = None) -> list[SearchRow]:
        """What is found, or what a fault makes of it."""
        if fault is not None and fault.kind == "empty":
            return []
        if fault is not None and fault.kind == "lying":
            return self._lies(wanted)
        return [self._row(leaf, score, wanted) for score, leaf in self._pick(wanted)]

    def _pick(self, wanted: SearchRequest) -> list[tuple[float, Leaf]]:
        """The best articles, one variant of each by a hash of the query, then further variants."""
        corpus = self.web.corpus
        scores = corpus.overlap.scores(wanted.query)
        found = [
            number
            for number, article in enumerate(corpus.articles)
            if scores[number] > 0 and _admits(article, wanted)
        ]
        found.sort(key=lambda number: (-scores[number], number))
        picked: list[tuple[float, Leaf]] = []
        for turn in range(corpus.variants):
            for number in found:
                if len(picked) == wanted.limit:
                    return picked
                start = int.from_bytes(digest(wanted.query, str(number))[:8], "big")
                leaf = corpus.by_article[number][(start + turn) % corpus.variants]
                picked.append((round(scores[number] * 0.9**turn, 6), leaf))
        return picked

    def _row(self, leaf: Leaf, score: float, wanted: SearchRequest) -> SearchRow:
        article = self.web.corpus.articles[leaf.number]
        return SearchRow(
            url=self.web.url(leaf.host, leaf.path),
            title=article.title,
            snippet=_snippet(article.body, wanted.query, wanted.length),
            score=score,
            moment=article.moment,
            text=f"# {article.title}\n\n{article.body}",
        )

    def _lies(self, wanted: SearchRequest) -> list[SearchRow]:
        """One more result than asked for, none from the domains that were asked for."""
        host = wanted.exclude[0] if wanted.exclude else "not-asked-for.example"
        said = f"{wanted.query} Everything was repaid in full."
        return [
            SearchRow(self.web.url(host, f"/lie-{number}"), wanted.query, said, 0.999)
            for number in range(wanted.limit + 1)
        ]


def _admits(article: Article, wanted: SearchRequest) -> bool:
    if article.event and article.event.lower() not in wanted.query.lower():
        return False
    if wanted.include and not within(article.host, wanted.include):
        return False
    if within(article.host, wanted.exclude):
        return False
    moment = article.moment
    if wanted.since is not None and (moment is None or moment < wanted.since):
        return False
    return wanted.until is None or (moment is not None and moment < wanted.until)


def _snippet(text: str, query: str, limit: int) -> str:
    wanted = set(terms(query))
    rows = list(enumerate(sentences(text)))
    best = sorted(rows, key=lambda row: (-len(wanted & set(terms(row[1]))), row[0]))
    chosen = sorted(best[: max(2, limit // 180)])
    return " ".join(sentence for _, sentence in chosen)[:limit]
