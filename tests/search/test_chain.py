"""The chain: which provider is asked and when, one list, and failure that is never emptiness."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from groundwire import errors
from groundwire.gateway.call import Scope
from groundwire.model.call import Lease
from groundwire.model.query import Hit, Query
from groundwire.search.chain import Chain
from groundwire.search.provider import (
    ProviderAnswer,
    ProviderOptions,
    SearchProvider,
    SearchServices,
)

SCOPE = Scope(
    lease=Lease(run_id="r", fence=1, attempt=1),
    now=datetime(2026, 11, 16, tzinfo=UTC),
    caps=lambda _now: (),
)
GROUND = cast(SearchServices, None)  # nobody here stands on anything
TEXT = "USDC 脱锚 depeg"


class Fixed(SearchProvider):
    """A provider with a fixed answer; traits are set on the instance."""

    def __init__(
        self,
        name: str,
        answer: list[str] | list[Hit] | errors.OutsideFailure,
        *,
        text: str = TEXT,
        cached: bool = False,
        **traits: Any,
    ) -> None:
        super().__init__(ProviderOptions())
        self.queries: list[str] = []
        for trait, value in {"name": name, **traits}.items():
            setattr(self, trait, value)
        self._answer, self._text, self._cached = answer, text, cached

    async def search(
        self, services: SearchServices, scope: Scope, query: Query, occasion: str
    ) -> ProviderAnswer:
        del services, scope, occasion
        self.queries.append(query.text)
        if isinstance(self._answer, errors.OutsideFailure):
            raise self._answer
        hits = [
            each if isinstance(each, Hit) else self._hit(each, rank)
            for rank, each in enumerate(self._answer, start=1)
        ]
        return ProviderAnswer(hits, cached=self._cached)

    def _hit(self, url: str, rank: int) -> Hit:
        held = f"doc-{url}" if self.local else None
        title = f"{self.name} {rank}"
        return Hit(
            title=title,
            url=url,
            content=self._text,
            provider=self.name,
            rank=rank,
            document_id=held,
        )


def archive(urls: list[str]) -> Fixed:
    return Fixed("archive", urls, local=True, beside=True)


def urls(report: Any) -> list[str]:
    return [hit.url for hit in report.hits]


@dataclass
class Asking:
    """A chain and the query it is asked."""

    providers: list[Fixed]
    query: Query = field(default_factory=lambda: Query(text="usdc depeg"))
    options: dict[str, Any] = field(default_factory=dict)

    async def __call__(self) -> Any:
        return await Chain(self.providers, GROUND, **self.options).search(SCOPE, self.query)


async def ask(*providers: Fixed, query: Query | None = None, **options: Any) -> Any:
    return await Asking(list(providers), query or Query(text="usdc depeg"), options)()


async def test_the_first_that_answers_is_enough_and_the_archive_always_takes_part() -> None:
    second = Fixed("two", ["https://b.example/1"])
    report = await ask(
        Fixed("one", ["https://a.example/1"]), second, archive(["https://c.example/1"])
    )
    assert (report.providers, second.queries) == (("one", "archive"), [])
    assert set(urls(report)) == {"https://a.example/1", "https://c.example/1"}


@pytest.mark.parametrize(
    "failure",
    [
        errors.RateLimited("slow down"), errors.ServerFault(), errors.Timeout(),
        errors.Malformed(), errors.PlanLimit(), errors.AuthRejected(), errors.NetworkDown(),
        errors.BreakerOpen(), errors.BudgetReached(), errors.BadRequest(),
    ],
    ids=lambda failure: failure.code,
)  # fmt: skip
async def test_a_failed_provider_is_named_and_failed_over(failure: errors.OutsideFailure) -> None:
    report = await ask(Fixed("one", failure), Fixed("two", ["https://b.example/1"]))
    (named,) = report.failures
    assert (named.provider, named.code) == ("one", failure.code)
    assert (urls(report), report.failed) == (["https://b.example/1"], False)
    (recovery,) = report.recoveries
    assert (recovery.error, recovery.tried) == (failure.code, report.providers[1])
    assert recovery.outcome == "worked"


async def test_everything_failed_is_not_nothing_found() -> None:
    report = await ask(Fixed("one", errors.ServerFault()), archive([]))
    assert report.failed
    report = await ask(Fixed("one", []), archive([]))
    assert (report.failed, report.hits, report.failures) == (False, (), ())


@pytest.mark.parametrize(
    "traits",
    [{"sites": ("wikipedia.org",)}, {"general": False, "topics": ("general",)}, {"beside": True}],
)
async def test_who_sees_a_part_of_the_web_does_not_make_a_failed_search_an_empty_one(
    traits: dict[str, Any],
) -> None:
    some = Fixed("some", [], **traits)
    assert (await ask(Fixed("web", errors.Timeout()), some)).failed
    assert not (await ask(Fixed("web", []), some)).failed
    # Alone, without a failure, it is believed.
    assert not (await ask(some)).failed


async def test_nothing_found_by_one_lets_the_next_be_asked() -> None:
    report = await ask(Fixed("one", []), Fixed("two", ["https://b.example/1"]))
    assert (report.providers, urls(report)) == (("one", "two"), ["https://b.example/1"])
    assert not report.failures


@pytest.mark.parametrize(
    ("text", "language"),
    [("USDC depeg cause", "en"), ("USDC 脱锚 原因", "zh"), ("USDC 脫錨 原因", "zh-Hant")],
)
async def test_nothing_relevant_is_as_good_as_nothing(text: str, language: str) -> None:
    off = Fixed("one", ["https://a.example/1"], text="菜谱 recipes for a rainy day")
    report = await ask(
        off, Fixed("two", ["https://b.example/1"]), query=Query(text=text, language=language)
    )
    assert report.providers == ("one", "two")
    # What the first gave is kept: our relevance is words, and words are not everything.
    assert set(urls(report)) == {"https://a.example/1", "https://b.example/1"}


async def test_results_outside_the_limits_are_as_good_as_nothing() -> None:
    query = Query(text="usdc depeg", include_domains=("sec.gov",))
    report = await ask(
        Fixed("one", ["https://a.example/1"]), Fixed("two", ["https://sec.gov/1"]), query=query
    )
    assert (report.providers, urls(report)) == (("one", "two"), ["https://sec.gov/1"])


async def test_three_that_find_nothing_are_believed_and_failures_do_not_count() -> None:
    fourth = Fixed("four", ["https://d.example/1"])
    report = await ask(*(Fixed(name, []) for name in ("one", "two", "three")), fourth)
    assert (report.hits, fourth.queries) == ((), [])
    report = await ask(Fixed("one", []), Fixed("two", errors.Timeout()), Fixed("three", []), fourth)
    assert urls(report) == ["https://d.example/1"]


async def test_all_at_once_when_told_to() -> None:
    report = await ask(
        Fixed("one", ["https://a.example/1"]),
        Fixed("two", ["https://b.example/1"]),
        Fixed("three", errors.Timeout()),
        mode="all",
    )
    assert len(report.hits) == 2
    assert [failure.provider for failure in report.failures] == ["three"]


async def test_a_page_that_two_lists_have_comes_first_and_once_and_says_who_has_it() -> None:
    one = Fixed("one", ["https://a.example/1", "https://b.example/1?utm_source=x"])
    two = Fixed("two", ["https://c.example/1", "https://b.example/1/"])
    report = await ask(one, two, archive(["https://b.example/1"]), mode="all")
    first = report.hits[0]
    assert canonical(first.url) == "https://b.example/1"
    assert [canonical(url) for url in urls(report)].count("https://b.example/1") == 1
    assert first.document_id == "doc-https://b.example/1"
    assert {first.provider, *first.also} == {"one", "two", "archive"}


async def test_the_lists_own_order_counts_before_our_relevance() -> None:
    """An engine sees more of a page than its snippet; relevance only decides between equals."""

    def hit(url: str, content: str, rank: int) -> Hit:
        return Hit(title="", url=url, content=content, provider="x", rank=rank)

    poor, good = "the depeg of it", "usdc depeg, depeg of usdc"
    first, second = "https://a.example/1", "https://b.example/1"
    one = Fixed("one", [hit(first, poor, 1), hit(second, good, 2)])
    assert urls(await ask(one)) == [first, second]
    two = Fixed("two", [hit(second, good, 1)])
    assert urls(await ask(Fixed("one", [hit(first, poor, 1)]), two, mode="all")) == [second, first]


def canonical(url: str) -> str:
    return url.partition("?")[0].rstrip("/")


async def test_one_list_does_not_vote_twice_for_its_page() -> None:
    twice = Fixed("one", ["https://a.example/1", "https://b.example/1", "https://b.example/1#x"])
    assert urls(await ask(twice)) == ["https://a.example/1", "https://b.example/1"]


async def test_what_either_list_knows_of_a_page_is_kept() -> None:
    day = datetime(2023, 3, 11, tzinfo=UTC)
    short = Hit(
        title="t",
        url="https://a.example/1",
        content="usdc",
        published_at=day,
        provider="one",
        rank=1,
    )
    report = await ask(
        Fixed("one", [short]),
        Fixed("two", ["https://a.example/1"], text="usdc depeg " * 20),
        mode="all",
    )
    (hit,) = report.hits
    assert (hit.provider, hit.also, hit.published_at) == ("two", ("one",), day)


async def test_domain_limits_are_enforced_on_results_whatever_the_provider_does() -> None:
    lying = [
        "https://www.sec.gov/1",
        "https://notsec.gov/1",
        "https://sec.gov.evil.example/1",
        "https://t.me/x",
    ]
    only = Query(text="q", include_domains=("sec.gov",))
    without = Query(text="q", exclude_domains=("t.me", "notsec.gov"), max_results=10)
    assert urls(await ask(Fixed("one", lying), query=only)) == ["https://www.sec.gov/1"]
    assert set(urls(await ask(Fixed("one", lying), query=without))) == {
        "https://www.sec.gov/1",
        "https://sec.gov.evil.example/1",
    }


@pytest.mark.parametrize("domain", ["sec.gov", "https://www.sec.gov/news", "*.sec.gov", "SEC.gov"])
async def test_a_domain_may_be_written_as_people_write_it(domain: str) -> None:
    found = ["https://sec.gov/1", "https://www.sec.gov/2", "https://t.me/x"]
    only = Query(text="q", include_domains=(domain,))
    assert urls(await ask(Fixed("one", found), query=only)) == found[:2]


def dated(url: str, at: datetime | None) -> Hit:
    return Hit(title="t", url=url, content=TEXT, published_at=at, provider="one", rank=1)


@pytest.mark.parametrize(
    ("time_range", "at", "kept"),
    [
        ("day", datetime(2026, 11, 15, 0, 1, tzinfo=UTC), True),
        ("day", datetime(2026, 11, 14, 23, 59, tzinfo=UTC), False),
        ("day", datetime(2026, 11, 16, 9, tzinfo=UTC), True),  # newer than the run's clock
        ("week", datetime(2026, 11, 9, tzinfo=UTC), True),
        ("month", datetime(2023, 3, 11, tzinfo=UTC), False),
        ("2023-03-10/2023-03-13", datetime(2023, 3, 13, 22, tzinfo=UTC), True),
        ("2023-03-10/2023-03-13", datetime(2023, 3, 14, 1, tzinfo=UTC), False),
        ("2023-03-10/2023-03-13", datetime(2023, 3, 9, 23, tzinfo=UTC), False),
        ("2023-03-10T12:00/", datetime(2023, 3, 10, tzinfo=UTC), True),  # some time of that day
        ("2023-03-10T12:00/", datetime(2023, 3, 10, 11, tzinfo=UTC), False),
        ("day", None, True),  # what is not known speaks against nothing
    ],
)
async def test_time_limits_are_enforced_on_dated_results(
    time_range: str, at: datetime | None, kept: bool
) -> None:
    query = Query(text="usdc", time_range=time_range)
    report = await ask(Fixed("one", [dated("https://a.example/1", at)]), query=query)
    assert bool(report.hits) is kept


@pytest.mark.parametrize(
    "demand",
    [{"time_range": "lately"}, {"time_range": "2023-3/x"}, {"include_domains": ("not a host",)}],
)
async def test_a_demand_that_cannot_be_read_is_refused_before_anybody_is_asked(
    demand: dict[str, Any],
) -> None:
    one = Fixed("one", ["https://a.example/1"])
    with pytest.raises(errors.InputError):
        await ask(one, query=Query.model_validate({"text": "usdc", **demand}))
    assert one.queries == []


async def test_one_site_does_not_fill_the_list_unless_it_was_asked_for() -> None:
    many = [f"https://a.example/{n}" for n in range(8)] + ["https://b.example/1"]
    wide = Query(text="usdc", max_results=10)
    narrow = Query(text="usdc", max_results=10, include_domains=("a.example",))
    report = await ask(Fixed("one", many), query=wide, per_domain=2)
    assert urls(report) == ["https://a.example/0", "https://a.example/1", "https://b.example/1"]
    assert len((await ask(Fixed("one", many), query=narrow, per_domain=2)).hits) == 8
    recent = wide.model_copy(update={"time_range": "week"})
    assert len((await ask(Fixed("one", many), query=recent, per_domain=2)).hits) == 9


async def test_a_result_whose_address_cannot_be_read_is_no_result() -> None:
    report = await ask(Fixed("one", ["not a url", "javascript:alert(1)", "https://a.example/1"]))
    assert urls(report) == ["https://a.example/1"]


async def test_relevance_is_ours_and_in_both_languages() -> None:
    for text in ("USDC depeg", "USDC 脱锚", "USDC 脫錨"):
        (hit,) = (await ask(Fixed("one", ["https://a.example/1"]), query=Query(text=text))).hits
        assert 0.5 < hit.relevance <= 1, text


async def test_a_narrow_providers_unrelated_results_do_not_stand_in_the_way() -> None:
    off = "菜谱 recipes for a rainy day"
    forum = Fixed("forum", ["https://f.example/1"], text=off, general=False, topics=("general",))
    web = Fixed("web", ["https://a.example/1"], text=off)
    assert urls(await ask(forum, web, mode="all")) == ["https://a.example/1"]


async def test_cached_is_said_only_when_nothing_was_sent() -> None:
    kept = Fixed("one", ["https://a.example/1"], cached=True)
    sent = Fixed("two", ["https://b.example/1"])
    local = archive(["https://c.example/1"])
    cases = [
        ([kept, local], True),  # the archive is read, not sent for
        ([kept, sent, local], False),
        ([kept, Fixed("three", errors.Timeout())], False),
        ([local], False),
    ]
    for providers, cached in cases:
        assert (await ask(*providers, mode="all")).cached is cached


LINEUP = [
    # in the order of the chain; who is best at something else late, narrow ones at the very end
    (Query(text="usdc depeg"), ["web", "wiki", "cn", "news"]),
    # best at Chinese: first for Chinese of either script
    (Query(text="USDC 脱锚"), ["cn", "web", "wiki"]),
    (Query(text="USDC 脫錨", language="zh-Hant"), ["cn", "web", "wiki"]),
    # narrow ones in their place for their topics, in the languages they understand
    (Query(text="usdc depeg", topic="news"), ["web", "news", "wiki", "cn"]),
    (Query(text="USDC 脱锚", topic="news"), ["cn", "web", "wiki"]),
    (Query(text="usdc depeg", topic="tech"), ["web", "wiki", "cn", "news"]),
    # one site's provider is not asked for another site, and is for its own
    (Query(text="usdc", include_domains=("sec.gov",)), ["web", "cn", "news"]),
    (Query(text="usdc", include_domains=("en.wikipedia.org",)), ["web", "wiki", "cn", "news"]),
    (Query(text="usdc", include_domains=("org",)), ["web", "wiki", "cn", "news"]),
]


@pytest.mark.parametrize(("query", "names"), LINEUP)
def test_providers_are_asked_what_they_are_good_at(query: Query, names: list[str]) -> None:
    chain = Chain(
        [
            Fixed("web", []),
            Fixed("cn", [], languages=("zh",)),
            Fixed("news", [], general=False, topics=("news",), speaks=("en",)),
            Fixed("wiki", [], sites=("wikipedia.org",)),
        ],
        GROUND,
    )
    assert [provider.name for provider in chain.lineup(query)] == names


async def test_a_narrow_provider_is_asked_when_nobody_else_knows_and_never_before() -> None:
    news = Fixed("news", ["https://n.example/1"], general=False, topics=("news",))
    web = ["https://a.example/1"]
    assert (await ask(news, Fixed("web", web))).providers == ("web",)
    assert (await ask(news, Fixed("web", []))).providers == ("web", "news")
    assert (await ask(news, Fixed("web", errors.Timeout()))).hits[0].provider == "news"
    # All at once means all that the question suits.
    assert (await ask(news, Fixed("web", web), mode="all")).providers == ("web",)
    # Alone it is asked everything.
    assert (await ask(news)).providers == ("news",)


async def test_where_nobody_takes_the_question_all_are_asked_and_their_refusal_is_named() -> None:
    narrow = Fixed("news", errors.BadRequest("English only"), speaks=("en",))
    report = await ask(narrow, query=Query(text="USDC 脱锚"))
    assert report.failed
    assert report.failures[0].message == "English only"
