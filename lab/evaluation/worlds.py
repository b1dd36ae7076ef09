"""A frozen world in one process: the search, pages, markets and model of one scenario."""

from __future__ import annotations

import math
from collections.abc import Collection
from random import Random

from groundwire.model.base import Value, fingerprint
from lab.evaluation.scenarios import Scenario, ScenarioPage, stamp
from lab.stubs.articles import Article, Overlap
from lab.stubs.calllog import Inbound
from lab.stubs.faults import (
    Fault,
    Rule,
    cut_off,
    error,
    lying,
    malformed,
    rate_limited,
    slow,
)
from lab.stubs.finder import Finder
from lab.stubs.harness import Desk, Stub, StubReply
from lab.stubs.inprocess import InProcess
from lab.stubs.markets import HOSTS, Exchange, Market
from lab.stubs.markup import page
from lab.stubs.models import Model
from lab.stubs.reader import Reader
from lab.stubs.terms import is_chinese, terms
from lab.stubs.vendors import Tavily
from lab.stubs.web import Corpus, Leaf, Web

SEARCH, MODEL = "api.tavily.com", "api.openai.com"
_KINDS: tuple[Fault, ...] = (
    rate_limited(0.0),
    error(500),
    slow(3600.0),  # longer than any timeout
    malformed(),
    cut_off(),
)
_CHAIN = ("defillama", "stablecoins")
# The stubs that are down with each part of the world; pages refuse on their own.
_PARTS = {
    "search": ("tavily",),
    "model": ("model",),
    "price": ("coingecko", "binance", "kraken"),
    "onchain": _CHAIN,
}
_SLOW = 2.0  # seconds that a slow search takes
_FORBIDDEN = 403
_ENOUGH = 1.5  # shared words that make a page relevant: semantic engines need few


class Weather(Value):
    """How the world misbehaves beyond what the scenario declares as down."""

    faults: float = 0.0  # share of all calls that fail
    seed: int = 0  # which of them
    lie: str | None = None  # the model answers in form but falsely; "url": with links


FAIR = Weather()


class FrozenOverlap(Overlap):
    """Scores by plain word overlap: the share of a query's words in a page, and their number.

    A query is in two languages and a page in one, so only words count that some page in its
    language has.
    """

    def scores(self, text: str) -> list[float]:
        wanted = sorted(set(terms(text)))
        pages = list(zip(self.articles, self._counts, strict=True))
        found: list[float] = []
        for article, counts in pages:
            peers = [each for other, each in pages if other.chinese == article.chinese]
            known = [term for term in wanted if any(term in each for each in peers)]
            hits = [term for term in known if term in counts]
            share = sum(self._idf[term] for term in hits) / (
                sum(self._idf[term] for term in known) or 1.0
            )
            found.append(round(0.999 * math.sqrt(share) * (1 - math.exp(-len(hits) / _ENOUGH)), 6))
        return found


class FrozenCorpus(Corpus):
    """The scenario's pages, each once, with nothing of any other page in it."""

    def __init__(self, articles: tuple[Article, ...]) -> None:
        super().__init__(articles, pages=1)
        self.overlap = FrozenOverlap(articles)

    def make(self, leaf: Leaf) -> tuple[bytes, str]:
        article = self.articles[leaf.number]
        data = page(article, (), (), article.url, 0, Random(article.url), style="all")
        return data, f'"{fingerprint([article.url, article.body])[:20]}"'

    def encoding(self, leaf: Leaf) -> tuple[str, bool]:
        del leaf
        return "utf-8", True


class FrozenWeb(Web):
    """Pages under their own addresses; with `closed`, every page refuses to be read."""

    def __init__(self, corpus: Corpus, *, closed: bool) -> None:
        super().__init__(corpus, ("https://world.invalid",), public_urls=True)
        self._closed = closed

    def url(self, host: str, path: str) -> str:
        return self.corpus.articles[self.corpus.leaves[host, path].number].url

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        if self._closed and request.path != "/robots.txt":
            return self.refuse(_FORBIDDEN, Fault("error", status=_FORBIDDEN))
        return super().answer(request, fault)


class World:
    """Everything outside the desk; `transport` answers for it, `desk` has the log of calls."""

    def __init__(
        self, scenario: Scenario, weather: Weather = FAIR, reader: Reader | None = None
    ) -> None:
        self.desk = Desk()
        articles = tuple(_article(number, each) for number, each in enumerate(scenario.web))
        web = FrozenWeb(FrozenCorpus(articles), closed="pages" in scenario.down)
        self._web = web
        self._hosts: dict[str, Stub] = {
            SEARCH: Tavily(Finder(web, lambda: scenario.now)),
            MODEL: Model(reader),
        }
        spot, chain = _spot(scenario), _chain(scenario)
        for name, host in HOSTS.items():
            market = chain if name in _CHAIN else spot
            self._hosts[host] = Exchange(name, lambda: scenario.now, market)
        self.desk.schedule.set(_rules(scenario.down, weather, scenario.id))
        self.transport = InProcess(self._route, self.desk)

    def _route(self, host: str) -> Stub | None:
        known = any(leaf.host == host for leaf in self._web.corpus.leaves.values())
        return self._hosts.get(host, self._web if known else None)


def _article(number: int, source: ScenarioPage) -> Article:
    return Article(
        slug=f"page-{number}",
        url=source.url,
        title=source.title,
        publisher=source.publisher,
        published_at=stamp(source.published_at),
        language="zh" if is_chinese(source.text) else "en",
        body=source.text,
    )


def _spot(scenario: Scenario) -> Market:
    before = scenario.price_before
    return Market(
        prices=scenario.price,
        now=scenario.now,
        changes={
            symbol: 100 * (price / before[symbol] - 1)
            for symbol, price in scenario.price.items()
            if symbol in before
        },
    )


def _chain(scenario: Scenario) -> Market:
    onchain = scenario.onchain
    return Market(
        prices={name: each.price for name, each in onchain.stablecoins.items() if each.price},
        now=scenario.now,
        supplies={
            name: (each.circulating, each.circulating)
            for name, each in onchain.stablecoins.items()
            if each.circulating
        },
        hacks=onchain.hacks,
        locked={
            "-".join(name.lower().split()): (each.now, each.day_before)
            for name, each in onchain.tvl.items()
        },
    )


def _rules(down: Collection[str], weather: Weather, name: str) -> list[Rule]:
    """Let what is down always fail, and a share of the rest that depends on seed and scenario alone."""
    failing = (name for part, names in _PARTS.items() if part in down for name in names)
    rules = [Rule(error(503), stub=name) for name in failing]
    if "slow-search" in down:
        rules.append(Rule(slow(_SLOW), stub="tavily"))
    start = int(fingerprint([name, weather.seed])[:8], 16)
    each = weather.faults / len(_KINDS)
    for number, fault in enumerate(_KINDS if weather.faults else ()):
        # The first rule that strikes decides, so a later one takes its share of the rest.
        rules.append(Rule(fault, share=each / (1 - number * each), seed=start + number))
    if weather.lie is not None:
        rules.append(Rule(lying(weather.lie), stub="model"))
    return rules
