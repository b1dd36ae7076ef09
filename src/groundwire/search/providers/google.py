"""Google's Custom Search JSON API: GET with the key and the engine's id in the address."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import ClassVar, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from groundwire.errors import AuthRejected, PlanLimit, RateLimited
from groundwire.gateway.status import retry_after
from groundwire.gateway.vendor import Foreign, answer, fitting, json_object
from groundwire.model.base import Json, JsonObject
from groundwire.model.query import Hit, Query
from groundwire.search.answers import Result, WebAddress, Words, hits, moment
from groundwire.search.phrasing import country_code, query_language, span, with_sites
from groundwire.search.provider import ApiRequest, HttpProvider, Listed, ProviderOptions

_MOST_WORDS = 32
_RECENT = {"day": "d1", "week": "w1", "month": "m1", "year": "y1"}
_CHINESE = {"": "lang_zh-CN|lang_zh-TW", "hans": "lang_zh-CN", "hant": "lang_zh-TW"}
_LANGUAGES = frozenset(
    [
        "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "hr", "hu",
        "id", "is", "it", "iw", "ja", "ko", "lt", "lv", "nl", "no", "pl", "pt", "ro", "ru",
        "sk", "sl", "sr", "sv", "tr",
    ]
)  # fmt: skip
_USED_UP = frozenset({"dailyLimitExceeded", "quotaExceeded", "dailyLimitExceededUnreg"})
_TOO_FAST = frozenset({"rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED"})
_BAD_KEY = frozenset({"keyInvalid", "API_KEY_INVALID", "keyExpired", "API_KEY_EXPIRED"})
_DATES = ("article:published_time", "datepublished", "pubdate", "og:article:published_time", "date")


class Options(ProviderOptions):
    cx: str | None = None  # the id of the Programmable Search Engine


class _PageMap(Foreign):
    metatags: list[JsonObject] = Field(default_factory=list[JsonObject])


class _Result(Result):
    url: WebAddress = Field(alias="link")
    content: Words = Field(default="", alias="snippet")
    pagemap: Json = None

    def published_at(self) -> datetime | None:
        """Return a page's own date, where Google passes it on."""
        tags = fitting(_PageMap, self.pagemap)
        written = (group.get(name) for group in (tags.metatags if tags else ()) for name in _DATES)
        return next((found for each in written if (found := moment(each)) is not None), None)


class _Answer(Foreign):
    """Without results the answer has its kind and no items."""

    kind: Literal["customsearch#search"]
    items: list[Json] = Field(default_factory=list[Json])


class _Cause(Foreign):
    reason: str = ""


class _Refusal(Foreign):
    message: Words = ""
    errors: list[_Cause] = Field(default_factory=list[_Cause])
    details: list[_Cause] = Field(default_factory=list[_Cause])


class Provider(HttpProvider[Options]):
    name: ClassVar[str] = "google"
    base: ClassVar[str] = "https://customsearch.googleapis.com"
    key_hint: ClassVar[str] = "GOOGLE_CSE_KEY"
    preference: ClassVar[int] = 35
    listed: ClassVar[Listed | None] = Listed(
        usd_per_credit=0.005,
        free_credits=100,
        renewed="day",
        zone="America/Los_Angeles",
        as_of=date(2025, 12, 31),
        source="Custom Search JSON API, price list of 2025: 100 free a day, USD 5 per 1,000",
    )
    max_query: ClassVar[int] = 2_000
    Options: ClassVar[type[ProviderOptions]] = Options

    def lacks(self) -> str | None:
        needed = {self.key_hint: self.key, "GOOGLE_CSE_ID": self.options.cx}
        return " and ".join(name for name, value in needed.items() if not value) or None

    def request(self, query: Query) -> ApiRequest:
        params = {
            "cx": self.options.cx or "",
            "q": with_sites(query, self.max_query, _MOST_WORDS),
            "num": str(min(query.max_results, 10)),
        }
        if country := country_code(query.country):
            params["gl"] = country
        language = query_language(query.language)
        if language is not None and language.code == "zh":
            params["lr"] = _CHINESE[language.script]
        elif language is not None and language.code in _LANGUAGES:
            params["lr"] = f"lang_{language.code}"
        return ApiRequest("GET", self.url("/customsearch/v1"), params=params | _time_limits(query))

    def secret_params(self) -> dict[str, str]:
        return {"key": self.key} if self.key else {}

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        refusal = fitting(_Refusal, json_object(body).get("error")) if status >= 400 else None
        if refusal is not None:
            reasons = {cause.reason for cause in (*refusal.errors, *refusal.details)}
            code = "outside.answered_detail"
            detail = " ".join(refusal.message.split())[:200]
            about: JsonObject = {"who": "google", "http": status, "detail": detail}
            if reasons & _BAD_KEY:
                raise self.wrong_key(status)
            # The reason of a used-up day is also "rateLimitExceeded"; only the text tells.
            if reasons & _USED_UP or "per day" in refusal.message.lower():
                wait = retry_after(headers) or _until_midnight(headers)
                raise PlanLimit(code, status=status, retry_after=wait, **about)
            if reasons & _TOO_FAST:
                raise RateLimited(code, status=status, retry_after=retry_after(headers), **about)
            if status == 403:
                raise AuthRejected(
                    "outside.answered_set", status=status, setting=self.key_hint, **about
                )
        super().check(status, headers, body)

    def parse(self, body: Json, query: Query) -> list[Hit]:
        return hits(self.name, _Result, answer(self.name, _Answer, body).items)


def _time_limits(query: Query) -> dict[str, str]:
    """Limit by recency, or by a range of the page's date; a range needs both ends."""
    times = span(query.time_range)
    if times.word is not None:
        return {"dateRestrict": _RECENT[times.word]}
    if times.closed is None:
        return {}
    return {"sort": "date:r:{:%Y%m%d}:{:%Y%m%d}".format(*times.closed)}


def _until_midnight(headers: Mapping[str, str]) -> float | None:
    """Count the seconds until the day's quota is renewed, at midnight in California."""
    try:
        now = parsedate_to_datetime(headers.get("date", "")).astimezone(
            ZoneInfo("America/Los_Angeles")
        )
    except (ValueError, ZoneInfoNotFoundError):
        return None
    midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), now.tzinfo)
    return (midnight - now).total_seconds()
