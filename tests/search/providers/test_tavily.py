"""Tavily: what is asked of it, and what its answers become."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import SecretStr, ValidationError

from groundwire.errors import Malformed, PlanLimit
from groundwire.model.query import Query
from groundwire.search.providers.tavily import Options, Provider

KEY = "tvly-test"


def provider(**options: object) -> Provider:
    return Provider(Options.model_validate({"api_key": SecretStr(KEY), **options}))


def answer(**result: object) -> dict[str, object]:
    """An answer in the vendor's form."""
    row = {"url": "https://a.example/1", "title": "A", "content": "text", "score": 0.9} | result
    return {
        "query": "q",
        "answer": None,
        "images": [],
        "results": [row],
        "response_time": 1.2,
        "request_id": "r-1",
    }


def test_the_key_goes_into_the_header_and_nowhere_else() -> None:
    made = provider()
    request = made.request(Query(text="usdc"))
    assert made.headers() == {"Authorization": f"Bearer {KEY}"}
    assert KEY not in repr(request)


def test_the_vendors_own_answer_is_never_asked_for() -> None:
    body = provider().request(Query(text="usdc")).json or {}
    assert (body["include_answer"], body["search_depth"], body["max_results"]) == (
        False,
        "basic",
        5,
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"include_domains": ("sec.gov",)}, {"include_domains": ["sec.gov"]}),
        ({"exclude_domains": ("t.me",)}, {"exclude_domains": ["t.me"]}),
        ({"time_range": "week"}, {"time_range": "week"}),
        (
            {"time_range": "2023-03-10/2023-03-13"},
            {"start_date": "2023-03-10", "end_date": "2023-03-13"},
        ),
        ({"topic": "news"}, {"topic": "news"}),
        ({"country": "china"}, {"country": "china"}),
        ({"country": "CN"}, {"country": "china"}),
        ({"country": "中國"}, {"country": "china"}),
        ({"time_range": "2023-03-10/"}, {"start_date": "2023-03-10"}),
        ({"time_range": "../2023-03-13"}, {"end_date": "2023-03-13"}),
        ({"max_results": 50}, {"max_results": 20}),  # the vendor's limit
    ],
)
def test_limits_are_sent_as_the_api_has_them(
    query: dict[str, object], expected: dict[str, object]
) -> None:
    body = provider().request(Query.model_validate({"text": "稳定币", **query})).json or {}
    assert expected.items() <= body.items()


@pytest.mark.parametrize(
    "query",
    [
        {"country": "china", "topic": "news"},  # refused with a topic
        {"country": "香港"},  # not on its list
        {"country": "Atlantis"},
    ],
)
def test_a_country_that_would_be_refused_is_left_out(query: dict[str, object]) -> None:
    body = provider().request(Query.model_validate({"text": "q", **query})).json or {}
    assert "country" not in body


def test_a_query_longer_than_the_vendor_takes_is_cut() -> None:
    body = provider().request(Query(text="锚" * 500)).json or {}
    assert len(body["query"]) == 400


def test_an_advanced_search_costs_two_credits() -> None:
    question = Query(text="q")
    assert provider(search_depth="advanced").estimate(question) == 2 * provider().estimate(question)


def test_an_answer_costs_the_credits_it_names() -> None:
    assert (provider().request(Query(text="q")).json or {})["include_usage"] is True
    assert provider().cost(answer() | {"usage": {"credits": 2}}) == 2 * provider().tariff.micro
    assert provider().cost(answer()) is None


@pytest.mark.parametrize("status", [432, 433])
def test_a_plan_that_is_used_up_is_no_fault(status: int) -> None:
    with pytest.raises(PlanLimit, match="usage limit"):
        provider().check(status, {}, b'{"detail": {"error": "This exceeds the usage limit."}}')


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Sat, 11 Mar 2023 09:30:00 GMT", datetime(2023, 3, 11, 9, 30, tzinfo=UTC)),
        ("2023-03-11T09:30:00Z", datetime(2023, 3, 11, 9, 30, tzinfo=UTC)),
        ("2023-03-11", datetime(2023, 3, 11, tzinfo=UTC)),
        ("last week", None),
        (None, None),
    ],
)
def test_dates_are_read_in_the_forms_it_uses(written: str | None, read: datetime | None) -> None:
    (hit,) = provider().parse(answer(published_date=written), Query(text="q"))
    assert hit.published_at == read


def test_an_answer_becomes_ranked_hits_with_the_providers_own_score() -> None:
    (hit,) = provider().parse(answer(title="标题"), Query(text="q"))
    assert (hit.rank, hit.score, hit.relevance, hit.provider) == (1, 0.9, 0.0, "tavily")
    assert provider().notes(answer()) == {"request_id": "r-1", "response_time": 1.2}


def test_an_answer_without_results_is_an_empty_list() -> None:
    assert provider().parse({"results": []}, Query(text="q")) == []


@pytest.mark.parametrize(
    "body",
    [{}, [], None, "text", {"results": None}, {"results": [{"title": "no url"}]}, {"detail": "x"}],
)
def test_anything_else_is_malformed_and_not_empty(body: object) -> None:
    with pytest.raises(Malformed):
        provider().parse(body, Query(text="q"))


def test_unknown_options_are_refused() -> None:
    with pytest.raises(ValidationError):
        provider(serch_depth="basic")
