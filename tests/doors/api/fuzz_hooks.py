"""What a schema cannot express, for schemathesis: a signature of the body, and a time in the past."""

from __future__ import annotations

import hashlib
import hmac
import time
from typing import Any

import schemathesis

SECRET = b"s3cret-of-tests"
HEADER = "X-Groundwire-Signature"


def _signed(request: Any) -> Any:
    body = request.body or b""
    body = body.encode() if isinstance(body, str) else body
    stamp = int(time.time())
    mac = hmac.new(SECRET, f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
    request.headers[HEADER] = f"t={stamp},v1={mac}"
    return request


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Replace a made-up signature by the true one; leave out what was left out."""
    if case.path == "/api/intake" and HEADER in (case.headers or {}):
        kwargs["auth"] = _signed


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """Date messages in the 2010s: nobody publishes in the future, or before there was a web. Give
    watches what can be kept: no schema tells a rule from other words, or the input of another job."""
    if context.operation.path == "/api/watches":
        _keepable(body)
    if context.operation.path == "/api/runs" and isinstance(body, dict):
        _name_subject(body.get("input"))
    if context.operation.path == "/api/intake":
        for message in body if isinstance(body, list) else [body]:
            at = message.get("published_at") if isinstance(message, dict) else None
            if isinstance(at, str) and at[:4].isdigit():
                message["published_at"] = f"201{at[3:]}"
    return body


def _name_subject(given: Any) -> None:
    """Give a command somebody to watch: no schema tells a name from another word."""
    command = given.get("command") if isinstance(given, dict) else None
    if isinstance(command, str) and 0 < len(command) <= 300:
        given["command"] = "Monitor DeepSeek"


def _keepable(body: Any) -> None:
    """Replace what has the right type by what can be used; what has not is left to be refused."""
    if not isinstance(body, dict):
        return
    usual = {"schedule": ("every 6h", 80), "zone": ("UTC", 60), "quiet": ("", 40)}
    for name, (text, most) in usual.items():
        if isinstance(body.get(name), str) and len(body[name]) <= most:
            body[name] = text
    if isinstance(body.get("to"), list) and all(isinstance(each, str) for each in body["to"]):
        body["to"] = []
    if isinstance(body.get("options"), dict):
        body["options"] = {}
    given, kind = body.get("input", {}), body.get("kind", "")
    if isinstance(given, dict) and isinstance(kind, str) and len(kind) <= 40:
        asked = not body.get("run_id")
        body |= {"input": {"question": "Why?"} if asked else {}, "kind": "ask" if asked else ""}
