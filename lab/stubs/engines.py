"""Search engines on loopback: what their stubs share.

The requests, answers and refusals of an engine are a row of `engines.json`; behaviour that no other
engine has is a class in `vendors.py`. Each answers in its vendor's wire form, over the same small
web, with the same faults: refusals have the vendor's own status and words.
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
from lab.stubs.shapes import Slot, Values, fill, shapes
from lab.stubs.terms import Json, terms

Headers: TypeAlias = tuple[tuple[str, str], ...]
Moments: TypeAlias = tuple[datetime | None, datetime | None]
Sites: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]  # wanted ones, and unwanted ones
Params: TypeAlias = Mapping[str, Json]  # of a request, by the vendor's names
HTML = "text/html; charset=utf-8"
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
_BEIJING = timedelta(hours=8)
_SITE = re.compile(r"(?:\s|^)(-?)site:(\S+)")


class Form(BaseModel):
    """The wire form of one engine."""

    routes: tuple[str, ...] = ()  # method and path of what it serves; (): anything
    key: str = "authorization"  # the header that holds its key; "": it wants none
    most: int = 0  # characters of a query
    query: str = "q"  # the parameter that holds it
    limit: tuple[Json, ...] = ()  # of results: the parameter, its default, most, least
    checks: dict[str, str] = {}  # patterns of other parameters
    # The parameters with wanted and with unwanted domains, and how many may be named.
    sites: tuple[str, str, int] = ("", "", 0)
    # The parameter with a span of time as one word; how it writes days, weeks and so on; what
    # separates the first day from the last, where both can be named.
    span: tuple[str, ...] = ()
    # The parameters of both ends, and how days are written.
    days: tuple[str, str, str] = ("", "", "")
    row: Json = None
    body: Json = None
    news: Json = None  # the body of news, where it differs
    error: Json = {"error": "$message"}
    page: str = ""  # a refusal that is a page
    # For a wrong request (400), a wrong key (401), too many calls (429), a plan that is used up (432)
    # and anything else (500): the vendor's status (0: unchanged), its code, its words.
    refusals: dict[int, tuple[int, str, str]] = {}


_FORMS = {name: Form.model_validate(given) for name, given in shapes("engines").items()}


@dataclass(frozen=True, slots=True)
class Search:
    """A request as it came, as it was read, and the rows found for it."""

    params: Params
    news: bool
    fault: Fault | None
    request: SearchRequest
    rows: list[SearchRow]


class Engine:
    """A stub of one engine: pure. It refuses the key `wrong` where it wants one."""

    name: str

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.form = _FORMS[self.name]

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Check the key, then answer or explain what is wrong with the request."""
        if self.key(request) in ("", "wrong"):
            return self.refuse(401, Fault("unauthorized"))
        if fault is not None and fault.kind == "wrong_schema":
            return json_reply({"ok": True, "documents": [{"href": "https://a.example/"}]})
        try:
            params = request.json() if request.method == "POST" else query_params(request)
            if self.form.routes and f"{request.method} {request.path}" not in self.form.routes:
                raise BadRequest("no such endpoint")
            for name, pattern in self.form.checks.items():
                if not re.fullmatch(pattern, str(params.get(name) or "")):
                    raise BadRequest(f"Invalid {name}.")
            return self.page(request.path, params, fault)
        except ValueError as bad:
            return self.fail(400, str(bad))

    def key(self, request: Inbound) -> str:
        """Return the key that was sent; any text where none is wanted."""
        if self.form.key == "authorization":
            return request.bearer or ""
        return request.headers.get(self.form.key, "") if self.form.key else "none"

    def page(self, path: str, params: Params, fault: Fault | None) -> StubReply:
        """Answer the request; raise `ValueError` for one that the vendor would refuse."""
        news = "news" in path or "news" in (params.get("categories"), params.get("topic"))
        request = self.read_request(params, news)
        found = self.search(request, fault)
        extra = self.extra_values(Search(params, news, fault, request, found))
        rows = [
            fill(self.form.row, {**self._row(row, n, news, request.query), **extra})
            for n, row in enumerate(found)
        ]
        values: Values = {
            "query": request.query,
            "rows": rows,
            "count": len(rows),
            "counted": str(len(rows)),
            "first": found[0].snippet if found else None,
            **extra,
        }
        body = self.form.news if news and self.form.news else self.form.body
        return json_reply(fill(body, values))

    def _row(self, row: SearchRow, place: int, news: bool, query: str) -> dict[str, Slot]:
        return {
            "url": row.url,
            "title": self.escape(row.title),
            "snippet": lambda most: self.escape(row.snippet)[: int(most) if most else None],
            "marked": lambda most: _highlight(row.snippet[: int(most)], query),
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

    def escape(self, text: str) -> str:
        """Return a title or a snippet as the vendor writes it."""
        return text

    def extra_values(self, search: Search) -> Values:
        """Return further values that the vendor's form has."""
        return {}

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """Refuse in the vendor's error shape: 401, 429, 432 (its plan is used up) or 5xx."""
        if not self.form.page:
            return self.fail(status, fault=fault)
        body = self.form.page.replace("$status", str(status))
        return StubReply(status, body.encode(), HTML, self.wait_headers(status, fault))

    def fail(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        """Return one of the `refusals`, with the vendor's status and how long to wait."""
        known = self.form.refusals
        if status == 433 and status not in known:
            status = 432
        vendor_status, code, words = known.get(status, known[500])
        sent, text = vendor_status or status, message or words
        of_key = 401 in known and text == known[401][2]
        values: Values = {
            "status": sent,
            "digits": str(sent),
            "code": code,
            "message": text,
            "of_key": of_key,
        }
        headers = self.wait_headers(status, fault) if fault else ()
        return json_reply(fill(self.form.error, values), sent, headers)

    def wait_headers(self, status: int, fault: Fault) -> Headers:
        """Return headers that say how long to wait, for a refusal that asks for it."""
        waits = status == 429 and (fault.seconds or self.form.key)
        return (("retry-after", f"{fault.seconds:g}"),) if waits else ()

    def read_request(self, params: Params, news: bool) -> SearchRequest:
        """Read the search that is asked for; raise `ValueError` if it is not allowed."""
        query = params.get(self.form.query)
        if not isinstance(query, str) or not query.strip():
            raise BadRequest("the query is missing")
        if len(query) > self.form.most:
            raise BadRequest(f"the query is longer than {self.form.most} characters")
        name, default, most, *least = self.form.limit
        limit = read_count(params.get(str(name), default), most, *least)
        return SearchRequest(query, limit, *self.read_sites(params), *self.read_span(params))

    def read_sites(self, params: Params) -> Sites:
        """Read the wanted and unwanted sites that the request names."""
        include, exclude, most = self.form.sites
        return parse_domains(params.get(include), most), parse_domains(params.get(exclude), most)

    def read_span(self, params: Params) -> Moments:
        """Read the span of time that the request names, by a word or by its ends."""
        first, last, form = self.form.days
        ends = [params.get(name) for name in (first, last)]
        name, *spelling = self.form.span or ("", "")
        word = params.get(name)
        if not word:
            return day_range(*(parse_day(end, form) for end in ends)) if form else (None, None)
        if any(ends):
            raise BadRequest(f"{name} stands alone")
        return self.parse_span(str(word), *spelling)

    def search(self, request: SearchRequest, fault: Fault | None) -> list[SearchRow]:
        """Search, with the `site:` operators of the query taken out of its text."""
        include = tuple(name for minus, name in _SITE.findall(request.query) if not minus)
        exclude = tuple(name for minus, name in _SITE.findall(request.query) if minus)
        text = re.sub(r"\bOR\b", " ", _SITE.sub(" ", request.query)) if include or exclude else ""
        if text:
            include, exclude = (*request.include, *include), (*request.exclude, *exclude)
            request = replace(request, query=text, include=include, exclude=exclude)
        return self.finder.rows(request, fault)

    def recent(self, days: int) -> Moments:
        """Return the span from so many days ago until now."""
        return self.finder.now() - timedelta(days=days), self.finder.now()

    def parse_span(
        self, word: str, names: str, separator: str = "", form: str = "%Y-%m-%d"
    ) -> Moments:
        """Parse a span of time that is given as one word, see `Form.span`."""
        for name, days in _DAYS.items():
            if word == names.format(name, name[0], name.capitalize()):
                return self.recent(days)
        first, separated, last = word.partition(separator) if separator else (word, "", "")
        if not separated and separator != "..":
            raise BadRequest("no such span of time")
        return day_range(parse_day(first, form), parse_day(last or first, form))


def query_params(request: Inbound) -> dict[str, str]:
    """Return the parameters in the address."""
    return dict(parse_qsl(request.query, keep_blank_values=True))


def read_count(value: Json, most: Json, least: Json = 1) -> int:
    """Read a count within its bounds, from a number or from digits."""
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    if isinstance(value, bool) or value not in range(cast("int", least), cast("int", most) + 1):
        raise BadRequest(f"the number of results must be between {least} and {most}")
    return cast("int", value)


def parse_day(written: Json, form: str = "%Y-%m-%d") -> datetime | None:
    """Parse a day as its midnight in UTC; None for none, `ValueError` for anything else."""
    return datetime.strptime(str(written), form).replace(tzinfo=UTC) if written else None


def day_range(first: datetime | None, last: datetime | None) -> Moments:
    """Return the span from one day through another, both included."""
    return first, last + timedelta(days=1) if last is not None else None


def parse_domains(value: Json, most: int) -> tuple[str, ...]:
    """Read a limited number of domains, from a list or from one text."""
    listed = re.split(r"[|,]", value) if isinstance(value, str) else value or []
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise BadRequest("there must be a list of strings")
    found = tuple(str(each).lower().removeprefix("www.") for each in listed if each)
    if len(found) > most:
        raise BadRequest(f"more than {most} domains")
    return found


def _highlight(snippet: str, query: str) -> str:
    """Mark the first word of the query as MediaWiki does."""
    marked = html.escape(snippet)
    for word in terms(query)[:1]:
        found = re.compile(re.escape(word), re.IGNORECASE)
        marked = found.sub(r'<span class="searchmatch">\g<0></span>', marked)
    return marked
