"""Every provider of the folder with options that make it ready, and its stub in this process."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from urllib.parse import urlencode, urlsplit

from lab.stubs.articles import load
from lab.stubs.calllog import Inbound
from lab.stubs.faults import Fault
from lab.stubs.finder import Finder
from lab.stubs.harness import Stub, StubReply
from lab.stubs.vendors import ENGINES
from lab.stubs.web import Corpus, Web

from groundwire import plugins
from groundwire.model.query import Query
from groundwire.search.provider import ApiRequest, HttpProvider, ProviderOptions, SearchProvider

FOLDER = plugins.load("groundwire.search.providers")
KEY = "planted-secret-0123456789abcdef"
BASE = "http://127.0.0.1:9"
NOW = datetime(2023, 3, 16, 8, 0, tzinfo=UTC)  # a few days after the sample's events
QUESTION = Query(text="USDC peg Silicon Valley Bank", language="en", topic="general")
# What a provider needs beyond a key and an address before it can be asked.
NEEDED: dict[str, dict[str, object]] = {"google": {"cx": "engine-id"}}


def options(name: str, **more: object) -> ProviderOptions:
    given = {"api_key": KEY, "base_url": BASE, **NEEDED.get(name, {}), **more}
    shape: type[ProviderOptions] = FOLDER[name].Provider.Options
    return shape.model_validate(given)


def make(name: str, **more: object) -> SearchProvider:
    return FOLDER[name].Provider(options(name, **more))


def http(name: str, **more: object) -> HttpProvider:
    made = make(name, **more)
    assert isinstance(made, HttpProvider)
    return made


HTTP = tuple(name for name in FOLDER if issubclass(FOLDER[name].Provider, HttpProvider))
KEYED = tuple(name for name in HTTP if FOLDER[name].Provider.needs_key)


@cache
def stubs() -> dict[str, Stub]:
    finder = Finder(Web(Corpus(load(), 60), (), public_urls=True), lambda: NOW)
    return {name: engine(finder) for name, engine in ENGINES.items()}


STUBBED = tuple(name for name in HTTP if name in stubs())


def inbound(provider: HttpProvider, request: ApiRequest) -> Inbound:
    """Build the request as it would arrive."""
    parts = urlsplit(request.url)
    query = urlencode({**request.params, **provider.secret_params()})
    headers = {name.lower(): value for name, value in provider.headers().items()}
    body = json.dumps(request.json).encode() if request.json is not None else b""
    return Inbound(request.method, parts.path, query or parts.query, headers, body)


def exchange(provider: HttpProvider, query: Query, fault: Fault | None = None) -> StubReply:
    """Return what the provider's stub answers, without sending anything."""
    return stubs()[provider.name].answer(inbound(provider, provider.request(query)), fault)
