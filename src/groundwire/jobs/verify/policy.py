"""Which tools a message may and must be looked into with: code's decision, in one order (law 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

from groundwire.evidence.messages.profiles import Profile
from groundwire.jobs.verify.signal import Preliminary
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.tool import ToolName

MEASURING: tuple[ToolName, ...] = ("price", "onchain", "macro")
REMEMBERED = 0.8  # similarity from which an event with a known outcome needs no search
ENOUGH_ROUNDS = 2  # unless a contradiction is open

Why = Literal[
    "never_searched",
    "forced",
    "numeric",
    "second_list",
    "multi_source",
    "rounds",
    "remembered",
    "quota",
    "cap",
    "open",
    "nothing_to_use",
]


class Facts(Value):
    """What the policy looks at."""

    event_type: str
    by_hand: bool  # a person asked: the types that are never searched are searched
    enabled: tuple[ToolName, ...]
    used: tuple[ToolName, ...] = ()  # in earlier rounds
    failed: tuple[ToolName, ...] = ()  # of these
    offline: bool = False
    rounds: int = 0
    max_rounds: int = 3
    multi_source: bool = False
    contradiction_open: bool = False
    unheard: bool = False  # a failed search may have held the parties' own word
    few_origins: bool = False  # the preferred list gave too few, and the open one was not tried
    remembered: float = 0.0  # similarity of an earlier event whose outcome is known
    quota_left: bool = True


class Decision(Value):
    """Tools that run now whatever a model says, those that it may add, and why."""

    forced: tuple[ToolName, ...] = ()
    may_add: tuple[ToolName, ...] = ()
    why: Why

    @property
    def over(self) -> bool:
        return not self.forced and not self.may_add


def decide(facts: Facts, profile: Profile) -> Decision:
    """Apply the table of the specification, first match wins; every loop has its cap."""
    if facts.rounds >= facts.max_rounds:
        return Decision(why="cap")
    if facts.event_type in profile.policy.never_search and not facts.by_hand:
        return Decision(why="never_searched")
    # Measured numbers are the same a moment later: no second call is spent on them.
    measured = {tool for tool in facts.used if tool not in facts.failed}
    usable: tuple[ToolName, ...] = tuple(
        tool
        for tool in facts.enabled
        if tool == "search" or not (facts.offline or tool in measured)
    )
    if not usable:
        return Decision(why="nothing_to_use")
    if facts.rounds == 0:
        if first := _first_round(facts, profile, usable):
            return first
    elif "price" in facts.failed and "search" not in facts.used and "search" in usable:
        return Decision(forced=("search",), may_add=usable, why="numeric")
    if facts.unheard and facts.quota_left and "search" in usable:
        return Decision(forced=("search",), why="second_list")
    if facts.multi_source and not facts.contradiction_open:
        return Decision(why="multi_source")
    if facts.few_origins and facts.quota_left and "search" in usable:
        return Decision(forced=("search",), why="second_list")
    if facts.rounds >= ENOUGH_ROUNDS and not facts.contradiction_open:
        return Decision(why="rounds")
    search_requested = facts.by_hand and "search" in usable and "search" not in facts.used
    if facts.remembered > REMEMBERED and not search_requested:
        return Decision(why="remembered")
    if not facts.quota_left:
        return Decision(why="quota")
    if search_requested:
        # Who asks by hand gets a search, whatever a model thinks of it (law 3).
        return Decision(forced=("search",), may_add=usable, why="forced")
    return Decision(may_add=usable, why="open")


def _first_round(facts: Facts, profile: Profile, usable: Sequence[ToolName]) -> Decision | None:
    """Force a search for types that need one, and measuring tools for numeric ones.

    A type that is never searched by itself gets here when a person asks, and is searched.
    """
    requested = facts.event_type in profile.policy.never_search
    if (requested or facts.event_type in profile.policy.forced) and "search" in usable:
        return Decision(forced=("search",), may_add=tuple(usable), why="forced")
    if facts.event_type in profile.policy.numeric:
        tools: tuple[ToolName, ...] = tuple(tool for tool in usable if tool in ("price", "onchain"))
        if "price" not in tools and "search" in usable:
            tools = (*tools, "search")  # the price tool is off, or out of reach
        if tools:
            return Decision(forced=tools, may_add=tuple(usable), why="numeric")
    return None


def chosen(
    decision: Decision, wanted: Sequence[str]
) -> tuple[tuple[ToolName, ...], tuple[str, ...]]:
    """Return the tools that run, in a fixed order, and the requested names the policy ignores."""
    allowed = (*decision.forced, *decision.may_add)
    running: tuple[ToolName, ...] = ("search", *MEASURING)
    taken: tuple[ToolName, ...] = tuple(
        tool
        for tool in running
        if tool in decision.forced or (tool in wanted and tool in decision.may_add)
    )
    ignored = tuple(dict.fromkeys(name for name in wanted if name not in allowed))
    return taken, ignored


_BUCKETS = 10_000  # a hundredth of a percent each


class Gated(Value):
    """The gate's decision on a message, and why."""

    passed: bool
    reason: Phrase


def is_high_value(preliminary: Preliminary, profile: Profile, threshold: float) -> Gated:
    """Gate by type, those that always or never go deep, then by confidence.

    `threshold` is the message's source's: priority channels have their own.
    """
    kind = preliminary.event_type
    if kind in profile.gate.always:
        return _gated(True, "always", kind=phrase(f"verify.type.{kind}"))
    if kind in profile.gate.never:
        return _gated(False, "never", kind=phrase(f"verify.type.{kind}"))
    confidence = preliminary.confidence
    reached = confidence >= threshold
    shown = {"confidence": f"{confidence:.2f}", "threshold": f"{threshold:.2f}"}
    return _gated(reached, "reached" if reached else "below", **shown)


def rolled_in(message_id: str, percent: float) -> Gated:
    """Tell whether a message is in the share that may go deep, always the same by its id.

    A larger share holds every smaller one.
    """
    digest = hashlib.sha256(f"rollout\n{message_id}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") % _BUCKETS
    passed = place < percent * _BUCKETS / 100
    return _gated(passed, "rolled_in" if passed else "rolled_out", percent=f"{percent:g}")


def _gated(passed: bool, name: str, **params: str | Phrase) -> Gated:
    return Gated(passed=passed, reason=phrase(f"verify.gate.{name}", **params))
