"""A signal as a letter: the verdict first, then the message, who says what, and the pages."""

from __future__ import annotations

from groundwire.jobs.verify.signal import Signal, SignalEvidence
from groundwire.model.outbox import Letter
from groundwire.report.tokens import SHAPES
from groundwire.words import words

_PAGES = 3


def letter_of(signal: Signal) -> Letter:
    """Write the letter of a signal, in its language."""
    say = words(signal.language)
    verdict = f"{SHAPES[signal.verdict]} {say.name('verdict', signal.verdict)}"
    sides = (
        say("n.supporting", n=signal.supporting_origins),
        say("n.contradicting", n=signal.contradicting_origins),
    )
    said = () if signal.message.text == signal.summary else (signal.message.text,)
    pages = (f"{each.publisher} {each.url}" for each in _shown(signal))
    return Letter(
        title=f"{verdict} {signal.confidence:.2f} · {signal.summary}",
        lines=(*said, " · ".join(sides), *pages),
    )


def _shown(signal: Signal) -> list[SignalEvidence]:
    """Return the pages that take a side, one an origin."""
    found: dict[str, SignalEvidence] = {}
    for each in signal.evidence:
        if each.stance in ("supports", "contradicts") and each.aside is None:
            found.setdefault(each.origin_id, each)
    return list(found.values())[:_PAGES]
