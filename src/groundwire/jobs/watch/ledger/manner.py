"""How a sentence tells a value: said, denied or taken back; as stated, planned or rumoured."""

from __future__ import annotations

from typing import Literal

from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.standing import (
    ASKED,
    DENIED,
    FALSE,
    HEDGED,
    NEGATED,
    PLANNED,
    RETOLD,
    SUPPOSED,
    TAKEN_BACK,
)
from groundwire.jobs.watch.ledger.claims import Manner
from groundwire.jobs.watch.ledger.pairing import Told, marks_at
from groundwire.jobs.watch.ledger.signs import (
    costs_only,
    is_at_the_earliest,
    is_of_others,
    is_put_right,
    rejected_reports,
    takes_back,
)
from groundwire.jobs.watch.ledger.values import (
    Found,
)
from groundwire.language.text.spans import Span

Side = Literal["says", "denies", "retracts"]
_BESIDE = 12  # characters between a quotation and what is said of it
_AGAINST = {"denies": DENIED, "false": FALSE, "takes back": TAKEN_BACK}


def how_told(told: Told, value: Found) -> tuple[Side, Manner] | None:
    """Return how a value is told; None where it is only asked or supposed."""
    mark = marks_at(told.sentence, value.span) | _of_quoted(told.sentence, value.span)
    if any(end <= value.start for _, end in rejected_reports(told.sentence)):
        mark |= DENIED
    if costs_only(told.sentence, value.span):
        mark &= ~SUPPOSED
    if is_put_right(told.sentence, value.span):
        return "says", "planned" if mark & PLANNED else "stated"
    if value.kind == "date" and is_at_the_earliest(told.sentence, value.span):
        return "says", "planned"
    if mark & (ASKED | SUPPOSED):
        return None
    ahead = PLANNED | (HEDGED if value.kind == "date" else 0)  # "is expected to arrive"
    manner: Manner = "stated"
    if mark & (RETOLD | HEDGED) & ~ahead or (mark & ahead and is_of_others(told.sentence)):
        manner = "rumoured"  # what analysts expect is nobody's plan
    elif mark & ahead or (value.kind == "date" and value.key > told.day.isoformat()):
        manner = "planned"
    if mark & TAKEN_BACK or takes_back(told.sentence):
        return "retracts", manner
    if mark & FALSE and not mark & NEGATED and _is_not_false(told.sentence):
        mark &= ~FALSE
    turned = bool(mark & (DENIED | FALSE)) != bool(mark & NEGATED)
    return ("denies" if turned or _says_no_twice(told.sentence, mark) else "says"), manner


def _is_not_false(sentence: Sentence) -> bool:
    """Tell whether a sentence says of something that it is not false."""
    false = [cue for cue in sentence.cues if cue.kind == "false"]
    return bool(false) and all(sentence.marks[cue.first] & NEGATED for cue in false)


def _says_no_twice(sentence: Sentence, mark: int) -> bool:
    """Tell whether a clause negates it, and another calls the report of it false: "has not; that it did is untrue".

    In one clause two make a yes: "not untrue", "denied that it had not".
    """
    if not (mark & NEGATED and mark & (DENIED | FALSE)):
        return False
    places = {
        kind: [sentence.words[cue.first].start for cue in sentence.cues if cue.kind == kind]
        for kind in ("negates", "denies", "false", "retells")
    }
    no, against = min(places["negates"], default=0), [*places["denies"], *places["false"]]
    report = min(places["retells"], default=len(sentence.text))
    first, last = sorted((no, max(against, default=0)))
    return no < last and no < report + 1 and any(first < edge <= last for edge in sentence.edges)


def _of_quoted(sentence: Sentence, span: Span) -> int:
    """Return what a sentence makes of the words that it quotes: 否认“…”, “…”系谣言."""
    quotes = [at for at, char in enumerate(sentence.text) if char == '"']
    pairs = list(zip(quotes[::2], quotes[1::2], strict=False))
    around = next((pair for pair in pairs if pair[0] < span[0] and span[1] <= pair[1]), None)
    if around is None:
        return 0
    found = 0
    for cue in sentence.cues:
        start, end = sentence.words[cue.first].start, sentence.words[cue.last - 1].end
        near = 0 <= around[0] - end <= _BESIDE or 0 <= start - around[1] <= _BESIDE
        if near and cue.kind in _AGAINST:
            found |= _AGAINST[cue.kind]
    return found
