"""What is said to people, as results, events and errors carry it: a code with its parameters."""

from __future__ import annotations

from pydantic import Field

from groundwire.model.base import JsonObject, Value


class Phrase(Value):
    """A code of the catalogue; what a person, page or vendor wrote is a parameter, verbatim."""

    code: str
    params: JsonObject = Field(default_factory=dict)


def phrase(code: str, /, **params: object) -> Phrase:
    """Return a phrase; parameters may be phrases themselves, or lists of them."""
    return Phrase(code=code, params={name: _plain(value) for name, value in params.items()})


def _plain(value: object) -> object:
    """The form in which a parameter is stored: values of JSON only."""
    if isinstance(value, Phrase):
        return value.model_dump()
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
    return value
