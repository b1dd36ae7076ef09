"""The tool calls of a run as its report lists them: what was asked, what came, how it ended."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.search.search_stubs import HTTP, http

from groundwire.errors import RateLimited
from groundwire.model.base import JsonObject
from groundwire.model.call import CallError, CallKind, CallRecord
from groundwire.model.query import Query
from groundwire.report.blocks import Table
from groundwire.report.tool_calls import tool_calls as reported
from groundwire.runs.tool_calls import tool_calls
from groundwire.words import words

AT = datetime(2026, 11, 17, tzinfo=UTC)
FAILED = CallError.of(RateLimited("outside.slow_down", who="tavily"))
SITES = ("a-very-long-domain-name.example",)
ANSWERS: list[tuple[JsonObject, str]] = [
    ({"hits": [{}, {}]}, "n.results"),
    ({"found": {"last": 1.0}}, "tool_call.data"),
    ({"document_id": "doc_1", "max_age": None}, "tool_call.page"),
    ({"moved": "https://b.example/", "max_age": 60}, "tool_call.moved"),
    ({"listed": {"kind": "feed", "value": {}}, "unchanged": True}, "tool_call.list"),
    ({"media_type": "image/png", "sha256": "0" * 64, "size": 9}, "tool_call.picture"),
    ({"absent": True}, "tool_call.nothing"),
    ({"of_a_later_version": 1}, "tool_call.other"),
]


def record(kind: CallKind = "search", provider: str = "tavily", **more: Any) -> CallRecord:
    values: dict[str, Any] = {
        "run_id": "run",
        "key": "key",
        "attempt": 1,
        "occasion": "",
        "request": {"json": {"query": "Orchard Swap"}},
        "outcome": "ok",
        "response": {"hits": []},
        "started_at": AT,
    }
    return CallRecord(kind=kind, provider=provider, **{**values, **more})


@pytest.mark.parametrize("text", ["果园 Orchard", "果園 Orchard", "Orchard"])
@pytest.mark.parametrize("name", HTTP)
def test_a_search_shows_its_words_whoever_is_asked(name: str, text: str) -> None:
    more = {"cx": "0123456789abcdef0:engine-of-the-desk"} if name == "google" else {}
    made = http(name, **more).request(Query(text=text, exclude_domains=SITES))
    request = {"method": made.method, "url": made.url, "json": made.json, "params": made.params}
    (call,) = tool_calls([record(provider=name, request=request)])
    assert "Orchard" in call.request
    assert "engine-of" not in call.request


def test_a_search_without_a_field_for_its_words_shows_none() -> None:
    request = {"url": "https://a.example/", "params": {"cx": "0123456789"}, "json": None}
    (call,) = tool_calls([record(request=request)])
    assert call.request == ""


def test_a_fetch_shows_its_address_and_numbers_what_they_were_asked_with() -> None:
    page = record("fetch", "web", request={"url": "https://a.example/q?query=x"})
    coin = {"url": "https://b.example/price", "params": {"ids": "usd-coin"}}
    calls = tool_calls([page, record("data", "coingecko", request=coin, key="later")])
    assert [call.request for call in calls] == [
        "https://a.example/q?query=x",
        "https://b.example/price?ids=usd-coin",
    ]


@pytest.mark.parametrize("via", ["sent", "cache", "joined", "local"])
def test_a_failure_is_counted_however_it_was_had(via: str) -> None:
    calls = tool_calls([record(via=via, outcome="failed", response=None, error=FAILED)])
    assert (calls[0].outcome, calls[0].code) == ("failed", "rate_limit")
    summed = next(each for each in reported(calls, words("en")) if isinstance(each, Table))
    assert summed.rows[0][1:3] == ("1", "1")


@pytest.mark.parametrize(
    ("via", "outcome"), [("sent", "ok"), ("local", "ok"), ("cache", "cache"), ("joined", "joined")]
)
def test_an_answer_tells_how_it_was_had(via: str, outcome: str) -> None:
    assert tool_calls([record(via=via)])[0].outcome == outcome


def test_what_has_no_answer_yet_says_so() -> None:
    (call,) = tool_calls([record(outcome="intent", response=None)])
    assert (call.outcome, call.response) == ("intent", "tool_call.outcome.intent")


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
@pytest.mark.parametrize(("response", "code"), ANSWERS)
def test_each_kind_of_answer_is_told_as_what_it_is(
    response: JsonObject, code: str, language: str
) -> None:
    (call,) = tool_calls([record("fetch", "web", request={"url": "x"}, response=response)])
    assert call.response == code
    say = words(language)
    *_, listed = reported([call], say)
    assert isinstance(listed, Table)
    assert listed.rows[0][2] == say(code, **call.params)
