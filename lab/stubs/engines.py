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
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import ClassVar, TypeAlias, cast
from urllib.parse import parse_qsl

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.faults import Fault
from lab.stubs.finder import Finder, SearchRequest, SearchRow
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json

Headers: TypeAlias = tuple[tuple[str, str], ...]
Moments: TypeAlias = tuple[datetime | None, datetime | None]
Asked: TypeAlias = Mapping[str, Json]  # what a request asks, by the vendor's names
# By what went wrong: the vendor's status (0: as it was), its code, its words.
Refusals: TypeAlias = Mapping[int, tuple[int, str, str]]
DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
_SITE = re.compile(r"(?:\s|^)(-?)site:(\S+)")
_PREFIX = "engines_"


class Engine(ABC):
    """A stub of one engine: pure. It refuses the key `wrong` where it wants one."""

    name: str
    routes: ClassVar[tuple[str, ...]] = ()  # method and path of what it serves; (): whatever
    header: ClassVar[str] = "authorization"  # where its key is sent; "": it wants none
    most: ClassVar[int]  # characters of a query
    # What is said of a wrong request (400), a wrong key (401), a rate (429), a plan that is used
    # up (432) and anything else (500).
    refusals: ClassVar[Refusals] = {}

    def __init__(self, finder: Finder) -> None:
        self.finder = finder

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Check the key, answer, or say what is wrong with the request."""
        if self.key(request) in ("", "wrong"):
            return self.refuse(401, Fault("unauthorized"))
        if fault is not None and fault.kind == "wrong_schema":
            return foreign()
        try:
            asked = request.json() if request.method == "POST" else params(request)
            if self.routes and f"{request.method} {request.path}" not in self.routes:
                raise BadRequest("no such endpoint")
            return self.page(request.path, asked, fault)
        except ValueError as bad:
            return self.say(400, str(bad))

    def key(self, request: Inbound) -> str:
        """The key that was sent; any text where none is wanted."""
        if self.header == "authorization":
            return request.bearer or ""
        return request.headers.get(self.header, "") if self.header else "none"

    @abstractmethod
    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        """The answer; a `ValueError` for a request that the vendor would refuse."""

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """A refusal in the vendor's error shape: 401, 429, 432 (its plan is used up) or 5xx."""
        return self.say(432 if status == 433 else status, fault=fault)

    def say(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        """One of the `refusals`, in the vendor's status, and with how long to wait."""
        own, code, words = self.refusals.get(status, self.refusals[500])
        body = self.error(own or status, code, message or words)
        return json_reply(body, own or status, self.waiting(status, fault) if fault else ())

    def error(self, status: int, code: str, message: str) -> Json:
        """The body of a refusal."""
        return {"error": message}

    def waiting(self, status: int, fault: Fault) -> Headers:
        """How long to wait, with a refusal that asks for it, as most vendors say it."""
        return (("retry-after", f"{fault.seconds:g}"),) if status == 429 else ()

    def wanted(
        self, query: Json, limit: Json, most: int, span: Moments = (None, None)
    ) -> SearchRequest:
        """A search for at most `limit` pages, which may be `most`."""
        return SearchRequest(
            text(query, self.most), number(limit, most), since=span[0], until=span[1]
        )

    def found(self, wanted: SearchRequest, fault: Fault | None) -> list[SearchRow]:
        """Rows for a query whose `site:` operators still stand in its text."""
        include = tuple(name for minus, name in _SITE.findall(wanted.query) if not minus)
        exclude = tuple(name for minus, name in _SITE.findall(wanted.query) if minus)
        text = re.sub(r"\bOR\b", " ", _SITE.sub(" ", wanted.query)) if include or exclude else ""
        if text:
            include, exclude = (*wanted.include, *include), (*wanted.exclude, *exclude)
            wanted = replace(wanted, query=text, include=include, exclude=exclude)
        return self.finder.rows(wanted, fault)

    def recent(self, days: int) -> Moments:
        """From so many days ago until now."""
        return self.finder.now() - timedelta(days=days), self.finder.now()

    def span(self, word: str, names: str, between: str = "", form: str = "%Y-%m-%d") -> Moments:
        """A span of time as one word: `names` says how days, weeks and so on are called.

        `between` parts the first day from the last, where both can be named.
        """
        known = {names.format(name, name[0]): days for name, days in DAYS.items()}
        if not word:
            return None, None
        if word in known:
            return self.recent(known[word])
        first, dots, last = word.partition(between) if between else (word, "", "")
        if not dots and between != "..":
            raise BadRequest("no such span of time")
        return through(day(first, form), day(last or first, form))


def foreign() -> StubReply:
    """An answer in the form of no engine."""
    return json_reply({"ok": True, "documents": [{"href": "https://a.example/"}]})


def known() -> dict[str, type[Engine]]:
    """Every engine by its name."""
    package = importlib.import_module("lab.stubs")
    names = [m.name for m in pkgutil.iter_modules(package.__path__) if m.name.startswith(_PREFIX)]
    found: dict[str, type[Engine]] = {}
    for name in sorted(names):
        module = importlib.import_module(f"{package.__name__}.{name}")
        for engine in cast("tuple[type[Engine], ...]", module.ENGINES):
            found[engine.name] = engine
    return found


def params(request: Inbound) -> dict[str, str]:
    """The parameters in the address."""
    return dict(parse_qsl(request.query, keep_blank_values=True))


def text(value: Json, most: int) -> str:
    """A query that is there and not too long."""
    if not isinstance(value, str) or not value.strip():
        raise BadRequest("the query is missing")
    if len(value) > most:
        raise BadRequest(f"the query is longer than {most} characters")
    return value


def number(value: Json, most: int) -> int:
    """A count from 1 to `most`, as a number or as digits."""
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadRequest(f"the number of results must be between 1 and {most}")
    return value


def day(written: Json, form: str = "%Y-%m-%d") -> datetime | None:
    """Midnight of a day, in UTC; None where none is written, a `ValueError` if it is none."""
    return datetime.strptime(str(written), form).replace(tzinfo=UTC) if written else None


def through(first: datetime | None, last: datetime | None) -> Moments:
    """From a day through another, both included."""
    return first, last + timedelta(days=1) if last is not None else None


def names(value: Json) -> tuple[str, ...]:
    """A list of strings, or one alone, or nothing."""
    listed = value if isinstance(value, list) else [value] if value else []
    if not all(isinstance(each, str) for each in listed):
        raise BadRequest("there must be a list of strings")
    return tuple(map(str, listed))


def at(row: SearchRow, form: str = "%Y-%m-%dT%H:%M:%S") -> str | None:
    """When the page was published, in UTC."""
    return row.moment.strftime(form) if row.moment else None
