"""What every provider of the folder must do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from lab.stubs import faults
from pydantic import ValidationError
from search_stubs import BASE, FOLDER, HTTP, KEY, KEYED, QUESTION, STUBBED, exchange, http, make

from groundwire.errors import BadRequest, Malformed, OutsideFailure
from groundwire.evidence.sources.urls import matches_domain
from groundwire.model.base import canonical
from groundwire.model.query import Query
from groundwire.search.provider import ApiRequest, ProviderOptions, SearchProvider
from groundwire.settings.names import WELL_KNOWN

DEEP = 100_000
QUERIES = [
    Query(text="USDC 脱锚"),
    Query(text="USDC 脫錨", language="zh-Hant", country="台灣", topic="news"),
    Query(text="Silicon Valley Bank collapse", language="en", country="us", topic="finance"),
    Query(text="q", time_range="week", max_results=50),
    Query(text="bank run", time_range="2023-03-10/2023-03-13", topic="tech"),
    Query(text="bank run", include_domains=("sec.gov", "gov.cn"), exclude_domains=("t.me",)),
]
GARBAGE: dict[str, object] = {
    "null": None,
    "list": [],
    "object": {},
    "text": "a text",
    "number": 7,
    "true": True,
    "lists in lists": [[[]]],
    "error": {"error": "something went wrong"},
    "detail": {"detail": {"error": "something went wrong"}},
    "message": {"message": "Forbidden"},
    "ok": {"ok": True, "status": "success"},
    "results of text": {"results": "none", "hits": "none", "items": "none", "organic": "none"},
    "results of null": {"results": None, "hits": None, "organic": None, "articles": None},
    "rows of text": {"results": ["a"], "hits": ["a"], "organic": ["a"], "articles": ["a"]},
    "rows of null": {"results": [None], "hits": [None], "organic": [None], "articles": [None]},
    "rows of objects": {"results": [{}], "hits": [{}], "organic": [{}], "articles": [{}]},
    "page of a proxy": "<html><body><h1>502 Bad Gateway</h1></body></html>",
}
# Where one of the above is the vendor's own way to say that there is nothing.
OWN_EMPTY = {("gdelt", "object")}
SAYS_IT_IN_TEXT = {"gdelt"}  # its refusals are sentences
BYTES = [
    b"",
    b"\xff\xfe\x00",
    b"<html><body>Sign in to the hotel's network</body></html>",
    b"[" * DEEP,
    b'{"a":' * DEEP,
    b'{"results": [1, 2',
    b"nope",
]


@pytest.mark.parametrize("name", FOLDER)
def test_a_module_holds_a_provider_of_its_name_with_its_options(name: str) -> None:
    provider = FOLDER[name].Provider
    assert issubclass(provider, SearchProvider)
    assert provider.name == name
    assert issubclass(provider.Options, ProviderOptions)
    assert provider.__doc__ or FOLDER[name].__doc__
    with pytest.raises(ValidationError):
        provider.Options.model_validate({"no_such_option": 1})


@pytest.mark.parametrize("name", FOLDER)
def test_what_is_missing_is_named_by_a_setting_that_exists(name: str) -> None:
    bare = FOLDER[name].Provider(FOLDER[name].Provider.Options())
    missing = bare.lacks()
    assert (missing is not None) or not bare.needs_key
    for setting in (missing or "").split(" and "):
        assert setting == "" or setting in WELL_KNOWN or setting.startswith("GROUNDWIRE_")
    if name in HTTP:
        assert make(name).lacks() is None


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("name", HTTP)
def test_a_request_depends_on_the_query_and_the_options_alone(name: str, query: Query) -> None:
    before = query.model_dump()
    first, second = request_or_refusal(name, query), request_or_refusal(name, query.model_copy())
    assert first == second
    assert query.model_dump() == before
    if isinstance(first, ApiRequest):
        assert canonical(recorded(first))
        assert first.url.startswith(BASE)


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("name", HTTP)
def test_the_key_is_sent_and_never_recorded(name: str, query: Query) -> None:
    provider, request = http(name), request_or_refusal(name, query)
    assert not isinstance(request, ApiRequest) or KEY.encode() not in canonical(recorded(request))
    assert KEY not in repr(provider.options)
    sent = json.dumps([provider.headers(), provider.secret_params()])
    assert (KEY in sent) or name not in KEYED
    without = FOLDER[name].Provider(FOLDER[name].Provider.Options(base_url=BASE))
    assert KEY not in json.dumps([without.headers(), without.secret_params()])


@pytest.mark.parametrize("text", ["锚" * 9000, "word " * 3000, "a" * 9000, "脫錨 " * 3000])
@pytest.mark.parametrize("name", HTTP)
def test_no_text_is_longer_than_the_engine_reads(name: str, text: str) -> None:
    provider = http(name)
    many = tuple(f"site{n}.example.com" for n in range(400))
    for query in (Query(text=text), Query(text=text, include_domains=many, exclude_domains=many)):
        request = request_or_refusal(name, query)
        if isinstance(request, str):
            continue
        sent = {**request.params, **(request.json or {})}
        # Lists of domains have limits of their own.
        texts = [
            v for k, v in sent.items() if isinstance(v, str) and k not in ("include", "exclude")
        ]
        assert max(map(len, texts)) <= provider.max_query


@pytest.mark.parametrize("name", HTTP)
def test_domains_are_sent_where_the_engine_sees_the_whole_web(name: str) -> None:
    provider = http(name)
    query = Query(text="bank run", include_domains=("sec.gov",), exclude_domains=("t.me",))
    sent = canonical(recorded(provider.request(query)))
    assert provider.partial or (b"sec.gov" in sent and b"t.me" in sent)


@pytest.mark.parametrize("topic", ["general", "news"])
@pytest.mark.parametrize("label", GARBAGE)
@pytest.mark.parametrize("name", HTTP)
def test_what_is_not_its_form_is_malformed_and_never_empty(
    name: str, label: str, topic: str
) -> None:
    provider, query = http(name), Query.model_validate({"text": "q", "topic": topic})
    if (name, label) in OWN_EMPTY:
        assert provider.parse(GARBAGE[label], query) == []
        return
    with pytest.raises(Malformed):
        provider.parse(GARBAGE[label], query)


@pytest.mark.parametrize("body", BYTES, ids=lambda body: body[:12])
@pytest.mark.parametrize("name", HTTP)
def test_bytes_that_are_no_answer_are_malformed(name: str, body: bytes) -> None:
    provider = http(name)
    with pytest.raises(OutsideFailure if name in SAYS_IT_IN_TEXT else Malformed):
        provider.parse(provider.decode(body), QUESTION)


@pytest.mark.parametrize("name", STUBBED)
def test_a_damaged_answer_is_read_or_malformed_at_every_place(name: str) -> None:
    """Each value of a true answer replaced by one of another kind, one at a time."""
    provider = http(name)
    whole = provider.decode(exchange(provider, QUESTION).body)
    for damaged in _damaged(whole):
        try:
            hits = provider.parse(damaged, QUESTION)
        except Malformed:
            continue
        canonical([hit.model_dump(mode="json") for hit in hits])
        canonical(provider.notes(damaged))
        assert (provider.cost(damaged) or 0) >= 0


@pytest.mark.parametrize("name", STUBBED)
def test_hits_are_ranked_from_one_and_bear_the_providers_name(name: str) -> None:
    provider = http(name)
    hits = provider.parse(provider.decode(exchange(provider, QUESTION).body), QUESTION)
    assert hits
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert {hit.provider for hit in hits} == {name}
    assert {hit.relevance for hit in hits} == {0.0}  # that is ours, and the chain's
    assert all(hit.url.startswith("https://") and hit.title for hit in hits)


@pytest.mark.parametrize("name", STUBBED)
def test_an_honest_nothing_is_an_empty_list(name: str) -> None:
    provider = http(name)
    reply = exchange(provider, QUESTION, faults.empty())
    provider.check(reply.status, dict(reply.headers), reply.body)
    assert provider.parse(provider.decode(reply.body), QUESTION) == []


@pytest.mark.parametrize(
    ("name", "query"), [(n, q) for n in STUBBED for q in QUERIES if http(n).takes(q)]
)
def test_every_request_is_one_that_the_vendor_takes(name: str, query: Query) -> None:
    provider = http(name)
    reply = exchange(provider, query)
    provider.check(reply.status, dict(reply.headers), reply.body)
    hits = provider.parse(provider.decode(reply.body), query)
    if not provider.partial:
        assert all(
            any(matches_domain(hit.url, domain) for domain in query.include_domains)
            for hit in hits
            if query.include_domains
        )


def request_or_refusal(name: str, query: Query) -> ApiRequest | str:
    """Return the request, or the typed refusal of a question that the engine cannot take."""
    try:
        return http(name).request(query)
    except BadRequest as refusal:
        assert not http(name).takes(query)
        return refusal.message


def recorded(request: ApiRequest) -> dict[str, Any]:
    """Return what the ledger keeps of a request."""
    return {
        "method": request.method,
        "url": request.url,
        "json": request.json,
        "params": request.params,
    }


def _damaged(value: Any) -> Iterator[Any]:
    """Yield copies of the value, each with one place changed; a page is cut instead."""
    if isinstance(value, str):
        yield from (value[: len(value) * part // 20] for part in range(20))
        return
    for path in list(_paths(value)):
        for wrong in (None, [], {}, "x", -1, 1e308, True, [None], {"x": None}):
            copy = json.loads(json.dumps(value))
            place = copy
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = wrong
            yield copy


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in steps:
        yield (*path, step)
        if isinstance(inner, dict | list):
            # The rows are alike: the first two speak for all.
            yield from (p for p in _paths(inner, (*path, step)) if not _beyond(p))


def _beyond(path: tuple[Any, ...]) -> bool:
    return any(isinstance(step, int) and step > 1 for step in path)
