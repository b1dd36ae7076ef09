"""A Tavily on loopback: search over the pages of the stub web."""

from __future__ import annotations

import json
import uuid
from email.utils import format_datetime
from typing import ClassVar

from lab.stubs.calllog import BadRequest
from lab.stubs.engines import DAYS, Asked, Engine, Refusals, day, names, text, through
from lab.stubs.faults import Fault
from lab.stubs.finder import Finder, SearchRequest, SearchRow, digest
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json

_CHOICES = {
    "time_range": (None, *DAYS, *(name[0] for name in DAYS)),
    "topic": (None, "general", "news", "finance"),
    "search_depth": (None, "basic", "advanced", "fast", "ultra-fast"),
}


class Tavily(Engine):
    """It demands a bearer key and refuses the key `wrong`."""

    name = "tavily"
    most = 400
    refusals: ClassVar[Refusals] = {
        400: (0, "", "Bad request."),
        401: (0, "", "Unauthorized: missing or invalid API key."),
        404: (0, "", "Not found."),
        429: (0, "", "Too many requests, please slow down."),
        432: (0, "", "This request exceeds the usage limit of your plan."),
        433: (0, "", "This request exceeds the pay-as-you-go limit."),
        500: (0, "", "Internal server error."),
    }

    def __init__(self, finder: Finder, latency: float = 0.0) -> None:
        super().__init__(finder)
        self._time = round(latency, 2)

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        if path.rstrip("/") != "/search":
            return self.say(404)
        wanted = self._checked(asked)
        rows = [self._row(row, asked) for row in self.finder.rows(wanted, fault)]
        first = rows[0]["content"] if rows and asked.get("include_answer") else None
        plain = json.dumps(asked, sort_keys=True)
        body: dict[str, Json] = {
            "query": wanted.query,
            "follow_up_questions": None,
            "answer": first,
            "images": [],
            "results": list(rows),
            "response_time": self._time,
            "request_id": str(uuid.UUID(bytes=digest(plain)[:16], version=4)),
        }
        if asked.get("include_usage") is True:
            body["usage"] = {"credits": 2 if asked.get("search_depth") == "advanced" else 1}
        return json_reply(body)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        return self.say(status, fault=fault)

    def error(self, status: int, code: str, message: str) -> Json:
        return {"detail": {"error": message}}

    def _checked(self, asked: Asked) -> SearchRequest:
        limit, span = asked.get("max_results", 5), asked.get("time_range")
        if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit <= 20:
            raise BadRequest("max_results must be between 0 and 20")
        for name, choices in _CHOICES.items():
            if asked.get(name) not in choices:
                raise BadRequest(f"Invalid {name}.")
        since, until = through(day(asked.get("start_date")), day(asked.get("end_date")))
        if span is not None:
            since, until = self.span(str(span)[0], "{1}")
        include, exclude = (
            tuple(name.lower().removeprefix("www.") for name in names(asked.get(f"{side}_domains")))
            for side in ("include", "exclude")
        )
        length = 1200 if asked.get("search_depth") == "advanced" else 500
        query = text(asked.get("query"), self.most)
        return SearchRequest(query, limit, include, exclude, since, until, length)

    def _row(self, row: SearchRow, asked: Asked) -> dict[str, Json]:
        found: dict[str, Json] = {
            "url": row.url,
            "title": row.title,
            "content": row.snippet,
            "score": row.score,
            "raw_content": row.text or None if asked.get("include_raw_content") else None,
        }
        if asked.get("topic") == "news" and row.moment is not None:
            found["published_date"] = format_datetime(row.moment, usegmt=True)
        return found
