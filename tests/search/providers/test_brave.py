"""Brave: what is asked of it, what its answers become, and how it refuses."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from groundwire.errors import (
    AuthRejected,
    BadRequest,
    Malformed,
    OutsideFailure,
    PlanLimit,
    RateLimited,
    ServerFault,
)
from groundwire.model.query import Query
from groundwire.search.provider import ProviderOptions
from groundwire.search.providers.brave import Provider

KEY = "BSA-test"


def provider(**options: object) -> Provider:
    return Provider(ProviderOptions.model_validate({"api_key": SecretStr(KEY), **options}))


def web(**result: object) -> dict[str, object]:
    row = {"url": "https://a.example/1", "title": "A", "description": "text"} | result
    return {
        "type": "search",
        "query": {"original": "q"},
        "mixed": {"type": "mixed"},
        "web": {"type": "search", "results": [row]},
    }


def refusal(code: str, **meta: object) -> bytes:
    error = {"id": "1", "status": 0, "code": code, "detail": f"about {code}", "meta": meta}
    return json.dumps({"type": "ErrorResponse", "error": error, "time": 1}).encode()


def test_the_key_goes_into_the_header_and_nowhere_else() -> None:
    made = provider()
    assert made.headers()["X-Subscription-Token"] == KEY
    assert KEY not in repr(made.request(Query(text="usdc")))
    assert Provider(ProviderOptions()).lacks() == "BRAVE_API_KEY"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, {"q": "稳定币", "count": "5", "result_filter": "web", "text_decorations": "false"}),
        ({"max_results": 50}, {"count": "20"}),  # the vendor's limits
        ({"max_results": 50, "topic": "news"}, {"count": "50"}),
        ({"language": "zh"}, {"search_lang": "zh-hans"}),
        ({"language": "zh-Hant"}, {"search_lang": "zh-hant"}),
        ({"language": "ja"}, {"search_lang": "jp"}),
        ({"language": "en"}, {"search_lang": "en"}),
        ({"country": "台灣"}, {"country": "TW"}),
        ({"country": "germany"}, {"country": "DE"}),
        ({"time_range": "day"}, {"freshness": "pd"}),
        ({"time_range": "year"}, {"freshness": "py"}),
        ({"time_range": "2023-03-10/2023-03-13"}, {"freshness": "2023-03-10to2023-03-13"}),
        ({"time_range": "2023-03-10/"}, {"freshness": "2023-03-10to2099-12-31"}),
        ({"include_domains": ("sec.gov",)}, {"q": "稳定币 site:sec.gov"}),
        ({"exclude_domains": ("t.me", "x.com")}, {"q": "稳定币 -site:t.me -site:x.com"}),
    ],
)
def test_what_is_asked(query: dict[str, object], expected: dict[str, str]) -> None:
    request = provider().request(Query.model_validate({"text": "稳定币", **query}))
    assert (request.method, request.json) == ("GET", None)
    assert expected.items() <= request.params.items()


@pytest.mark.parametrize("query", [{"language": "sw"}, {"country": "Kenya"}])
def test_codes_that_it_would_refuse_are_left_out(query: dict[str, object]) -> None:
    params = provider().request(Query.model_validate({"text": "q", **query})).params
    assert not {"search_lang", "country"} & params.keys()


def test_news_have_an_address_of_their_own() -> None:
    news = provider().request(Query(text="q", topic="news"))
    assert news.url == "https://api.search.brave.com/res/v1/news/search"
    assert "result_filter" not in news.params
    general = provider(base_url="http://127.0.0.1:1/").request(Query(text="q", topic="finance"))
    assert general.url == "http://127.0.0.1:1/res/v1/web/search"


def test_no_more_than_its_characters_and_words_are_sent() -> None:
    long = Query(text="word " * 200, include_domains=tuple(f"site{n}.example" for n in range(90)))
    sent = provider().request(long).params["q"]
    assert len(sent) <= 400
    assert len(sent.split()) <= 50
    assert sent.startswith("word word")
    assert "site:site0.example OR site:site1.example" in sent


def test_an_answer_becomes_ranked_hits() -> None:
    body = web(
        title="T &amp; <strong>U</strong>",
        description="first",
        page_age="2023-03-11T09:30:00",
    )
    (hit,) = provider().parse(body, Query(text="q"))
    assert (hit.rank, hit.title, hit.content) == (1, "T & U", "first")
    assert hit.published_at == datetime(2023, 3, 11, 9, 30, tzinfo=UTC)
    news = {"type": "news", "query": {}, "results": [{"url": "https://a.example/1", "age": "x"}]}
    assert len(provider().parse(news, Query(text="q", topic="news"))) == 1


def test_an_answer_without_results_is_an_empty_list() -> None:
    assert provider().parse({"type": "search", "query": {"original": "q"}}, Query(text="q")) == []
    empty = {"type": "news", "query": {}, "results": []}
    assert provider().parse(empty, Query(text="q", topic="news")) == []


@pytest.mark.parametrize(
    "body",
    [{}, {"type": "search"}, {"type": "news", "results": []}, web() | {"web": {}}, web(url=None)],
)
def test_anything_else_is_malformed(body: object) -> None:
    with pytest.raises(Malformed):
        provider().parse(body, Query(text="q"))


RESETS = {"x-ratelimit-reset": "1, 1419704"}


@pytest.mark.parametrize(
    ("status", "body", "headers", "error", "wait"),
    [
        (422, refusal("SUBSCRIPTION_TOKEN_INVALID"), {}, AuthRejected, None),
        (401, b"", {}, AuthRejected, None),
        (422, refusal("VALIDATION"), {}, BadRequest, None),
        (403, refusal("OPTION_NOT_IN_PLAN"), {}, BadRequest, None),
        (429, refusal("RATE_LIMITED", quota_limit=2000, quota_current=15), RESETS, RateLimited, 1),
        (429, refusal("RATE_LIMITED"), {"retry-after": "7"}, RateLimited, 7),
        (429, refusal("RATE_LIMITED"), {}, RateLimited, None),
        (429, refusal("QUOTA_LIMITED"), RESETS, PlanLimit, 1_419_704),
        (
            429,
            refusal("RATE_LIMITED", quota_limit=9, quota_current=9),
            RESETS,
            PlanLimit,
            1_419_704,
        ),
        (402, b"{}", {}, PlanLimit, None),
        (503, b"<html>", {}, ServerFault, None),
    ],
)
def test_a_refusal_has_its_cause(
    status: int,
    body: bytes,
    headers: dict[str, str],
    error: type[OutsideFailure],
    wait: float | None,
) -> None:
    with pytest.raises(error) as caught:
        provider().check(status, headers, body)
    assert (type(caught.value), caught.value.retry_after) == (error, wait)
    if error is AuthRejected:
        assert "set BRAVE_API_KEY" in caught.value.message
