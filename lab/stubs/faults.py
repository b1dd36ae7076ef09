"""Faults a stub can show, and the deterministic schedule of which call shows one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from typing import Literal, cast, get_args

from lab.stubs.terms import Json

Kind = Literal[
    "slow",
    "rate_limited",
    "error",
    "unauthorized",
    "plan_limit",
    "malformed",
    "empty",
    "cut_off",
    "lying",
    "wrong_schema",
    "truncated",
    "refusal",
]
KINDS: tuple[str, ...] = get_args(Kind)

_STATUS = {"rate_limited": 429, "error": 500, "unauthorized": 401, "plan_limit": 432}


class BadRule(ValueError):
    """A fault rule that the stub cannot understand."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to misbehave.

    `seconds` is the delay of `slow` and the Retry-After of `rate_limited`; `status` overrides the
    usual status of a refusal (503 for 500, 433 for 432); `detail` picks one lie of the model
    (`quote`, `passage`, `url`, `injection`) or one manner of an engine (`inside`, `unresponsive`).
    """

    kind: Kind
    seconds: float = 0.0
    status: int = 0
    detail: str = ""

    @property
    def refusal_status(self) -> int:
        """HTTP status of a fault that is a plain refusal, 0 for every other fault."""
        return self.status or _STATUS[self.kind] if self.kind in _STATUS else 0


def slow(seconds: float) -> Fault:
    """The right answer, late."""
    return Fault("slow", seconds=seconds)


def rate_limited(retry_after: float = 1.0) -> Fault:
    """429 with Retry-After."""
    return Fault("rate_limited", seconds=retry_after)


def error(status: int = 500) -> Fault:
    """A 5xx of the server."""
    return Fault("error", status=status)


def unauthorized() -> Fault:
    """401, whatever key was sent."""
    return Fault("unauthorized")


def plan_limit(status: int = 432) -> Fault:
    """432 (plan used up) or 433 (pay-as-you-go limit)."""
    return Fault("plan_limit", status=status)


def malformed() -> Fault:
    """200 with a body that does not parse."""
    return Fault("malformed")


def empty() -> Fault:
    """A valid answer with nothing in it."""
    return Fault("empty")


def cut_off() -> Fault:
    """The connection closes in the middle of the body."""
    return Fault("cut_off")


def lying(detail: str = "") -> Fault:
    """A well-formed answer that is false."""
    return Fault("lying", detail=detail)


def wrong_schema() -> Fault:
    """Valid JSON that does not fit: not the schema of the model's answer, not an engine's form."""
    return Fault("wrong_schema")


def truncated() -> Fault:
    """Model only: half of the answer, finish_reason=length."""
    return Fault("truncated")


def refusal() -> Fault:
    """Model only: the model declines to answer."""
    return Fault("refusal")


@dataclass(frozen=True, slots=True)
class Rule:
    """Which calls show the fault; every condition that is set must hold.

    `stub` and `path` (a glob) select calls. Among those, `calls` names ordinals counted from 0,
    `first` the first N, `share` a part of all contents by a seeded hash. With `each`, `calls` and
    `first` count the repeats of one content separately, so `share=0.2, first=1, each=True` fails
    the first attempt of a fifth of the requests and lets every retry through.
    """

    fault: Fault
    stub: str = ""
    path: str = ""
    calls: tuple[int, ...] = ()
    first: int = 0
    share: float = 1.0
    seed: int = 0
    each: bool = False

    def selects(self, stub: str, path: str, content: str) -> bool:
        """True if the call belongs to this rule, before ordinals are looked at."""
        if (self.stub and self.stub != stub) or (self.path and not fnmatchcase(path, self.path)):
            return False
        if self.share >= 1.0:
            return True
        digest = hashlib.sha256(f"{self.seed}:{content}".encode()).digest()
        return int.from_bytes(digest[:8], "big") < self.share * 2**64

    def strikes(self, ordinal: int) -> bool:
        """True if the selected call with this ordinal is to fail."""
        if self.calls and ordinal not in self.calls:
            return False
        return not self.first or ordinal < self.first


@dataclass(slots=True)
class Schedule:
    """The rules in force and how often each has been asked."""

    rules: list[Rule] = field(default_factory=list[Rule])
    _seen: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])

    def set(self, rules: Iterable[Rule]) -> None:
        """Replace all rules; the counters start again."""
        self.rules = list(rules)
        self._seen.clear()

    def add(self, rules: Iterable[Rule]) -> None:
        """Append rules; the counters of the others go on."""
        self.rules.extend(rules)

    def decide(self, stub: str, path: str, content: str) -> Fault | None:
        """The fault of the first rule that strikes; every selecting rule counts the call."""
        chosen: Fault | None = None
        for number, rule in enumerate(self.rules):
            if not rule.selects(stub, path, content):
                continue
            key = (number, content if rule.each else "")
            ordinal = self._seen.get(key, 0)
            self._seen[key] = ordinal + 1
            if chosen is None and rule.strikes(ordinal):
                chosen = rule.fault
        return chosen


def _number(value: Json, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadRule(f"{name} must be a number")
    return float(value)


def _text(value: Json, name: str) -> str:
    if not isinstance(value, str):
        raise BadRule(f"{name} must be a string")
    return value


def _check_names(raw: dict[str, Json], cls: type[Fault] | type[Rule]) -> None:
    unknown = sorted(set(raw) - {f.name for f in fields(cls)})
    if unknown:
        raise BadRule(f"unknown field {unknown[0]!r} in {cls.__name__.lower()}")


def fault_from(raw: Json) -> Fault:
    """Read a fault from JSON: its kind alone, or an object with its fields."""
    if isinstance(raw, str):
        raw = {"kind": raw}
    if not isinstance(raw, dict):
        raise BadRule("fault must be a name or an object")
    _check_names(raw, Fault)
    kind = raw.get("kind")
    if kind not in KINDS:
        raise BadRule(f"unknown fault kind {kind!r}, known: {', '.join(KINDS)}")
    return Fault(
        kind=cast("Kind", kind),
        seconds=_number(raw.get("seconds", 0.0), "seconds"),
        status=int(_number(raw.get("status", 0), "status")),
        detail=_text(raw.get("detail", ""), "detail"),
    )


def rule_from(raw: Json) -> Rule:
    """Read a rule from JSON."""
    if not isinstance(raw, dict):
        raise BadRule("rule must be an object")
    _check_names(raw, Rule)
    calls = raw.get("calls", [])
    if not isinstance(calls, list):
        raise BadRule("calls must be a list")
    return Rule(
        fault=fault_from(raw.get("fault")),
        stub=_text(raw.get("stub", ""), "stub"),
        path=_text(raw.get("path", ""), "path"),
        calls=tuple(int(_number(call, "calls")) for call in calls),
        first=int(_number(raw.get("first", 0), "first")),
        share=_number(raw.get("share", 1.0), "share"),
        seed=int(_number(raw.get("seed", 0), "seed")),
        each=raw.get("each", False) is True,
    )


def rule_to(rule: Rule) -> dict[str, Json]:
    """Write a rule as JSON that `rule_from` reads back."""
    fault = rule.fault
    return {
        "fault": {
            "kind": fault.kind,
            "seconds": fault.seconds,
            "status": fault.status,
            "detail": fault.detail,
        },
        "stub": rule.stub,
        "path": rule.path,
        "calls": list(rule.calls),
        "first": rule.first,
        "share": rule.share,
        "seed": rule.seed,
        "each": rule.each,
    }
