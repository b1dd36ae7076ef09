"""The chain: failover, the archive beside it, one list, and failure that is never emptiness."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from groundwire import errors
from groundwire.gateway.call import Scope
from groundwire.model.call import Lease
from groundwire.model.query import Hit, Query
from groundwire.search.chain import Chain

SCOPE = Scope(
    lease=Lease(run_id="r", fence=1, attempt=1),
    now=datetime(2026, 11, 16, tzinfo=UTC),
    caps=lambda _now: (),
)


@dataclass
class Said:
    """A provider that says what it was told to."""

    name: str
    answer: list[str] | errors.OutsideFailure
    asked: list[str] = field(default_factory=list)

    async def search(self, scope: Scope, query: Query, occasion: str) -> list[Hit]:
        self.asked.append(query.text)
        if isinstance(self.answer, errors.OutsideFailure):
            raise self.answer
        return [
            Hit(
                title=f"{self.name} {rank}",
                url=url,
                content="USDC 脱锚 depeg",
                provider=self.name,
                rank=rank,
                document_id=f"doc-{url}" if self.name == "archive" else None,
            )
            for rank, url in enumerate(self.answer, start=1)
        ]


async def test_the_first_that_answers_is_enough_and_the_archive_always_takes_part() -> None:
    first, second = Said("one", ["https://a.example/1"]), Said("two", ["https://b.example/1"])
    archive = Said("archive", ["https://c.example/1"])
    report = await Chain([first, second], archive).search(SCOPE, Query(text="usdc"))
    assert (report.providers, second.asked) == (("one", "archive"), [])
    assert {hit.url for hit in report.hits} == {"https://a.example/1", "https://c.example/1"}


async def test_a_failed_provider_is_named_and_failed_over() -> None:
    chain = Chain(
        [Said("one", errors.RateLimited("slow down")), Said("two", ["https://b.example/1"])], None
    )
    report = await chain.search(SCOPE, Query(text="usdc"))
    (failure,) = report.failures
    assert (failure.provider, failure.code) == ("one", "rate_limit")
    assert (len(report.hits), report.failed) == (1, False)


async def test_everything_failed_is_not_nothing_found() -> None:
    failed = Chain([Said("one", errors.ServerFault())], Said("archive", []))
    empty = Chain([Said("one", [])], Said("archive", []))
    assert (await failed.search(SCOPE, Query(text="x"))).failed
    report = await empty.search(SCOPE, Query(text="x"))
    assert (report.failed, report.hits, report.failures) == (False, (), ())


async def test_all_at_once_when_told_to() -> None:
    chain = Chain(
        [Said("one", ["https://a.example/1"]), Said("two", ["https://b.example/1"])],
        None,
        mode="all",
    )
    assert len((await chain.search(SCOPE, Query(text="usdc"))).hits) == 2


async def test_a_page_that_two_lists_have_comes_first_and_once() -> None:
    one = Said("one", ["https://a.example/1", "https://b.example/1?utm_source=x"])
    archive = Said("archive", ["https://b.example/1"])
    report = await Chain([one], archive).search(SCOPE, Query(text="usdc"))
    assert [hit.url.partition("?")[0] for hit in report.hits] == [
        "https://b.example/1",
        "https://a.example/1",
    ]
    assert report.hits[0].document_id == "doc-https://b.example/1"


async def test_domain_limits_are_enforced_on_results_whatever_the_provider_does() -> None:
    lying = Said(
        "one",
        [
            "https://www.sec.gov/1",
            "https://notsec.gov/1",
            "https://sec.gov.evil.example/1",
            "https://t.me/x",
        ],
    )
    only = Query(text="q", include_domains=("sec.gov",))
    without = Query(text="q", exclude_domains=("t.me", "notsec.gov"), max_results=10)
    assert [h.url for h in (await Chain([lying], None).search(SCOPE, only)).hits] == [
        "https://www.sec.gov/1"
    ]
    kept = {h.url for h in (await Chain([lying], None).search(SCOPE, without)).hits}
    assert kept == {"https://www.sec.gov/1", "https://sec.gov.evil.example/1"}


async def test_one_site_does_not_fill_the_list() -> None:
    many = Said("one", [f"https://a.example/{n}" for n in range(8)] + ["https://b.example/1"])
    report = await Chain([many], None, per_domain=2).search(
        SCOPE, Query(text="usdc", max_results=10)
    )
    assert sorted(hit.url for hit in report.hits) == [
        "https://a.example/0",
        "https://a.example/1",
        "https://b.example/1",
    ]


async def test_a_result_whose_address_cannot_be_read_is_no_result() -> None:
    chain = Chain([Said("one", ["not a url", "javascript:alert(1)", "https://a.example/1"])], None)
    report = await chain.search(SCOPE, Query(text="usdc"))
    assert [hit.url for hit in report.hits] == ["https://a.example/1"]


async def test_relevance_is_ours_and_in_both_languages() -> None:
    chain = Chain([Said("one", ["https://a.example/1"])], None)
    for text in ("USDC depeg", "USDC 脱锚", "USDC 脫錨"):
        (hit,) = (await chain.search(SCOPE, Query(text=text))).hits
        assert hit.relevance > 0.5, text
