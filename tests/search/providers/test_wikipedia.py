"""Wikipedia: the edition of the language, pages by their titles, MediaWiki's errors typed."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from groundwire.errors import BadRequest, Malformed, OutsideFailure, RateLimited, ServerFault
from groundwire.model.query import Query
from groundwire.search.providers.wikipedia import Options, Provider


def provider(**options: object) -> Provider:
    return Provider(Options.model_validate(options))


def answer(*pages: dict[str, object]) -> dict[str, object]:
    return {"batchcomplete": True, "query": {"searchinfo": {"totalhits": 1}, "search": [*pages]}}


def page(title: str, snippet: str = "about <span class='searchmatch'>it</span> &amp; more") -> dict:
    return {"ns": 0, "title": title, "pageid": 7, "snippet": snippet}


EDITIONS = [
    ({"text": "Silicon Valley Bank collapse"}, "en"),
    ({"text": "硅谷银行 倒闭"}, "zh"),
    ({"text": "矽谷銀行 倒閉"}, "zh"),
    ({"text": "SVB", "language": "zh-Hant"}, "zh"),
    ({"text": "SVB", "language": "de"}, "de"),
    ({"text": "SVB", "language": "tlh"}, "en"),  # no edition of any size
    ({"text": "$0.88"}, "en"),
]


@pytest.mark.parametrize(("query", "language"), EDITIONS)
def test_the_edition_is_that_of_the_query(query: dict[str, object], language: str) -> None:
    request = provider().request(Query.model_validate(query))
    assert request.url == f"https://{language}.wikipedia.org/w/api.php"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Why did Silicon Valley Bank collapse in March 2023?", "Silicon Valley Bank collapse"),
        ("硅谷银行为什么在2023年3月倒闭", "硅谷银行 倒闭"),
        ("矽谷銀行為什麼倒閉？", "矽谷銀行 倒閉"),
    ],
)
def test_a_question_is_asked_by_its_key_words(text: str, expected: str) -> None:
    params = provider().request(Query(text=text, max_results=3)).params
    assert (params["srsearch"], params["srlimit"]) == (expected, "3")
    assert (params["action"], params["list"], params["format"]) == ("query", "search", "json")


PAGES = [
    (Query(text="q"), "Bank run", "https://en.wikipedia.org/wiki/Bank_run"),
    (Query(text="q"), "AC/DC: Live?", "https://en.wikipedia.org/wiki/AC/DC:_Live%3F"),
    (
        Query(text="脱锚"),
        "硅谷银行",
        "https://zh.wikipedia.org/wiki/%E7%A1%85%E8%B0%B7%E9%93%B6%E8%A1%8C",
    ),
    (
        Query(text="脫錨", language="zh-Hant"),
        "矽谷",
        "https://zh.wikipedia.org/zh-hant/%E7%9F%BD%E8%B0%B7",
    ),
    (Query(text="x", language="zh-TW"), "A", "https://zh.wikipedia.org/zh-hant/A"),
    (Query(text="x", language="zh-CN"), "A", "https://zh.wikipedia.org/zh-hans/A"),
]


@pytest.mark.parametrize(("query", "title", "url"), PAGES)
def test_addresses_are_built_from_titles_in_the_script_asked_for(
    query: Query, title: str, url: str
) -> None:
    (hit,) = provider().parse(answer(page(title)), query)
    assert (hit.url, hit.title, hit.rank, hit.provider) == (url, title, 1, "wikipedia")


def test_snippets_are_plain_text_and_a_page_without_one_has_its_title() -> None:
    first, second = provider().parse(answer(page("A"), page("B", "")), Query(text="q"))
    assert (first.content, second.content) == ("about it & more", "B")
    assert first.published_at is None  # the day of its last edit is not the day of what it says


def test_it_is_background_and_its_silence_says_little() -> None:
    made = provider()
    assert made.partial
    assert made.takes(Query(text="q"))
    assert not made.takes(Query(text="q", time_range="week"))
    assert not made.takes(Query(text="q", include_domains=("sec.gov",)))
    assert made.takes(Query(text="q", include_domains=("wikipedia.org",)))


def test_it_says_who_is_asking() -> None:
    assert provider().headers()["User-Agent"].startswith("Groundwire/")
    named = provider(contact="desk@example.org").headers()["User-Agent"]
    assert named.startswith("Groundwire/") and named.endswith("(desk@example.org)")
    for bad in ("a\r\nX-Evil: 1", "桌", ""):
        with pytest.raises(ValidationError):
            provider(contact=bad)


def test_the_address_can_be_set() -> None:
    request = provider(base_url="http://127.0.0.1:8/").request(Query(text="脱锚"))
    assert request.url == "http://127.0.0.1:8/w/api.php"


def test_no_pages_is_an_empty_list() -> None:
    assert provider().parse(answer(), Query(text="q")) == []


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("ratelimited", RateLimited),
        ("maxlag", RateLimited),
        ("cirrussearch-too-busy-error", RateLimited),
        ("internal_api_error_DBQueryError", ServerFault),
        ("cirrussearch-backend-error", ServerFault),
        ("badvalue", BadRequest),
        ("missingparam", BadRequest),
    ],
)
def test_an_error_in_the_answer_is_the_failure_it_names(
    code: str, kind: type[OutsideFailure]
) -> None:
    with pytest.raises(kind, match="wikipedia: told why"):
        provider().parse({"error": {"code": code, "info": "told why"}}, Query(text="q"))


@pytest.mark.parametrize(
    "body",
    [{}, [], None, "text", {"batchcomplete": True}, {"query": {}}, {"query": {"search": None}},
     {"query": {"search": [{"pageid": 3}]}}, {"error": {}}],
)  # fmt: skip
def test_anything_else_is_malformed_and_not_empty(body: object) -> None:
    with pytest.raises(Malformed):
        provider().parse(body, Query(text="q"))  # type: ignore[arg-type]
