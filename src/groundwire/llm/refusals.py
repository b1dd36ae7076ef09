"""The vendors' failures in our own terms; imported only when something is sent."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import cast

import httpx2
from pydantic_ai import exceptions as vendor

from groundwire.errors import (
    AuthRejected,
    BadRequest,
    BrokenOff,
    GroundwireError,
    Malformed,
    NetworkDown,
    OutsideFailure,
    PlanLimit,
    RateLimited,
    ServerFault,
    Timeout,
)
from groundwire.llm.spec import ModelSpec
from groundwire.model.base import JsonObject

_BROKEN = (httpx2.ReadError, httpx2.RemoteProtocolError)
_LONGEST_WAIT = 3600.0
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_SECONDS = re.compile(r"\A(\d+(?:\.\d+)?)s\Z")


def own_failure(error: BaseException) -> GroundwireError | None:
    """Our own exception, where the transport's guard raised one below the vendor's library."""
    return next((each for each in _chain(error) if isinstance(each, GroundwireError)), None)


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def translated(error: Exception, spec: ModelSpec) -> OutsideFailure:
    """Return the failure in our own terms; the message never holds the key."""
    name = spec.label
    match error:
        case vendor.ModelHTTPError():
            return _refused(error, spec)
        case vendor.ModelTimeoutError() | vendor.ModelRequestTimeout() | httpx2.TimeoutException():
            return Timeout("outside.no_answer", who=name, seconds=f"{spec.options.timeout:g}")
        case vendor.ModelConnectionError() | httpx2.TransportError():
            if any(isinstance(each, _BROKEN) for each in _chain(error)):
                return BrokenOff("outside.model_broken", who=name)
            return NetworkDown("outside.model_unreached", who=name)
        case vendor.UserError() | httpx2.InvalidURL():
            return BadRequest("outside.said", who=name, detail=_said(str(error), spec))
        case vendor.ModelAPIError() if (status := _redirect(error)) is not None:
            # API calls follow no redirect: the key would travel with them.
            return BadRequest("outside.model_redirects", who=name, status=status)
        case _:
            return Malformed("outside.model_unreadable", who=name)


def _redirect(error: Exception) -> int | None:
    for name in (
        "status_code",
        "code",
    ):  # as OpenAI's and Anthropic's libraries say it, or Google's
        status = getattr(error.__cause__, name, None)
        if isinstance(status, int) and 300 <= status < 400:
            return status
    return None


def _refused(error: vendor.ModelHTTPError, spec: ModelSpec) -> OutsideFailure:
    status, name = error.status_code, spec.label
    said = _said(_message(error.body), spec)
    about: JsonObject = {"who": name, "http": status}
    detail = ""
    if said:
        detail, about["detail"] = "_detail", said
    # The library's own categories first: a 429 may mean an empty account, a 403 a flagged input.
    kind: Exception = error
    if isinstance(kind, vendor.ModelAuthenticationError):
        names = spec.declared().KEY_SETTING if spec.vendor == spec.kind else ()
        setting = names[0] if names else f"models.providers.{spec.vendor}.api_key"
        return AuthRejected("outside.key_invalid", who=name, setting=setting, status=status)
    if isinstance(kind, vendor.ModelQuotaExceededError) or _day_is_over(error.body):
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
    """The vendor's own sentence, where the protocols put it: at the top, or inside `error`."""
    for fields in (_fields(body), _fields(_fields(body).get("error"))):
        said = fields.get("message")
        if isinstance(said, str):
            return said
    return ""


def _retry_delay(body: object) -> float | None:
    """Google says in the body how long to wait (`google.rpc.RetryInfo`)."""
    for detail in _details(body):
        said = detail.get("retryDelay")
        found = _SECONDS.match(said) if isinstance(said, str) else None
        if found:
            return float(found[1])
    return None


def _day_is_over(body: object) -> bool:
    """Google's daily quota: the same status as a rate limit, but no wait of ours will help."""
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


def _said(text: str, spec: ModelSpec) -> str:
    """Return a vendor's words, made fit for a message: short, one line, without the key."""
    key = spec.options.api_key.get_secret_value().strip() if spec.options.api_key else ""
    if len(key) > 5:  # a shorter one is a placeholder, and would be found in any word
        text = text.replace(key, "***")
    return encodable(_CONTROL.sub(" ", text).strip()[:200])


def encodable(text: str) -> str:
    """Text that the record can hold: lone surrogates have no UTF-8 form."""
    return text.encode("utf-8", "replace").decode()
