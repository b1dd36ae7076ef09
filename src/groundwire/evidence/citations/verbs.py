"""The verbs and content words of a sentence, as far as form and dictionary tell."""

from __future__ import annotations

from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.language.text.stems import base

_BE = frozenset({"is", "are", "was", "were", "be", "been"})
_AUXILIARY = frozenset(
    {"to", "will", "would", "can", "could", "may", "might", "must", "did", "does", "do", "not"}
)
CONTENT = 0.5  # a word that carries meaning weighs more


def is_verb(sentence: Sentence, at: int) -> bool:
    """Tell whether a word is a verb, as far as form and dictionary tell."""
    word = sentence.words[at]
    written = sentence.low[word.start : word.end]
    if not written.isascii():
        return sentence.tags[at] in ("v", "vn", "vi")
    previous = sentence.words[at - 1] if at else None
    previous_text = sentence.low[previous.start : previous.end] if previous else ""
    return not word.named and (
        written.endswith("ed")
        or base(written) != written
        or previous_text in _AUXILIARY
        or (previous_text in _BE and written.endswith("ing"))
    )


def main_verbs(sentence: Sentence) -> list[int]:
    """Find the main verb of each clause."""
    verbs: dict[int, int] = {}
    for at, word in enumerate(sentence.words):
        # In Chinese the last verb, since descriptions come first.
        wanted = word.clause not in verbs or bool(sentence.tags[at])
        if wanted and word.weight > CONTENT and is_verb(sentence, at):
            verbs[word.clause] = at
    return list(verbs.values())


def content_words(claim: Claim, clause: int | None = None) -> list[int]:
    """List the words of a sentence, or of one clause, that carry meaning and are no values."""
    words = claim.sentence.words
    return [
        i
        for i, each in enumerate(claim.sought)
        if each.weight > CONTENT and not each.value and clause in (None, words[i].clause)
    ]


def reporting_words(sentence: Sentence) -> set[int]:
    """Collect the words that only report that somebody said it."""
    return {at for cue in sentence.cues if cue.kind == "says" for at in range(cue.first, cue.last)}


def clause_of(sentence: Sentence, at: int) -> int:
    return next((word.clause for word in sentence.words if word.end > at), 0)
