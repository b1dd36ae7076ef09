"""The OpenAPI document, made once a process and only by who asks for it: it takes a second."""

from __future__ import annotations

from functools import cache
from typing import Any

from groundwire.doors.api import application


@cache
def document() -> dict[str, Any]:
    return application.document()


def schemas() -> dict[str, Any]:
    return document()["components"]["schemas"]
