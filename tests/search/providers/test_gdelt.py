"""GDELT: news by headline, in English, slowly; its sentences of refusal are typed."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from groundwire.errors import BadRequest, Malformed, OutsideFailure, RateLimited, ServerFault
from groundwire.model.query import Query
from groundwire.search.providers.gdelt import Provider

LIMIT = (
    "Please limit requests to one every 5 seconds or contact someone@gdelt.example for larger "
    "queries."
)


def provider(**options: object) -> Provider:
    return Provider(Provider.Options.model_validate(options))


def article(**values: object) -> dict[str, object]:
    return {
        "url": "https://a.example/1",
        "url_mobile": "",
        "title": "Rates up , says Fed : analysts",
        "seendate": "20230311T093000Z",
        "socialimage": "",
        "domain": "a.example",
        "language": "English",
        "sourcecountry": "United States",
        **values,
    }


QUERIES = [
    ({}, {"query": "USDC depeg sourcelang:english", "mode": "artlist", "format": "json"}),
    # names stay in one piece; dates, figures and question words are left out
    (
        {"text": "Why did Silicon Valley Bank collapse in March 2023?"},
        {"query": '"Silicon Valley Bank" collapse sourcelang:english'},
    ),
    # what it refuses as too short is left out
    ({"text": "AI chips export"}, {"query": "chips export sourcelang:english"}),
    ({"time_range": "day"}, {"timespan": "1d"}),
    ({"time_range": "year"}, {"timespan": "12m"}),
    (
        {"time_range": "2023-03-10/2023-03-13"},
        {"startdatetime": "20230310000000", "enddatetime": "20230313235959"},
    ),
    # it begins in 2017
    ({"time_range": "2010-01-01/"}, {"startdatetime": "20170101000000"}),
    ({"include_domains": ("sec.gov",)}, {"query": "USDC depeg sourcelang:english domain:sec.gov"}),
    (
        {"include_domains": ("sec.gov", "fdic.gov")},
        {"query": "USDC depeg sourcelang:english (domain:sec.gov OR domain:fdic.gov)"},
    ),
    ({"exclude_domains": ("t.me",)}, {"query": "USDC depeg sourcelang:english -domainis:t.me"}),
    (
        {"country": "united kingdom"},
        {"query": "USDC depeg sourcelang:english sourcecountry:unitedkingdom"},
    ),
    ({"max_results": 50}, {"maxrecords": "50"}),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_the_query_is_put_in_its_words(query: dict[str, object], expected: dict[str, str]) -> None:
    request = provider().request(Query.model_validate({"text": "USDC depeg", **query}))
    assert request.url == "https://api.gdeltproject.org/api/v2/doc/doc"
    assert expected.items() <= request.params.items()


@pytest.mark.parametrize("text", ["USDC 脱锚", "穩定幣 脫錨", "稳定币", "AI 5", "$0.88"])
def test_what_it_cannot_search_it_does_not_take_and_refuses_if_asked(text: str) -> None:
    query = Query(text=text, topic="news")
    assert not provider().takes(query)
    if "USDC" not in text:
        with pytest.raises(BadRequest, match="English"):
            provider().request(query)


@pytest.mark.parametrize(
    ("topic", "suits"), [("news", True), ("finance", True), ("general", False), ("tech", False)]
)
def test_it_is_for_news(topic: str, suits: bool) -> None:
    query = Query.model_validate({"text": "USDC depeg", "topic": topic})
    assert (provider().takes(query), provider().suits(query)) == (True, suits)


def test_it_is_asked_no_more_often_than_it_wants() -> None:
    limit = provider().limit
    assert limit.per_second is not None and limit.per_second <= 1 / 5
    assert limit.at_once == 1


def test_an_answer_becomes_dated_headlines() -> None:
    (hit,) = provider().parse({"articles": [article()]}, Query(text="q"))
    assert hit.title == hit.content == "Rates up, says Fed: analysts"
    assert hit.published_at == datetime(2023, 3, 11, 9, 30, tzinfo=UTC)
    assert (hit.url, hit.rank, hit.provider) == ("https://a.example/1", 1, "gdelt")


def test_a_date_that_cannot_be_read_is_none() -> None:
    (hit,) = provider().parse({"articles": [article(seendate="yesterday")]}, Query(text="q"))
    assert hit.published_at is None


@pytest.mark.parametrize("body", [b"{}", b'{"articles": []}', b'\xef\xbb\xbf{"articles": []}'])
def test_its_empty_object_is_an_honest_empty_list(body: bytes) -> None:
    assert provider().parse(provider().decode(body), Query(text="q")) == []


REFUSALS = [
    (LIMIT, RateLimited),
    ("One or more of your keywords were too short, too long or too common.", BadRequest),
    ("The specified phrase is too short.", BadRequest),
    ("Queries containing OR'd terms must be surrounded by ().", BadRequest),
    ("Timespan is too short.", BadRequest),
    ("Your search timed out. Please try again.", ServerFault),
]


@pytest.mark.parametrize(("text", "kind"), REFUSALS)
def test_a_sentence_instead_of_json_is_the_failure_it_names(
    text: str, kind: type[OutsideFailure]
) -> None:
    with pytest.raises(kind) as failure:
        provider().decode(f"\n{text}\n".encode())
    assert failure.value.message == f"gdelt: {text}"


def test_its_wish_to_be_asked_less_often_is_waited_for() -> None:
    with pytest.raises(RateLimited) as failure:
        provider().decode(LIMIT.encode())
    assert 5 < (failure.value.retry_after or 0) < 20


@pytest.mark.parametrize("title", ["a \\& b", "a \t b", "a \x0b b", 'say \\"no\\"'])
def test_headlines_as_they_were_found_do_not_break_the_answer(title: str) -> None:
    body = json.dumps({"articles": [article(title="TITLE")]}).replace("TITLE", title)
    assert provider().parse(provider().decode(body.encode()), Query(text="q"))


@pytest.mark.parametrize(
    "body", [b"", b"<html>Moved</html>", b'{"articles": [{"url": "htt', b"\xff"]
)
def test_anything_else_is_malformed(body: bytes) -> None:
    with pytest.raises(Malformed):
        provider().decode(body)


@pytest.mark.parametrize(
    "body", [[], "text", 3, {"timeline": []}, {"articles": None}, {"articles": [{"title": "x"}]}]
)
def test_another_form_is_malformed_and_not_empty(body: object) -> None:
    with pytest.raises(Malformed):
        provider().parse(body, Query(text="q"))  # type: ignore[arg-type]
