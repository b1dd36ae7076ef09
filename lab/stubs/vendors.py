"""The stubs of search engines: what each does beyond its wire form."""

from __future__ import annotations

import html
import json
import re
import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from lab.stubs.calllog import BadRequest, Inbound
from lab.stubs.engines import (
    HTML,
    Engine,
    Headers,
    Moments,
    Params,
    Search,
    Sites,
    day_range,
    parse_day,
    parse_domains,
    query_params,
    read_count,
)
from lab.stubs.faults import Fault
from lab.stubs.finder import SearchRequest, SearchRow, digest
from lab.stubs.harness import StubReply, json_reply
from lab.stubs.shapes import Values

_MONTH = 1_419_704  # seconds until a month's quota begins anew


class Tavily(Engine):
    """Knows no operators; an advanced search gives longer snippets."""

    name = "tavily"

    def page(self, path: str, params: Params, fault: Fault | None) -> StubReply:
        known = path.rstrip("/") == "/search"
        return super().page(path, params, fault) if known else self.fail(404)

    def read_request(self, params: Params, news: bool) -> SearchRequest:
        length = 1200 if params.get("search_depth") == "advanced" else 500
        return replace(super().read_request(params, news), length=length)

    def read_span(self, params: Params) -> Moments:
        span = params.get("time_range")  # takes precedence over the days
        return self.parse_span(str(span)[0], "{1}") if span else super().read_span(params)

    def search(self, request: SearchRequest, fault: Fault | None) -> list[SearchRow]:
        return self.finder.rows(request, fault)

    def extra_values(self, search: Search) -> Values:
        params = search.params
        plain = json.dumps(params, sort_keys=True)
        return {
            "raw": bool(params.get("include_raw_content")),
            "answered": bool(params.get("include_answer")),
            "usage": params.get("include_usage") is True,
            "credits": 2 if params.get("search_depth") == "advanced" else 1,
            "time": 0.0,
            "request_id": str(uuid.UUID(bytes=digest(plain)[:16], version=4)),
        }


class SearXNG(Engine):
    """Has no key and no plan; a format that is not switched on is refused with 403."""

    name = "searxng"

    def key(self, request: Inbound) -> str:
        return request.bearer or "none"

    def page(self, path: str, params: Params, fault: Fault | None) -> StubReply:
        if params.get("format") != "json":
            return self.refuse(403, Fault("unauthorized"))
        return super().page(path, params, fault)

    def extra_values(self, search: Search) -> Values:
        silent = search.fault is not None and search.fault.detail == "unresponsive"
        return {"gone": [["brave", "timeout"], ["google", "CAPTCHA"]] if silent else []}


class Brave(Engine):
    """States rates and quotas in headers of its own; a wrong key is a wrong parameter."""

    name = "brave"

    def read_request(self, params: Params, news: bool) -> SearchRequest:
        limit = read_count(params.get("count", 20), 50 if news else 20)
        request = super().read_request({**params, "count": 1}, news)
        if len(request.query.split()) > 50:
            raise BadRequest("q has more than 50 words")
        return replace(request, limit=limit)

    def escape(self, text: str) -> str:
        return text.replace("&", "&amp;")

    def wait_headers(self, status: int, fault: Fault) -> Headers:
        reset = {429: min(round(fault.seconds), 60), 432: 60}
        return (("x-ratelimit-reset", f"{reset[status]}, {_MONTH}"),) if status in reset else ()


class Exa(Engine):
    """Takes moments rather than days, and says what an answer cost."""

    name = "exa"

    def read_span(self, params: Params) -> Moments:
        since, until = (
            datetime.fromisoformat(text) if isinstance(text := params.get(end), str) else None
            for end in self.form.days[:2]
        )
        return since, until

    def extra_values(self, search: Search) -> Values:
        contents = search.params.get("contents")
        kinds = contents if isinstance(contents, dict) else {}
        return {
            "marked": bool(kinds.get("highlights")),
            "whole": bool(kinds.get("text")),
            "cost": round(0.005 + 0.001 * len(search.rows) * len(kinds), 6),
        }


class Bocha(Engine):
    """Puts a code into the body of a refusal; with the detail `inside` the status is 200."""

    name = "bocha"

    def read_span(self, params: Params) -> Moments:
        free = params.get("freshness") == "noLimit"
        return (None, None) if free else super().read_span(params)

    def extra_values(self, search: Search) -> Values:
        return {"long": search.params.get("summary") is True}

    def fail(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        reply = super().fail(status, message, fault)
        return replace(reply, status=200) if fault and fault.detail == "inside" else reply


class Perplexity(Engine):
    """Takes domains that are all wanted or all unwanted; an empty account is a 401 of its own type."""

    name = "perplexity"

    def read_sites(self, params: Params) -> Sites:
        listed = parse_domains(params.get("search_domain_filter"), 20)
        unwanted = tuple(name[1:] for name in listed if name.startswith("-"))
        if unwanted and len(unwanted) != len(listed):
            raise BadRequest("search_domain_filter is either an allowlist or a denylist")
        return () if unwanted else listed, unwanted


class Serper(Engine):
    """Google's results; an empty account is a bad request."""

    name = "serper"

    def read_span(self, params: Params) -> Moments:
        matches = [
            re.search(rf"{name}:([\d/]+)", str(params.get("tbs"))) for name in ("cd_min", "cd_max")
        ]
        ends = [parse_day(found[1], "%m/%d/%Y") if found else None for found in matches]
        return day_range(*ends) if any(ends) else super().read_span(params)

    def extra_values(self, search: Search) -> Values:
        return {"credits": 2 if search.request.limit > 10 else 1}


class Google(Engine):
    """Takes the key and the engine's id in the address; only the text tells a day's quota."""

    name = "google"

    def key(self, request: Inbound) -> str:
        return query_params(request).get("key", "")

    def read_span(self, params: Params) -> Moments:
        recent, sort = super().read_span(params), str(params.get("sort") or "")
        return self.parse_span(sort.removeprefix("date:r:"), "", ":", "%Y%m%d") if sort else recent


class Ddgs(Engine):
    """DuckDuckGo's page without scripts. `rate_limited` with the detail `captcha` asks for ducks."""

    name = "ddgs"

    def page(self, path: str, params: Params, fault: Fault | None) -> StubReply:
        if path != "/html/":
            return StubReply(301, headers=(("location", "/html/"),))
        request = self.read_request(params, news=False)
        if re.search(r"(?:^|\s)!\w", request.query):  # a command that leads to another site
            return StubReply(303, headers=(("location", "https://elsewhere.example/"),))
        return _page("".join(map(_result, self.search(request, fault))) or _NO_RESULTS)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        captcha = fault.detail == "captcha"
        return _page(_CAPTCHA, 202) if captcha else super().refuse(status, fault)

    def fail(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
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
    """Reports errors as a sentence in a 200; `rate_limited` with the detail `inside`, too."""

    name = "gdelt"

    def read_request(self, params: Params, news: bool) -> SearchRequest:
        lowered = {name.lower(): str(value) for name, value in params.items()}
        if lowered.get("mode", "").lower() != "artlist":
            raise BadRequest("Invalid mode.")
        query = lowered.get("query", "")
        operators = re.findall(r"(-?)(domain|domainis|sourcelang|sourcecountry):([^\s()]+)", query)
        bare = re.sub(r"-?\b\w+:[^\s()]+|[()]|\bOR\b", " ", query)
        short = [word for word in bare.replace('"', " ").split() if len(word) < 3]
        if not bare.strip() or (short and '"' not in bare):
            raise BadRequest("One or more of your keywords were too short, too long or too common.")
        include = tuple(name for minus, kind, name in operators if kind == "domain" and not minus)
        exclude = tuple(name for minus, _, name in operators if minus)
        limit = read_count(lowered.get("maxrecords", "75"), 250)
        span = self.read_span(lowered)
        return SearchRequest(bare.replace('"', ""), limit, include, exclude, *span)

    def read_span(self, params: Params) -> Moments:
        if "timespan" in params:
            units = {"d": 1, "w": 7, "m": 31}
            found = re.fullmatch(r"(\d+)([dwm])", str(params["timespan"]))
            if found is None:
                raise BadRequest("Timespan is invalid.")
            return self.recent(int(found[1]) * units[found[2]])
        form = "%Y%m%d%H%M%S"
        first, last = params.get("startdatetime"), params.get("enddatetime")
        return parse_day(first, form), parse_day(last, form)

    def refuse(self, status: int, fault: Fault) -> StubReply:
        body = b"The service is unavailable."
        if status == 429:
            body = b"Please limit requests to one every 5 seconds or contact us for larger queries."
        if fault.detail == "inside":
            return StubReply(200, body, media=HTML)
        return StubReply(status, body, HTML, self.wait_headers(status, fault))

    def fail(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        return StubReply(200, message.encode(), media=HTML)


class Wikipedia(Engine):
    """The search of the MediaWiki API: titles and snippets; errors are in the body of a 200."""

    name = "wikipedia"

    def refuse(self, status: int, fault: Fault) -> StubReply:
        if fault.detail != "inside":
            return super().refuse(status, fault)
        code = "ratelimited" if status == 429 else "internal_api_error_DBQueryError"
        return json_reply({"error": {"code": code, "info": "You've exceeded your rate limit."}})

    def fail(self, status: int, message: str = "", fault: Fault | None = None) -> StubReply:
        return json_reply({"error": {"code": "badvalue", "info": message}})


class HackerNews(Engine):
    """Algolia's index of the forum; its refusals are objects with a message."""

    name = "hackernews"

    def read_span(self, params: Params) -> Moments:
        ends: dict[str, datetime] = {}
        for part in filter(None, str(params.get("numericFilters", "")).split(",")):
            found = re.fullmatch(r"created_at_i(>=|<)(\d+)", part)
            if found is None:
                raise BadRequest("invalid filters")
            ends[found[1]] = datetime.fromtimestamp(int(found[2]), UTC)
        return ends.get(">="), ends.get("<")


class Reddit(Engine):
    """The site's own JSON: a span is one word, and posts have no other date than their making."""

    name = "reddit"

    def read_span(self, params: Params) -> Moments:
        span = str(params.get("t", "all"))
        return (None, None) if span == "all" else self.parse_span(span, "{1}")


class GitHub(Engine):
    """Repositories; the days are an operator of the query."""

    name = "github"

    def read_request(self, params: Params, news: bool) -> SearchRequest:
        words, pushed, days = str(params.get("q", "")).partition(" pushed:")
        request = super().read_request({**params, "q": words}, news)
        if not pushed:
            return request
        first, _, last = days.partition("..")
        since, until = (datetime.fromisoformat(each).replace(tzinfo=UTC) for each in (first, last))
        return replace(request, since=since, until=until + timedelta(days=1))


ENGINES: dict[str, type[Engine]] = {each.name: each for each in Engine.__subclasses__()}
