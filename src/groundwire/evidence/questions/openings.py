"""The sentences of a text that can be quoted, and how well each of them stands alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.phrases import patterns
from groundwire.language.text.sentences import sentences
from groundwire.language.text.wording import is_han

_said = patterns("openings.txt", "groundwire.evidence.data", re.IGNORECASE)
_LONGEST_JOIN = {"zh": 180, "en": 420}
_DATELINE = re.compile(rf"^[{HAN}]{{2,16}}(?:电|電|讯|訊)(?:[\u3000 ]+|[（(][^）)]{{2,20}}[）)])")
_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)
_DANGLING_BELOW, _STANDS_ALONE = 0.6, 0.7
_SHORTEST = 8  # characters; a word counts as two


@dataclass(frozen=True, slots=True)
class Opening:
    """A sentence, or two that belong together, and its place among the others."""

    order: int
    text: str
    standing: float
    refers: bool  # whether it speaks of something that the sentence before named


@lru_cache(maxsize=1024)
def parts(text: str) -> tuple[Opening, ...]:
    """The quotable sentences of a text; one that cannot stand alone comes with the one before."""
    found: list[Opening] = []
    spans = sentences(text)
    for order, (start, end) in enumerate(spans):
        start += _after_dateline(text[start:end])
        quality = standing(text[start:end])
        if quality <= 0:
            continue
        if quality < _DANGLING_BELOW and order:
            joined = _joined(text, spans[order - 1], end)
            if joined is not None:
                start, quality = joined, 0.85
        part = text[start:end].rstrip("；;：:，, ")
        found.append(Opening(order, part, quality, refers(part)))
    return tuple(found)


def _after_dateline(sentence: str) -> int:
    match = _DATELINE.match(sentence)
    return match.end() if match else 0


def standing(sentence: str) -> float:
    """How well a sentence stands alone, in [0, 1]; 0 for questions, captions, links, notices."""
    flat = simplify(sentence).lower().strip()
    han = len(re.findall(f"[{HAN}]", flat))
    words = len(re.findall(r"[a-z0-9]+", flat))
    if han + 2 * words < _SHORTEST or flat.endswith(("?", '?"')) or _LINK.search(flat):
        return 0.0
    if _said["noise"].match(flat) or _said["earlier"].search(flat):
        return 0.0
    quality = 1.0
    if not re.search(r"[.!。;…][\"')\]]*$", flat):
        quality *= 0.5
    if han > 150 or (not han and words > 60):
        quality *= 0.85
    if han + 2 * words < 20:
        quality *= 0.75
    if _said["dangling"].match(flat):
        quality *= 0.55
    elif _said["mild"].match(flat):
        quality *= 0.9
    for role in ("hedge", "opinion"):
        if _said[role].search(flat):
            quality *= 0.7
    return quality


def unsure(sentence: str) -> bool:
    """Whether a sentence says that it is only heard, likely, or somebody's view."""
    flat = simplify(sentence).lower()
    return any(_said[role].search(flat) for role in ("hedge", "opinion"))


def refers(sentence: str) -> bool:
    """Whether a sentence speaks of something that the one before it named: the bank, 该公司."""
    flat = simplify(sentence).lower()
    return (
        flat.startswith("the ")
        or _said["dangling"].match(flat) is not None
        or _said["mild"].match(flat) is not None
    )


def _joined(text: str, previous: tuple[int, int], end: int) -> int | None:
    """Where a pair of sentences begins when the one before gives this one its subject."""
    start, stop = previous
    start += _after_dateline(text[start:stop])
    pair = text[start:end]
    longest = _LONGEST_JOIN["zh" if is_han(pair) else "en"]
    if "\n" in pair or len(pair) > longest:
        return None
    return start if standing(text[start:stop]) >= _STANDS_ALONE else None
