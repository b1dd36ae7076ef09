"""A signal as one table for spreadsheets: citations, evidence that is not cited, and the waterfall."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.jobs.verify.signal import Signal, SignalClaim, SignalEvidence
from groundwire.model.claim import CitationView
from groundwire.model.result import Sentence
from groundwire.report.blocks import Cell, Sheet
from groundwire.report.plain import day
from groundwire.report.signal_outline import Cited, cited, steps

HEAD = (
    "run", "part", "number", "text", "verdict", "confidence", "delta", "source", "publisher",
    "title", "url", "published", "tier", "stance", "official", "flags", "origin", "quote",
)  # fmt: skip


def signal_sheet(run_id: str, signal: Signal | None) -> Sheet:
    """The signal itself, each claim and finding with a row for each citation, the evidence that
    no sentence cites, and a row for each rule of the confidence."""
    if signal is None:
        return Sheet(head=HEAD, rows=())
    rows = (*_signal(signal), *_sentences(signal), *_evidence(signal), *_rules(signal))
    return Sheet(head=HEAD, rows=tuple((run_id, *row) for row in rows))


def _signal(signal: Signal) -> Iterator[tuple[Cell, ...]]:
    judged = (signal.summary, signal.verdict, signal.confidence, None)
    yield ("signal", 1, *judged, *_BARE)


def _sentences(signal: Signal) -> Iterator[tuple[Cell, ...]]:
    sources = {source.view.id: source for source in cited(signal)}
    parts: tuple[tuple[str, tuple[SignalClaim | Sentence, ...]], ...] = (
        ("claim", signal.claims),
        ("finding", signal.findings),
    )
    for part, said in parts:
        for number, each in enumerate(said, start=1):
            head = (part, number, each.text, each.verdict, None, None)
            known = [c for c in each.citations if c.evidence_id in sources]
            for citation in known:
                yield (*head, *_cited(sources[citation.evidence_id], citation))
            if not known:
                yield (*head, *_BARE)


def _evidence(signal: Signal) -> Iterator[tuple[Cell, ...]]:
    said = (*signal.claims, *signal.findings)
    shown = {citation.evidence_id for each in said for citation in each.citations}
    numbers = {source.view.id: source.number for source in cited(signal)}
    rest = (each for each in signal.evidence if each.id not in shown)
    for number, view in enumerate(rest, start=1):
        head = ("evidence", number, "", "", None, None, numbers.get(view.id))
        yield (*head, *_known(view), view.quote)


def _rules(signal: Signal) -> Iterator[tuple[Cell, ...]]:
    for number, step in enumerate(steps(signal.waterfall), start=1):
        said = f"{step.row.rule}: {step.row.reason}"
        yield ("rule", number, said, "", step.total, step.row.delta, *_BARE)


_BARE: tuple[Cell, ...] = (None,) * 11


def _cited(source: Cited, citation: CitationView) -> tuple[Cell, ...]:
    return (source.number, *_known(source.view), citation.quote)


def _known(view: SignalEvidence) -> tuple[Cell, ...]:
    return (
        view.publisher, view.title, view.url, day(view.published_at), view.tier, view.stance,
        "yes" if view.official else "no", " ".join(view.flags), view.origin_id,
    )  # fmt: skip
