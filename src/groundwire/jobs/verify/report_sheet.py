"""A signal as one table for spreadsheets: citations, evidence that is not cited, the waterfall."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.jobs.verify.report_evidence import citing, running_sums, source_numbers
from groundwire.jobs.verify.signal import Signal, SignalEvidence
from groundwire.model.result import Sentence
from groundwire.model.source import publisher_name
from groundwire.report.csv import Cell, Sheet
from groundwire.report.plain import day
from groundwire.words import Words, words

_HEAD = (
    "run", "part", "number", "text", "verdict", "confidence", "delta", "source", "publisher",
    "title", "url", "published", "tier", "stance", "official", "flags", "origin", "quote",
)  # fmt: skip
_BARE: tuple[Cell, ...] = (None,) * 11


def signal_sheet(run_id: str, signal: Signal | None) -> Sheet:
    """Write rows for the signal, each citation of a claim or finding, evidence that is not cited,
    each rule of the confidence, and each tool call."""
    if signal is None:
        return Sheet(head=_HEAD, rows=())
    judged = (signal.summary, signal.verdict, signal.confidence, None)
    rows = (
        ("signal", 1, *judged, *_BARE),
        *_sentences("claim", signal.claims, signal),
        *_sentences("finding", signal.findings, signal),
        *_evidence(signal),
        *_rules(signal),
        *_calls(signal),
    )
    return Sheet(head=_HEAD, rows=tuple((run_id, *row) for row in rows))


def _sentences(
    part: str, sentences: tuple[Sentence, ...], signal: Signal
) -> Iterator[tuple[Cell, ...]]:
    views = {each.id: each for each in signal.evidence}
    numbers, say = source_numbers(signal), words(signal.language)
    for number, each in enumerate(sentences, start=1):
        head = (part, number, each.text, each.verdict, None, None)
        known = [citation for citation in each.citations if citation.evidence_id in numbers]
        for citation in known:
            name = citation.evidence_id
            yield (*head, numbers[name], *_source_cells(views[name], say), citation.quote)
        if not known:
            yield (*head, *_BARE)


def _evidence(signal: Signal) -> Iterator[tuple[Cell, ...]]:
    shown = {citation.evidence_id for each in citing(signal) for citation in each.citations}
    numbers, say = source_numbers(signal), words(signal.language)
    rest = (each for each in signal.evidence if each.id not in shown)
    for number, view in enumerate(rest, start=1):
        head = ("evidence", number, "", "", None, None, numbers.get(view.id))
        yield (*head, *_source_cells(view, say), view.quote)


def _rules(signal: Signal) -> Iterator[tuple[Cell, ...]]:
    say = words(signal.language)
    sums = running_sums(signal.waterfall)
    for number, (row, total) in enumerate(zip(signal.waterfall, sums, strict=True), start=1):
        text = f"{row.rule}: {say(row.reason, **row.params)}"
        yield ("rule", number, text, "", total, row.delta, *_BARE)


def _calls(signal: Signal) -> Iterator[tuple[Cell, ...]]:
    say = words(signal.language)
    for number, call in enumerate(signal.tool_calls, start=1):
        text = f"{call.request} → {say(call.response, **call.params)}"
        took = f"{call.latency_ms} ms, ${call.usd:g}"
        rest = (None,) * (len(_BARE) - 3)
        yield ("call", number, text, call.outcome, None, None, None, call.provider, took, *rest)


def _source_cells(view: SignalEvidence, say: Words) -> tuple[Cell, ...]:
    return (
        publisher_name(view.publisher, say), view.title, view.url, day(view.published_at),
        view.tier, view.stance, "yes" if view.official else "no", " ".join(view.flags),
        view.origin_id,
    )  # fmt: skip
