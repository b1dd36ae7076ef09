"""The reading order of a signal: its sources under numbers, its waterfall as a sum, its origins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.evidence.sources.publishers import shown_publisher
from groundwire.jobs.verify.signal import Signal, SignalClaim, SignalEvidence
from groundwire.model.base import Value
from groundwire.model.claim import CitationView
from groundwire.model.result import Sentence, WaterfallRow
from groundwire.model.stance import StanceLabel


class Cited(Value):
    """A source that a signal quotes: its number, and the evidence behind it."""

    number: int
    view: SignalEvidence

    @property
    def publisher(self) -> str:
        return shown_publisher(self.view.publisher, self.view.url)


class Step(Value):
    """A row of the waterfall, and what the sum is after it."""

    row: WaterfallRow
    total: float


class Descendant(Value):
    """A piece of evidence that says again what another said."""

    view: SignalEvidence
    how: str = ""  # as of lineage; "": it is only known to be of the same origin
    of: SignalEvidence | None = None


class Family(Value):
    """An independent origin: who leads it, what descends from it, and the stance it takes."""

    lead: SignalEvidence
    stance: StanceLabel
    descendants: tuple[Descendant, ...] = ()


_WEIGHT: dict[StanceLabel, int] = {"contradicts": 0, "supports": 1, "qualifies": 2, "unrelated": 3}


def cited(signal: Signal) -> tuple[Cited, ...]:
    """Quoted sources: numbered as `links` and the marks in `notes` are, then as the reader meets
    them."""
    known = {each.id: each for each in signal.evidence}
    by_url = {each.url: each.id for each in reversed(signal.evidence)}
    order = [by_url[url] for url in signal.links if url in by_url]
    order += [each.evidence_id for each in citations(signal) if each.evidence_id in known]
    order += [each.id for each in signal.evidence if each.stance == "contradicts"]
    return tuple(
        Cited(number=number, view=known[evidence_id])
        for number, evidence_id in enumerate(dict.fromkeys(order), start=1)
    )


def citations(signal: Signal) -> Iterator[CitationView]:
    """Every quote of the claims and of the findings."""
    for said in (*signal.claims, *signal.findings):
        yield from said.citations


def numbers(claim: SignalClaim | Sentence, sources: Sequence[Cited]) -> tuple[int, ...]:
    """The marks behind what is said, in order, each once."""
    known = {source.view.id: source.number for source in sources}
    found = {known[each.evidence_id] for each in claim.citations if each.evidence_id in known}
    return tuple(sorted(found))


def stance_of(said: Sentence, signal: Signal) -> str:
    """The side that the page behind a finding takes; "" when it is not among the evidence."""
    stances = {each.id: each.stance for each in signal.evidence}
    return next((stances.get(each.evidence_id, "") for each in said.citations), "")


def unquoted_against(signal: Signal, sources: Sequence[Cited]) -> Iterator[tuple[Cited, str]]:
    """What contradicts, each with its quote unless a claim has shown it already."""
    shown = {(each.evidence_id, each.quote) for each in citations(signal)}
    for source in sources:
        if source.view.stance == "contradicts":
            quote = source.view.quote
            yield source, "" if (source.view.id, quote) in shown else quote


def steps(rows: Sequence[WaterfallRow]) -> tuple[Step, ...]:
    """The rows with their running sum, in the units in which confidence is computed."""
    total = 0
    found: list[Step] = []
    for row in rows:
        total += round(row.delta * 10_000)
        found.append(Step(row=row, total=total / 10_000))
    return tuple(found)


def families(signal: Signal) -> tuple[Family, ...]:
    """Origins that take a stance first, the largest of them first; nothing is left out."""
    known = {each.id: each for each in signal.evidence}
    found: list[Family] = []
    for origin in signal.origins:
        members = [known[each] for each in origin.members if each in known]
        if not members:
            continue
        lead = known.get(origin.lead, members[0])
        stance: StanceLabel = min((each.stance for each in members), key=_WEIGHT.__getitem__)
        lines = {each.evidence_id: each for each in origin.lineage}
        descendants = tuple(
            Descendant(
                view=each,
                how=lines[each.id].how if each.id in lines else "",
                of=known.get(lines[each.id].of) if each.id in lines else None,
            )
            for each in members
            if each.id != lead.id
        )
        found.append(Family(lead=lead, stance=stance, descendants=descendants))
    return tuple(sorted(found, key=lambda each: (_WEIGHT[each.stance], -len(each.descendants))))
