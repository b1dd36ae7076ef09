"""Stubs of the two ways to Google's results: its own API, and Serper's."""

from __future__ import annotations

import re

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.engines import (
    DAYS,
    Engine,
    Headers,
    Moments,
    day,
    iso,
    number,
    params,
    recent,
    text,
    through,
    wait,
)
from lab.stubs.faults import Fault
from lab.stubs.finder import SearchRequest, SearchRow
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json


class Serper(Engine):
    """Google's results; an empty account is a bad request."""

    name = "serper"

    def key(self, request: Inbound) -> str:
        return request.headers.get("x-api-key", "")

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        body = request.json()
        if request.method != "POST" or request.path not in ("/search", "/news"):
            raise BadRequest("no such endpoint")
        limit = number(body.get("num", 10), "num", 100)
        since, until = self._span(str(body.get("tbs", "")))
        wanted = SearchRequest(text(body.get("q"), "q", 2_048), limit, (), (), since, until)
        rows: list[Json] = [
            {
                "title": row.title,
                "link": row.url,
                "snippet": row.snippet,
                "date": row.moment.strftime("%b %d, %Y") if row.moment else None,
                "position": place,
            }
            for place, row in enumerate(self.found(wanted, fault), start=1)
        ]
        listed = "news" if request.path == "/news" else "organic"
        about: Json = {"q": body["q"], "type": request.path[1:], "engine": "google"}
        return json_reply(
            {"searchParameters": about, listed: rows, "credits": 2 if limit > 10 else 1}
        )

    def _span(self, tbs: str) -> Moments:
        if not tbs:
            return None, None
        words = {f"qdr:{name[0]}": days for name, days in DAYS.items()}
        if tbs in words:
            return recent(self.finder, words[tbs])
        said = [re.search(rf"{name}:([\d/]+)", tbs) for name in ("cd_min", "cd_max")]
        ends = [day(found[1], "%m/%d/%Y") if found else None for found in said]
        return through(ends[0], ends[1])

    def wrong(self, message: str) -> StubReply:
        return json_reply({"message": message, "statusCode": 400}, 400)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        if status == 401:
            return json_reply({"message": "Unauthorized.", "statusCode": 403}, 403)
        if status in (432, 433):
            return json_reply({"message": "Not enough credits", "statusCode": 400}, 400)
        headers = wait(fault) if status == 429 else ()
        return json_reply({"message": "Refused.", "statusCode": status}, status, headers)


class Google(Engine):
    """The key and the engine's id stand in the address; a day's quota is told by its text alone."""

    name = "google"

    def key(self, request: Inbound) -> str:
        return params(request).get("key", "")

    def page(self, request: Inbound, fault: Fault | None) -> StubReply:
        asked = params(request)
        if f"{request.method} {request.path}" != "GET /customsearch/v1" or not asked.get("cx"):
            raise BadRequest("Request contains an invalid argument.")
        limit = number(asked.get("num", 10), "num", 10)
        since, until = self._span(asked)
        wanted = SearchRequest(text(asked.get("q"), "q", 2_048), limit, (), (), since, until)
        rows = [self._row(row) for row in self.found(wanted, fault)]
        body: dict[str, Json] = {
            "kind": "customsearch#search",
            "url": {"type": "application/json"},
            "queries": {"request": [{"searchTerms": asked["q"], "count": limit}]},
            "searchInformation": {"searchTime": 0.1, "totalResults": str(len(rows))},
        }
        if rows:  # without results the answer has no such part
            body["items"] = rows
        return json_reply(body)

    def _span(self, asked: dict[str, str]) -> Moments:
        words = {f"{name[0]}1": days for name, days in DAYS.items()}
        if "dateRestrict" in asked:
            if asked["dateRestrict"] not in words:
                raise BadRequest("Invalid dateRestrict")
            return recent(self.finder, words[asked["dateRestrict"]])
        if not asked.get("sort"):
            return None, None
        first, last = asked["sort"].removeprefix("date:r:").split(":")
        return through(day(first, "%Y%m%d"), day(last, "%Y%m%d"))

    def _row(self, row: SearchRow) -> Json:
        tags: Json = {"article:published_time": f"{iso(row)}Z"} if row.moment else {}
        return {
            "kind": "customsearch#result",
            "title": row.title,
            "link": row.url,
            "snippet": row.snippet[:300],
            "pagemap": {"metatags": [tags]},
        }

    def wrong(self, message: str) -> StubReply:
        return self._error(400, "badRequest", message)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        if status == 401:
            said = "API key not valid. Please pass a valid API key."
            return self._error(400, "badRequest", said, detail="API_KEY_INVALID")
        if status in (432, 433):
            said = "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'."
            return self._error(429, "rateLimitExceeded", said)
        if status == 429:
            said = "Quota exceeded for limit 'Queries per minute per user'."
            return self._error(429, "rateLimitExceeded", said, wait(fault))
        return self._error(status, "backendError", "Backend error")

    def _error(
        self,
        status: int,
        reason: str,
        said: str,
        headers: Headers = (),
        detail: str = "",
    ) -> StubReply:
        error: dict[str, Json] = {
            "code": status,
            "message": said,
            "errors": [{"message": said, "domain": "global", "reason": reason}],
        }
        if detail:
            error["details"] = [{"@type": "ErrorInfo", "reason": detail}]
        return json_reply({"error": error}, status, headers)


ENGINES = (Serper, Google)
