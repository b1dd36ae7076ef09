"""What a run cost, by its steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from groundwire.model.call import MICRO, CallLine


@dataclass(frozen=True)
class Spent:
    """The outside calls of one step."""

    step: str  # "": of none in particular
    calls: int  # that were sent
    shared: int  # answered by the cache, or by a call of another run
    failed: int
    usd: float
    seconds: float
    providers: tuple[str, ...]


def spent(lines: Sequence[CallLine], step_of: Callable[[CallLine], str]) -> tuple[Spent, ...]:
    """In the order in which the steps first called."""
    groups: dict[str, list[CallLine]] = {}
    for line in lines:
        groups.setdefault(step_of(line), []).append(line)
    return tuple(_sum(step, group) for step, group in groups.items())


def _sum(step: str, lines: Sequence[CallLine]) -> Spent:
    return Spent(
        step=step,
        calls=sum(1 for line in lines if line.via == "sent"),
        shared=sum(1 for line in lines if line.via in ("cache", "joined")),
        failed=sum(1 for line in lines if line.outcome == "failed"),
        usd=sum(line.micro for line in lines) / MICRO,
        seconds=sum(line.latency_ms for line in lines) / 1000,
        providers=tuple(dict.fromkeys(line.provider for line in lines)),
    )
