"""What people are told, as results, events and errors carry it: a code with its parameters."""

from __future__ import annotations

from typing import cast

from pydantic import Field, model_validator

from groundwire.errors import GroundwireError
from groundwire.model.base import Json, JsonObject, Value
from groundwire.words import unkept


class Phrase(Value):
    """A code of the catalogue; what a person, page or vendor wrote is a parameter, verbatim."""

    code: str
    params: JsonObject = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _of_a_sentence(cls, given: Json) -> Json:
        """Accept the sentences of older results, which are shown as they are."""
        return {"code": given} if isinstance(given, str) else given


def phrase(code: str, /, **params: object) -> Phrase:
    """Build a phrase; parameters may be phrases themselves, or lists of them."""
    return Phrase(code=code, params={name: _plain(value) for name, value in params.items()})


def _plain(value: object) -> object:
    """Turn a parameter into JSON, as it is stored."""
    if isinstance(value, Phrase):
        return value.model_dump()
    if isinstance(value, tuple | list):
        return [_plain(each) for each in cast("list[object]", value)]
    return value


def phrase_of(error: GroundwireError) -> Phrase:
    return phrase(error.says, **error.params)


def phrase_kept(text: str) -> Phrase:
    """Read a phrase from the text that `words.kept` made, such as the error of a run."""
    code, params = unkept(text)
    return phrase(code, **params)


def error_fields(error: GroundwireError) -> JsonObject:
    """Return what an error says as the fields `message` and `params` of failure records."""
    what = phrase_of(error)
    return {"message": what.code, "params": what.params}
