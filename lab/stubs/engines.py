"""Search engines on loopback: what their stubs share.

What an engine's requests, answers and refusals look like is a row of `engines.json`; what it does
that no other does is a class in `vendors.py`. Each answers in its vendor's wire form, over the same
small web, with the same faults: refusals have the vendor's own status and words.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias, cast
from urllib.parse import parse_qsl

from pydantic import BaseModel

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.faults import Fault
from lab.stubs.finder import Finder, SearchRequest, SearchRow
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.shapes import Told, Values, fill, shapes
from lab.stubs.terms import Json, terms

Headers: TypeAlias = tuple[tuple[str, str], ...]
Moments: TypeAlias = tuple[datetime | None, datetime | None]
Sites: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]  # wanted ones, and unwanted ones
Asked: TypeAlias = Mapping[str, Json]  # what a request asks, by the vendor's names
HTML = "text/html; charset=utf-8"
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
_BEIJING = timedelta(hours=8)
_SITE = re.compile(r"(?:\s|^)(-?)site:(\S+)")


class Form(BaseModel):
    """The wire form of one engine."""

    routes: tuple[str, ...] = ()  # method and path of what it serves; (): whatever
    key: str = "authorization"  # the header that its key is sent in; "": it wants none
    most: int = 0  # characters of a query
    query: str = "q"  # the parameter that holds it
    limit: tuple[Json, ...] = ()  # of results: the parameter, what it is without, most, least
    checks: dict[str, str] = {}  # what other parameters look like
    # The parameters with wanted and with unwanted domains, and how many may be named.
    sites: tuple[str, str, int] = ("", "", 0)
    # The parameter with a span of time as one word; how days, weeks and so on are called in it; what
    # parts the first day from the last, where both can be named.
    span: tuple[str, ...] = ()
    # The parameters of both ends, and how days are written.
    days: tuple[str, str, str] = ("", "", "")
    row: Json = None
    body: Json = None
    news: Json = None  # the body of news, where it is another
    error: Json = {"error": "$message"}
    page: str = ""  # a refusal that is a page
    # What is said of a wrong request (400), a wrong key (401), a rate (429), a plan that is used up
    # (432) and anything else (500): the vendor's status (0: as it was), its code, its words.
    refusals: dict[int, tuple[int, str, str]] = {}


_FORMS = {name: Form.model_validate(given) for name, given in shapes("engines").items()}


@dataclass(frozen=True, slots=True)
class Search:
    """A request, what it wants, and what was found for it."""

    asked: Asked
    news: bool
    fault: Fault | None
    wanted: SearchRequest
    found: list[SearchRow]


class Engine:
    """A stub of one engine: pure. It refuses the key `wrong` where it wants one."""

    name: str

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.form = _FORMS[self.name]

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Check the key, answer, or say what is wrong with the request."""
        if self.key(request) in ("", "wrong"):
            return self.refuse(401, Fault("unauthorized"))
        if fault is not None and fault.kind == "wrong_schema":
            return json_reply({"ok": True, "documents": [{"href": "https://a.example/"}]})
        try:
            asked = request.json() if request.method == "POST" else params(request)
            if self.form.routes and f"{request.method} {request.path}" not in self.form.routes:
                raise BadRequest("no such endpoint")
            for name, pattern in self.form.checks.items():
                if not re.fullmatch(pattern, str(asked.get(name) or "")):
                    raise BadRequest(f"Invalid {name}.")
            return self.page(request.path, asked, fault)
        except ValueError as bad:
            return self.say(400, str(bad))

    def key(self, request: Inbound) -> str:
        """The key that was sent; any text where none is wanted."""
        if self.form.key == "authorization":
            return request.bearer or ""
        return request.headers.get(self.form.key, "") if self.form.key else "none"

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        """The answer; a `ValueError` for a request that the vendor would refuse."""
        news = "news" in path or "news" in (asked.get("categories"), asked.get("topic"))
        wanted = self.wanted(asked, news)
        found = self.found(wanted, fault)
        more = self.more(Search(asked, news, fault, wanted, found))
        rows = [
            fill(self.form.row, {**self._row(row, n, news, wanted), **more})
            for n, row in enumerate(found)
        ]
        values: Values = {
            "query": wanted.query,
            "rows": rows,
            "count": len(rows),
            "counted": str(len(rows)),
            "first": found[0].snippet if found else None,
            **more,
        }
        body = self.form.news if news and self.form.news else self.form.body
        return json_reply(fill(body, values))

    def _row(
        self, row: SearchRow, place: int, news: bool, wanted: SearchRequest
    ) -> dict[str, Told]:
        return {
            "url": row.url,
            "title": self.written(row.title),
            "snippet": lambda most: self.written(row.snippet)[: int(most) if most else None],
            "marked": lambda most: _marked(row.snippet[: int(most)], wanted.query),
            "text": row.text or None,
            "score": row.score,
            "place": place + 1,
            "id": lambda first: str(int(first) + place),
            "at": lambda form: row.moment.strftime(form) if row.moment else None,
            "beijing": lambda form: (row.moment + _BEIJING).strftime(form) if row.moment else None,
            "dated": row.moment is not None,
            "news": news and row.moment is not None,
            "category": "news" if news else "general",
        }

    def written(self, text: str) -> str:
        """A title or a snippet as the vendor writes it."""
        return text

    def more(self, search: Search) -> Values:
        """What else its form says of an answer."""
        return {}

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """A refusal in the vendor's error shape: 401, 429, 432 (its plan is used up) or 5xx."""
        if not self.form.page:
            return self.say(status, fault=fault)
        body = self.form.page.replace("$status", str(status))
        return StubReply(status, body.encode(), HTML, self.waiting(status, fault))

    def say(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        """One of the `refusals`, in the vendor's status, and with how long to wait."""
        known = self.form.refusals
        if status == 433 and status not in known:
            status = 432
        own, code, words = known.get(status, known[500])
        sent, said = own or status, message or words
        of_key = 401 in known and said == known[401][2]
        values: Values = {
            "status": sent,
            "digits": str(sent),
            "code": code,
            "message": said,
            "of_key": of_key,
        }
        headers = self.waiting(status, fault) if fault else ()
        return json_reply(fill(self.form.error, values), sent, headers)

    def waiting(self, status: int, fault: Fault) -> Headers:
        """How long to wait, with a refusal that asks for it, as most vendors say it."""
        asks = status == 429 and (fault.seconds or self.form.key)
        return (("retry-after", f"{fault.seconds:g}"),) if asks else ()

    def wanted(self, asked: Asked, news: bool) -> SearchRequest:
        """The search that is asked for, or a `ValueError`."""
        query = asked.get(self.form.query)
        if not isinstance(query, str) or not query.strip():
            raise BadRequest("the query is missing")
        if len(query) > self.form.most:
            raise BadRequest(f"the query is longer than {self.form.most} characters")
        name, default, most, *least = self.form.limit
        limit = number(asked.get(str(name), default), most, *least)
        return SearchRequest(query, limit, *self.sites(asked), *self.moments(asked))

    def sites(self, asked: Asked) -> Sites:
        """The sites that the request names."""
        include, exclude, most = self.form.sites
        return domains(asked.get(include), most), domains(asked.get(exclude), most)

    def moments(self, asked: Asked) -> Moments:
        """The span of time that the request names, by a word or by its ends."""
        first, last, form = self.form.days
        ends = [asked.get(name) for name in (first, last)]
        name, *how = self.form.span or ("", "")
        word = asked.get(name)
        if not word:
            return through(*(day(end, form) for end in ends)) if form else (None, None)
        if any(ends):
            raise BadRequest(f"{name} stands alone")
        return self.span(str(word), *how)

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
        """A span of time as one word, see `Form.span`."""
        for name, days in _DAYS.items():
            if word == names.format(name, name[0], name.capitalize()):
                return self.recent(days)
        first, dots, last = word.partition(between) if between else (word, "", "")
        if not dots and between != "..":
            raise BadRequest("no such span of time")
        return through(day(first, form), day(last or first, form))


def params(request: Inbound) -> dict[str, str]:
    """The parameters in the address."""
    return dict(parse_qsl(request.query, keep_blank_values=True))


def number(value: Json, most: Json, least: Json = 1) -> int:
    """A count in its bounds, as a number or as digits."""
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    if isinstance(value, bool) or value not in range(cast("int", least), cast("int", most) + 1):
        raise BadRequest(f"the number of results must be between {least} and {most}")
    return cast("int", value)


def day(written: Json, form: str = "%Y-%m-%d") -> datetime | None:
    """Midnight of a day, in UTC; None where none is written, a `ValueError` if it is none."""
    return datetime.strptime(str(written), form).replace(tzinfo=UTC) if written else None


def through(first: datetime | None, last: datetime | None) -> Moments:
    """From a day through another, both included."""
    return first, last + timedelta(days=1) if last is not None else None


def domains(value: Json, most: int) -> tuple[str, ...]:
    """So many domains at most: a list of them, or as one text."""
    listed = re.split(r"[|,]", value) if isinstance(value, str) else value or []
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise BadRequest("there must be a list of strings")
    found = tuple(str(each).lower().removeprefix("www.") for each in listed if each)
    if len(found) > most:
        raise BadRequest(f"more than {most} domains")
    return found


def _marked(snippet: str, query: str) -> str:
    """With the first word of the query in bold, as MediaWiki writes it."""
    marked = html.escape(snippet)
    for word in terms(query)[:1]:
        found = re.compile(re.escape(word), re.IGNORECASE)
        marked = found.sub(r'<span class="searchmatch">\g<0></span>', marked)
    return marked
