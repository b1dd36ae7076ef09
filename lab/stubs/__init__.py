"""A model, a Tavily and a small web on loopback that misbehave on demand and log every call."""

from __future__ import annotations

from lab.stubs.calllog import Call
from lab.stubs.faults import Fault, Rule, Schedule
from lab.stubs.launch import Stubs, StubsFailed, running_stubs

__all__ = ["Call", "Fault", "Rule", "Schedule", "Stubs", "StubsFailed", "running_stubs"]
