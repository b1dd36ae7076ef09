"""What a finished result teaches memory: its sentences that stand, with the quotes they stand on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from groundwire.evidence.memory.beliefs import grounds_of, lesson, subject_of
from groundwire.model.claim import Claim
from groundwire.model.memory import Lesson
from groundwire.model.result import EvidenceView, Sentence


def lessons_of(
    said: Iterable[Sentence],
    evidence: Sequence[EvidenceView],
    *,
    kept: Collection[str],
    subject: str,
    confidence: float | None = None,
) -> tuple[Lesson, ...]:
    """The sentences with one of the verdicts that are kept, each once.

    `subject` is what a sentence speaks of that names nothing itself: "The token fell".
    """
    documents = {each.id: each.document_id for each in evidence}
    found: dict[str, Lesson] = {}
    for each in said:
        if each.verdict in kept and each.citations:
            about = "" if subject_of(each.text) else subject
            claim = Claim(text=each.text, verdict=each.verdict, subject=about)
            taught = lesson(claim, grounds_of(each.citations, documents), confidence)
            found.setdefault(taught.belief.id, taught)
    return tuple(found.values())
