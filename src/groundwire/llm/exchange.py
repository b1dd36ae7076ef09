"""The exchange itself, through pydantic-ai on our client; imported only when something is sent."""

from __future__ import annotations

import asyncio
import math
import re
import warnings
from contextlib import suppress
from typing import cast

import httpx2
from pydantic_ai import exceptions as vendor
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from groundwire import __version__
from groundwire.errors import (
    AuthRejected,
    BadRequest,
    GroundwireError,
    Malformed,
    NetworkDown,
    OutsideFailure,
    PlanLimit,
    RateLimited,
    ServerFault,
    Timeout,
)
from groundwire.llm.model import ModelCall, Sent, Usage
from groundwire.llm.prices import price, tokens_of
from groundwire.llm.reading import read_object
from groundwire.llm.spec import ModelSpec
from groundwire.model.base import canonical

# A reasoning model takes no temperature; that it is left out then is known and not news.
warnings.filterwarnings("ignore", message=r"Sampling parameters \[.*\] are not supported")

# What the vendor libraries raise for a body of a foreign shape: they index into it unchecked.
_FOREIGN_SHAPE = (ValueError, TypeError, AttributeError, LookupError)

_LONGEST_WAIT = 3600.0
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


async def send(
    spec: ModelSpec, call: ModelCall, client: httpx2.AsyncClient, idempotency_key: str
) -> Sent:
    """One request of this model; see `groundwire.llm.model.send`."""
    failure: GroundwireError
    try:
        async with asyncio.timeout(spec.options.timeout):
            model = spec.declared().build(spec.name, spec.options, client)
            response = await _request(model, spec, call, idempotency_key)
    except GroundwireError as error:
        failure = error
    except TimeoutError:
        failure = Timeout(f"{spec.label}: no answer in {spec.options.timeout:g} s")
    except (
        vendor.AgentRunError,
        vendor.UserError,
        httpx2.HTTPError,
        httpx2.InvalidURL,
        *_FOREIGN_SHAPE,
    ) as error:
        failure = _own(error) or _translated(error, spec)
    else:
        return _answer(response, spec, call)
    # Raised out here, so that the vendor's exception is not chained to ours: it holds the request
    # with the key in its headers, and whatever the server echoed.
    raise failure


def warm(spec: ModelSpec, client: httpx2.AsyncClient) -> None:
    """Import and build what a first exchange with this model needs; sends nothing."""
    price(spec, Usage())
    with suppress(GroundwireError):  # a missing key is for whoever sends
        spec.declared().build(spec.name, spec.options, client)


async def _request(model: Model, spec: ModelSpec, call: ModelCall, key: str) -> ModelResponse:
    headers = {"Idempotency-Key": key, "User-Agent": f"groundwire/{__version__}"}
    settings = ModelSettings(
        temperature=call.settings.temperature,
        max_tokens=call.settings.max_tokens,
        timeout=spec.options.timeout,
        parallel_tool_calls=False,
        extra_headers=headers,
    )
    parts = [SystemPromptPart(call.system), UserPromptPart(call.user)]
    return await model.request([ModelRequest(parts)], settings, _parameters(spec, call))


def _parameters(spec: ModelSpec, call: ModelCall) -> ModelRequestParameters:
    schema = dict(call.output_schema)
    if (spec.options.output or spec.declared().OUTPUT) == "schema":
        return ModelRequestParameters(
            output_mode="native",
            output_object=OutputObjectDefinition(json_schema=schema, name=call.output_name),
        )
    tool = ToolDefinition(
        name=call.output_name,
        description="Give the answer.",
        parameters_json_schema=schema,
        kind="output",
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def _answer(response: ModelResponse, spec: ModelSpec, call: ModelCall) -> Sent:
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    named = [part for part in calls if part.tool_name == call.output_name] or calls
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    raw = _arguments(named[0]) if named else text
    usage = Usage(
        input_tokens=max(0, response.usage.input_tokens),
        output_tokens=max(0, response.usage.output_tokens),
    )
    counted = usage
    if not usage.input_tokens and not usage.output_tokens:
        # A server that does not count must not look free to the budget.
        counted = Usage(
            input_tokens=tokens_of(call.system, call.user), output_tokens=tokens_of(raw)
        )
    cost = price(spec, counted)
    # These were paid for all the same.
    if response.finish_reason == "length":
        raise Malformed(f"{spec.label}: the answer was cut off", cost=cost.micro)
    if response.finish_reason == "content_filter":
        raise BadRequest(f"{spec.label}: the model refused to answer", cost=cost.micro)
    if not raw.strip():
        raise Malformed(f"{spec.label}: the answer was empty", cost=cost.micro)
    found = read_object(raw)
    return Sent(
        output=dict(found) if found is not None else _encodable(raw),
        usage=usage,
        finish="tool" if named else "stop",
        model=_encodable(response.model_name or spec.name),
        cost_micro=cost.micro,
        price_known=cost.known,
    )


def _arguments(call: ToolCallPart) -> str:
    # As the model wrote them: the library's own reading would mend or wrap what is broken.
    return call.args if isinstance(call.args, str) else canonical(call.args or {}).decode()


def _encodable(text: str) -> str:
    """Text that the record can hold: lone surrogates have no UTF-8 form."""
    return text.encode("utf-8", "replace").decode()


def _own(error: BaseException) -> GroundwireError | None:
    """Our own exception, where the transport's guard raised one below the vendor's library."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, GroundwireError):
            return seen
        seen = seen.__cause__ or seen.__context__
    return None


def _translated(error: Exception, spec: ModelSpec) -> OutsideFailure:
    """The failure in our own terms; the message never holds the key."""
    name = spec.label
    match error:
        case vendor.ModelHTTPError():
            return _refused(error, spec)
        case vendor.ModelTimeoutError() | vendor.ModelRequestTimeout() | httpx2.TimeoutException():
            return Timeout(f"{name}: no answer in {spec.options.timeout:g} s")
        case vendor.ModelConnectionError() | httpx2.TransportError():
            return NetworkDown(f"{name}: could not be reached")
        case vendor.UserError() | httpx2.InvalidURL():
            return BadRequest(f"{name}: {_said(str(error), spec)}")
        case vendor.ModelAPIError() if (status := _redirect(error)) is not None:
            # API calls follow no redirect: the key would travel with them.
            return BadRequest(f"{name}: the base URL redirects elsewhere", status=status)
        case _:
            return Malformed(f"{name}: the answer could not be read")


def _redirect(error: Exception) -> int | None:
    status = getattr(error.__cause__, "status_code", None)
    return status if isinstance(status, int) and 300 <= status < 400 else None


def _refused(error: vendor.ModelHTTPError, spec: ModelSpec) -> OutsideFailure:
    status, name = error.status_code, spec.label
    said = _said(_message(error.body), spec)
    detail = f": {said}" if said else ""
    # The library's own categories first: a 429 may mean an empty account, a 403 a flagged input.
    kind: Exception = error
    if isinstance(kind, vendor.ModelAuthenticationError):
        names = spec.declared().KEY_SETTING if spec.vendor == spec.kind else ()
        setting = names[0] if names else f"models.vendors.{spec.vendor}.api_key"
        return AuthRejected(f"{name}: key invalid, set {setting}", status=status)
    if isinstance(kind, vendor.ModelQuotaExceededError):
        return PlanLimit(f"{name}: the plan's limit is used up{detail}", status=status)
    wait = _wait(error)
    if isinstance(kind, vendor.ModelRateLimitError):
        return RateLimited(f"{name}: asks us to slow down", status=status, retry_after=wait)
    if status == 408:
        return Timeout(f"{name}: the server gave up waiting", status=status)
    if status >= 500:
        message = f"{name}: the server failed ({status})"
        return ServerFault(message, status=status, retry_after=wait)
    return BadRequest(f"{name}: refused the request ({status}){detail}", status=status)


def _wait(error: vendor.ModelHTTPError) -> float | None:
    seconds = error.retry_after
    if seconds is None or not math.isfinite(seconds):
        return None
    return min(max(0.0, seconds), _LONGEST_WAIT)


def _message(body: object) -> str:
    """The vendor's own sentence, where it is where the protocol puts it."""
    if isinstance(body, dict):
        fields = cast("dict[str, object]", body)
        said = fields.get("message")
        return said if isinstance(said, str) else ""
    return ""


def _said(text: str, spec: ModelSpec) -> str:
    """A vendor's words, made fit for a message: short, one line, without the key."""
    key = spec.options.api_key.get_secret_value().strip() if spec.options.api_key else ""
    if len(key) > 5:  # a shorter one is a placeholder, and would be found in any word
        text = text.replace(key, "***")
    return _encodable(_CONTROL.sub(" ", text).strip()[:200])
