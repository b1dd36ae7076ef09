"""Google's Custom Search: a key in the address that no record sees, and quotas told by their text."""

from __future__ import annotations

import json
from datetime import UTC

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
from groundwire.search.providers.google import Options, Provider

KEY = "AIza-test-key"
DAY = {"date": "Mon, 16 Nov 2026 20:00:00 GMT"}  # noon in California
PER_DAY = "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'x'."
PER_MINUTE = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'."


def provider(**options: object) -> Provider:
    return Provider(Options.model_validate({"api_key": SecretStr(KEY), "cx": "engine", **options}))


def answer(**result: object) -> dict[str, object]:
    row = {"link": "https://a.example/1", "title": "A", "snippet": "text"} | result
    return {
        "kind": "customsearch#search",
        "searchInformation": {"totalResults": "1"},
        "items": [row],
    }


def refusal(reason: str, message: str = "said so", detail: str = "") -> bytes:
    error: dict[str, object] = {"code": 0, "message": message, "errors": [{"reason": reason}]}
    if detail:
        error["details"] = [{"@type": "ErrorInfo", "reason": detail}]
    return json.dumps({"error": error}).encode()


def test_the_key_is_added_when_it_is_sent_and_stands_nowhere_else() -> None:
    made = provider()
    assert made.secret_params() == {"key": KEY}
    assert KEY not in repr(made.request(Query(text="usdc")))
    assert made.headers() == {}


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ({}, "GOOGLE_CSE_KEY and GOOGLE_CSE_ID"),
        ({"api_key": KEY}, "GOOGLE_CSE_ID"),
        ({"cx": "engine"}, "GOOGLE_CSE_KEY"),
        ({"api_key": KEY, "cx": "engine"}, None),
    ],
)
def test_it_needs_a_key_and_an_engine(options: dict[str, object], missing: str | None) -> None:
    assert Provider(Options.model_validate(options)).lacks() == missing


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, {"cx": "engine", "q": "稳定币", "num": "5"}),
        ({"max_results": 50}, {"num": "10"}),  # a page
        ({"language": "zh"}, {"lr": "lang_zh-CN|lang_zh-TW"}),
        ({"language": "zh-Hans"}, {"lr": "lang_zh-CN"}),
        ({"language": "zh-Hant"}, {"lr": "lang_zh-TW"}),
        ({"language": "en"}, {"lr": "lang_en"}),
        ({"country": "中国"}, {"gl": "cn"}),
        ({"time_range": "week"}, {"dateRestrict": "w1"}),
        ({"time_range": "2023-03-10/2023-03-13"}, {"sort": "date:r:20230310:20230313"}),
        ({"time_range": "2023-03-10/"}, {"sort": "date:r:20230310:20991231"}),
        ({"include_domains": ("sec.gov",)}, {"q": "稳定币 site:sec.gov"}),
        ({"exclude_domains": ("t.me",)}, {"q": "稳定币 -site:t.me"}),
    ],
)
def test_what_is_asked(query: dict[str, object], expected: dict[str, str]) -> None:
    request = provider().request(Query.model_validate({"text": "稳定币", **query}))
    assert request.url == "https://customsearch.googleapis.com/customsearch/v1"
    assert expected.items() <= request.params.items()


@pytest.mark.parametrize(
    ("pagemap", "day"),
    [
        ({"metatags": [{"article:published_time": "2023-03-11T09:30:00Z"}]}, 11),
        ({"metatags": [{"og:type": "article"}, {"date": "2023年3月12日"}]}, 12),
        ({"metatags": [{"date": "yesterday"}]}, None),
        ({"metatags": "none"}, None),
        (None, None),
    ],
)
def test_a_page_is_dated_by_its_own_word(pagemap: object, day: int | None) -> None:
    (hit,) = provider().parse(answer(pagemap=pagemap), Query(text="q"))
    assert (hit.published_at.day if hit.published_at else None) == day
    assert hit.published_at is None or hit.published_at.tzinfo is UTC


def test_an_answer_becomes_ranked_hits() -> None:
    (hit,) = provider().parse(answer(), Query(text="q"))
    assert (hit.rank, hit.url, hit.content, hit.provider) == (
        1,
        "https://a.example/1",
        "text",
        "google",
    )
    empty = {"kind": "customsearch#search", "searchInformation": {"totalResults": "0"}}
    assert provider().parse(empty, Query(text="q")) == []


@pytest.mark.parametrize(
    "body", [{}, {"kind": "x"}, {"items": []}, answer() | {"items": {}}, answer(link=None)]
)
def test_anything_else_is_malformed(body: object) -> None:
    with pytest.raises(Malformed):
        provider().parse(body, Query(text="q"))


@pytest.mark.parametrize(
    ("status", "body", "headers", "error", "wait"),
    [
        (400, refusal("badRequest", detail="API_KEY_INVALID"), {}, AuthRejected, None),
        (400, refusal("keyInvalid"), {}, AuthRejected, None),
        (403, refusal("accessNotConfigured"), {}, AuthRejected, None),
        (400, refusal("badRequest"), {}, BadRequest, None),
        (403, refusal("dailyLimitExceeded"), DAY, PlanLimit, 12 * 3600),  # midnight in California
        (429, refusal("rateLimitExceeded", PER_DAY), DAY, PlanLimit, 12 * 3600),
        (429, refusal("rateLimitExceeded", PER_DAY), {}, PlanLimit, None),
        (429, refusal("rateLimitExceeded", PER_MINUTE), {"retry-after": "9"}, RateLimited, 9),
        (403, refusal("userRateLimitExceeded"), {}, RateLimited, None),
        (429, b"", {}, RateLimited, None),
        (503, refusal("backendError"), {}, ServerFault, None),
    ],
)
def test_a_refusal_has_its_cause(
    status: int,
    body: bytes,
    headers: dict[str, str],
    error: type[OutsideFailure],
    wait: float | None,
) -> None:
    with pytest.raises(error) as caught:
        provider().check(status, headers, body)
    assert (type(caught.value), caught.value.retry_after) == (error, wait)
    if error is AuthRejected:
        assert "GOOGLE_CSE_KEY" in caught.value.message


def test_the_day_of_the_quota_is_californias() -> None:
    late = {"date": "Mon, 16 Nov 2026 07:30:00 GMT"}  # still Sunday there
    with pytest.raises(PlanLimit) as caught:
        provider().check(403, late, refusal("dailyLimitExceeded"))
    assert caught.value.retry_after == 1800
