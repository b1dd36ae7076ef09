"""The stubs of search engines: what each of them does that its form does not say."""

from __future__ import annotations

import html
import json
import re
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import quote

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.engines import (
    HTML,
    Asked,
    Engine,
    Headers,
    Moments,
    Search,
    Sites,
    day,
    domains,
    number,
    params,
    through,
)
from lab.stubs.faults import Fault
from lab.stubs.finder import SearchRequest, SearchRow, digest
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.shapes import Values

_MONTH = 1_419_704  # seconds until a month's quota begins anew


class Tavily(Engine):
    """It knows no operators; an advanced search gives longer snippets."""

    name = "tavily"
    seconds = 0.0  # that it says it took

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        return super().page(path, asked, fault) if path.rstrip("/") == "/search" else self.say(404)

    def wanted(self, asked: Asked, news: bool) -> SearchRequest:
        length = 1200 if asked.get("search_depth") == "advanced" else 500
        return replace(super().wanted(asked, news), length=length)

    def moments(self, asked: Asked) -> Moments:
        span = asked.get("time_range")  # it goes before the days
        return self.span(str(span)[0], "{1}") if span else super().moments(asked)

    def found(self, wanted: SearchRequest, fault: Fault | None) -> list[SearchRow]:
        return self.finder.rows(wanted, fault)

    def more(self, search: Search) -> Values:
        asked = search.asked
        plain = json.dumps(asked, sort_keys=True)
        return {
            "raw": bool(asked.get("include_raw_content")),
            "answered": bool(asked.get("include_answer")),
            "usage": asked.get("include_usage") is True,
            "credits": 2 if asked.get("search_depth") == "advanced" else 1,
            "time": round(self.seconds, 2),
            "request_id": str(uuid.UUID(bytes=digest(plain)[:16], version=4)),
        }


class SearXNG(Engine):
    """It has no key and no plan; a format that is not switched on is refused with 403."""

    name = "searxng"

    def key(self, request: Inbound) -> str:
        return request.bearer or "none"

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        if asked.get("format") != "json":
            return self.refuse(403, Fault("unauthorized"))
        return super().page(path, asked, fault)

    def more(self, search: Search) -> Values:
        silent = search.fault is not None and search.fault.detail == "unresponsive"
        return {"gone": [["brave", "timeout"], ["google", "CAPTCHA"]] if silent else []}


class Brave(Engine):
    """Rates and quotas are told in headers of its own; a wrong key is a wrong parameter."""

    name = "brave"

    def wanted(self, asked: Asked, news: bool) -> SearchRequest:
        limit = number(asked.get("count", 20), 50 if news else 20)
        wanted = super().wanted({**asked, "count": 1}, news)
        if len(wanted.query.split()) > 50:
            raise BadRequest("q has more than 50 words")
        return replace(wanted, limit=limit)

    def written(self, text: str) -> str:
        return text.replace("&", "&amp;")

    def waiting(self, status: int, fault: Fault) -> Headers:
        reset = {429: min(round(fault.seconds), 60), 432: 60}
        return (("x-ratelimit-reset", f"{reset[status]}, {_MONTH}"),) if status in reset else ()


class Exa(Engine):
    """Its moments are no days; it says what an answer cost."""

    name = "exa"

    def moments(self, asked: Asked) -> Moments:
        since, until = (
            datetime.fromisoformat(said) if isinstance(said := asked.get(end), str) else None
            for end in self.form.days[:2]
        )
        return since, until

    def more(self, search: Search) -> Values:
        contents = search.asked.get("contents")
        kinds = contents if isinstance(contents, dict) else {}
        return {
            "marked": bool(kinds.get("highlights")),
            "whole": bool(kinds.get("text")),
            "cost": round(0.005 + 0.001 * len(search.found) * len(kinds), 6),
        }


class Bocha(Engine):
    """Its refusals have a code in the body; with the detail `inside` their status is 200."""

    name = "bocha"

    def moments(self, asked: Asked) -> Moments:
        free = asked.get("freshness") == "noLimit"
        return (None, None) if free else super().moments(asked)

    def more(self, search: Search) -> Values:
        return {"long": search.asked.get("summary") is True}

    def say(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        reply = super().say(status, message, fault)
        return replace(reply, status=200) if fault and fault.detail == "inside" else reply


class Perplexity(Engine):
    """Its domains are all wanted or all unwanted; an empty account is a 401 of its own type."""

    name = "perplexity"

    def sites(self, asked: Asked) -> Sites:
        listed = domains(asked.get("search_domain_filter"), 20)
        unwanted = tuple(name[1:] for name in listed if name.startswith("-"))
        if unwanted and len(unwanted) != len(listed):
            raise BadRequest("search_domain_filter is either an allowlist or a denylist")
        return () if unwanted else listed, unwanted


class Serper(Engine):
    """Google's results; an empty account is a bad request."""

    name = "serper"

    def moments(self, asked: Asked) -> Moments:
        said = [
            re.search(rf"{name}:([\d/]+)", str(asked.get("tbs"))) for name in ("cd_min", "cd_max")
        ]
        ends = [day(found[1], "%m/%d/%Y") if found else None for found in said]
        return through(*ends) if any(ends) else super().moments(asked)

    def more(self, search: Search) -> Values:
        return {"credits": 2 if search.wanted.limit > 10 else 1}


class Google(Engine):
    """The key and the engine's id stand in the address; a day's quota is told by its text alone."""

    name = "google"

    def key(self, request: Inbound) -> str:
        return params(request).get("key", "")

    def moments(self, asked: Asked) -> Moments:
        recent, sort = super().moments(asked), str(asked.get("sort") or "")
        return self.span(sort.removeprefix("date:r:"), "", ":", "%Y%m%d") if sort else recent


class Ddgs(Engine):
    """DuckDuckGo's page without scripts. `rate_limited` with the detail `captcha` asks for ducks."""

    name = "ddgs"

    def page(self, path: str, asked: Asked, fault: Fault | None) -> StubReply:
        if path != "/html/":
            return StubReply(301, headers=(("location", "/html/"),))
        wanted = self.wanted(asked, news=False)
        if re.search(r"(?:^|\s)!\w", wanted.query):  # a command: off to another site
            return StubReply(303, headers=(("location", "https://elsewhere.example/"),))
        return _page("".join(map(_result, self.found(wanted, fault))) or _NO_RESULTS)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        captcha = fault.detail == "captcha"
        return _page(_CAPTCHA, 202) if captcha else super().refuse(status, fault)

    def say(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        return _page("<p>Error getting results</p>", status)


_NO_RESULTS = (
    '<div class="result results_links results_links_deep web-result result--no-result">'
    '<div class="no-results">No results.</div></div>'
)
_CAPTCHA = (
    '<form id="challenge-form" action="//duckduckgo.example/anomaly.js" method="POST">'
    '<div class="anomaly-modal__title">Bots use it, too.</div></form>'
)


def _page(content: str, status: int = 200) -> StubReply:
    body = (
        f'<!DOCTYPE html><html><body><div id="links" class="results">{content}</div></body></html>'
    )
    return StubReply(status, body.encode("utf-8", "surrogatepass"), media=HTML)


def _result(row: SearchRow) -> str:
    link = f"//duckduckgo.com/l/?uddg={quote(row.url, safe='')}&amp;rut=0"
    at = f"<span>&nbsp; {row.moment:%Y-%m-%d}T00:00:00.0000000</span>" if row.moment else ""
    return (
        '<div class="result results_links results_links_deep web-result ">'
        f'<h2 class="result__title"><a class="result__a" href="{link}">{html.escape(row.title)}</a>'
        f'</h2><div class="result__extras"><a class="result__url" href="{link}">page</a>{at}</div>'
        f'<a class="result__snippet" href="{link}">{html.escape(row.snippet)}</a></div>'
    )


class Gdelt(Engine):
    """It says what is wrong in a sentence, as a 200; `rate_limited` with the detail `inside`, too."""

    name = "gdelt"

    def wanted(self, asked: Asked, news: bool) -> SearchRequest:
        given = {name.lower(): str(value) for name, value in asked.items()}
        if given.get("mode", "").lower() != "artlist":
            raise BadRequest("Invalid mode.")
        query = given.get("query", "")
        operators = re.findall(r"(-?)(domain|domainis|sourcelang|sourcecountry):([^\s()]+)", query)
        bare = re.sub(r"-?\b\w+:[^\s()]+|[()]|\bOR\b", " ", query)
        short = [word for word in bare.replace('"', " ").split() if len(word) < 3]
        if not bare.strip() or (short and '"' not in bare):
            raise BadRequest("One or more of your keywords were too short, too long or too common.")
        include = tuple(name for minus, kind, name in operators if kind == "domain" and not minus)
        exclude = tuple(name for minus, _, name in operators if minus)
        limit = number(given.get("maxrecords", "75"), 250)
        return SearchRequest(bare.replace('"', ""), limit, include, exclude, *self.moments(given))

    def moments(self, asked: Asked) -> Moments:
        if "timespan" in asked:
            units = {"d": 1, "w": 7, "m": 31}
            found = re.fullmatch(r"(\d+)([dwm])", str(asked["timespan"]))
            if found is None:
                raise BadRequest("Timespan is invalid.")
            return self.recent(int(found[1]) * units[found[2]])
        form = "%Y%m%d%H%M%S"
        return day(asked.get("startdatetime"), form), day(asked.get("enddatetime"), form)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        said = b"Please limit requests to one every 5 seconds or contact us for larger queries."
        body = said if status == 429 else b"The service is unavailable."
        if fault.detail == "inside":
            return StubReply(200, body, media=HTML)
        return StubReply(status, body, HTML, self.waiting(status, fault))

    def say(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        return StubReply(200, message.encode(), media=HTML)


class Wikipedia(Engine):
    """The search of the MediaWiki API: titles and snippets; errors stand in the body of a 200."""

    name = "wikipedia"

    def refuse(self, status: int, fault: Fault) -> StubReply:
        if fault.detail != "inside":
            return super().refuse(status, fault)
        code = "ratelimited" if status == 429 else "internal_api_error_DBQueryError"
        return json_reply({"error": {"code": code, "info": "You've exceeded your rate limit."}})

    def say(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        return json_reply({"error": {"code": "badvalue", "info": message}})


class HackerNews(Engine):
    """Algolia's index of the forum; its refusals are objects with a message."""

    name = "hackernews"

    def moments(self, asked: Asked) -> Moments:
        ends: dict[str, datetime] = {}
        for part in filter(None, str(asked.get("numericFilters", "")).split(",")):
            found = re.fullmatch(r"created_at_i(>=|<)(\d+)", part)
            if found is None:
                raise BadRequest("invalid filters")
            ends[found[1]] = datetime.fromtimestamp(int(found[2]), UTC)
        return ends.get(">="), ends.get("<")


ENGINES: dict[str, type[Engine]] = {each.name: each for each in Engine.__subclasses__()}
