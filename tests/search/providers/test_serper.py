"""Serper: what is asked of it, what its answers become, and how it refuses."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from groundwire.errors import AuthRejected, BadRequest, Malformed, OutsideFailure, PlanLimit
from groundwire.model.query import Query
from groundwire.search.provider import ProviderOptions
from groundwire.search.providers.serper import Provider

KEY = "serper-test"


def provider(**options: object) -> Provider:
    return Provider(ProviderOptions.model_validate({"api_key": SecretStr(KEY), **options}))


def answer(listed: str = "organic", **result: object) -> dict[str, object]:
    row = {"link": "https://a.example/1", "title": "A", "snippet": "text", "position": 1} | result
    return {"searchParameters": {"q": "q", "type": "search"}, listed: [row], "credits": 1}


def test_the_key_goes_into_the_header_and_nowhere_else() -> None:
    made = provider()
    assert made.headers() == {"X-API-KEY": KEY}
    assert KEY not in repr(made.request(Query(text="usdc")))
    assert Provider(ProviderOptions()).lacks() == "SERPER_API_KEY"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, {"q": "稳定币", "num": 5, "autocorrect": False}),
        ({"language": "zh"}, {"hl": "zh-cn"}),
        ({"language": "zh-Hant"}, {"hl": "zh-tw"}),
        ({"language": "en"}, {"hl": "en"}),
        ({"country": "日本"}, {"gl": "jp"}),
        ({"time_range": "day"}, {"tbs": "qdr:d"}),
        ({"time_range": "month"}, {"tbs": "qdr:m"}),
        (
            {"time_range": "2023-03-10/2023-03-13"},
            {"tbs": "cdr:1,cd_min:3/10/2023,cd_max:3/13/2023"},
        ),
        ({"time_range": "../2023-03-13"}, {"tbs": "cdr:1,cd_max:3/13/2023"}),
        ({"include_domains": ("sec.gov", "gov.cn")}, {"q": "稳定币 site:sec.gov OR site:gov.cn"}),
        ({"exclude_domains": ("t.me",)}, {"q": "稳定币 -site:t.me"}),
    ],
)
def test_what_is_asked(query: dict[str, object], expected: dict[str, object]) -> None:
    request = provider().request(Query.model_validate({"text": "稳定币", **query}))
    assert (request.method, request.url) == ("POST", "https://google.serper.dev/search")
    assert expected.items() <= (request.json or {}).items()


def test_news_have_an_address_of_their_own() -> None:
    request = provider().request(Query(text="q", topic="news"))
    assert request.url == "https://google.serper.dev/news"
    body = answer("news", date="Mar 11, 2023")
    (hit,) = provider().parse(body, Query(text="q", topic="news"))
    assert hit.published_at == datetime(2023, 3, 11, tzinfo=UTC)


def test_an_answer_becomes_ranked_hits() -> None:
    (hit,) = provider().parse(answer(date="2 days ago"), Query(text="q"))
    assert (hit.rank, hit.url, hit.content) == (1, "https://a.example/1", "text")
    assert (hit.published_at, hit.score) == (None, None)


@pytest.mark.parametrize(
    "body", [{"searchParameters": {"q": "q"}}, {"organic": []}, answer() | {"organic": []}]
)
def test_an_answer_without_results_is_an_empty_list(body: object) -> None:
    assert provider().parse(body, Query(text="q")) == []


@pytest.mark.parametrize(
    "body", [{}, {"message": "hello"}, {"organic": {}}, {"news": []}, answer(link="")]
)
def test_anything_else_is_malformed(body: object) -> None:
    with pytest.raises(Malformed):
        provider().parse(body, Query(text="q"))


def test_an_answer_costs_the_credits_it_names() -> None:
    assert provider().cost(answer() | {"credits": 2}) == 2 * provider().tariff.micro
    assert provider().cost({"organic": []}) is None
    assert provider().estimate(Query(text="q", max_results=11)) == 2 * provider().tariff.micro


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (403, b'{"message":"Unauthorized.","statusCode":403}', AuthRejected),
        (400, b'{"message":"Not enough credits","statusCode":400}', PlanLimit),
        (400, b'{"message":"Missing query","statusCode":400}', BadRequest),
    ],
)
def test_a_refusal_has_its_cause(status: int, body: bytes, error: type[OutsideFailure]) -> None:
    with pytest.raises(error) as caught:
        provider().check(status, {}, body)
    assert type(caught.value) is error
