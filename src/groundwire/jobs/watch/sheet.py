"""A watch as a sheet: a row for each citation of each claim, for each change, and for what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.jobs.watch.ledger.claims import Claim, Holder, Side
from groundwire.jobs.watch.result import WatchResult
from groundwire.report import sections
from groundwire.report.csv import Cell, Sheet
from groundwire.report.plain import day
from groundwire.words import Words, words

_HEAD = (
    "run", "part", "claim", "kind", "attribute", "subject", "value", "unit", "as_of", "state",
    "verdict", "text", "before", "source", "publisher", "origin", "source_title", "url", "published",
    "quote",
)  # fmt: skip
_NO_SOURCE: tuple[Cell, ...] = (None,) * 7


def sheet_of(result: WatchResult) -> Sheet:
    """Write the claims, the changes and the gaps."""
    say = words(result.language)
    rows: list[tuple[Cell, ...]] = []
    for claim in result.claims:
        rows += [
            (result.run_id, "claim", *_about(claim), *each)
            for each in _sources(claim.citations, say)
        ]
    for change in result.changes:
        side = change.after or change.before
        told: tuple[Cell, ...] = (
            change.claim_id, change.kind, change.attribute, change.subject, _value(change.after),
            side.unit if side else "", side.as_of.isoformat() if side and side.as_of else "",
            change.reason, side.verdict if side else "", side.text if side else "",
            _value(change.before),
        )  # fmt: skip
        rows += [
            (result.run_id, "change", *told, *each)
            for each in _sources(side.citations if side else (), say)
        ]
    for gap in result.gaps:
        what, why = (say(code, **gap.params) for code in (gap.what, gap.why))
        rows.append(
            (
                result.run_id,
                "missing",
                *("",) * 9,
                f"{what}{say('list.colon')}{why}",
                "",
                *_NO_SOURCE,
            )
        )
    return Sheet(head=_HEAD, rows=tuple(rows))


def _about(claim: Claim) -> tuple[Cell, ...]:
    return (
        claim.id, claim.kind, claim.attribute, claim.subject, claim.value, claim.unit,
        claim.as_of.isoformat(), claim.state, claim.verdict, claim.text,
        claim.past[-1].value if claim.past else "",
    )  # fmt: skip


def _value(side: Side | None) -> str:
    return "" if side is None else side.value


def _sources(citations: tuple[Holder, ...], say: Words) -> Iterator[tuple[Cell, ...]]:
    if not citations:
        yield _NO_SOURCE
    for each in citations:
        yield (
            each.evidence_id, sections.publisher(each, say), each.origin, each.title, each.url,
            day(each.published_at), each.quote,
        )  # fmt: skip
