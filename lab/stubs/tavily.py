"""A Tavily on loopback: search and extract over the pages of the stub web."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.engines import foreign
from lab.stubs.faults import Fault
from lab.stubs.finder import Finder, SearchRequest, SearchRow, digest
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json

MAX_QUERY = 400
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
_RANGES = _DAYS | {name[0]: days for name, days in _DAYS.items()}
_MESSAGES = {
    400: "Bad request.",
    401: "Unauthorized: missing or invalid API key.",
    404: "Not found.",
    429: "Too many requests, please slow down.",
    432: "This request exceeds the usage limit of your plan.",
    433: "This request exceeds the pay-as-you-go limit.",
}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A checked search request, and what of the answer was asked for."""

    search: SearchRequest
    news: bool
    advanced: bool
    raw: bool
    answer: bool


def _error(status: int, message: str = "") -> StubReply:
    text = message or _MESSAGES.get(status, "Internal server error.")
    return json_reply({"detail": {"error": text}}, status)


def _strings(body: dict[str, Json], name: str) -> tuple[str, ...]:
    raw = body.get(name) or []
    values = raw if isinstance(raw, list) else [raw]
    if not all(isinstance(value, str) for value in values):
        raise BadRequest(f"{name} must be a list of strings")
    return tuple(str(value).lower().removeprefix("www.") for value in values)


def _day(body: dict[str, Json], name: str) -> datetime | None:
    raw = body.get(name)
    if raw is None:
        return None
    try:
        return datetime.strptime(str(raw), "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise BadRequest(f"{name} must be a date of the form YYYY-MM-DD") from None


def _checked(body: dict[str, Json], now: datetime) -> _Wanted:
    query, limit, span = body.get("query"), body.get("max_results", 5), body.get("time_range")
    if not isinstance(query, str) or not query.strip():
        raise BadRequest("Query is missing.")
    if len(query) > MAX_QUERY:
        raise BadRequest(f"Query is too long. Max query length is {MAX_QUERY} characters.")
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit <= 20:
        raise BadRequest("max_results must be between 0 and 20")
    if span is not None and span not in _RANGES:
        raise BadRequest("Invalid time range.")
    if body.get("topic", "general") not in ("general", "news", "finance"):
        raise BadRequest("Invalid topic. Must be 'general', 'news' or 'finance'.")
    if body.get("search_depth", "basic") not in ("basic", "advanced", "fast", "ultra-fast"):
        raise BadRequest("Invalid search depth.")
    until = _day(body, "end_date")
    since = now - timedelta(days=_RANGES[span]) if isinstance(span, str) else None
    last = now if since else until + timedelta(days=1) if until else None
    advanced = body.get("search_depth") == "advanced"
    return _Wanted(
        search=SearchRequest(
            query=query,
            limit=limit,
            include=_strings(body, "include_domains"),
            exclude=_strings(body, "exclude_domains"),
            since=since or _day(body, "start_date"),
            until=last,
            length=1200 if advanced else 500,
        ),
        news=body.get("topic") == "news",
        advanced=advanced,
        raw=body.get("include_raw_content") not in (None, False),
        answer=body.get("include_answer") not in (None, False),
    )


def _row(row: SearchRow, wanted: _Wanted) -> dict[str, Json]:
    found: dict[str, Json] = {
        "url": row.url,
        "title": row.title,
        "content": row.snippet,
        "score": row.score,
        "raw_content": row.text if wanted.raw and row.text else None,
    }
    if wanted.news and row.moment is not None:
        found["published_date"] = format_datetime(row.moment, usegmt=True)
    return found


class Tavily:
    """The stub itself; it demands a bearer key and refuses the key `wrong`."""

    name = "tavily"

    def __init__(self, finder: Finder, latency: float = 0.0) -> None:
        self._finder = finder
        self._time = round(latency, 2)

    def answer(self, request: Inbound, fault: Fault | None) -> StubReply:
        """Route and answer."""
        if request.bearer in (None, "wrong"):
            return _error(401)
        if fault is not None and fault.kind == "wrong_schema":
            return foreign()
        where = f"{request.method} {request.path.rstrip('/')}"
        try:
            if where == "POST /search":
                return self._search(request.json(), fault)
            if where == "POST /extract":
                return self._extract(request.json(), fault)
        except ValueError as bad:
            return _error(400, str(bad))
        return _error(404)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        """An error in Tavily's shape."""
        wait = (("retry-after", f"{fault.seconds:g}"),) if status == 429 else ()
        return StubReply(status, _error(status).body, headers=wait)

    def _frame(self, body: dict[str, Json], credits: int) -> dict[str, Json]:
        plain = json.dumps(body, sort_keys=True)
        frame: dict[str, Json] = {"response_time": self._time}
        frame["request_id"] = str(uuid.UUID(bytes=digest(plain)[:16], version=4))
        if body.get("include_usage") is True:
            frame["usage"] = {"credits": credits}
        return frame

    def _search(self, body: dict[str, Json], fault: Fault | None) -> StubReply:
        wanted = _checked(body, self._finder.now())
        rows = [_row(row, wanted) for row in self._finder.rows(wanted.search, fault)]
        first = rows[0]["content"] if rows and wanted.answer else None
        return json_reply(
            {
                "query": wanted.search.query,
                "follow_up_questions": None,
                "answer": first,
                "images": [],
                "results": list(rows),
                **self._frame(body, 2 if wanted.advanced else 1),
            }
        )

    def _extract(self, body: dict[str, Json], fault: Fault | None) -> StubReply:
        raw = body.get("urls")
        urls = [raw] if isinstance(raw, str) else raw
        if not isinstance(urls, list) or not urls or not all(isinstance(u, str) for u in urls):
            raise BadRequest("urls must be a URL or a list of URLs")
        if len(urls) > 20:
            raise BadRequest("Max 20 URLs are allowed.")
        results: list[Json] = []
        failed: list[Json] = []
        for url in map(str, urls):
            leaf = self._finder.web.locate(url)
            if fault is not None and fault.kind == "lying":
                results.append({"url": url, "raw_content": "Nothing happened.", "images": []})
            elif leaf is None or (fault is not None and fault.kind == "empty"):
                failed.append({"url": url, "error": "Failed to fetch url"})
            else:
                results.append({"url": url, "raw_content": self._finder.text(leaf), "images": []})
        credits = -(-len(results) // 5)
        frame = self._frame(body, credits * (2 if body.get("extract_depth") == "advanced" else 1))
        return json_reply({"results": results, "failed_results": failed, **frame})
