"""SearXNG: what is asked of one's own server, and when its silence is a failure."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.errors import AuthRejected, Malformed, RateLimited, ServerFault
from groundwire.model.query import Query
from groundwire.search.providers.searxng import Options, Provider

BASE = "http://127.0.0.1:8888"


def provider(**options: object) -> Provider:
    return Provider(Options.model_validate({"base_url": f"{BASE}/", **options}))


def answer(*rows: dict[str, object], silent: tuple[object, ...] = ()) -> dict[str, object]:
    """An answer in the server's form."""
    return {
        "query": "q",
        "number_of_results": 0,
        "results": list(rows),
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": list(silent),
    }


def test_it_needs_an_address_and_no_key() -> None:
    assert Provider(Options()).lacks() == "SEARXNG_BASE_URL"
    assert provider().lacks() is None
    assert provider().headers() == {}
    assert provider(api_key="proxy").headers() == {"Authorization": "Bearer proxy"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, {"q": "稳定币", "format": "json", "categories": "general"}),
        ({"topic": "news"}, {"categories": "news"}),
        ({"language": "zh"}, {"language": "zh"}),
        ({"language": "zh-Hans"}, {"language": "zh-CN"}),
        ({"language": "zh-Hant"}, {"language": "zh-TW"}),
        ({"language": "en-GB"}, {"language": "en"}),
        ({"time_range": "week"}, {"time_range": "week"}),
        ({"include_domains": ("sec.gov",)}, {"q": "稳定币 site:sec.gov"}),
        ({"exclude_domains": ("t.me",)}, {"q": "稳定币 -site:t.me"}),
    ],
)
def test_what_is_asked(query: dict[str, object], expected: dict[str, str]) -> None:
    request = provider().request(Query.model_validate({"text": "稳定币", **query}))
    assert (request.method, request.url, request.json) == ("GET", f"{BASE}/search", None)
    assert expected.items() <= request.params.items()


def test_engines_are_chosen_where_they_are_named() -> None:
    for named in (("baidu", "brave"), "baidu, brave"):  # as a list, or from the environment
        made = provider(engines=named)
        assert made.request(Query(text="q")).params["engines"] == "baidu,brave"


def test_an_answer_becomes_ranked_hits() -> None:
    body = answer(
        {"template": "keyvalue.html", "engine": "x"},  # a result that is no page
        {
            "url": "https://a.example/1",
            "title": "T &amp; U",
            "content": None,
            "score": 2.3,
            "publishedDate": "2023-03-11T09:30:00",
            "engines": ["brave"],
        },
    )
    (hit,) = provider().parse(body, Query(text="q"))
    assert (hit.rank, hit.title, hit.content, hit.score) == (1, "T & U", "", 2.3)
    assert hit.published_at == datetime(2023, 3, 11, 9, 30, tzinfo=UTC)


def test_engines_that_failed_are_kept_beside_the_hits() -> None:
    body = answer({"url": "https://a.example/"}, silent=(["google", "CAPTCHA"], "old"))
    assert provider().notes(body) == {
        "unresponsive_engines": {"google": "CAPTCHA", "old": "outside.searxng_engines.silent"}
    }


@pytest.mark.parametrize(
    ("engines", "silent", "failed"),
    [
        ((), (), False),  # honestly nothing
        ((), (["google", "timeout"],), True),  # nobody is known to have answered
        ((), (7,), True),
        (("google", "brave"), (["google", "timeout"], ["brave", "CAPTCHA"]), True),
        (("google", "brave"), (["google", "timeout"],), False),  # brave answered: nothing
    ],
)
def test_nothing_found_by_engines_that_failed_is_a_failure(
    engines: tuple[str, ...], silent: tuple[object, ...], failed: bool
) -> None:
    made, body = provider(engines=engines), answer(silent=silent)
    if failed:
        with pytest.raises(ServerFault, match=r"none of searxng's engines answered: \S+ \("):
            made.parse(body, Query(text="q"))
    else:
        assert made.parse(body, Query(text="q")) == []


@pytest.mark.parametrize(
    "body",
    [{}, {"results": None}, {"results": {}}, answer({"title": "no url"})],
)
def test_anything_else_is_malformed(body: object) -> None:
    with pytest.raises(Malformed):
        provider().parse(body, Query(text="q"))


@pytest.mark.parametrize(
    ("status", "error", "says"),
    [
        (403, AuthRejected, "add json to search.formats"),
        (401, AuthRejected, "PROVIDERS__SEARXNG__API_KEY"),
        (429, RateLimited, "429"),
        (502, ServerFault, "502"),
    ],
)
def test_a_refusal_says_what_to_do(status: int, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        provider().check(status, {}, b"<html>")
