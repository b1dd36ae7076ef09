"""What verify remembers: the claims of a message that were settled, with the quotes that settle them.

They are shown to whoever asks later. They move no confidence: only known outcomes do.
"""

from __future__ import annotations

from groundwire.evidence.memory.beliefs import grounds_of, lesson, subject_of
from groundwire.jobs.verify.signal import Signal
from groundwire.model.claim import Claim
from groundwire.model.memory import Lesson

_SETTLED = frozenset({"supported", "contradicted"})


def lessons(signal: Signal) -> tuple[Lesson, ...]:
    """Return the claims that were supported or contradicted by a quote, each once."""
    documents = {each.id: each.document_id for each in signal.evidence}
    found: dict[str, Lesson] = {}
    for each in signal.claims:
        if each.verdict in _SETTLED and each.citations:
            # "The token fell" speaks of the asset that the message is about.
            subject = "" if subject_of(each.text) else signal.asset_name
            claim = Claim(text=each.text, verdict=each.verdict, subject=subject)
            taught = lesson(claim, grounds_of(each.citations, documents), signal.confidence)
            found.setdefault(taught.belief.id, taught)
    return tuple(found.values())
