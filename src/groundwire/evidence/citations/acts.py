"""What a sentence states: its verbs, as far as form and dictionary tell."""

from __future__ import annotations

from groundwire.evidence.reading.analysis import Sentence
from groundwire.language.text.stems import base

_BE = frozenset({"is", "are", "was", "were", "be", "been"})
_AUXILIARY = frozenset(
    {"to", "will", "would", "can", "could", "may", "might", "must", "did", "does", "do", "not"}
)
_ACTS: dict[str, list[int]] = {}  # by the sentence's text: every rule asks for them
_KEPT = 1024
_CONTENT = 0.5


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
    kept = _ACTS.get(sentence.text)
    if kept is None:
        if len(_ACTS) > _KEPT:
            _ACTS.clear()
        kept = _ACTS[sentence.text] = _find_acts(sentence)
    return kept


def _find_acts(sentence: Sentence) -> list[int]:
    found: dict[int, int] = {}
    for at, word in enumerate(sentence.words):
        # The last one in Chinese, where descriptions come first.
        first = word.clause not in found or bool(sentence.tags[at])
        if first and word.weight > _CONTENT and is_verb(sentence, at):
            found[word.clause] = at
    return list(found.values())
