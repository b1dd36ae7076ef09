"""What the APIs of others have in common: options, a key, an address, and how answers are parsed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from groundwire.errors import AuthRejected, Malformed
from groundwire.gateway.status import raise_for_api_status
from groundwire.model.base import Json, JsonObject

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class ApiOptions(BaseModel):
    """Options that every provider has; a provider's own `Options` adds to it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    api_key: SecretStr | None = None
    base_url: str | None = None
    timeout: float | None = Field(default=None, gt=0)
    per_second: float | None = Field(default=None, gt=0)


OptionsT = TypeVar("OptionsT", bound=ApiOptions)


class ApiProvider(Generic[OptionsT]):
    """Base of the providers: a module in a folder `providers/` holds one class `Provider`."""

    name: ClassVar[str]
    base: ClassVar[str] = ""  # its address, unless the user sets another
    needs_key: ClassVar[bool] = True
    key_hint: ClassVar[str] = ""  # what to set, for messages
    key_header: ClassVar[str] = ""  # carries the key

    def __init__(self, options: OptionsT) -> None:
        self.options = options

    @property
    def key(self) -> str | None:
        return self.options.api_key.get_secret_value() if self.options.api_key else None

    def lacks(self) -> str | None:
        """Name what must be set before it can be used; None when nothing is missing."""
        return self.key_hint if self.needs_key and not self.key else None

    def url(self, path: str = "") -> str:
        return (self.options.base_url or self.base).rstrip("/") + path

    def headers(self) -> dict[str, str]:
        """Return the authentication; never recorded."""
        return key_in(self.key_header, self.key) if self.key and self.key_header else {}

    def secret_params(self) -> dict[str, str]:
        """Return the authentication that goes into the address: added when sent, never recorded."""
        return {}

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Raise the typed cause of a refusal; a 2xx passes."""
        raise_for_api_status(status, headers, body, self.name, self.key_hint)

    def wrong_key(self, status: int) -> AuthRejected:
        who, setting = self.name, self.key_hint
        return AuthRejected("outside.key_invalid", who=who, setting=setting, status=status)


def key_in(header: str, key: str) -> dict[str, str]:
    """Return the header that carries a key; `Authorization` carries it as a bearer's."""
    return {header: f"Bearer {key}" if header == "Authorization" else key}


class Foreign(BaseModel):
    """A part of a vendor's answer: what we do not read is left alone."""

    # Built when it is first read: most runs ask one or two vendors.
    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)


def decoded(provider: str, body: bytes) -> Json:
    """Decode the JSON of an answer, or raise `Malformed`."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:  # or a number of thousands of digits
        raise Malformed("outside.not_json", who=provider) from error


def json_object(body: bytes) -> JsonObject:
    """Decode the JSON object of an answer; {} where it is none."""
    try:
        value = cast("object", json.loads(body))
    except (ValueError, RecursionError):
        return {}
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def fitting(shape: type[AnswerT], found: Json) -> AnswerT | None:
    """Parse what was found into this form; None where it has another."""
    try:
        return shape.model_validate(found)
    except (ValidationError, RecursionError):
        return None


def answer(provider: str, shape: type[AnswerT], body: Json) -> AnswerT:
    """Parse an answer into its vendor's form, or raise `Malformed`."""
    try:
        return shape.model_validate(body)
    except (ValidationError, RecursionError) as error:
        raise Malformed("outside.form", who=provider) from error


def rows(
    provider: str, shape: type[AnswerT], found: Sequence[Json], damaged: str = "outside.no_rows"
) -> list[AnswerT]:
    """Parse the rows, leaving out damaged ones; raise `Malformed` where all of them are."""
    kept = [row for row in (fitting(shape, each) for each in found) if row is not None]
    if found and not kept:
        raise Malformed(damaged, who=provider, n=len(found))
    return kept
