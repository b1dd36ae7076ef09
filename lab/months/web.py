"""The web of a simulated month behind an HTTP transport: search and pages as they are on its day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

from groundwire.model.base import fingerprint
from lab.evaluation.worlds import SEARCH, FrozenCorpus, FrozenWeb
from lab.months.month import Month, MonthPage
from lab.stubs.articles import Article
from lab.stubs.calllog import Inbound
from lab.stubs.faults import Fault, Rule, error
from lab.stubs.finder import Finder
from lab.stubs.harness import Desk, Stub, StubReply
from lab.stubs.inprocess import InProcess
from lab.stubs.markup import page
from lab.stubs.vendors import Tavily
from lab.stubs.web import Leaf

_START = datetime(2026, 10, 1, tzinfo=UTC)
_MORNING, _EVENING = timedelta(hours=7), timedelta(hours=18)


def published(day: int) -> datetime:
    """Return when pages of a day are published."""
    return _START + timedelta(days=day - 1) + _MORNING


def evening(day: int) -> datetime:
    """Return when the watch looks on a day."""
    return _START + timedelta(days=day - 1) + _EVENING


class _Corpus(FrozenCorpus):
    """Pages whose entity tag follows their text, as a page that was edited has another."""

    def make(self, leaf: Leaf) -> tuple[bytes, str]:
        article = self.articles[leaf.number]
        data = page(article, (), (), article.url, 0, Random(article.url), style="all")
        return data, f'"{fingerprint([article.url, article.body])[:20]}"'


class _Day(FrozenWeb):
    """The pages of one day; some sites may be down."""

    def __init__(self, month: Month, day: int) -> None:
        here = [(each, found) for each in month.pages if (found := each.on(day)) is not None]
        articles = tuple(_article(each, found.title, found.text) for each, found in here)
        self._down = frozenset(each.url for each, _ in here if day in each.down)
        super().__init__(_Corpus(articles), closed=False)

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        url = f"https://{request.headers.get('host', '')}{request.path}"
        if url in self._down:
            return self.refuse(503, Fault("error", status=503))
        return super().answer(request, fault)


class MonthWorld:
    """Everything outside the desk; `turn` moves it to another day."""

    def __init__(self, month: Month) -> None:
        self._month = month
        self.desk = Desk()
        self.transport = InProcess(self._route, self.desk)
        self.turn(1)

    def turn(self, day: int) -> None:
        self._web = _Day(self._month, day)
        self._search = Tavily(Finder(self._web, lambda: evening(day)))
        failing = day in self._month.failing
        self.desk.schedule.set([Rule(error(503), stub="tavily")] if failing else [])

    def _route(self, host: str) -> Stub | None:
        # Every host of the month exists on every day: a page that is gone answers 404.
        known = any(host in each.url for each in self._month.pages)
        return self._search if host == SEARCH else self._web if known else None


def _article(source: MonthPage, title: str, text: str) -> Article:
    return Article(
        slug=source.url.rsplit("/", 1)[1],
        url=source.url,
        title=title,
        publisher=source.publisher,
        published_at=published(source.published).isoformat(),
        language=source.language,
        body=text,
    )
