"""Bocha: what is asked of it, what its answers become, and refusals that come as HTTP 200."""

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
from groundwire.search.providers.bocha import Provider

KEY = "sk-bocha-test"


def provider(**options: object) -> Provider:
    return Provider(ProviderOptions.model_validate({"api_key": SecretStr(KEY), **options}))


def data(**result: object) -> dict[str, object]:
    row = {"url": "https://a.example/1", "name": "标题", "snippet": "片段"} | result
    return {
        "_type": "SearchResponse",
        "queryContext": {"originalQuery": "q"},
        "webPages": {"webSearchUrl": "", "totalEstimatedMatches": 1, "value": [row]},
    }


def wrapped(inner: object) -> dict[str, object]:
    return {"code": 200, "log_id": "l-1", "msg": None, "data": inner}


def test_the_key_goes_into_the_header_and_nowhere_else() -> None:
    made = provider()
    assert made.headers() == {"Authorization": f"Bearer {KEY}"}
    assert KEY not in repr(made.request(Query(text="usdc")))
    assert Provider(ProviderOptions()).lacks() == "BOCHA_API_KEY"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, {"query": "稳定币", "freshness": "noLimit", "summary": True, "count": 5}),
        ({"time_range": "day"}, {"freshness": "oneDay"}),
        ({"time_range": "year"}, {"freshness": "oneYear"}),
        ({"time_range": "2025-01-01/2025-04-06"}, {"freshness": "2025-01-01..2025-04-06"}),
        ({"time_range": "../2025-04-06"}, {"freshness": "1990-01-01..2025-04-06"}),
        ({"include_domains": ("qq.com", "m.163.com")}, {"include": "qq.com|m.163.com"}),
        ({"exclude_domains": ("t.me",)}, {"exclude": "t.me"}),
    ],
)
def test_what_is_asked(query: dict[str, object], expected: dict[str, object]) -> None:
    request = provider().request(Query.model_validate({"text": "稳定币", **query}))
    assert (request.method, request.url) == ("POST", "https://api.bochaai.com/v1/web-search")
    assert expected.items() <= (request.json or {}).items()


def test_no_more_domains_are_sent_than_it_takes() -> None:
    many = tuple(f"d{n}.example" for n in range(30))
    body = provider().request(Query(text="q", include_domains=many)).json or {}
    assert body["include"].count("|") == 19


@pytest.mark.parametrize("body", [wrapped(data()), data()])
def test_the_answer_may_be_wrapped(body: object) -> None:
    (hit,) = provider().parse(body, Query(text="q"))
    assert (hit.rank, hit.title, hit.content, hit.provider) == (1, "标题", "片段", "bocha")


def test_the_long_extract_is_the_content_where_there_is_one() -> None:
    (hit,) = provider().parse(data(summary="长摘要"), Query(text="q"))
    assert hit.content == "长摘要"
    assert provider().notes(wrapped(data())) == {"log_id": "l-1"}


@pytest.mark.parametrize(
    "dates",
    [
        {"datePublished": "2023-03-11T17:30:00+08:00", "dateLastCrawled": "2024-01-01T00:00:00Z"},
        {"dateLastCrawled": "2023-03-11T17:30:00Z"},  # its Z means Beijing
        {"datePublished": None, "dateLastCrawled": "2023-03-11T17:30:00Z"},
    ],
)
def test_its_times_are_beijings(dates: dict[str, object]) -> None:
    (hit,) = provider().parse(data(**dates), Query(text="q"))
    assert hit.published_at == datetime(2023, 3, 11, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "body",
    [
        wrapped({"_type": "SearchResponse", "queryContext": {}, "webPages": {"value": []}}),
        wrapped({"_type": "SearchResponse", "webPages": {"value": None}}),
        wrapped({"_type": "SearchResponse", "webPages": None}),
    ],
)
def test_an_answer_without_results_is_an_empty_list(body: object) -> None:
    assert provider().parse(body, Query(text="q")) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        wrapped(None),
        wrapped({}),
        wrapped([]),
        {"data": data()},
        wrapped({"webPages": {}}),
        data(url=""),
    ],
)
def test_anything_else_is_malformed(body: object) -> None:
    with pytest.raises(Malformed):
        provider().parse(body, Query(text="q"))


REFUSALS = [
    ("401", "Invalid API KEY", AuthRejected),
    ("400", "The API KEY is missing", AuthRejected),
    ("403", "You do not have enough money", PlanLimit),
    ("403", "余额不足", PlanLimit),
    ("403", "餘額不足", PlanLimit),
    ("429", "You have reached the request limit", RateLimited),
    ("400", "Missing parameter query", BadRequest),
    ("500", "something", ServerFault),
]


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize(("code", "message", "error"), REFUSALS)
def test_a_refusal_has_its_cause_in_the_status_or_inside(
    code: str, message: str, error: type[OutsideFailure], inside: bool
) -> None:
    body = json.dumps({"code": code, "message": message, "log_id": "l"}).encode()
    with pytest.raises(error) as caught:
        provider().check(200 if inside else int(code), {}, body)
    assert type(caught.value) is error


@pytest.mark.parametrize("code", [0, 1001, -1])
def test_a_code_that_means_nothing_to_us_is_no_answer(code: int) -> None:
    with pytest.raises(Malformed, match=f"bocha answered {code}"):
        provider().check(200, {}, json.dumps({"code": code, "msg": "?", "data": None}).encode())


def test_a_good_answer_passes() -> None:
    provider().check(200, {}, json.dumps(wrapped(data())).encode())
    provider().check(200, {}, json.dumps(data()).encode())
