"""Faults a stub can show, and the deterministic schedule of which call shows one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from typing import Literal

from pydantic import ConfigDict

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
    "captcha",
    "bare",
]
_STATUS = {"rate_limited": 429, "error": 500, "unauthorized": 401, "plan_limit": 432}


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to misbehave.

    `seconds` is the delay of `slow` and the Retry-After of `rate_limited`; `status` overrides the
    usual status of a refusal (503 for 500, 433 for 432); `detail` picks one lie of the model
    (`quote`, `passage`, `url`, `injection`) or one manner of an engine (`inside`, `unresponsive`).
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    kind: Kind
    seconds: float = 0.0
    status: int = 0
    detail: str = ""

    @property
    def refusal_status(self) -> int:
        """HTTP status of a fault that is a plain refusal, 0 for every other fault."""
        return self.status or _STATUS[self.kind] if self.kind in _STATUS else 0


# The first five take an argument: seconds, a status, or which lie.
slow = partial(Fault, "slow")  # the right answer, late
rate_limited = partial(Fault, "rate_limited")  # 429 with Retry-After
error = partial(Fault, "error", 0.0)  # a 5xx of the server
plan_limit = partial(Fault, "plan_limit", 0.0)  # 432 (plan used up) or 433 (pay-as-you-go limit)
lying = partial(Fault, "lying", 0.0, 0)  # a well-formed answer that is false
unauthorized = partial(Fault, "unauthorized")  # 401, whatever key was sent
malformed = partial(Fault, "malformed")  # 200 with a body that does not parse
empty = partial(Fault, "empty")  # a valid answer with nothing in it
cut_off = partial(Fault, "cut_off")  # the connection closes in the middle of the body
# Valid JSON that does not fit: not the schema of the model's answer, not an engine's form.
wrong_schema = partial(Fault, "wrong_schema")
truncated = partial(Fault, "truncated")  # model only: half of the answer, finish_reason=length
refusal = partial(Fault, "refusal")  # model only: it declines to answer
captcha = partial(Fault, "captcha")  # web only: a page that asks whether a person is there
bare = partial(Fault, "bare")  # engines only: results without a text


@dataclass(frozen=True, slots=True)
class Rule:
    """Which calls show the fault; every condition that is set must hold.

    `stub` and `path` (a glob) select calls. Among those, `calls` names ordinals counted from 0,
    `first` the first N, `share` a part of all contents by a seeded hash. With `each`, `calls` and
    `first` count the repeats of one content separately, so `share=0.2, first=1, each=True` fails
    the first attempt of a fifth of the requests and lets every retry through.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    fault: Fault
    stub: str = ""
    path: str = ""
    calls: tuple[int, ...] = ()
    first: int = 0
    share: float = 1.0
    seed: int = 0
    each: bool = False

    def selects(self, stub: str, path: str, content: str) -> bool:
        """Tell whether the call belongs to this rule, before ordinals are looked at."""
        if (self.stub and self.stub != stub) or (self.path and not fnmatchcase(path, self.path)):
            return False
        if self.share >= 1.0:
            return True
        digest = hashlib.sha256(f"{self.seed}:{content}".encode()).digest()
        return int.from_bytes(digest[:8], "big") < self.share * 2**64

    def strikes(self, ordinal: int) -> bool:
        """Tell whether the selected call with this ordinal is to fail."""
        if self.calls and ordinal not in self.calls:
            return False
        return not self.first or ordinal < self.first


@dataclass(slots=True)
class Schedule:
    """The rules in force, and how often each has been consulted."""

    rules: list[Rule] = field(default_factory=list[Rule])
    _seen: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])

    def set(self, rules: Iterable[Rule]) -> None:
        """Replace all rules and restart the counts."""
        self.rules = list(rules)
        self._seen.clear()

    def decide(self, stub: str, path: str, content: str) -> Fault | None:
        """Return the fault of the first rule that strikes; every selecting rule counts the call."""
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
