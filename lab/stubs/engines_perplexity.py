"""A stub of Perplexity's search: its form, its checks and its refusals."""

from __future__ import annotations

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.engines import (
    DAYS,
    Engine,
    Headers,
    Moments,
    day,
    names,
    number,
    recent,
    text,
    through,
    wait,
)
from lab.stubs.faults import Fault
from lab.stubs.finder import SearchRequest, SearchRow
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json

_MOST_DOMAINS = 20


class Perplexity(Engine):
    """Its domains are all wanted or all unwanted; an empty account is a 401 of its own type."""

    name = "perplexity"

    def key(self, request: Inbound) -> str:
        return request.bearer or ""

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        body = request.json()
        if f"{request.method} {request.path}" != "POST /search":
            raise BadRequest("no such endpoint")
        include, exclude = self._domains(body)
        since, until = self._moments(body)
        wanted = SearchRequest(
            text(body.get("query"), "query", 2_000),
            number(body.get("max_results", 10), "max_results", 20),
            include,
            exclude,
            since,
            until,
        )
        rows: list[Json] = [self._row(row) for row in self.found(wanted, fault)]
        return json_reply({"id": "stub", "results": rows})

    def _domains(self, body: dict[str, Json]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        listed = names(body.get("search_domain_filter"), "search_domain_filter")
        unwanted = tuple(name[1:] for name in listed if name.startswith("-"))
        if len(listed) > _MOST_DOMAINS or (unwanted and len(unwanted) != len(listed)):
            raise BadRequest("search_domain_filter is either an allowlist or a denylist of 20")
        return ((), unwanted) if unwanted else (listed, ())

    def _moments(self, body: dict[str, Json]) -> Moments:
        word = body.get("search_recency_filter")
        ends = [body.get(f"search_{end}_date_filter") for end in ("after", "before")]
        if word is not None:
            if word not in DAYS or any(ends):
                raise BadRequest("search_recency_filter stands alone")
            return recent(self.finder, DAYS[str(word)])
        first, last = (day(each, "%m/%d/%Y") if isinstance(each, str) else None for each in ends)
        return through(first, last)

    def _row(self, row: SearchRow) -> Json:
        moment = row.moment.strftime("%Y-%m-%d") if row.moment else None
        return {"title": row.title, "url": row.url, "snippet": row.snippet, "date": moment}

    def wrong(self, message: str) -> StubReply:
        return self._error(400, "bad_request", message)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        if status == 401:
            return self._error(401, "invalid_api_key", "Invalid API key provided.")
        if status in (432, 433):
            return self._error(401, "insufficient_quota", "You exceeded your current quota.")
        if status == 429:
            return self._error(429, "rate_limit", "Too many requests", wait(fault))
        return self._error(status, "internal", "Internal error")

    def _error(self, status: int, kind: str, said: str, headers: Headers = ()) -> StubReply:
        error: Json = {"message": said, "type": kind, "code": status}
        return json_reply({"error": error}, status, headers)


ENGINES = (Perplexity,)
