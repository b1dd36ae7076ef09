"""What two sentences say alike: which repeats, holds or supports the other."""

from __future__ import annotations

from groundwire.evidence.questions.candidates import Candidate
from groundwire.evidence.questions.intent import Intent
from groundwire.evidence.questions.polarity import opposes
from groundwire.language.amounts.numbers import Figure, same_figure
from groundwire.language.names.names import missing_names
from groundwire.language.time.dates import DateMention, agrees

_ALIKE = 0.4  # of the words of the shorter: both tell of one thing
_TOLD_AGAIN = 0.35  # of its words, where figures, days and names are the same
_HELD = 0.9  # of the words of a sentence: it says nothing more


def alike(a: Candidate, b: Candidate) -> float:
    """Return the share of the shorter sentence's words that the other has too."""
    least = min(len(a.stems), len(b.stems))
    return len(a.stems & b.stems) / least if least else 0.0


def repeats(a: Candidate, b: Candidate) -> bool:
    """Tell whether `a` says nothing that `b` does not say; a no does not repeat a yes."""
    if opposes(a.text, b.text):
        return False
    if a.language == b.language and alike(a, b) >= 0.65:
        return True
    return supports(b, a) and (a.language != b.language or alike(a, b) >= _TOLD_AGAIN)


def retells(a: Candidate, b: Candidate) -> bool:
    """Tell whether another page says in `b` what `a` says, with its figures, days and names."""
    elsewhere = a.passage.evidence_id != b.passage.evidence_id
    return elsewhere and supports(b, a) and repeats(a, b)


def anchors(candidate: Candidate) -> tuple[list[Figure], list[DateMention]]:
    """Return the figures and days that identify a sentence in any language."""
    days = [day for day in candidate.dates if day.weekday is None and day.precision == "day"]
    # "One dollar" is in every report.
    return [figure for figure in candidate.figures if figure.value != 1], days


def supports(a: Candidate, b: Candidate) -> bool:
    """Tell whether `a` has every name, figure and day of `b`, in any language; `b` needs some."""
    figures, days = anchors(b)
    if len(figures) + len(days) == 0 or not b.own <= a.own:
        return False
    return (
        all(any(same_figure(x, y) for y in a.figures) for x in figures)
        and all(any(agrees(x, y) for y in a.dates) for x in days)
        and not missing_names(b.text, [a.text, a.passage.title])
    )


def gives_same(intent: Intent, a: Candidate, b: Candidate) -> bool:
    """Tell whether `a` says of the question all that `b` says, with a day or a figure that `b` gives.

    Where `b` gives neither, the words must be alike, which they can be in one language only.
    """
    named = frozenset(n for n, term in enumerate(intent.terms) if term.kind != "word")
    if not b.own & named <= a.own | a.near:
        return False
    figures, days = anchors(b)
    figures = [
        each
        for each in figures
        if not any(t.figure and same_figure(t.figure, each) for t in intent.terms)
    ]
    if figures or days:
        return any(any(same_figure(x, y) for y in a.figures) for x in figures) or any(
            any(agrees(x, y) for y in a.dates if y.precision == "day") for x in days
        )
    return a.language == b.language and alike(a, b) >= _ALIKE


def holds(a: Candidate, b: Candidate) -> bool:
    """Tell whether `a` has nearly every word of `b`, which may be a part of it."""
    share = len(a.stems & b.stems) / len(b.stems) if b.stems else 1.0
    return a.language == b.language and share >= _HELD


def quotes(a: Candidate, b: Candidate) -> bool:
    """Tell whether the quote of `a` has that of `b` in it."""
    return a.passage.passage_id == b.passage.passage_id and b.text in a.text
