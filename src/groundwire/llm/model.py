"""One exchange with a model: our own canonical request in, one HTTP request, a plain answer out."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, cast

from pydantic import BaseModel, Field, ValidationError

from groundwire.errors import IllegalState, MissingExtra
from groundwire.llm.prompts import Rendered
from groundwire.llm.spec import ModelSpec
from groundwire.model.base import Json, JsonObject, Value, canonical
from groundwire.model.picture import Picture, PictureRef

if TYPE_CHECKING:
    import httpx2

Finish = Literal["stop", "tool"]
_FENCE = "```"
_OPENING = re.compile(rf"{_FENCE}[A-Za-z]*\s*\n")


class CallSettings(Value):
    """Sampling settings of a call."""

    temperature: float = 0
    max_tokens: int = Field(default=2048, gt=0)


class ModelCall(Value):
    """What is asked of a model, in our own form: the key of the call (ledger rule c).

    It holds no time, no random id and no vendor's message format, so that a restarted run asks
    exactly the same.
    """

    model: str  # vendor:model
    prompt: str  # id@version
    prompt_sha256: str
    system: str
    user: str
    output_name: str
    output_schema: dict[str, Json]
    settings: CallSettings = CallSettings()
    # By their hashes: the bytes are kept once, elsewhere, and are no part of the key.
    pictures: tuple[PictureRef, ...] = ()

    @classmethod
    def of(
        cls,
        spec: ModelSpec,
        rendered: Rendered,
        output: type[BaseModel],
        max_tokens: int,
        pictures: Sequence[PictureRef] = (),
    ) -> ModelCall:
        return cls(
            model=spec.label,
            prompt=rendered.prompt,
            prompt_sha256=rendered.sha256,
            system=rendered.system,
            user=rendered.user,
            output_name=output.__name__,
            output_schema=output.model_json_schema(),
            settings=CallSettings(max_tokens=max_tokens),
            pictures=tuple(pictures),
        )

    @classmethod
    def read(cls, request: JsonObject) -> ModelCall:
        """Parse a request object."""
        try:
            return cls.model_validate(request)
        except ValidationError as error:
            raise IllegalState(f"not a model request: {error.error_count()} faults") from None

    def request(self) -> JsonObject:
        """Return the canonical form for the ledger."""
        # Left out where there are none, so that calls recorded before there were any keep their keys.
        return self.model_dump(mode="json", exclude=None if self.pictures else {"pictures"})


class Usage(Value):
    """Tokens as the vendor counted them; zeros where it did not."""

    input_tokens: int = Field(default=0, ge=0)  # all of them, cached ones included
    output_tokens: int = Field(default=0, ge=0)  # all of them, thoughts included
    cache_read_tokens: int = Field(default=0, ge=0)
    cache_write_tokens: int = Field(default=0, ge=0)
    thinking_tokens: int = Field(default=0, ge=0)


class ModelReply(Value):
    """A model's reply; `output` is text only where it could not be read as an object."""

    output: dict[str, Json] | str
    usage: Usage
    finish: Finish
    model: str  # as the vendor names what answered
    cost_micro: int

    def response(self) -> JsonObject:
        """Return what the ledger records; the cost has its own column."""
        return self.model_dump(mode="json", exclude={"cost_micro"})


async def send(
    spec: ModelSpec,
    request: JsonObject,
    *,
    client: httpx2.AsyncClient,
    idempotency_key: str,
    pictures: Sequence[Picture] = (),
) -> ModelReply:
    """Make exactly one HTTP exchange; every failure is an `OutsideFailure` without its chain.

    `pictures` are those that the request names by their hashes.
    """
    with _optional_part():
        # The vendor libraries take more than a second to import: only whoever sends pays for it.
        from groundwire.llm import exchange

        call = ModelCall.read(request)
        return await exchange.send(spec, call, client, idempotency_key, pictures)


def warm(models: Sequence[ModelSpec], client: httpx2.AsyncClient) -> None:
    """Do the imports and load the price tables that a first exchange would wait for.

    It takes more than a second of CPU and blocks: call it in a thread before an event loop that
    must not stall. It sends nothing.
    """
    with _optional_part():
        from groundwire.llm import exchange

        for spec in models:
            exchange.warm(spec, client)


@contextmanager
def _optional_part() -> Generator[None]:
    try:
        yield
    except ImportError as error:
        if (error.name or "").startswith("groundwire"):
            raise
        raise MissingExtra(
            "error.needs_models", name=error.name or error, extra="models", hint="hint.install"
        ) from error


def read_object(text: str) -> JsonObject | None:
    """Read a model's text as an object, without its code fence; None if it cannot be recorded."""
    try:
        value: object = json.loads(_unfenced(text.strip()))
        if not isinstance(value, dict):
            return None
        found = cast("JsonObject", value)
        canonical(found)  # refuses NaN and lone surrogates
    except (ValueError, RecursionError):
        return None
    return found


def _unfenced(text: str) -> str:
    opening = _OPENING.match(text)
    closed = opening is not None and text[opening.end() :].endswith(_FENCE)
    return text[opening.end() : -len(_FENCE)] if opening and closed else text
