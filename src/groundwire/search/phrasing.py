"""Puts a question to an engine: words, time, sites, country and language as vendors take them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Literal, get_args

from groundwire.evidence.pages.filters import hosts, time_range
from groundwire.language.data import data_lines
from groundwire.model.query import Query

Word = Literal["day", "week", "month", "year"]
_WORDS: tuple[Word, ...] = get_args(Word)
_DAYS = dict(zip(_WORDS, (1, 7, 31, 366), strict=True))
Times = Literal["both", "days", "words"]  # what an engine can be told about time
_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)  # days that are written out need no clock
_EARLIEST, _LATEST = date(1990, 1, 1), date(2099, 12, 31)
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
_SIMPLIFIED = frozenset({"hans", "cn", "sg", "my"})


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A time range: a word, or first and last day, both included; an open end is None."""

    word: Word | None = None
    first: date | None = None
    last: date | None = None

    @property
    def closed(self) -> tuple[date, date] | None:
        """Both days, an open end set beyond all pages; None where there are neither."""
        if self.first is None and self.last is None:
            return None
        return self.first or _EARLIEST, self.last or _LATEST

    def written(self, words: Mapping[Word, str], between: str) -> str | None:
        """Write it in an engine's words, or as two days; None where there is no range."""
        if self.word is not None:
            return words[self.word]
        return between.join(map(str, self.closed)) if self.closed else None


def span(text: str | None) -> TimeRange:
    """Parse the time range of a query, empty when there is none; the chain checks the minutes."""
    if not text:
        return TimeRange()
    if text in _WORDS:
        return TimeRange(text)
    first, last = time_range(text, _ANY_TIME)
    return TimeRange(first=first.date() if first else None, last=last.date() if last else None)


def timed(query: Query, form: Times, now: datetime) -> Query:
    """Rewrite the query's time range in the form the engine takes, by the run's own clock.

    A word for days is the narrowest that covers them: the chain drops what is beyond.
    """
    times = span(query.time_range)
    if form == "days" and times.word is not None:
        first = now.astimezone(UTC).date() - timedelta(days=_DAYS[times.word])
        return query.model_copy(update={"time_range": f"{first.isoformat()}/"})
    if form == "words" and times.word is None and query.time_range:
        age = (now.astimezone(UTC).date() - times.first).days if times.first else None
        fits = [word for word in _WORDS if age is not None and age < _DAYS[word]]
        return query.model_copy(update={"time_range": fits[0] if fits else None})
    return query


def cut(text: str, chars: int, words: int | None = None) -> str:
    """Cut the text to one line, no longer than the engine reads."""
    parts = text.split()
    return " ".join(parts[:words])[:chars].rstrip()


def domains(sites: tuple[str, ...]) -> list[str]:
    """Return host names as engines take them, each once."""
    return list(dict.fromkeys(hosts(sites)))


def with_sites(query: Query, chars: int, words: int = 1000) -> str:
    """Append `site:` operators to the text, as many as half of what the engine reads has room for.

    Wanted sites come first: without them every result might have to be thrown away. OR binds
    closer than the space between words, so no brackets are needed.
    """
    room, places = chars // 2, words // 2
    wanted = ""
    for name in domains(query.include_domains):
        longer = f"{wanted} OR site:{name}" if wanted else f"site:{name}"
        if len(longer) > room or len(longer.split()) > places:
            break
        wanted = longer
    operators = [wanted] if wanted else []
    for name in domains(query.exclude_domains):
        longer = " ".join([*operators, f"-site:{name}"])
        if len(longer) > room or len(longer.split()) > places:
            break
        operators.append(f"-site:{name}")
    tail = " ".join(operators)
    if not tail:
        return cut(query.text, chars, words)
    text = cut(query.text, chars - len(tail) - 1, words - len(tail.split()))
    return f"{text} {tail}"


@dataclass(frozen=True, slots=True)
class QueryLanguage:
    """A language: `zh` with its script where it was named, others by their code alone."""

    code: str
    script: Literal["", "hans", "hant"] = ""


def query_language(tag: str | None) -> QueryLanguage | None:
    """Parse the language of a query: `zh`, `zh-Hant`, `zh_TW`, `en-GB`…"""
    if not tag:
        return None
    code, *rest = tag.strip().lower().replace("_", "-").split("-")
    if code != "zh":
        return QueryLanguage(code)
    if _TRADITIONAL.intersection(rest):
        return QueryLanguage("zh", "hant")
    return QueryLanguage("zh", "hans" if _SIMPLIFIED.intersection(rest) else "")


@cache
def _names() -> dict[str, str]:
    """Return the English name of each country by its ISO code."""
    rows = (line.split("\t") for line in data_lines("country_codes.tsv"))
    return {row[0]: row[1] for row in rows}


@cache
def _codes() -> dict[str, str]:
    rows = (line.replace("|", "\t").split("\t") for line in data_lines("country_codes.tsv"))
    return {_folded(name): row[0] for row in rows for name in row}


def _folded(name: str) -> str:
    # Deferred: most searches name no country.
    from groundwire.language.text.characters import normalise

    return normalise(name, fold=True).text.strip()


def country_code(country: str | None) -> str | None:
    """Return the ISO code, in lower case, of a code or a name; None for an unknown one."""
    return _codes().get(_folded(country)) if country else None


def country_name(country: str | None) -> str | None:
    """Return a country's English name, in lower case."""
    return _names().get(country_code(country) or "")


def keywords(text: str, most: int) -> list[str]:
    """Pick the weightiest names and words of the query, in its own order; names stay whole.

    Dates and figures are left out: a page of that day need not name the day, and a rounded figure
    is another word.
    """
    # Deferred: a listing of providers needs none of what takes questions apart.
    from groundwire.evidence.questions.intent import parse_question

    terms = parse_question(text).of_kind("name", "word")
    weighty = [term for term in terms if not term.light] or list(terms)
    order = sorted(range(len(weighty)), key=lambda place: (-weighty[place].weight, place))
    chosen = [weighty[place].written for place in sorted(order[:most])]
    return list(dict.fromkeys(chosen)) or text.split()[:most]
