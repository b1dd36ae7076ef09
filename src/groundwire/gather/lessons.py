"""What a finished result teaches memory: its verified sentences with their quotes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from groundwire.evidence.memory.beliefs import grounds_of, lesson, subject_of
from groundwire.model.claim import Claim
from groundwire.model.memory import Lesson
from groundwire.model.result import EvidenceView, Sentence


def lessons_of(
    sentences: Iterable[Sentence],
    evidence: Sequence[EvidenceView],
    *,
    kept: Collection[str],
    subject: str,
    confidence: float | None = None,
) -> tuple[Lesson, ...]:
    """Collect the sentences whose verdict is kept, each once.

    `subject` fills in for a sentence that names nothing itself: "The token fell".
    """
    documents = {each.id: each.document_id for each in evidence}
    found: dict[str, Lesson] = {}
    for sentence in sentences:
        if sentence.verdict in kept and sentence.citations:
            about = "" if subject_of(sentence.text) else subject
            claim = Claim(text=sentence.text, verdict=sentence.verdict, subject=about)
            taught = lesson(claim, grounds_of(sentence.citations, documents), confidence)
            found.setdefault(taught.belief.id, taught)
    return tuple(found.values())
