"""What a query demands of a document besides its words: time, language, domains."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from groundwire.evidence.pages.filters import hosts, time_range
from groundwire.evidence.sources.urls import registrable_domain
from groundwire.model.query import Query
from groundwire.store.fulltext import Where
from groundwire.store.payload import to_us

AT = "COALESCE(d.published_at, d.fetched_at)"
_TRADITIONAL = frozenset({"zh-hant", "zh-tw", "zh-hk", "zh-mo"})


def where(query: Query, now: datetime) -> Where:
    """Turn the query's demands into conditions; raise `InputError` for one that cannot be read."""
    start, end = time_range(query.time_range, now)
    excluded = [_below(host) for host in hosts(query.exclude_domains)]
    return every(
        Where() if start is None else Where(f"{AT} >= ?", (to_us(start),)),
        Where() if end is None else Where(f"{AT} <= ?", (to_us(end),)),
        _language(query.language) if query.language else Where(),
        joined(" OR ", [_below(host) for host in hosts(query.include_domains)]),
        *(Where(f"NOT {sql}", parameters) for sql, parameters in excluded),
    )


def every(*wheres: Where) -> Where:
    """Join conditions with AND; empty ones demand nothing."""
    return joined(" AND ", [each for each in wheres if each.sql])


def joined(operator: str, wheres: Sequence[Where]) -> Where:
    return Where(
        operator.join(f"({each.sql})" for each in wheres),
        tuple(value for each in wheres for value in each.parameters),
    )


def _below(host: str) -> Where:
    domain = registrable_domain(host)
    if domain == host:
        # A public suffix (gov.cn) is nobody's domain, but everything below it can be searched.
        sql = "(d.domain = ? OR d.domain LIKE ? ESCAPE '!')"
        return Where(sql, (host, f"%.{_literal(host)}"))
    patterns = [f"%{before}{_literal(host)}{after}%" for before in ("://", ".") for after in "/:"]
    tests = " OR ".join(["d.canonical_url LIKE ? ESCAPE '!'"] * len(patterns))
    return Where(f"(d.domain = ? AND ({tests}))", (domain, *patterns))


def _literal(words: str) -> str:
    return re.sub(r"([!%_])", r"!\1", words)


def _language(language: str) -> Where:
    code = language.strip().replace("_", "-").lower()
    if code in _TRADITIONAL:
        return Where("d.language = ?", ("zh-Hant",))
    primary = code.split("-", 1)[0]
    sql = "(d.language = ? OR d.language LIKE ? ESCAPE '!')"
    return Where(sql, (primary, f"{_literal(primary)}-%"))
