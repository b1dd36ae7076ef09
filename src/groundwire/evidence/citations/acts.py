"""What a sentence states: its verbs, as far as form and dictionary tell, and its words with content."""

from __future__ import annotations

from groundwire.evidence.reading.alignment import Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.language.text.stems import base

_BE = frozenset({"is", "are", "was", "were", "be", "been"})
_AUXILIARY = frozenset(
    {"to", "will", "would", "can", "could", "may", "might", "must", "did", "does", "do", "not"}
)
CONTENT = 0.5  # the weight of a word that says something


def is_verb(sentence: Sentence, at: int) -> bool:
    """Whether a word is a verb, as far as form and dictionary tell."""
    word = sentence.words[at]
    written = sentence.low[word.start : word.end]
    if not written.isascii():
        return sentence.tags[at] in ("v", "vn", "vi")
    before = sentence.words[at - 1] if at else None
    earlier = sentence.low[before.start : before.end] if before else ""
    return not word.named and (
        written.endswith("ed")
        or base(written) != written
        or earlier in _AUXILIARY
        or (earlier in _BE and written.endswith("ing"))
    )


def acts_of(sentence: Sentence) -> list[int]:
    """What each clause states: its first verb, as far as form and dictionary tell."""
    found: dict[int, int] = {}
    for at, word in enumerate(sentence.words):
        # The last one in Chinese, where descriptions come first.
        first = word.clause not in found or bool(sentence.tags[at])
        if first and word.weight > CONTENT and is_verb(sentence, at):
            found[word.clause] = at
    return list(found.values())


def content(claim: Claim, clause: int | None = None) -> list[int]:
    """Words of a sentence, or of one clause of it, that say something and are no values."""
    words = claim.sentence.words
    return [
        i
        for i, each in enumerate(claim.sought)
        if each.weight > CONTENT and not each.value and clause in (None, words[i].clause)
    ]


def saying(sentence: Sentence) -> set[int]:
    """Words that only tell that somebody says it."""
    return {at for cue in sentence.cues if cue.kind == "says" for at in range(cue.first, cue.last)}


def clause_of(sentence: Sentence, at: int) -> int:
    return next((word.clause for word in sentence.words if word.end > at), 0)
