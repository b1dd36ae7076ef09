"""Quote or drop: proposed sentences become checked ones, unsupported ones, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from groundwire.evidence.citations.quotes import locate
from groundwire.evidence.citations.translation import is_faithful
from groundwire.evidence.questions.contested import outweighs, restates
from groundwire.evidence.questions.polarity import hedges
from groundwire.gather.weighing import sentence_of
from groundwire.jobs.ask.types import State
from groundwire.jobs.ask.write_answer import Dispute, Written
from groundwire.language.text.links import has_link
from groundwire.model.claim import Checked, Verdict
from groundwire.model.phrase import Phrase
from groundwire.model.result import Checks, Contested, Gap, Sentence, Unsupported
from groundwire.model.source import Tier
from groundwire.reasoning import quoting
from groundwire.reasoning.question import EMBEDDED
from groundwire.reasoning.quoting import Places, places_of


@dataclass(frozen=True)
class Outcome:
    """What may be shown, and the counts of all checks."""

    sentences: tuple[Sentence, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    contested: tuple[Contested, ...] = ()
    gaps: tuple[Gap, ...] = ()
    checks: Checks = field(default_factory=Checks)


def check_sentences(state: State) -> tuple[Checked, ...]:
    """Check every proposed sentence against the stored text that it cites."""
    numbered = places_of(state.passages, state.evidence)
    proposed = () if state.written is None else state.written.sentences
    return tuple(
        quoting.checked(each.text, each.quotes, numbered, state.given.question) for each in proposed
    )


def shown_of(state: State, checked: Sequence[Checked]) -> Outcome:
    """Show what passed its check, and what the passages contradict each other on."""
    written = state.written
    if written is None:
        return Outcome()
    numbered = places_of(state.passages, state.evidence)
    question = state.given.question
    embedded = state.reasoner == EMBEDDED
    disputes = [_dispute(each, numbered, question, embedded) for each in written.contested]
    contested = tuple(each for each in disputes if each is not None)
    disputed = _Disputed(contested)
    passed = [each for each in checked if each.result != "unsupported"]
    failed = [each for each in checked if each.result == "unsupported"]
    shown = [] if state.given.strict else failed
    holders = [holder for holder, _ in numbered.values()]
    translations = _translations(written, numbered)
    sentences = tuple(
        _translated(
            sentence_of(each, holders, "contested" if disputed.has(each) else None), translations
        )
        for each in passed
    )
    counted = Counter(each.verdict for each in sentences)
    return Outcome(
        sentences=sentences,
        unsupported=tuple(Unsupported(text=each.text, problems=each.problems) for each in shown),
        contested=contested,
        gaps=_gaps(state, written),
        checks=Checks(
            supported=counted["supported"],
            qualified=counted["qualified"],
            contested=counted["contested"],
            unsupported=len(shown),
            dropped=len(failed) - len(shown),
        ),
    )


def _translations(written: Written, numbered: Places) -> dict[str, str]:
    """Return the translations that add nothing to their quotes, by the quote as it stands in the page."""
    found: dict[str, str] = {}
    for quoted in (quoted for each in written.sentences for quoted in each.quotes):
        place = locate(quoted.passage, quoted.quote, numbered)
        if isinstance(place, Phrase) or not quoted.translation:
            continue
        if is_faithful(quoted.translation, place):
            found[place.quote] = quoted.translation
    return found


def _translated(sentence: Sentence, translations: Mapping[str, str]) -> Sentence:
    """Put the writer's translations beside the quotes."""
    citations = tuple(
        each.model_copy(update={"translation": found})
        if (found := translations.get(each.quote))
        else each
        for each in sentence.citations
    )
    return sentence.model_copy(update={"citations": citations})


def _dispute(dispute: Dispute, numbered: Places, question: str, embedded: bool) -> Contested | None:
    """Check a dispute, which holds when at least two of its sides do."""
    sides = [quoting.checked(side.text, side.quotes, numbered, question) for side in dispute.sides]
    standing = [side for side in sides if side.result != "unsupported"]
    if len(standing) < 2:
        return None
    verdicts: list[Verdict | None] = ["contested"] * len(standing)
    told = [n for n, side in enumerate(standing) if not _is_rumour(side, numbered)]
    if told:
        # Rumour alone is shown beside what is told, and makes nothing contested.
        verdicts = ["contested" if n in told else "unverified" for n in range(len(standing))]
        settled = _settling([standing[n] for n in told], numbered)
        if settled is not None:
            for n in told:
                verdicts[n] = None if n == told[settled] else "contradicted"
    holders = [holder for holder, _ in numbered.values()]
    return Contested(
        point=dispute.point,
        params=dispute.params if embedded else {},  # a model has words, not codes
        sides=tuple(
            sentence_of(side, holders, verdict)
            for side, verdict in zip(standing, verdicts, strict=True)
        ),
    )


def _settling(sides: Sequence[Checked], numbered: Places) -> int | None:
    """Return the side that outweighs every other, if there is one: nothing is contested then."""
    holders = {holder.id: holder for holder, _ in numbered.values()}
    pages: list[list[tuple[str, Tier]]] = [
        [
            (held.origin_id or held.id, held.tier)
            for c in side.citations
            if (held := holders[c.evidence_id])
        ]
        for side in sides
    ]
    for n, one in enumerate(pages):
        if all(outweighs(one, other) for m, other in enumerate(pages) if m != n):
            return n
    return None


def _is_rumour(side: Checked, numbered: Places) -> bool:
    """Tell whether a side rests on posts and hedged sentences alone."""
    tiers = {holder.id: holder.tier for holder, _ in numbered.values()}
    return all(
        tiers[citation.evidence_id] == "social" or hedges(citation.quote)
        for citation in side.citations
    )


class _Disputed:
    """What is contested among the sides that are more than rumour."""

    def __init__(self, contested: Sequence[Contested]) -> None:
        real = [[side for side in each.sides if side.verdict == "contested"] for each in contested]
        self._quotes = frozenset(
            citation.quote for sides in real for side in sides for citation in side.citations
        )
        self._pairs = [(a.text, b.text) for sides in real for a, b in permutations(sides, 2)]

    def has(self, checked: Checked) -> bool:
        """Tell whether a sentence quotes a contested side or repeats its value."""
        if any(citation.quote in self._quotes for citation in checked.citations):
            return True
        return any(restates(checked.text, side, other) for side, other in self._pairs)


def _gaps(state: State, written: Written) -> tuple[Gap, ...]:
    """Keep gaps, except a model's that hold a link; code's quote the question as it is."""
    embedded = state.reasoner == EMBEDDED
    return tuple(
        Gap(what=gap.what, why=gap.why, params=gap.params if embedded else {})
        for gap in written.gaps
        if embedded or not has_link(f"{gap.what} {gap.why}")
    )
