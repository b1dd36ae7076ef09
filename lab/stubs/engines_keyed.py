"""Stubs of engines that want a key or a server of one's own: their forms, checks and refusals."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.engines import (
    DAYS,
    Asked,
    Engine,
    Headers,
    Moments,
    Refusals,
    at,
    day,
    names,
    params,
    through,
)
from lab.stubs.faults import Fault
from lab.stubs.finder import SearchRow
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.terms import Json

_MONTH = 1_419_704  # seconds until a month's quota begins anew
_BEIJING = timedelta(hours=8)


class SearXNG(Engine):
    """It has no key and no plan; a format that is not switched on is refused with 403."""

    name = "searxng"
    most = 2_000
    refusals: ClassVar[Refusals] = {500: (0, "", "")}

    def key(self, request: Inbound) -> str:
        return request.bearer or "none"

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        if asked.get("format") != "json":
            return self.refuse(403, Fault("unauthorized"))
        span = self.span(str(asked.get("time_range", "")), "{0}")
        rows = self.found(self.wanted(asked.get("q"), 20, 20, span), fault)
        silent = fault is not None and fault.detail == "unresponsive"
        gone: list[Json] = [["brave", "timeout"], ["google", "CAPTCHA"]] if silent else []
        news = asked.get("categories") == "news"
        return json_reply(
            {
                "query": asked["q"],
                "results": [self._row(row, news) for row in rows],
                "answers": [],
                "unresponsive_engines": gone,
            }
        )

    def _row(self, row: SearchRow, news: bool) -> Json:
        return {
            "url": row.url,
            "title": row.title,
            "content": row.snippet,
            "publishedDate": at(row) if news else None,
            "engine": "stub",
            "score": row.score,
            "category": "news" if news else "general",
        }

    def refuse(self, status: int, fault: Fault) -> StubReply:
        body = f"<h1>{status}</h1>".encode()
        return StubReply(status, body, "text/html", self.waiting(status, fault))


class Brave(Engine):
    """Rates and quotas are told in headers of its own; a wrong key is a wrong parameter."""

    name = "brave"
    routes = ("GET /res/v1/web/search", "GET /res/v1/news/search")
    header = "x-subscription-token"
    most = 400
    refusals: ClassVar[Refusals] = {
        400: (422, "VALIDATION", ""),
        401: (422, "SUBSCRIPTION_TOKEN_INVALID", "The token is invalid."),
        429: (429, "RATE_LIMITED", "Request rate limit exceeded for plan"),
        432: (429, "QUOTA_LIMITED", "Quota limit exceeded for plan"),
        500: (0, "INTERNAL", "Internal error"),
    }

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        news = path.endswith("/news/search")
        span = self.span(str(asked.get("freshness", "")), "p{1}", "to")
        wanted = self.wanted(asked.get("q"), asked.get("count", 20), 50 if news else 20, span)
        if len(wanted.query.split()) > 50:
            raise BadRequest("q has more than 50 words")
        if not re.fullmatch(r"[A-Z]{2,3}", str(asked.get("country", "US"))):
            raise BadRequest("country must be a code of two letters")
        if not re.fullmatch(r"[a-z]{2}(-[a-z]+)?", str(asked.get("search_lang", "en"))):
            raise BadRequest("search_lang is not known")
        rows = [self._row(row) for row in self.found(wanted, fault)]
        about: Json = {"original": wanted.query, "more_results_available": False}
        if news:
            return json_reply({"type": "news", "query": about, "results": rows})
        body: dict[str, Json] = {"type": "search", "query": about, "mixed": {"type": "mixed"}}
        if rows:  # without results the answer has no such part
            body["web"] = {"type": "search", "results": rows}
        return json_reply(body)

    def _row(self, row: SearchRow) -> Json:
        return {
            "title": row.title.replace("&", "&amp;"),
            "url": row.url,
            "description": row.snippet.replace("&", "&amp;"),
            "page_age": at(row),
        }

    def error(self, status: int, code: str, message: str) -> Json:
        error: Json = {"id": "0", "status": status, "code": code, "detail": message, "meta": {}}
        return {"type": "ErrorResponse", "error": error}

    def waiting(self, status: int, fault: Fault) -> Headers:
        reset = {429: min(round(fault.seconds), 60), 432: 60}
        return (("x-ratelimit-reset", f"{reset[status]}, {_MONTH}"),) if status in reset else ()


class Exa(Engine):
    """It says what an answer cost."""

    name = "exa"
    routes = ("POST /search",)
    header = "x-api-key"
    most = 5_000
    refusals: ClassVar[Refusals] = {
        400: (400, "INVALID_REQUEST_BODY", ""),
        401: (401, "INVALID_API_KEY", "Invalid API key"),
        429: (429, "RATE_LIMITED", "Too many requests"),
        432: (402, "NO_MORE_CREDITS", "You have exceeded your credits limit."),
        500: (0, "INTERNAL_ERROR", "Internal error"),
    }

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        if asked.get("type", "auto") not in ("auto", "fast", "neural", "keyword"):
            raise BadRequest("Invalid search type")
        since, until = (
            datetime.fromisoformat(said) if isinstance(said := asked.get(end), str) else None
            for end in ("startPublishedDate", "endPublishedDate")
        )
        wanted = replace(
            self.wanted(asked.get("query"), asked.get("numResults", 10), 100, (since, until)),
            include=names(asked.get("includeDomains")),
            exclude=names(asked.get("excludeDomains")),
        )
        contents = asked.get("contents")
        kinds = contents if isinstance(contents, dict) else {}
        rows = [self._row(row, kinds) for row in self.found(wanted, fault)]
        total = round(0.005 + 0.001 * len(rows) * len(kinds), 6)
        return json_reply(
            {
                "requestId": "stub",
                "resolvedSearchType": "neural",
                "results": rows,
                "costDollars": {"total": total, "search": {"neural": 0.005}},
            }
        )

    def _row(self, row: SearchRow, kinds: dict[str, Json]) -> Json:
        found: dict[str, Json] = {
            "id": row.url,
            "title": row.title,
            "url": row.url,
            "publishedDate": at(row, "%Y-%m-%dT%H:%M:%S.000Z"),
            "score": row.score,
        }
        if kinds.get("highlights"):
            found |= {"highlights": [row.snippet], "highlightScores": [0.5]}
        return found | {"text": row.text} if kinds.get("text") else found

    def error(self, status: int, code: str, message: str) -> Json:
        return {"requestId": "stub", "error": message, "tag": code}


class Bocha(Engine):
    """Its refusals have a code in the body; with the detail `inside` their status is 200."""

    name = "bocha"
    routes = ("POST /v1/web-search",)
    most = 2_000
    refusals: ClassVar[Refusals] = {
        400: (400, "", ""),
        401: (401, "", "Invalid API KEY"),
        429: (429, "", "You have reached the request limit"),
        432: (403, "", "You do not have enough money"),
        500: (0, "", "internal error"),
    }

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        include, exclude = (
            tuple(filter(None, re.split(r"[|,]", str(asked.get(name) or ""))))
            for name in ("include", "exclude")
        )
        if max(len(include), len(exclude)) > 20:
            raise BadRequest("more than 20 domains")
        freshness = str(asked.get("freshness", "noLimit")).removeprefix("noLimit")
        words = {f"one{name.capitalize()}": name for name in DAYS}
        span = self.span(words.get(freshness, freshness), "{0}", "..")
        wanted = self.wanted(asked.get("query"), asked.get("count", 10), 50, span)
        wanted = replace(wanted, include=include, exclude=exclude)
        long = asked.get("summary") is True
        rows = [self._row(row, long) for row in self.found(wanted, fault)]
        data: Json = {
            "queryContext": {"originalQuery": wanted.query},
            "webPages": {"webSearchUrl": "", "totalEstimatedMatches": len(rows), "value": rows},
        }
        return json_reply({"code": 200, "log_id": "stub", "msg": None, "data": data})

    def _row(self, row: SearchRow, long: bool) -> Json:
        local = (row.moment + _BEIJING).strftime("%Y-%m-%dT%H:%M:%S") if row.moment else None
        found: dict[str, Json] = {
            "name": row.title,
            "url": row.url,
            "snippet": row.snippet[:200],
            "datePublished": f"{local}+08:00" if local else None,
            "dateLastCrawled": f"{local}Z" if local else None,
        }
        return found | {"summary": row.snippet} if long else found

    def say(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        reply = super().say(status, message, fault)
        return replace(reply, status=200) if fault and fault.detail == "inside" else reply

    def error(self, status: int, code: str, message: str) -> Json:
        return {"code": str(status), "message": message, "log_id": "stub"}


class Perplexity(Engine):
    """Its domains are all wanted or all unwanted; an empty account is a 401 of its own type."""

    name = "perplexity"
    routes = ("POST /search",)
    most = 2_000
    refusals: ClassVar[Refusals] = {
        400: (400, "bad_request", ""),
        401: (401, "invalid_api_key", "Invalid API key provided."),
        429: (429, "rate_limit", "Too many requests"),
        432: (401, "insufficient_quota", "You exceeded your current quota."),
        500: (0, "internal", "Internal error"),
    }

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        listed = names(asked.get("search_domain_filter"))
        unwanted = tuple(name[1:] for name in listed if name.startswith("-"))
        if len(listed) > 20 or (unwanted and len(unwanted) != len(listed)):
            raise BadRequest("search_domain_filter is either an allowlist or a denylist of 20")
        limit = asked.get("max_results", 10)
        wanted = replace(
            self.wanted(asked.get("query"), limit, 20, self._moments(asked)),
            include=() if unwanted else listed,
            exclude=unwanted,
        )
        rows: list[Json] = [
            {"title": r.title, "url": r.url, "snippet": r.snippet, "date": at(r, "%Y-%m-%d")}
            for r in self.found(wanted, fault)
        ]
        return json_reply({"id": "stub", "results": rows})

    def _moments(self, asked: Asked) -> Moments:
        word = asked.get("search_recency_filter")
        ends = [asked.get(f"search_{end}_date_filter") for end in ("after", "before")]
        if word is not None and any(ends):
            raise BadRequest("search_recency_filter stands alone")
        if word is not None:
            return self.span(str(word), "{0}")
        return through(day(ends[0], "%m/%d/%Y"), day(ends[1], "%m/%d/%Y"))

    def error(self, status: int, code: str, message: str) -> Json:
        return {"error": {"message": message, "type": code, "code": status}}


class Serper(Engine):
    """Google's results; an empty account is a bad request."""

    name = "serper"
    routes = ("POST /search", "POST /news")
    header = "x-api-key"
    most = 2_048
    refusals: ClassVar[Refusals] = {
        400: (400, "", ""),
        401: (403, "", "Unauthorized."),
        432: (400, "", "Not enough credits"),
        500: (0, "", "Refused."),
    }

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        tbs = str(asked.get("tbs", ""))
        said = [re.search(rf"{name}:([\d/]+)", tbs) for name in ("cd_min", "cd_max")]
        ends = [day(found[1], "%m/%d/%Y") if found else None for found in said]
        span = through(*ends) if any(ends) else self.span(tbs, "qdr:{1}")
        wanted = self.wanted(asked.get("q"), asked.get("num", 10), 100, span)
        rows: list[Json] = [
            {
                "title": row.title,
                "link": row.url,
                "snippet": row.snippet,
                "date": at(row, "%b %d, %Y"),
                "position": place,
            }
            for place, row in enumerate(self.found(wanted, fault), start=1)
        ]
        about: Json = {"q": asked["q"], "type": path[1:], "engine": "google"}
        listed, price = "news" if path == "/news" else "organic", 2 if wanted.limit > 10 else 1
        return json_reply({"searchParameters": about, listed: rows, "credits": price})

    def error(self, status: int, code: str, message: str) -> Json:
        return {"message": message, "statusCode": status}


class Google(Engine):
    """The key and the engine's id stand in the address; a day's quota is told by its text alone."""

    name = "google"
    routes = ("GET /customsearch/v1",)
    most = 2_048
    refusals: ClassVar[Refusals] = {
        400: (400, "badRequest", ""),
        401: (400, "badRequest", "API key not valid. Please pass a valid API key."),
        429: (429, "rateLimitExceeded", "Quota exceeded for limit 'Queries per minute per user'."),
        432: (
            429,
            "rateLimitExceeded",
            "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'.",
        ),
        500: (0, "backendError", "Backend error"),
    }

    def key(self, request: Inbound) -> str:
        return params(request).get("key", "")

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        if not asked.get("cx"):
            raise BadRequest("Request contains an invalid argument.")
        span = self.span(str(asked.get("dateRestrict", "")), "{1}1")
        if sort := str(asked.get("sort", "")):
            span = self.span(sort.removeprefix("date:r:"), "", ":", "%Y%m%d")
        wanted = self.wanted(asked.get("q"), asked.get("num", 10), 10, span)
        rows = [self._row(row) for row in self.found(wanted, fault)]
        body: dict[str, Json] = {
            "kind": "customsearch#search",
            "searchInformation": {"searchTime": 0.1, "totalResults": str(len(rows))},
        }
        if rows:  # without results the answer has no such part
            body["items"] = rows
        return json_reply(body)

    def _row(self, row: SearchRow) -> Json:
        tags: Json = {"article:published_time": f"{at(row)}Z"} if row.moment else {}
        return {
            "title": row.title,
            "link": row.url,
            "snippet": row.snippet[:300],
            "pagemap": {"metatags": [tags]},
        }

    def error(self, status: int, code: str, message: str) -> Json:
        error: dict[str, Json] = {
            "code": status,
            "message": message,
            "errors": [{"message": message, "domain": "global", "reason": code}],
        }
        if message == self.refusals[401][2]:
            error["details"] = [{"@type": "ErrorInfo", "reason": "API_KEY_INVALID"}]
        return {"error": error}


ENGINES = (SearXNG, Brave, Exa, Bocha, Perplexity, Serper, Google)
