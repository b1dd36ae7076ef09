"""The reading order of a signal: its sources under numbers, its confidence as a running sum."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.jobs.verify.signal import Signal, SignalEvidence
from groundwire.model.result import Sentence, WaterfallRow


def citing(signal: Signal) -> tuple[Sentence, ...]:
    """Return everything in a signal that cites, in the order in which a reader meets it."""
    return (*signal.claims, *signal.findings)


def source_numbers(signal: Signal) -> dict[str, int]:
    """Number the evidence that is cited or contradicts: as `links` and the marks in `notes` are,
    then as the reader meets it."""
    known = {each.id for each in signal.evidence}
    by_url = {each.url: each.id for each in reversed(signal.evidence)}
    order = [by_url[url] for url in signal.links if url in by_url]
    cited = (each.evidence_id for said in citing(signal) for each in said.citations)
    order += [each for each in cited if each in known]
    order += [each.id for each in signal.evidence if each.stance == "contradicts"]
    order += [each.evidence_id for each in signal.later if each.evidence_id in known]
    return {name: number for number, name in enumerate(dict.fromkeys(order), start=1)}


def page_behind(said: Sentence, signal: Signal) -> SignalEvidence | None:
    """Return the page behind a finding; None when it is not in the evidence."""
    views = {each.id: each for each in signal.evidence}
    return next(
        (views[each.evidence_id] for each in said.citations if each.evidence_id in views), None
    )


def running_sums(rows: Sequence[WaterfallRow]) -> list[float]:
    """Return the sum after each row, in the units in which confidence is computed."""
    total = 0
    found: list[float] = []
    for row in rows:
        total += round(row.delta * 10_000)
        found.append(total / 10_000)
    return found
