"""Probes: one small search of each provider, one small question to each model, as runs of their own.

Nothing here happens unless a person asks for it: a probe costs what a search or an answer costs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

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
    cls = PROVIDERS[name].Provider
    topic = next(iter(cls.topics), "general")
    given = {"query": _QUERY, "max_results": 1, "topic": topic, "language": "en"}
    run_id, output, error, ms = await _run(app, "search", given, settings)
    if output is None:
        return _failed("search", name, run_id, "failed", error, ms)
    report = SearchReport.model_validate(output)
    for failure in report.failures:
        if failure.provider == name:
            return _failed(
                "search",
                name,
                run_id,
                failure.code,
                kept(failure.said.code, **failure.said.params),
                ms,
            )
    return Probed(kind="search", name=name, state="reachable", run_id=run_id, ms=ms)


async def _model(app: App, label: str) -> Probed:
    settings = {"models.light": [label], "models.heavy": [label]}
    given = {"question": _QUESTION, "max_queries": 1}
    run_id, output, error, ms = await _run(app, "plan", given, settings)
    if output is None:
        return _failed("model", label, run_id, "failed", error, ms)
    if output["by"] == label:
        return Probed(kind="model", name=label, state="reachable", run_id=run_id, ms=ms)
    missed: Iterable[JsonObject] = output["failures"]
    for each in missed:
        return _failed(
            "model",
            label,
            run_id,
            str(each["code"]),
            kept(str(each["message"]), **each["params"]),
            ms,
        )
    return _failed("model", label, run_id, "failed", "said.not_asked", ms)


async def _run(
    app: App, tool: str, arguments: Mapping[str, object], settings: Mapping[str, object]
) -> tuple[str, JsonObject | None, str, int]:
    """Run id, output, error and milliseconds on the way, of a tool under settings of its own."""
    run = await app.call(tool, arguments, settings=settings)
    run = await app.finished(run.id)
    result = run.result or {}
    error: JsonObject = result.get("error") or {}
    said = kept(str(error["message"]), **error["params"]) if error else run.error or ""
    sent = [each for each in await app.runs.calls(run.id) if each.via == "sent"]
    return run.id, result.get("output"), said, sum(each.latency_ms for each in sent)


def _failed(
    kind: Literal["search", "model"], name: str, run_id: str, code: str, said: str, ms: int
) -> Probed:
    state: Literal["key invalid", "failed"] = (
        "key invalid" if code == AuthRejected.code else "failed"
    )
    return Probed(kind=kind, name=name, state=state, code=code, said=said, run_id=run_id, ms=ms)
