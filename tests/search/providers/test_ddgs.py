"""DuckDuckGo without a key: what is asked of its page, and what its pages become."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.errors import BadRequest, Malformed, RateLimited, ServerFault
from groundwire.model.query import Query
from groundwire.search.providers.ddgs import Provider

WRAPPED = "//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fpath%3Fq%3D1%26r%3D2&amp;rut=abc"


def provider(**options: object) -> Provider:
    return Provider(Provider.Options.model_validate(options))


def row(
    href: str = WRAPPED,
    title: str = "A <b>title</b> &amp; more",
    snippet: str = "Some <b>text</b>\n   of the page",
    kind: str = "web-result",
    extras: str = "",
) -> str:
    return f"""
    <div class="result results_links results_links_deep {kind} ">
      <div class="links_main links_deep result__body">
        <h2 class="result__title"><a rel="nofollow" class="result__a" href="{href}">{title}</a></h2>
        <div class="result__extras"><div class="result__extras__url">
          <a class="result__url" href="{href}">a.example/path</a>{extras}
        </div></div>
        <a class="result__snippet" href="{href}">{snippet}</a>
      </div>
    </div>"""


def page(*rows: str) -> str:
    body = f'<div class="serp__results"><div id="links" class="results">{"".join(rows)}</div></div>'
    return f"<!DOCTYPE html><html><head><title>q</title></head><body>{body}</body></html>"


NONE = page(
    '<div class="result results_links result--no-result"><div class="no-results">No results.</div>'
    "</div>"
)
CAPTCHAS = [
    '<form id="challenge-form" action="//duckduckgo.com/anomaly.js"><div>Select all</div></form>',
    '<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>',
    f'<div class="anomaly-modal__mask"></div>{row()}',  # whatever else is on the page
]

QUERIES = [
    ({}, {"q": "usdc depeg", "kl": "wt-wt"}),
    ({"language": "en"}, {"kl": "wt-wt"}),
    ({"text": "USDC 脱锚", "language": "zh"}, {"q": "USDC 脱锚", "kl": "cn-zh"}),
    ({"text": "USDC 脫錨", "language": "zh-Hant"}, {"q": "USDC 脫錨", "kl": "tw-tzh"}),
    ({"country": "HK", "language": "zh"}, {"kl": "hk-tzh"}),
    ({"country": "united kingdom"}, {"kl": "uk-en"}),
    ({"country": "日本"}, {"kl": "jp-jp"}),
    ({"time_range": "day"}, {"df": "d"}),
    ({"time_range": "year"}, {"df": "y"}),
    ({"time_range": "2023-03-10/2023-03-13"}, {"df": "2023-03-10..2023-03-13"}),
    ({"time_range": "2023-03-10/"}, {"df": "2023-03-10..2100-01-01"}),
    ({"include_domains": ("sec.gov",)}, {"q": "usdc depeg site:sec.gov"}),
    ({"exclude_domains": ("t.me",)}, {"q": "usdc depeg -site:t.me"}),
    # commands of its own would send us to another site
    ({"text": "!w usdc !g"}, {"q": "w usdc g"}),
    ({"text": "\\usdc price up!"}, {"q": "usdc price up!"}),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_the_query_is_put_in_its_words(query: dict[str, object], expected: dict[str, str]) -> None:
    request = provider().request(Query.model_validate({"text": "usdc depeg", **query}))
    assert (request.method, request.url) == ("GET", "https://html.duckduckgo.com/html/")
    assert expected.items() <= request.params.items()


def test_without_a_time_none_is_sent_and_a_long_query_is_cut() -> None:
    assert "df" not in provider().request(Query(text="q")).params
    assert len(provider().request(Query(text="锚" * 900)).params["q"]) <= 499


def test_the_address_can_be_set_and_the_pace_is_polite() -> None:
    request = provider(base_url="http://127.0.0.1:8/").request(Query(text="q"))
    assert request.url == "http://127.0.0.1:8/html/"
    assert (provider().limit.per_second, provider().limit.at_once) == (1.0, 1)
    assert provider().lacks() is None


def test_a_page_becomes_ranked_hits_with_the_pages_own_addresses() -> None:
    body = page(row(), row("https://b.example/", "第二条", "正文"), row("//duckduckgo.com/y.js?ad"))
    first, second = provider().parse(provider().decode(body.encode()), Query(text="q"))
    assert (first.url, first.rank) == ("https://a.example/path?q=1&r=2", 1)
    assert (first.title, first.content) == ("A title & more", "Some text of the page")
    assert (second.url, second.title, second.rank) == ("https://b.example/", "第二条", 2)
    assert {first.provider, second.provider} == {"ddgs"}


@pytest.mark.parametrize(
    "extras, day",
    [
        (
            "<span>&nbsp; &nbsp; 2023-03-11T00:00:00.0000000</span>",
            datetime(2023, 3, 11, tzinfo=UTC),
        ),
        ("<span>a.example</span>", None),
        ("", None),
    ],
)
def test_a_result_is_dated_where_its_page_dates_it(extras: str, day: datetime | None) -> None:
    (hit,) = provider().parse(page(row(extras=extras)), Query(text="q"))
    assert hit.published_at == day


@pytest.mark.parametrize(
    "href",
    [
        # an advertisement, in its own wrapping and wrapped twice
        "https://duckduckgo.com/y.js?ad_domain=x.example",
        "//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fad_provider%3Dx",
        # nothing that a reader may be sent to
        "//duckduckgo.com/l/?uddg=javascript%3Aalert(1)",
        "//duckduckgo.com/l/?uddg=",
        "//duckduckgo.com/settings",
        "javascript:alert(1)",
        "/relative",
        "https://[broken/",
        "",
    ],
)
def test_what_is_no_page_is_no_result(href: str) -> None:
    found = provider().parse(page(row(href), row("https://b.example/")), Query(text="q"))
    assert [hit.url for hit in found] == ["https://b.example/"]


def test_advertisements_are_left_out_and_no_more_is_taken_than_asked_for() -> None:
    many = [row(f"https://a.example/{n}") for n in range(10)]
    body = page(row("https://ad.example/", kind="result--ad"), *many)
    found = provider().parse(body, Query(text="q", max_results=3))
    assert [hit.url for hit in found] == [f"https://a.example/{n}" for n in range(3)]


def test_its_page_without_results_is_an_honest_empty_list() -> None:
    assert provider().parse(NONE, Query(text="q")) == []


@pytest.mark.parametrize("captcha", CAPTCHAS)
def test_a_captcha_is_a_failure_that_nobody_waits_for(captcha: str) -> None:
    with pytest.raises(RateLimited, match="human") as failure:
        provider().parse(page(captcha), Query(text="q"))
    assert (failure.value.retry_after or 0) > 60


@pytest.mark.parametrize("status, kind", [
    (202, RateLimited), (403, RateLimited), (429, RateLimited), (500, ServerFault),
    (303, BadRequest),
])  # fmt: skip
def test_a_refusal_by_status_is_typed_and_speaks_of_no_key(status: int, kind: type) -> None:
    with pytest.raises(kind) as failure:
        provider().check(status, {}, b"")
    assert "key" not in str(failure.value)


@pytest.mark.parametrize(
    "body",
    ["", "<html></html>", "{}", page(), "<p>Service moved</p>", page(row(href="/only/rubbish"))],
)
def test_any_other_page_is_malformed_and_not_empty(body: str) -> None:
    with pytest.raises(Malformed):
        provider().parse(provider().decode(body.encode()), Query(text="q"))


def test_bytes_that_are_no_text_are_malformed() -> None:
    with pytest.raises(Malformed):
        provider().decode(page(row()).encode() + b"\xff\xfe<")
    with pytest.raises(Malformed):
        provider().parse({"results": []}, Query(text="q"))


def test_a_hostile_page_is_read_quickly_and_as_text() -> None:
    deep = "<div>" * 20_000 + row() + '<script>document.write("x")</script>'
    found = provider().parse(page(row(), deep, "<![bad[ <a" * 5_000), Query(text="q"))
    assert found[0].url == "https://a.example/path?q=1&r=2"
