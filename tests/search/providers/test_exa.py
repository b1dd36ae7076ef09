"""Exa: what is asked of it, what its answers become, and what they cost."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from groundwire.errors import AuthRejected, Malformed, OutsideFailure, PlanLimit, RateLimited
from groundwire.model.query import Query
from groundwire.search.providers.exa import Options, Provider

KEY = "exa-test"


def provider(**options: object) -> Provider:
    return Provider(Options.model_validate({"api_key": SecretStr(KEY), **options}))


def answer(**result: object) -> dict[str, object]:
    row = {"id": "x", "url": "https://a.example/1", "title": "A", "score": 0.3} | result
    return {
        "requestId": "r-1",
        "resolvedSearchType": "neural",
        "results": [row],
        "costDollars": {"total": 0.006, "search": {"neural": 0.005}},
    }


def test_the_key_goes_into_the_header_and_nowhere_else() -> None:
    made = provider()
    assert made.headers() == {"x-api-key": KEY}
    assert KEY not in repr(made.request(Query(text="usdc")))
    assert Provider(Options()).lacks() == "EXA_API_KEY"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            {},
            {"query": "稳定币", "type": "auto", "numResults": 5, "contents": {"highlights": True}},
        ),
        ({"topic": "news"}, {"category": "news"}),
        ({"country": "香港"}, {"userLocation": "HK"}),
        ({"include_domains": ("sec.gov",)}, {"includeDomains": ["sec.gov"]}),
        ({"exclude_domains": ("t.me",)}, {"excludeDomains": ["t.me"]}),
        (
            {"time_range": "2023-03-10/2023-03-13"},
            {
                "startPublishedDate": "2023-03-10T00:00:00.000Z",
                "endPublishedDate": "2023-03-13T23:59:59.999Z",
            },
        ),
        ({"time_range": "2023-03-10/"}, {"startPublishedDate": "2023-03-10T00:00:00.000Z"}),
    ],
)
def test_what_is_asked(query: dict[str, object], expected: dict[str, object]) -> None:
    request = provider().request(Query.model_validate({"text": "稳定币", **query}))
    assert (request.method, request.url) == ("POST", "https://api.exa.ai/search")
    assert expected.items() <= (request.json or {}).items()


def test_the_text_of_pages_comes_where_it_is_wanted() -> None:
    made = provider(text=True)
    body = made.request(Query(text="q")).json or {}
    assert body["contents"]["text"] == {"maxCharacters": 8000}
    (hit,) = made.parse(answer(text="long " * 500), Query(text="q"))
    assert (len(hit.content), hit.raw_content) == (1000, "long " * 500)


def test_an_answer_becomes_ranked_hits() -> None:
    body = answer(highlights=["one", "two"], publishedDate="2023-03-11T09:30:00.000Z")
    (hit,) = provider().parse(body, Query(text="q"))
    assert (hit.rank, hit.content, hit.score, hit.raw_content) == (1, "one\ntwo", 0.3, None)
    assert hit.published_at == datetime(2023, 3, 11, 9, 30, tzinfo=UTC)
    assert provider().notes(body) == {"request_id": "r-1"}
    assert provider().parse({"requestId": "r", "results": []}, Query(text="q")) == []


def test_an_answer_costs_what_it_says() -> None:
    assert provider().cost(answer()) == 6_000
    assert provider().cost({"results": []}) is None


@pytest.mark.parametrize(
    ("options", "results", "estimate"),
    [({}, 5, 7_000), ({"text": True}, 10, 7_000), ({}, 50, 47_000)],
)
def test_what_it_may_cost_is_reserved_before(
    options: dict[str, object], results: int, estimate: int
) -> None:
    assert provider(**options).estimate(Query(text="q", max_results=results)) == estimate


@pytest.mark.parametrize(
    "body",
    [{}, {"results": None}, answer(url=None), answer() | {"costDollars": {"total": -1}}],
)
def test_anything_else_is_malformed(body: object) -> None:
    with pytest.raises(Malformed):
        provider().parse(body, Query(text="q"))


@pytest.mark.parametrize(
    ("status", "error"), [(401, AuthRejected), (402, PlanLimit), (429, RateLimited)]
)
def test_a_refusal_has_its_cause(status: int, error: type[OutsideFailure]) -> None:
    body = b'{"requestId":"r","error":"said so","tag":"X"}'
    with pytest.raises(error, match="EXA_API_KEY" if status == 401 else "said so"):
        provider().check(status, {}, body)
