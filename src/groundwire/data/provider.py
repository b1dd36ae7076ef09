"""What a provider of numbers is: what it can be asked and how its answers are read, both pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

from groundwire.errors import AuthRejected, Malformed
from groundwire.gateway.status import raise_for_api_status
from groundwire.model.base import Json, JsonObject

_REGION = 451


def _never(_status: int, _body: bytes) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Ask:
    """One GET of a JSON API, without authentication.

    `read` takes the decoded answer and gives what is recorded, the same whoever asks, or raises
    `Malformed`; `absent` knows the answer that says there is no such thing.
    """

    provider: str
    path: str
    read: Callable[[Json], JsonObject]
    keep: float  # seconds that runs may share the answer
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    absent: Callable[[int, bytes], bool] = _never
    most: int = 8_000_000  # bytes, unpacked


class DataOptions(BaseModel):
    """What every provider can be told."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    api_key: SecretStr | None = None
    base_url: str | None = None
    timeout: float | None = Field(default=None, gt=0)
    per_second: float | None = Field(default=None, gt=0)


class DataProvider:
    """Base of all: a module in `providers/` holds one class `Provider`, and what it can be asked."""

    name: ClassVar[str]
    base: ClassVar[str]
    needs_key: ClassVar[bool] = False
    key_hint: ClassVar[str] = ""  # what to set, for messages
    per_second: ClassVar[float] = 5.0  # its pace where nobody set one
    says: ClassVar[str] = ""  # what it knows, in a few words

    def __init__(self, options: DataOptions) -> None:
        self.options = options

    @property
    def key(self) -> str | None:
        return self.options.api_key.get_secret_value() if self.options.api_key else None

    def lacks(self) -> str | None:
        """What must be set before it can be asked; None when nothing is missing."""
        return self.key_hint if self.needs_key and not self.key else None

    @property
    def pause(self) -> float:
        """Least seconds between two questions."""
        return 1 / (self.options.per_second or self.per_second)

    def address(self, path: str) -> str:
        return (self.options.base_url or self.base).rstrip("/") + path

    def headers(self) -> dict[str, str]:
        """Authentication; never recorded."""
        return {}

    def secret_params(self) -> dict[str, str]:
        """Authentication of an API that takes it in the address: added when the request is sent,
        never recorded."""
        return {}

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Raise the typed cause of a refusal; a 2xx passes."""
        if status == _REGION:
            raise AuthRejected("outside.region", who=self.name, status=status)
        hint = self.key_hint if self.key or self.needs_key else ""
        raise_for_api_status(status, headers, body, self.name, hint)


class Foreign(BaseModel):
    """A part of a vendor's answer: what we do not read is left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)


def _number(value: Json) -> Json:
    """A JSON number, not a text or a truth value that could be taken for one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a number")  # noqa: TRY004 - pydantic reports these only
    return value


def _written(value: Json) -> Json:
    """A number as exchanges write it: as text."""
    if not isinstance(value, str):
        raise ValueError("a number as text")  # noqa: TRY004 - as above
    return float(value)


Number = Annotated[float, BeforeValidator(_number), Field(allow_inf_nan=False)]
Positive = Annotated[float, BeforeValidator(_number), Field(gt=0, allow_inf_nan=False)]
Written = Annotated[float, BeforeValidator(_written), Field(allow_inf_nan=False)]
PositiveWritten = Annotated[float, BeforeValidator(_written), Field(gt=0, allow_inf_nan=False)]
AnswerT = TypeVar("AnswerT", bound=BaseModel)


def said(body: bytes) -> JsonObject:
    """The object in an answer, for what it says of a refusal; empty where there is none."""
    try:
        value = cast("object", json.loads(body))
    except (ValueError, RecursionError):
        return {}
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def answer(provider: str, shape: type[AnswerT], body: Json) -> AnswerT:
    """The answer in its vendor's form, or `Malformed`."""
    try:
        return shape.model_validate(body)
    except (ValidationError, RecursionError) as error:
        raise Malformed("outside.form", who=provider) from error


def rows(provider: str, shape: type[AnswerT], found: Sequence[Json]) -> list[AnswerT]:
    """The rows that can be read: a damaged one does not cost the others, nothing but damaged ones
    is no answer."""
    kept: list[AnswerT] = []
    for row in found:
        try:
            kept.append(shape.model_validate(row))
        except (ValidationError, RecursionError):
            continue
    if found and not kept:
        raise Malformed("outside.no_rows", who=provider, n=len(found))
    return kept
