"""Probes: one small search of each provider, one small question to each model, as runs of their own.

Nothing here happens unless a person asks for it: a probe costs what a search or an answer costs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from groundwire.app.runs import why_nothing
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
    """What came of a probe."""

    kind: Literal["search", "model"]
    name: str
    state: Literal["reachable", "key invalid", "failed"]
    code: str = ""
    said: str = ""  # as errors are kept
    run_id: str
    ms: int = 0

    def told(self, say: Words) -> Probed:
        """Return it in the reader's language."""
        return self.model_copy(update={"said": say.stored(self.said)})


async def probe_providers(app: App) -> list[Probed]:
    """Every search provider that has what it needs, each alone, without the cache."""
    _online(app)
    app.gateway.relent()
    names = [
        name
        for name in app.outside.chain_names()
        if not (provider := app.outside.provider(app.settings, name)).local
        and provider.lacks() is None
    ]
    return list(await asyncio.gather(*(_search(app, name) for name in names)))


async def probe_models(app: App) -> list[Probed]:
    """Every model of the tiers that answer in words, each alone."""
    _online(app)
    tiers = app.health.tiers()
    labels = dict.fromkeys([*tiers["light"], *tiers["heavy"]])
    return list(await asyncio.gather(*(_model(app, label) for label in labels)))


def _online(app: App) -> None:
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
    own = next((each for each in failures if each.provider == name), None)
    return _failed(found, own.code, kept(own.message, **own.params)) if own else found


async def _model(app: App, label: str) -> Probed:
    settings = {"models.light": [label], "models.heavy": [label]}
    given = {"question": _QUESTION, "max_queries": 1}
    output, found = await _run(app, ("model", label), "plan", given, settings)
    if output is None or output["by"] == label:
        return found
    missed: Iterable[JsonObject] = output["failures"]
    for each in missed:
        return _failed(found, str(each["code"]), kept(str(each["message"]), **each["params"]))
    return _failed(found, "failed", "said.not_asked")


async def _run(
    app: App,
    probed: tuple[Literal["search", "model"], str],
    tool: str,
    arguments: Mapping[str, object],
    settings: Mapping[str, object],
) -> tuple[JsonObject | None, Probed]:
    """What a tool gave under settings of its own, and what came of it as far as that says."""
    run = await app.call(tool, arguments, settings=settings)
    run = await app.finished(run.id)
    sent = [each for each in await app.runs.calls(run.id) if each.via == "sent"]
    ms = sum(each.latency_ms for each in sent)
    kind, name = probed
    found = Probed(kind=kind, name=name, state="reachable", run_id=run.id, ms=ms)
    output: JsonObject | None = (run.result or {}).get("output")
    if output is not None:
        return output, found
    return None, _failed(found, "failed", why_nothing(run))


def _failed(found: Probed, code: str, said: str) -> Probed:
    state = "key invalid" if code == AuthRejected.code else "failed"
    return found.model_copy(update={"state": state, "code": code, "said": said})
