"""Probes: one small search of each provider, one small question to each model, as runs of their own.

They happen only when a person asks: a probe costs what a search or an answer costs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from groundwire.app.runs import failure_of
from groundwire.app.wiring import PROVIDERS
from groundwire.errors import AuthRejected, InputError
from groundwire.model.base import JsonObject, Value
from groundwire.model.query import SearchReport
from groundwire.words import Words, kept

if TYPE_CHECKING:
    from groundwire.app import App

_QUERY = "climate summit"  # words that every engine of the world has heard of
_QUESTION = "When is the next climate summit?"
_SECONDS = 8.0


class Probed(Value):
    """The outcome of a probe."""

    kind: Literal["search", "model"]
    name: str
    state: Literal["reachable", "key invalid", "failed"]
    code: str = ""
    said: str = ""  # as errors are kept
    run_id: str
    ms: int = 0

    def translate(self, say: Words) -> Probed:
        """Return it in the reader's language."""
        return self.model_copy(update={"said": say.stored(self.said)})


async def probe_providers(app: App) -> list[Probed]:
    """Probe every search provider that has what it needs, each alone, without the cache."""
    _check_online(app)
    app.outside.gateway.forget_search_pauses()
    names = [
        name
        for name in app.outside.chain_names()
        if not (provider := app.outside.provider(app.settings, name)).local
        and provider.lacks() is None
    ]
    return list(await asyncio.gather(*(_search(app, name) for name in names)))


async def probe_models(app: App) -> list[Probed]:
    """Probe every model of the tiers that answer in words, each alone."""
    _check_online(app)
    tiers = app.health.tiers()
    labels = dict.fromkeys([*tiers["light"], *tiers["heavy"]])
    return list(await asyncio.gather(*(_model(app, label) for label in labels)))


def _check_online(app: App) -> None:
    if app.settings.offline:
        raise InputError("error.probe_offline", hint="hint.unset_offline")


async def _search(app: App, name: str) -> Probed:
    settings = {
        "search.chain": [name],
        "search.cache_ttl": 0,
        "search.timeout": min(app.settings.search.timeout, _SECONDS),
    }
    topic = next(iter(PROVIDERS[name].Provider.topics), "general")
    given = {"query": _QUERY, "max_results": 1, "topic": topic, "language": "en"}
    output, found = await _run(app, ("search", name), "search", given, settings)
    if output is None:
        return found
    failures = SearchReport.model_validate(output).failures
    for failure in failures:
        if failure.provider == name:
            return _failed(found, failure.code, kept(failure.message, **failure.params))
    return found


async def _model(app: App, label: str) -> Probed:
    settings = {"models.light": [label], "models.heavy": [label]}
    given = {"question": _QUESTION, "max_queries": 1}
    output, found = await _run(app, ("model", label), "plan", given, settings)
    if output is None or output["by"] == label:
        return found
    failures: Iterable[JsonObject] = output["failures"]
    for each in failures:
        return _failed(found, str(each["code"]), kept(str(each["message"]), **each["params"]))
    return _failed(found, "failed", "said.not_asked")


async def _run(
    app: App,
    probed: tuple[Literal["search", "model"], str],
    tool: str,
    arguments: Mapping[str, object],
    settings: Mapping[str, object],
) -> tuple[JsonObject | None, Probed]:
    """Call a tool under settings of its own; return its output and the outcome so far."""
    run = await app.call(tool, arguments, settings=settings)
    run = await app.finished(run.id)
    sent = [each for each in await app.runs.calls(run.id) if each.via == "sent"]
    ms = sum(each.latency_ms for each in sent)
    kind, name = probed
    found = Probed(kind=kind, name=name, state="reachable", run_id=run.id, ms=ms)
    output: JsonObject | None = (run.result or {}).get("output")
    if output is not None:
        return output, found
    return None, _failed(found, "failed", failure_of(run))


def _failed(found: Probed, code: str, why: str) -> Probed:
    state = "key invalid" if code == AuthRejected.code else "failed"
    return found.model_copy(update={"state": state, "code": code, "said": why})
