"""Where a text has its content from: what it relays, or its own reporting.

Everything here reads the normal form of a text in lower case."""

from __future__ import annotations

import re
from collections.abc import Iterable

from groundwire.language.text.phrases import patterns

_patterns = patterns("attribution.txt", "groundwire.evidence.data")
_SAYING = f"(?:{_patterns('saying')})"
_SAYING_ZH = f"(?:{_patterns('saying zh')})"
_HANDLE = re.compile(r"(?<![\w.])@\w{2,30}")
_BEFORE = 60

_OWN_SOURCE = r"(?:told|seen by|reviewed by|obtained by|shared with|spoke (?:to|with)|confirmed to|向|对|告诉) ?(?:the )?"


def credited(low: str) -> tuple[str, ...]:
    """Return whom a text names as the author of what it translates."""
    return tuple(match["whom"] for match in _patterns["translated"].finditer(low))


def attributions(low: str) -> tuple[tuple[int, int], ...]:
    """Find where a text names its sources, with the medium."""
    spans = [
        match.span("whom" if match["whom"] is not None else "zh")
        for match in _patterns["relayed"].finditer(low)
    ]
    for match in _patterns["stated"].finditer(low):
        clause = re.split(r"[,.;。\n]", low[max(0, match.start() - _BEFORE) : match.start()])[-1]
        spans.append((match.start() - len(clause), match.start()))
    for match in _patterns["stated by"].finditer(low):
        spans.append(match.span("whom" if match["whom"] is not None else "from"))
    return tuple(dict.fromkeys(spans))


def handles(low: str) -> tuple[tuple[int, int], ...]:
    """Find the accounts named by their handles: @whale."""
    return tuple(match.span() for match in _HANDLE.finditer(low))


def reports_itself(low: str, own_names: Iterable[str], relays: bool) -> bool:
    """Tell whether a text adds its own evidence; nameless sources are its own if it relays none."""
    if _patterns["own work"].search(low) or (not relays and _patterns["anonymous"].search(low)):
        return True
    names = "|".join(re.escape(name.lower()) for name in own_names if name)
    return bool(names) and re.search(rf"(?:{_OWN_SOURCE})(?:{names})", low) is not None


def statements_by(low: str, names: Iterable[str]) -> tuple[int, ...]:
    """Find where one of these names is the one who says something, in whatever medium."""
    forms = "|".join(re.escape(name.lower()) for name in names if len(name) > 1)
    if not forms:
        return ()
    says = re.compile(
        rf"(?<![a-z0-9])(?:{forms})(?:'s)?(?: \w+){{0,4}}? {_SAYING}\b"
        rf"|(?:{forms})(?:官方|方面|今日|今天|周.|已|正式|随后|\d+日)*(?:{_SAYING_ZH}|回应|发布|公布)"
    )
    return tuple(match.start() for match in says.finditer(low))
