"""Other engines on loopback: what their stubs share, and where they are found.

A module `engines_<which>.py` of this folder holds some and lists them as `ENGINES`; nothing else
has to be told. Each answers in its vendor's wire form, over the same small web, with the same
faults as the Tavily: refusals have the vendor's own status and words.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias, cast
from urllib.parse import parse_qsl

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.faults import Fault
from lab.stubs.finder import Finder, SearchRequest, SearchRow
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json

Headers: TypeAlias = tuple[tuple[str, str], ...]
Moments: TypeAlias = tuple[datetime | None, datetime | None]
DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
_SITE = re.compile(r"(?:\s|^)(-?)site:(\S+)")
_PREFIX = "engines_"


class Engine(ABC):
    """A stub of one engine. It refuses the key `wrong` where it wants one; both methods are pure."""

    name: str

    def __init__(self, finder: Finder) -> None:
        self.finder = finder

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Check the key, answer, or say what is wrong with the request."""
        if self.key(request) in ("", "wrong"):
            return self.refuse(401, Fault("unauthorized"))
        if fault is not None and fault.kind == "wrong_schema":
            return foreign()
        try:
            return self.page(request, fault)
        except ValueError as bad:
            return self.wrong(str(bad))

    @abstractmethod
    def key(self, request: Inbound) -> str:
        """The key that was sent; any text where none is wanted."""

    @abstractmethod
    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        """The answer; a `ValueError` for a request that the vendor would refuse."""

    @abstractmethod
    def refuse(self, status: int, fault: Fault) -> StubReply:
        """A refusal in the vendor's error shape: 401, 429, 432 (its plan is used up) or 5xx."""

    def wrong(self, message: str) -> StubReply:
        """The vendor's answer to a wrong request."""
        return json_reply({"error": message}, 400)

    def found(self, wanted: SearchRequest, fault: Fault | None) -> list[SearchRow]:
        """Rows for a query whose `site:` operators still stand in its text."""
        include = tuple(name for minus, name in _SITE.findall(wanted.query) if not minus)
        exclude = tuple(name for minus, name in _SITE.findall(wanted.query) if minus)
        text = re.sub(r"\bOR\b", " ", _SITE.sub(" ", wanted.query)) if include or exclude else ""
        if text:
            include, exclude = (*wanted.include, *include), (*wanted.exclude, *exclude)
            wanted = replace(wanted, query=text, include=include, exclude=exclude)
        return self.finder.rows(wanted, fault)


def foreign() -> StubReply:
    """An answer in the form of no engine."""
    return json_reply({"ok": True, "documents": [{"href": "https://a.example/"}]})


def known() -> dict[str, Callable[[Finder], Engine]]:
    """Every engine by its name."""
    package = importlib.import_module("lab.stubs")
    names = [m.name for m in pkgutil.iter_modules(package.__path__) if m.name.startswith(_PREFIX)]
    found: dict[str, Callable[[Finder], Engine]] = {}
    for name in sorted(names):
        module = importlib.import_module(f"{package.__name__}.{name}")
        for engine in cast("tuple[type[Engine], ...]", module.ENGINES):
            found[engine.name] = engine
    return found


def params(request: Inbound) -> dict[str, str]:
    """The parameters in the address."""
    return dict(parse_qsl(request.query, keep_blank_values=True))


def text(value: Json, name: str, most: int) -> str:
    """A query that is there and not too long."""
    if not isinstance(value, str) or not value.strip():
        raise BadRequest(f"{name} is missing")
    if len(value) > most:
        raise BadRequest(f"{name} is longer than {most} characters")
    return value


def number(value: Json, name: str, most: int) -> int:
    """A count from 1 to `most`, as a number or as digits."""
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadRequest(f"{name} must be between 1 and {most}")
    return value


def day(written: str, form: str = "%Y-%m-%d") -> datetime:
    """Midnight of a day, in UTC; a `ValueError` if it is none."""
    return datetime.strptime(written, form).replace(tzinfo=UTC)


def recent(finder: Finder, days: int) -> tuple[datetime, datetime]:
    """From so many days ago until now."""
    return finder.now() - timedelta(days=days), finder.now()


def through(first: datetime | None, last: datetime | None) -> Moments:
    """From a day through another, both included."""
    return first, last + timedelta(days=1) if last is not None else None


def instant(value: Json) -> datetime | None:
    """A moment with its zone, if there is one."""
    return datetime.fromisoformat(value) if isinstance(value, str) else None


def names(value: Json, name: str) -> tuple[str, ...]:
    """A list of strings, or nothing."""
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise BadRequest(f"{name} must be a list of strings")
    return tuple(str(each) for each in value)


def iso(row: SearchRow) -> str | None:
    """When the page was published, to the second, in UTC and without saying so."""
    return row.moment.strftime("%Y-%m-%dT%H:%M:%S") if row.moment else None


def wait(fault: Fault) -> Headers:
    """How long to wait, as most vendors say it."""
    return (("retry-after", f"{fault.seconds:g}"),)
