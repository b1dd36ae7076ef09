"""What an HTTP status means: the typed cause of a refusal by an API or a site."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

from groundwire import errors
from groundwire.model.base import JsonObject
from groundwire.model.clock import utc_now

REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Refusals of the request as it is: the same request would be refused again.
_OUR_FAULT = frozenset({400, 404, 405, 406, 410, 411, 413, 414, 415, 416, 422, 426, 428, 431, 451})
_REFUSED = 600.0  # seconds: longer than any retry waits, so that the next provider is asked


def raise_for_api_status(
    status: int, headers: Mapping[str, str], body: bytes, provider_name: str, key_hint: str
) -> None:
    """Turn an API's refusal into its typed cause; a 2xx passes."""
    if 200 <= status < 300:
        return
    detail = _detail(body)
    params: JsonObject = {"who": provider_name, "http": status}
    if detail:
        params["detail"] = detail
    code = "outside.answered_detail" if detail else "outside.answered"
    wait = retry_after(headers)
    # Many vendors report an empty account as 429 or even 401, though waiting does not fill it and
    # the key is fine.
    empty = status in (401, 403, 429) and b"insufficient_quota" in body
    if status in (402, 432, 433) or empty:
        raise errors.PlanLimit(code, status=status, retry_after=wait, **params)
    if status in (401, 403) and not key_hint:
        # There is no key to correct: it refuses requests from this address for now.
        code = "outside.refuses_detail" if detail else "outside.refuses"
        patience = max(wait or 0.0, _REFUSED)
        raise errors.RateLimited(code, status=status, retry_after=patience, **params)
    if status in (401, 403):
        raise errors.AuthRejected(
            "outside.key_invalid", who=provider_name, setting=key_hint, status=status
        )
    if status == 429:
        raise errors.RateLimited(code, status=status, retry_after=wait, **params)
    if status == 408:
        raise errors.Timeout(code, status=status, retry_after=wait, **params)
    if status >= 500:
        raise errors.ServerFault(code, status=status, retry_after=wait, **params)
    if status in REDIRECTS:
        code = "outside.api_redirects"
    elif status not in _OUR_FAULT:
        raise errors.Unclassified(code, status=status, retry_after=wait, **params)
    raise errors.BadRequest(code, status=status, **params)


def retry_after(
    headers: Mapping[str, str], clock: Callable[[], datetime] = utc_now
) -> float | None:
    """Return how many seconds to wait; a date is measured against the answer's own clock, or ours."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return min(float(text), 86_400.0)
    until = http_date(text)
    if until is None:
        return None
    now = http_date(headers.get("date", "")) or clock()
    return min(max((until - now).total_seconds(), 0.0), 86_400.0)


def http_date(text: str) -> datetime | None:
    """Parse a date of a header; None if it is none."""
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def raise_for_page_status(status: int, headers: Mapping[str, str]) -> None:
    """Turn a site's refusal into its typed cause; a 2xx and a 304 pass."""
    if 200 <= status < 300 or status == 304:
        return
    if headers.get("cf-mitigated", "").lower() == "challenge":
        raise errors.Captcha("outside.site_captcha", http=status, status=status)
    if status in (404, 410):
        raise errors.Missing("outside.page_missing", http=status, status=status)
    if status == 429:
        wait = retry_after(headers)
        raise errors.RateLimited("outside.site_slow_down", status=status, retry_after=wait)
    if status == 408:
        raise errors.Timeout("outside.site_gave_up", status=status)
    if status >= 500:
        wait = retry_after(headers)
        raise errors.ServerFault(
            "outside.site_failed", http=status, status=status, retry_after=wait
        )
    if status in (401, 402, 403, 407, 451):
        raise errors.Refused("outside.site_refused", http=status, status=status)
    raise errors.Unreadable("outside.site_answered", http=status, status=status)


def _detail(body: bytes) -> str:
    """Extract the reason that an API gives, at most one line; bodies come in many shapes."""
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    for _ in range(3):
        if isinstance(found, list) and found:
            found = cast("list[object]", found)[0]
        if not isinstance(found, dict):
            break
        fields = cast("dict[str, object]", found)
        found = next(
            (fields[k] for k in ("error", "detail", "message", "msg") if k in fields), None
        )
    return " ".join(found.split())[:200] if isinstance(found, str) else ""
