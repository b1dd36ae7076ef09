"""Metrics for Prometheus; no label grows with runs or hosts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias, get_args

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from groundwire import __version__
from groundwire.doors.api.door import Admin, Desk, DeskHere
from groundwire.gateway.tally import BOUNDS, Times
from groundwire.model.call import MICRO, CallKind
from groundwire.model.run import RunState

# The lanes of pages are hosts, without number: they are only counted.
_LANES: tuple[CallKind, ...] = ("search", "model", "embed", "data", "push")
_Values: TypeAlias = Mapping[tuple[str, ...], float]  # by their labels


router = APIRouter(tags=["operations"])


@router.get("/metrics", response_class=PlainTextResponse, summary="What is counted")
async def metrics(desk: DeskHere, who: Admin) -> Response:
    """Return runs, steps, calls, costs, breakers and followers; counters cover this process."""
    app = desk.app
    states = await app.runs.counts()
    spent = {"day": await app.costs.of_day(), "month": await app.costs.of_month()}
    process = ProcessCollector(registry=None).collect()
    figures = [*_runs(desk, states), *_money(desk, spent), *_load(desk), *process]
    return Response(generate_latest(_Answer(figures)), media_type=CONTENT_TYPE_PLAIN_0_0_4)


@dataclass(frozen=True)
class _Answer(Collector):
    """The figures of one answer."""

    figures: Sequence[Metric]

    def collect(self) -> Iterable[Metric]:
        return self.figures


def _runs(desk: Desk, states: Mapping[RunState, int]) -> Iterable[Metric]:
    tally = desk.app.outside.tally
    yield _gauge("build_info", "Version of Groundwire.", {(__version__,): 1}, ("version",))
    by_state = {(state,): states.get(state, 0) for state in get_args(RunState)}
    yield _gauge("runs", "Runs in the database by state.", by_state, ("state",))
    depth = {(): states.get("queued", 0)}
    yield _gauge("queue_depth", "Runs that wait to be executed.", depth)
    ended = {(state,): count for state, count in tally.ended.items()}
    yield _counter("runs_ended", "Runs that ended in this process.", ended, ("state",))
    yield _histogram("step_seconds", "Time of the steps of runs.", tally.steps, ("job", "step"))
    labels = ("kind", "provider", "how", "outcome")
    calls = {(*call,): count for call, count in tally.calls.items()}
    yield _counter("calls", "Outside calls of this process.", calls, labels)
    waits = {(kind,): times for kind, times in tally.waits.items()}
    yield _histogram("call_seconds", "Time of calls that were sent.", waits, ("kind",))


def _money(desk: Desk, spent: Mapping[str, int]) -> Iterable[Metric]:
    """Yield what was spent, in micro-dollars by day and month, against its limits."""
    usd = {labels: micro / MICRO for labels, micro in desk.app.outside.tally.micro.items()}
    yield _counter("cost_usd", "Cost of this process's calls.", usd, ("kind", "provider"))
    by_period = {(name,): micro / MICRO for name, micro in spent.items()}
    yield _gauge("spent_usd", "Spent today and this month, by all.", by_period, ("period",))
    budget = desk.app.settings.budget
    limits = {("day",): budget.day_usd, ("month",): budget.month_usd}
    given = {labels: usd for labels, usd in limits.items() if usd is not None}
    yield _gauge("budget_usd", "The limits, where there are any.", given, ("period",))


def _load(desk: Desk) -> Iterable[Metric]:
    """Yield providers and hosts whose breaker is open, and who follows runs."""
    outside = desk.app.outside
    calls, breakers = outside.tally.calls, outside.gateway.breakers
    states = {(kind, call.provider): 0 for call in calls for kind in _LANES if call.kind == kind}
    states |= {(kind, lane): 1 for kind in _LANES for lane in breakers.states(kind)}
    about = "Whether a provider is left alone for a while."
    yield _gauge("breaker_open", about, states, ("kind", "lane"))
    hosts = {(): len(breakers.states("fetch"))}
    yield _gauge("hosts_left_alone", "Hosts of pages that are left alone.", hosts)
    yield _gauge("followers", "Streams of events under way.", {(): desk.tails.followers})
    yield _gauge("tails", "Runs of which events are followed.", {(): desk.tails.count})
    about = "Followers that were dropped because they were slow."
    yield _counter("followers_dropped", about, {(): desk.tails.dropped})


def _gauge(name: str, about: str, values: _Values, labels: tuple[str, ...] = ()) -> Metric:
    return _fill(GaugeMetricFamily(f"groundwire_{name}", about, labels=labels), values)


def _counter(name: str, about: str, values: _Values, labels: tuple[str, ...] = ()) -> Metric:
    return _fill(CounterMetricFamily(f"groundwire_{name}", about, labels=labels), values)


def _fill(family: GaugeMetricFamily | CounterMetricFamily, values: _Values) -> Metric:
    for given, value in sorted(values.items()):
        family.add_metric(given, value)
    return family


def _histogram(
    name: str, about: str, values: Mapping[tuple[str, ...], Times], labels: tuple[str, ...]
) -> Metric:
    family = HistogramMetricFamily(f"groundwire_{name}", about, labels=labels)
    bounds = [*(f"{bound:g}" for bound in BOUNDS), "+Inf"]
    for given, times in sorted(values.items()):
        counts = accumulate(times.counts)
        family.add_metric(given, list(zip(bounds, counts, strict=True)), times.total)
    return family
