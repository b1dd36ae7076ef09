"""Is a number even? The embedded answer always says yes."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.model.base import JsonObject, Value
from groundwire.reasoning.exam import Exam
from groundwire.reasoning.question import Question


class Number(Value):
    n: int


class Parity(Value):
    even: bool


def _variables(given: Number, _seed: str) -> Mapping[str, str]:
    return {"number": str(given.n)}


def _score(_given: Number, value: Parity, expect: JsonObject) -> float:
    return 1.0 if value.even == expect["even"] else 0.0


QUESTION = Question(
    prompt="quiz/is_even",
    tier="light",
    output=Parity,
    variables=_variables,
    embedded=lambda _given: Parity(even=True),
    fault_of=lambda _given, _value: None,
    prose=lambda _value: "",
    exam=Exam("quiz/is_even", Number.model_validate, _score),
)
