"""The exam of a question: items with known answers, and a scorer. A model's marks decide what its answers count for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from groundwire.model.base import JsonObject, Value
from groundwire.reasoning.question import I, O


class Item(Value):
    """One item: what is asked, and what a right answer says."""

    id: str
    language: str  # zh, zh-Hant or en
    given: JsonObject  # read by the exam into the question's input
    expect: JsonObject  # read by the exam's scorer


@dataclass(frozen=True)
class Exam(Generic[I, O]):
    """Where the items are, how they are read, and what an answer is worth, in [0, 1]."""

    items: str  # its file: <job or group>/<question>, beside the prompts
    read: Callable[[JsonObject], I]
    score: Callable[[I, O, JsonObject], float]
