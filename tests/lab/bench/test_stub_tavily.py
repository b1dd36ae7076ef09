"""The Tavily stub has the shape and the checks of the real one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest
from lab.stubs import Stubs, running_stubs
from stub_calls import (
    search,
)


def test_tavily_answers_in_the_recorded_shape(stubs: Stubs, http: httpx2.Client) -> None:
    body = search(stubs, http).json()
    assert set(body) == {
        "query",
        "follow_up_questions",
        "answer",
        "images",
        "results",
        "response_time",
        "request_id",
    }
    assert len(body["results"]) == 5
    assert set(body["results"][0]) == {"url", "title", "content", "score", "raw_content"}
    assert body["answer"] is None
    assert body["results"][0]["raw_content"] is None
    assert http.get(body["results"][0]["url"]).status_code == 200
    full = search(stubs, http, include_raw_content=True, include_usage=True, topic="news").json()
    assert full["usage"] == {"credits": 1}
    assert full["results"][0]["raw_content"]
    assert full["results"][0]["published_date"].endswith("GMT")


def test_tavily_honours_its_filters(stubs: Stubs, http: httpx2.Client) -> None:
    only = search(stubs, http, include_domains=["newsheap.example"], max_results=20).json()
    assert only["results"]
    assert all("/p/newsheap.example/" in row["url"] for row in only["results"])
    none = search(stubs, http, exclude_domains=["newsheap.example"], max_results=20).json()
    assert all("/p/newsheap.example/" not in row["url"] for row in none["results"])
    assert len(none["results"]) == 20
    early = search(
        stubs, http, start_date="2023-03-11", end_date="2023-03-11", topic="news", max_results=20
    ).json()["results"]
    assert early
    assert {row["published_date"][5:16] for row in early} == {"11 Mar 2023"}
    assert search(stubs, http, "zzzz qqqq").json()["results"] == []


def test_time_range_counts_from_the_moment_the_stub_was_given(http: httpx2.Client) -> None:
    with running_stubs("tavily", now=datetime(2023, 3, 12, 23, tzinfo=UTC)) as own_stubs:
        rows = search(own_stubs, http, time_range="day", topic="news").json()["results"]
        assert rows
        assert all("Mar 2023" in row["published_date"] for row in rows)
        assert all(row["url"].startswith("https://") for row in rows)


@pytest.mark.parametrize(
    "bad",
    [
        {"query": "x" * 401},
        {"query": " "},
        {"query": 5},
        {"max_results": 21},
        {"time_range": "century"},
        {"topic": "sport"},
        {"start_date": "yesterday"},
        {"include_domains": [1]},
    ],
)
def test_tavily_refuses_a_bad_request_with_400(
    bad: dict[str, Any], stubs: Stubs, http: httpx2.Client
) -> None:
    response = http.post(f"{stubs.url('tavily')}/search", json={"query": "peg", **bad})
    assert response.status_code == 400
    assert response.json()["detail"]["error"]


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}])
def test_tavily_refuses_a_missing_or_wrong_key(headers: dict[str, str], stubs: Stubs) -> None:
    url = f"{stubs.url('tavily')}/search"
    response = httpx2.post(url, json={"query": "peg"}, headers=headers, trust_env=False)
    assert response.status_code == 401
    assert "error" in response.json()["detail"]
