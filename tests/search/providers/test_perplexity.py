"""Perplexity: what is asked of it, and what its answers become."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from groundwire.errors import AuthRejected, Malformed, RateLimited
from groundwire.model.query import Query
from groundwire.search.provider import ProviderOptions
from groundwire.search.providers.perplexity import Provider

KEY = "pplx-test"
ROW = {
    "title": "USDC <b>脱锚</b>",
    "url": "https://a.example/1",
    "snippet": "USDC 跌至 0.88 美元",
    "date": "2023-03-11",
    "last_updated": "2025-01-01",
}


def provider() -> Provider:
    return Provider(ProviderOptions(api_key=SecretStr(KEY)))


def test_the_key_goes_into_the_header_and_nowhere_else() -> None:
    assert provider().headers() == {"Authorization": f"Bearer {KEY}"}
    assert KEY not in repr(provider().request(Query(text="usdc")))
    assert "PERPLEXITY" in (Provider(ProviderOptions()).lacks() or "")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, {"query": "稳定币", "max_results": 5}),
        ({"max_results": 50}, {"max_results": 20}),
        ({"language": "zh-Hant"}, {"search_language_filter": ["zh"]}),
        ({"country": "台灣"}, {"country": "TW"}),
        ({"time_range": "week"}, {"search_recency_filter": "week"}),
        (
            {"time_range": "2023-03-10/2023-03-13"},
            {"search_after_date_filter": "3/10/2023", "search_before_date_filter": "3/13/2023"},
        ),
        ({"include_domains": ("sec.gov",)}, {"search_domain_filter": ["sec.gov"]}),
        ({"exclude_domains": ("t.me",)}, {"search_domain_filter": ["-t.me"]}),
        (
            {"include_domains": ("sec.gov",), "exclude_domains": ("t.me",)},
            {"search_domain_filter": ["sec.gov"], "query": "稳定币 -site:t.me"},
        ),
    ],
)
def test_what_is_asked(query: dict[str, object], expected: dict[str, object]) -> None:
    request = provider().request(Query.model_validate({"text": "稳定币", **query}))
    assert (request.method, request.url) == ("POST", "https://api.perplexity.ai/search")
    assert expected.items() <= (request.json or {}).items()


def test_an_answer_becomes_ranked_hits_dated_by_publication() -> None:
    body = {
        "results": [ROW, {"url": "no address"}, {**ROW, "url": "https://b.example/2"}],
        "id": "x",
    }
    first, second = provider().parse(body, Query(text="q"))
    assert (first.rank, first.title, first.content) == (1, "USDC 脱锚", ROW["snippet"])
    assert first.published_at == datetime(2023, 3, 11, tzinfo=UTC)
    assert (second.rank, second.url) == (2, "https://b.example/2")
    assert provider().notes(body) == {"id": "x"}


def test_no_results_are_an_empty_list_and_anything_else_is_malformed() -> None:
    assert provider().parse({"results": []}, Query(text="q")) == []
    for body in (None, [], {}, {"results": None}, {"choices": []}, {"results": ["a"]}):
        with pytest.raises(Malformed):
            provider().parse(body, Query(text="q"))


@pytest.mark.parametrize(("status", "kind"), [(401, AuthRejected), (429, RateLimited)])
def test_refusals_have_their_cause(status: int, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        provider().check(status, {}, b'{"error": {"message": "no"}}')
