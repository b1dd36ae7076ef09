"""Quote or drop: proposed sentences become checked ones, unsupported ones, or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from groundwire.evidence.citations import check
from groundwire.model.claim import Checked, Citation, CitationView, Verdict
from groundwire.model.result import Checks, Contested, Gap, Sentence, Unsupported
from groundwire.model.source import Evidence, Passage
from groundwire.reasoning.write_answer import Dispute, Proposed
from groundwire.workflows.ask.types import State

_Numbered = Mapping[int, tuple[Evidence, Passage]]


@dataclass(frozen=True)
class Outcome:
    """What may be shown, and the count of what may not."""

    sentences: tuple[Sentence, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    contested: tuple[Contested, ...] = ()
    gaps: tuple[Gap, ...] = ()
    checks: Checks = field(default_factory=Checks)


def check_written(state: State) -> Outcome:
    """Check every proposed sentence against the stored text that it cites."""
    written = state.written
    if written is None:
        return Outcome()
    numbered = _numbered(state)
    question = state.given.question
    disputes = [_dispute(each, numbered, question) for each in written.contested]
    contested = tuple(each for each in disputes if each is not None)
    disputed = {
        citation.quote for each in contested for side in each.sides for citation in side.citations
    }
    checked = [_check(each, numbered, question) for each in written.sentences]
    good = [each for each in checked if each.result != "unsupported"]
    bad = [each for each in checked if each.result == "unsupported"]
    strict = state.given.strict
    return Outcome(
        sentences=tuple(_sentence(each, numbered, disputed) for each in good),
        unsupported=()
        if strict
        else tuple(Unsupported(text=each.text, problems=each.problems) for each in bad),
        contested=contested,
        gaps=tuple(Gap(what=gap.what, why=gap.why) for gap in written.gaps),
        checks=Checks(
            supported=sum(1 for each in good if each.result == "supported"),
            qualified=sum(1 for each in good if each.result == "qualified"),
            unsupported=0 if strict else len(bad),
            dropped=len(bad) if strict else 0,
        ),
    )


def _numbered(state: State) -> _Numbered:
    evidence = {each.id: each for each in state.evidence}
    found: dict[int, tuple[Evidence, Passage]] = {}
    for numbered in state.passages:
        holder = evidence[numbered.evidence_id]
        passage = next(each for each in holder.passages if each.id == numbered.passage_id)
        found[numbered.number] = (holder, passage)
    return found


def _check(proposed: Proposed, numbered: _Numbered, question: str) -> Checked:
    quotes = [(each.passage, each.quote) for each in proposed.quotes]
    return check(proposed.text, quotes, numbered, question)


def _dispute(dispute: Dispute, numbered: _Numbered, question: str) -> Contested | None:
    """A dispute stands when at least two of its sides stand."""
    sides = [_check(side, numbered, question) for side in dispute.sides]
    standing = [side for side in sides if side.result != "unsupported"]
    if len(standing) < 2:
        return None
    return Contested(
        point=dispute.point,
        sides=tuple(_view(side, numbered, "contested") for side in standing),
    )


def _sentence(checked: Checked, numbered: _Numbered, disputed: set[str]) -> Sentence:
    verdict: Verdict = "qualified" if checked.result == "qualified" else "supported"
    if any(citation.quote in disputed for citation in checked.citations):
        verdict = "contested"
    return _view(checked, numbered, verdict)


def _view(checked: Checked, numbered: _Numbered, verdict: Verdict) -> Sentence:
    holders = {holder.id: holder for holder, _ in numbered.values()}
    return Sentence(
        text=checked.text,
        verdict=verdict,
        citations=_views(checked.citations, holders),
    )


def _views(
    citations: Sequence[Citation], holders: Mapping[str, Evidence]
) -> tuple[CitationView, ...]:
    """Code fills every link (law 1)."""
    views: list[CitationView] = []
    for citation in citations:
        document = holders[citation.evidence_id].document
        views.append(
            CitationView(
                evidence_id=citation.evidence_id,
                url=document.canonical_url,
                title=document.title,
                publisher=document.publisher,
                published_at=document.published_at,
                quote=citation.quote,
                start=citation.start,
                end=citation.end,
            )
        )
    return tuple(views)
