"""The exchange with a vendor, through pydantic-ai on our client, with failures in our own terms.

Imported only when something is sent.
"""

from __future__ import annotations

import asyncio
import math
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import cast

import httpx2
from pydantic_ai import exceptions as vendor
from pydantic_ai.messages import (
    BinaryContent,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserContent,
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
    BrokenOff,
    GroundwireError,
    IllegalState,
    Malformed,
    NetworkDown,
    OutsideFailure,
    PlanLimit,
    PoorAnswer,
    RateLimited,
    ServerFault,
    Timeout,
)
from groundwire.llm.model import ModelCall, ModelReply, Usage, read_object
from groundwire.llm.prices import picture_tokens, price, tokens_of
from groundwire.llm.spec import ModelSpec, OutputMode
from groundwire.model.base import JsonObject, canonical
from groundwire.model.picture import Picture

# What the vendors' libraries warn of (a temperature left out, a count missing, a new finish reason)
# is either handled here or a typed failure; it must not reach the terminal.
warnings.filterwarnings("ignore", module=r"(pydantic_ai|openai|anthropic|google\.genai)\b")

# What a body of a foreign shape leads to: the vendor libraries index into it unchecked, and what
# they make of it need not be of the types they state.
_FOREIGN_SHAPE = (
    ValueError, TypeError, AttributeError, LookupError, AssertionError, RecursionError,
)  # fmt: skip
_BROKEN = (httpx2.ReadError, httpx2.RemoteProtocolError)
_LONGEST_WAIT = 3600.0
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_SECONDS = re.compile(r"\A(\d+(?:\.\d+)?)s\Z")


async def send(
    spec: ModelSpec,
    call: ModelCall,
    client: httpx2.AsyncClient,
    idempotency_key: str,
    pictures: Sequence[Picture] = (),
) -> ModelReply:
    """Send one request to this model; see `groundwire.llm.model.send`."""
    failure: GroundwireError
    try:
        async with asyncio.timeout(spec.options.timeout):
            model = spec.declared().build(spec.name, spec.options, client)
            prompt = _prompt(call, pictures)
            response = await _request(model, spec, call, prompt, idempotency_key)
        return _answer(response, spec, call)
    except GroundwireError as error:
        failure = error
    except TimeoutError:
        failure = Timeout("outside.no_answer", who=spec.label, seconds=f"{spec.options.timeout:g}")
    except (
        vendor.AgentRunError,
        vendor.UserError,
        httpx2.HTTPError,
        httpx2.InvalidURL,
        *_FOREIGN_SHAPE,
    ) as error:
        # Our own, where the transport's guard raised one below the vendor's library.
        ours = (each for each in _chain(error) if isinstance(each, GroundwireError))
        failure = next(ours, None) or _translate(error, spec)
    # Raised out here, so that the vendor's exception is not chained to ours: it holds the request
    # with the key in its headers, and whatever the server echoed.
    raise failure


def warm(spec: ModelSpec, client: httpx2.AsyncClient) -> None:
    """Import and build what a first exchange with this model needs; sends nothing."""
    price(spec, Usage())
    with suppress(GroundwireError):  # a missing key is for whoever sends
        spec.declared().build(spec.name, spec.options, client)


def _prompt(call: ModelCall, pictures: Sequence[Picture]) -> str | list[UserContent]:
    """Return the user's text, and after it the pictures that the request names, in its order."""
    if not call.pictures:
        return call.user
    by_hash = {picture.ref.sha256: picture for picture in pictures}
    missing = [ref.sha256[:12] for ref in call.pictures if ref.sha256 not in by_hash]
    if missing:
        raise IllegalState(f"the request names a picture that was not brought along: {missing[0]}")
    shown = [
        BinaryContent(by_hash[ref.sha256].data, media_type=ref.media_type) for ref in call.pictures
    ]
    return [call.user, *shown]


async def _request(
    model: Model, spec: ModelSpec, call: ModelCall, prompt: str | list[UserContent], key: str
) -> ModelResponse:
    headers = {"Idempotency-Key": key, "User-Agent": f"groundwire/{__version__}"}
    settings = ModelSettings(
        temperature=call.settings.temperature,
        max_tokens=call.settings.max_tokens,
        timeout=spec.options.timeout,
        parallel_tool_calls=False,
        extra_headers=headers,
    )
    if spec.options.extra_body:
        settings["extra_body"] = spec.options.extra_body
    mode = _output_mode(spec, model)
    system = call.system
    if mode == "text":
        schema = canonical(call.output_schema).decode()
        instruction = "Answer with one JSON object that fits this JSON schema, and nothing else:"
        system += f"\n\n{instruction}\n{schema}"
    parts = [SystemPromptPart(system), UserPromptPart(prompt)]
    return await model.request([ModelRequest(parts)], settings, _parameters(call, mode))


def _output_mode(spec: ModelSpec, model: Model) -> OutputMode:
    """Choose the mode: the user's, else the vendor's, unless this model takes no schema."""
    mode = spec.options.output or spec.declared().OUTPUT
    takes_schema = model.profile.get("supports_json_schema_output", False)
    return "tool" if spec.options.output is None and not takes_schema else mode


def _parameters(call: ModelCall, mode: OutputMode) -> ModelRequestParameters:
    if mode == "text":
        return ModelRequestParameters(output_mode="text", allow_text_output=True)
    schema = dict(call.output_schema)
    if mode == "schema":
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


def _answer(response: ModelResponse, spec: ModelSpec, call: ModelCall) -> ModelReply:
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    named = [part for part in calls if part.tool_name == call.output_name] or calls
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    raw = _arguments(named[0]) if named else text
    usage = _usage(response)
    counted = usage
    if not usage.input_tokens and not usage.output_tokens:
        # A server that does not count must not look free to the budget.
        counted = Usage(
            input_tokens=tokens_of(call.system, call.user) + picture_tokens(call),
            output_tokens=tokens_of(raw),
        )
    cost = price(spec, counted)
    # These were paid for all the same.
    if response.finish_reason == "length":
        raise PoorAnswer("outside.model_cut", who=spec.label, cost=cost)
    if response.finish_reason == "error":
        raise Malformed("outside.model_broke", who=spec.label, cost=cost)
    if response.finish_reason == "content_filter":
        raise BadRequest("outside.model_refused", who=spec.label, cost=cost)
    if not raw.strip():
        raise Malformed("outside.model_empty", who=spec.label, cost=cost)
    found = read_object(raw)
    return ModelReply(
        output=dict(found) if found is not None else _encodable(raw),
        usage=usage,
        finish="tool" if named else "stop",
        model=_encodable(response.model_name or spec.name),
        cost_micro=cost,
    )


def _usage(response: ModelResponse) -> Usage:
    """Read the counted tokens; parts are never larger than what they are parts of."""
    found = response.usage
    input_tokens, output_tokens = max(0, found.input_tokens), max(0, found.output_tokens)
    cached = min(max(0, found.cache_read_tokens), input_tokens)
    thinking = found.details.get("thoughts_tokens", 0) or found.details.get("reasoning_tokens", 0)
    return Usage(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cache_read_tokens=cached,
        cache_write_tokens=min(max(0, found.cache_write_tokens), input_tokens - cached),
        thinking_tokens=min(max(0, thinking), output_tokens),
    )


def _arguments(call: ToolCallPart) -> str:
    # As the model wrote them: the library would repair or wrap what is broken.
    return call.args if isinstance(call.args, str) else canonical(call.args or {}).decode()


# --- failures --------------------------------------------------------------------------------


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def _translate(error: Exception, spec: ModelSpec) -> OutsideFailure:
    """Translate the failure to our own terms; the message never holds the key."""
    name = spec.label
    match error:
        case vendor.ModelHTTPError():
            return _refusal(error, spec)
        case vendor.ModelTimeoutError() | vendor.ModelRequestTimeout() | httpx2.TimeoutException():
            return Timeout("outside.no_answer", who=name, seconds=f"{spec.options.timeout:g}")
        case vendor.ModelConnectionError() | httpx2.TransportError():
            if any(isinstance(each, _BROKEN) for each in _chain(error)):
                return BrokenOff("outside.model_broken", who=name)
            return NetworkDown("outside.model_unreached", who=name)
        case vendor.UserError() | httpx2.InvalidURL():
            return BadRequest("outside.said", who=name, detail=_safe_detail(str(error), spec))
        case vendor.ModelAPIError() if (status := _redirect(error)) is not None:
            # API calls follow no redirect: the key would travel with them.
            return BadRequest("outside.model_redirects", who=name, status=status)
        case _:
            return Malformed("outside.model_unreadable", who=name)


def _redirect(error: Exception) -> int | None:
    # As OpenAI's and Anthropic's libraries say it, or Google's.
    for name in ("status_code", "code"):
        status = getattr(error.__cause__, name, None)
        if isinstance(status, int) and 300 <= status < 400:
            return status
    return None


def _refusal(error: vendor.ModelHTTPError, spec: ModelSpec) -> OutsideFailure:
    status, name = error.status_code, spec.label
    message = _safe_detail(_message(error.body), spec)
    about: JsonObject = {"who": name, "http": status}
    detail = ""
    if message:
        detail, about["detail"] = "_detail", message
    # The library's own categories first: a 429 may mean an empty account, a 403 a flagged input.
    kind: Exception = error
    if isinstance(kind, vendor.ModelAuthenticationError):
        names = spec.declared().KEY_SETTING if spec.vendor == spec.kind else ()
        setting = names[0] if names else f"models.providers.{spec.vendor}.api_key"
        return AuthRejected("outside.key_invalid", who=name, setting=setting, status=status)
    if isinstance(kind, vendor.ModelQuotaExceededError) or _daily_quota_used(error.body):
        return PlanLimit(f"outside.plan_limit{detail}", status=status, **about)
    wait = _wait(error)
    if isinstance(kind, vendor.ModelRateLimitError):
        return RateLimited("outside.slow_down", who=name, status=status, retry_after=wait)
    if status == 408:
        return Timeout("outside.gave_up", who=name, status=status)
    if status >= 500:
        return ServerFault("outside.server_failed", status=status, retry_after=wait, **about)
    return BadRequest(f"outside.refused_request{detail}", status=status, **about)


def _wait(error: vendor.ModelHTTPError) -> float | None:
    seconds = error.retry_after if error.retry_after is not None else _retry_delay(error.body)
    if seconds is None or not math.isfinite(seconds):
        return None
    return min(max(0.0, seconds), _LONGEST_WAIT)


def _message(body: object) -> str:
    """Find the vendor's own sentence, where the protocols put it: at the top, or inside `error`."""
    for fields in (_fields(body), _fields(_fields(body).get("error"))):
        message = fields.get("message")
        if isinstance(message, str):
            return message
    return ""


def _retry_delay(body: object) -> float | None:
    """Read how long to wait from Google's body (`google.rpc.RetryInfo`)."""
    for detail in _details(body):
        delay = detail.get("retryDelay")
        found = _SECONDS.match(delay) if isinstance(delay, str) else None
        if found:
            return float(found[1])
    return None


def _daily_quota_used(body: object) -> bool:
    """Tell whether Google's daily quota is used up, which looks like a rate limit by its status."""
    for detail in _details(body):
        rows = detail.get("violations")
        for row in cast("list[object]", rows) if isinstance(rows, list) else []:
            if "PerDay" in str(_fields(row).get("quotaId", "")):
                return True
    return False


def _details(body: object) -> Iterator[dict[str, object]]:
    rows = _fields(_fields(body).get("error")).get("details")
    for row in cast("list[object]", rows) if isinstance(rows, list) else []:
        yield _fields(row)


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _safe_detail(text: str, spec: ModelSpec) -> str:
    """Make a vendor's words fit for a message: short, one line, without the key."""
    key = spec.options.api_key.get_secret_value().strip() if spec.options.api_key else ""
    if len(key) > 5:  # a shorter one is a placeholder, and would be found in any word
        text = text.replace(key, "***")
    return _encodable(_CONTROL.sub(" ", text).strip()[:200])


def _encodable(text: str) -> str:
    """Replace what the record cannot hold: lone surrogates have no UTF-8 form."""
    return text.encode("utf-8", "replace").decode()
