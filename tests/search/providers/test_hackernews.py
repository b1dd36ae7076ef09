"""Hacker News: stories for questions about technology, dated only where the date is theirs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.errors import Malformed
from groundwire.model.query import Query
from groundwire.search.phrasing import timed
from groundwire.search.providers.hackernews import Provider

NOW = datetime(2026, 11, 16, 8, tzinfo=UTC)


def provider(**options: object) -> Provider:
    return Provider(Provider.Options.model_validate(options))


def story(**values: object) -> dict[str, object]:
    return {
        "objectID": "35100010",
        "title": "USDC loses its peg",
        "url": "https://a.example/1",
        "author": "someone",
        "points": 500,
        "num_comments": 300,
        "created_at": "2023-03-11T09:30:00Z",
        "created_at_i": 1678527000,
        "_tags": ["story"],
        **values,
    }


def seconds(*day: int) -> int:
    return int(datetime(*day, tzinfo=UTC).timestamp())  # type: ignore[arg-type,misc]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, {"query": "USDC depeg", "tags": "story", "hitsPerPage": "5"}),
        ({"text": "Why did OpenAI delay GPT-5 in 2025?"}, {"query": "OpenAI delay GPT-5"}),
        (
            {"time_range": "2023-03-10/2023-03-13"},
            {
                "numericFilters": f"created_at_i>={seconds(2023, 3, 10)},"
                f"created_at_i<{seconds(2023, 3, 14)}"
            },
        ),
        ({"time_range": "/2023-03-13"}, {"numericFilters": f"created_at_i<{seconds(2023, 3, 14)}"}),
        # a word is counted from the run's own clock
        ({"time_range": "week"}, {"numericFilters": f"created_at_i>={seconds(2026, 11, 9)}"}),
    ],
)
def test_the_query_is_put_in_its_words(query: dict[str, object], expected: dict[str, str]) -> None:
    search_query = Query.model_validate({"text": "USDC depeg", **query})
    request = provider().request(timed(search_query, Provider.times, NOW))
    assert request.url == "https://hn.algolia.com/api/v1/search"
    assert expected.items() <= request.params.items()


@pytest.mark.parametrize(
    ("query", "takes", "suits"),
    [
        ({"text": "Rust async runtime", "topic": "tech"}, True, True),
        ({"text": "Rust async runtime", "topic": "news"}, True, True),
        ({"text": "Rust async runtime"}, True, False),
        ({"text": "Rust 异步 运行时", "topic": "tech"}, False, True),
        ({"text": "非同步 執行環境", "topic": "tech"}, False, True),
        ({"text": "Rust", "topic": "tech", "include_domains": ("sec.gov",)}, False, True),
    ],
)
def test_it_is_for_technology_in_english(
    query: dict[str, object], takes: bool, suits: bool
) -> None:
    search_query = Query.model_validate(query)
    assert (provider().takes(search_query), provider().suits(search_query)) == (takes, suits)


def test_a_story_is_its_page_and_the_forums_date_is_not_the_pages() -> None:
    (hit,) = provider().parse({"hits": [story()]}, Query(text="q"))
    assert (hit.url, hit.title, hit.content) == (
        "https://a.example/1",
        "USDC loses its peg",
        "USDC loses its peg",
    )
    assert (hit.published_at, hit.rank, hit.provider) == (None, 1, "hackernews")


@pytest.mark.parametrize("url", [None, ""])
def test_a_story_without_a_page_is_the_forums_own(url: str | None) -> None:
    text = '<p>We saw <i>this</i> <a href="x" rel="nofollow">&amp;</a> wondered.<p>'
    (hit,) = provider().parse({"hits": [story(url=url, story_text=text)]}, Query(text="q"))
    assert hit.url == "https://news.ycombinator.com/item?id=35100010"
    assert hit.content == "We saw this & wondered."
    assert hit.published_at == datetime(2023, 3, 11, 9, 30, tzinfo=UTC)


def test_no_stories_is_an_empty_list() -> None:
    assert provider().parse({"hits": [], "nbHits": 0}, Query(text="q")) == []


def test_a_damaged_story_does_not_cost_the_others() -> None:
    found = provider().parse({"hits": [{"title": "no number"}, story()]}, Query(text="q"))
    assert [hit.rank for hit in found] == [1]


@pytest.mark.parametrize(
    "body", [{}, [], None, "text", {"hits": None}, {"hits": [{}]}, {"message": "slow down"}]
)
def test_anything_else_is_malformed_and_not_empty(body: object) -> None:
    with pytest.raises(Malformed):
        provider().parse(body, Query(text="q"))  # type: ignore[arg-type]
