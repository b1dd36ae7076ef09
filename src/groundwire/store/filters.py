"""What a query demands of a document besides its words: time, language, domains."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from groundwire.evidence.pages.filters import admits, hosts, time_range
from groundwire.evidence.sources.urls import registrable_domain
from groundwire.model.query import Query
from groundwire.store.fulltext import Where
from groundwire.store.payload import to_us

__all__ = ["admits", "time_range", "where"]

_AT = "COALESCE(d.published_at, d.fetched_at)"
_TRADITIONAL = frozenset({"zh-hant", "zh-tw", "zh-hk", "zh-mo"})


def where(query: Query, now: datetime) -> Where:
    """The query's demands as conditions; raises `InputError` for one that cannot be read."""
    conditions: list[str] = []
    parameters: list[Any] = []

    def demand(sql: str, given: Iterable[Any]) -> None:
        conditions.append(sql)
        parameters.extend(given)

    start, end = time_range(query.time_range, now)
    if start is not None:
        demand(f"{_AT} >= ?", [to_us(start)])
    if end is not None:
        demand(f"{_AT} <= ?", [to_us(end)])
    if query.language:
        demand(*_language(query.language))
    if query.include_domains:
        parts = [_below(host) for host in hosts(query.include_domains)]
        demand(
            "(" + " OR ".join(sql for sql, _ in parts) + ")",
            [value for _, given in parts for value in given],
        )
    for host in hosts(query.exclude_domains):
        sql, given = _below(host)
        demand(f"NOT {sql}", given)
    return Where(" AND ".join(conditions), tuple(parameters))


def _below(host: str) -> tuple[str, list[str]]:
    domain = registrable_domain(host)
    if domain == host:
        # A public suffix (gov.cn) is nobody's domain, but everything below it can be asked for.
        return "(d.domain = ? OR d.domain LIKE ? ESCAPE '!')", [host, f"%.{_literal(host)}"]
    patterns = [f"%{before}{_literal(host)}{after}%" for before in ("://", ".") for after in "/:"]
    tests = " OR ".join(["d.canonical_url LIKE ? ESCAPE '!'"] * len(patterns))
    return f"(d.domain = ? AND ({tests}))", [domain, *patterns]


def _literal(words: str) -> str:
    return re.sub(r"([!%_])", r"!\1", words)


def _language(asked: str) -> tuple[str, list[str]]:
    code = asked.strip().replace("_", "-").lower()
    if code in _TRADITIONAL:
        return "d.language = ?", ["zh-Hant"]
    primary = code.split("-", 1)[0]
    return "(d.language = ? OR d.language LIKE ? ESCAPE '!')", [primary, f"{_literal(primary)}-%"]
