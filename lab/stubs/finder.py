"""The engine behind every search stub: the best pages of the small web, within limits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
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
    """Hash the parts, with the same result in every process."""
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()


def within(host: str, domains: tuple[str, ...]) -> bool:
    """Tell whether the host is one of the domains or a subdomain of one."""
    bare = host.lower().removeprefix("www.")
    return any(bare == domain or bare.endswith(f".{domain}") for domain in domains)


class Finder:
    """Searches the articles of the web; spans of time count back from `now`."""

    def __init__(self, web: Web, now: Callable[[], datetime]) -> None:
        self.web = web
        self.now = now

    def rows(self, request: SearchRequest, fault: Fault | None = None) -> list[SearchRow]:
        """Search, and let a fault empty or falsify the results."""
        if fault is not None and fault.kind == "empty":
            return []
        if fault is not None and fault.kind == "lying":
            return self._false_rows(request)
        rows = [self._row(leaf, score, request) for score, leaf in self._pick(request)]
        if fault is not None and fault.kind == "bare":
            return [replace(row, snippet="", text="") for row in rows]
        return rows

    def _pick(self, request: SearchRequest) -> list[tuple[float, Leaf]]:
        """Pick the best articles, one variant each by a hash of the query, then further variants."""
        corpus = self.web.corpus
        scores = corpus.overlap.scores(request.query)
        found = [
            number
            for number, article in enumerate(corpus.articles)
            if scores[number] > 0 and _admits(article, request)
        ]
        found.sort(key=lambda number: (-scores[number], number))
        picked: list[tuple[float, Leaf]] = []
        for turn in range(corpus.variants):
            for number in found:
                if len(picked) == request.limit:
                    return picked
                start = int.from_bytes(digest(request.query, str(number))[:8], "big")
                leaf = corpus.by_article[number][(start + turn) % corpus.variants]
                picked.append((round(scores[number] * 0.9**turn, 6), leaf))
        return picked

    def _row(self, leaf: Leaf, score: float, request: SearchRequest) -> SearchRow:
        article = self.web.corpus.articles[leaf.number]
        return SearchRow(
            url=self.web.url(leaf.host, leaf.path),
            title=article.title,
            snippet=_snippet(article.body, request.query, request.length),
            score=score,
            moment=article.moment,
            text=f"# {article.title}\n\n{article.body}",
        )

    def _false_rows(self, request: SearchRequest) -> list[SearchRow]:
        """Return one result more than asked for, all from domains that were not asked for."""
        host = request.exclude[0] if request.exclude else "not-asked-for.example"
        snippet = f"{request.query} Everything was repaid in full."
        return [
            SearchRow(self.web.url(host, f"/lie-{number}"), request.query, snippet, 0.999)
            for number in range(request.limit + 1)
        ]


def _admits(article: Article, request: SearchRequest) -> bool:
    if article.event and article.event.lower() not in request.query.lower():
        return False
    if request.include and not within(article.host, request.include):
        return False
    if within(article.host, request.exclude):
        return False
    moment = article.moment
    if request.since is not None and (moment is None or moment < request.since):
        return False
    return request.until is None or (moment is not None and moment < request.until)


def _snippet(text: str, query: str, limit: int) -> str:
    wanted = set(terms(query))
    rows = list(enumerate(sentences(text)))
    best = sorted(rows, key=lambda row: (-len(wanted & set(terms(row[1]))), row[0]))
    chosen = sorted(best[: max(2, limit // 180)])
    return " ".join(sentence for _, sentence in chosen)[:limit]
