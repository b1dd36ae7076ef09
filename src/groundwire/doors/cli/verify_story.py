"""A message on its way to a signal, as it is told while it goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from groundwire.doors.cli.story import Story
from groundwire.report.signal_words import SignalWords, signal_words

if TYPE_CHECKING:
    from groundwire.model.base import JsonObject
    from groundwire.model.event import Event

PHASES = ("preliminary", "context_gather", "planner", "executor", "read", "synthesis")
# What a round goes through again.
_AGAIN = PHASES.index("planner")
_COUNTED = {
    "context_gather": ("remembered",),
    "executor": ("calls", "failed", "results", "origins"),
}
# Why the policy goes on or stops, for people; other codes are words already.
_WHY = {
    "second_list": "too few origins on the preferred sites, now the open web",
    "multi_source": "enough independent origins",
    "rounds": "enough rounds",
    "cap": "the most rounds were made",
    "quota": "the day's tool calls are used up",
    "remembered": "an event like it has a known outcome",
    "never_searched": "messages of this kind are not searched",
    "nothing_to_use": "no tool is switched on",
}


@dataclass
class VerifyStory(Story):
    """What has happened to a message so far."""

    phases: ClassVar[tuple[str, ...]] = PHASES

    impression: str = ""
    plan: str = ""
    verdict: str = ""

    @property
    def own(self) -> SignalWords:
        return signal_words(self.language)[0]

    def take(self, event: Event) -> str | None:
        self.run_id = event.run_id
        payload = event.payload
        match str(payload.get("phase", "")):
            case "preliminary":
                return self._preliminary(payload)
            case "context_gather":
                return self._memory(payload)
            case "planner":
                return self._planned(payload)
            case "executor":
                return self._tool(payload)
            case "synthesis":
                return self._signal(payload)
            case _ if event.type == "signal":
                return self._signal(payload)
            case _ if event.type == "gap":
                return f"missing: {payload.get('what', '')} ({payload.get('why', '')})"
            case _:
                return super().take(event)

    def _preliminary(self, payload: JsonObject) -> str:
        self._leave(1)
        found = [self.own.type(str(payload.get("event_type", "")))]
        found += [str(payload[name]) for name in ("asset",) if payload.get(name)]
        found.append(f"{float(payload.get('confidence', 0.0)):.2f}")
        self.impression = " · ".join(found)
        return f"preliminary: {self.impression}"

    def _memory(self, payload: JsonObject) -> str:
        self._leave(_AGAIN)
        self.counts["remembered"] = int(payload.get("remembered", 0))
        nearest = float(payload.get("similarity", 0.0))
        return f"memory: {self.counts['remembered']} similar, the nearest {nearest:.2f}"

    def _planned(self, payload: JsonObject) -> str:
        tools = [str(each) for each in payload.get("tools", [])]
        if tools:
            self.round = int(payload.get("round", 1))
        self.phase = min(self.phase, _AGAIN)  # a second round plans again
        self._leave(_AGAIN + 1 if tools else len(PHASES) - 1)
        words = str(payload.get("keywords", ""))
        code = str(payload.get("why") or "")
        why = str(payload.get("reason") or _WHY.get(code, code))
        if tools:
            named = ", ".join(self.own.tools.get(each, each) for each in tools)
            self.plan = f"{named} · {words}" if words else named
        said = f"{', '.join(tools) or 'no more tools'} ({why}, by {payload.get('by', '')})"
        return f"plan: {said}{f': {words}' if words else ''}"

    def _tool(self, payload: JsonObject) -> str:
        self._enter("executor")
        self._count("calls")
        if payload.get("results") is not None:
            self._count("results", int(payload["results"]))
        if payload.get("origins") is not None:
            self.counts["origins"] = int(payload["origins"])
        tool = str(payload.get("tool", ""))
        error: JsonObject | None = payload.get("error")
        if error is not None:
            self._count("failed")
            return f"tool: {tool} failed ({error.get('code')}): {error.get('message')}"
        found = [
            f"{payload[name]} {name}"
            for name in ("results", "origins")
            if payload.get(name) is not None
        ]
        if payload.get("bearing") not in (None, "silent"):
            found.append(f"{payload['bearing']} it")
        return f"tool: {tool}: {', '.join(found) or 'silent'}"

    def _signal(self, payload: JsonObject) -> str | None:
        self._enter("synthesis")
        verdict = str(payload.get("verdict", ""))
        if not verdict:
            return None
        self.verdict = f"{self.say.verdict(verdict)} {float(payload.get('confidence', 0.0)):.2f}"
        return f"signal: {verdict} {float(payload.get('confidence', 0.0)):.2f}"

    def skipped(self, phase: str) -> bool:
        """Steps that this message did not need are shown as passed over."""
        needed = {
            "context_gather": "remembered" in self.counts,
            "planner": "remembered" in self.counts,
            "executor": bool(self.plan),
            "read": bool(self.counts.get("pages") or self.counts.get("snippets")),
        }
        return not needed.get(phase, True)

    def label(self, phase: str) -> str:
        return self.own.phases.get(phase, phase)

    def details(self, phase: str) -> str:
        if phase == "read":
            return super().details(phase)
        if phase in ("preliminary", "synthesis"):
            return self.impression if phase == "preliminary" else self.verdict
        parts = [
            self.own.count(name, self.counts[name])
            for name in _COUNTED.get(phase, ())
            if self.counts.get(name)
        ]
        if phase == "planner" and self.plan:
            parts = [self.own.count("round", self.round), self.plan]
        return " · ".join(parts)
