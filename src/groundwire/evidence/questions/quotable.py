"""The quotable sentences of a text, and how well each stands alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.datelines import after_dateline
from groundwire.language.text.phrases import patterns
from groundwire.language.text.sentences import sentences
from groundwire.language.text.wording import is_han

_patterns = patterns("openings.txt", "groundwire.evidence.data", re.IGNORECASE)
_LONGEST_JOIN = {"zh": 180, "en": 420}
_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)
_DANGLING_BELOW, _STANDS_ALONE = 0.6, 0.7
_SHORTEST = 8  # characters; a word counts as two


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence, or two that belong together, and its place among the others."""

    order: int
    text: str
    completeness: float
    refers_back: bool  # whether it speaks of something that the sentence before named


@lru_cache(maxsize=1024)
def quotable_sentences(text: str) -> tuple[Quotable, ...]:
    """List the quotable sentences of a text; one that cannot stand alone joins the one before."""
    quotable: list[Quotable] = []
    spans = sentences(text)
    for order, (start, end) in enumerate(spans):
        start = after_dateline(text, start, end)
        quality = completeness(text[start:end])
        if quality <= 0:
            continue
        if quality < _DANGLING_BELOW and order:
            pair_start = _joined(text, spans[order - 1], end)
            if pair_start is not None:
                start, quality = pair_start, 0.85
        part = text[start:end].rstrip("；;：:，, ")
        quotable.append(Quotable(order, part, quality, refers_back(part)))
    return tuple(quotable)


def completeness(sentence: str) -> float:
    """Rate how well a sentence stands alone, in [0, 1]; 0 for questions, captions, links."""
    flat = simplify(sentence).lower().strip()
    han = len(re.findall(f"[{HAN}]", flat))
    words = len(re.findall(r"[a-z0-9]+", flat))
    if han + 2 * words < _SHORTEST or flat.endswith(("?", '?"')) or _LINK.search(flat):
        return 0.0
    if _patterns["noise"].match(flat) or _patterns["earlier"].search(flat):
        return 0.0
    quality = 1.0
    if not re.search(r"[.!。;…][\"')\]]*$", flat):
        quality *= 0.5
    if han > 150 or (not han and words > 60):
        quality *= 0.85
    if han + 2 * words < 20:
        quality *= 0.75
    if _patterns["dangling"].match(flat):
        quality *= 0.55
    elif _patterns["mild"].match(flat):
        quality *= 0.9
    for role in ("hedge", "opinion"):
        if _patterns[role].search(flat):
            quality *= 0.7
    return quality


def is_unsure(sentence: str) -> bool:
    """Tell whether a sentence admits to be hearsay, likely only, or somebody's view."""
    flat = simplify(sentence).lower()
    return any(_patterns[role].search(flat) for role in ("hedge", "opinion"))


def refers_back(sentence: str) -> bool:
    """Tell whether a sentence speaks of something that the one before it named: the bank, 该公司."""
    flat = simplify(sentence).lower()
    return (
        flat.startswith("the ")
        or _patterns["dangling"].match(flat) is not None
        or _patterns["mild"].match(flat) is not None
    )


def _joined(text: str, previous: tuple[int, int], end: int) -> int | None:
    """Return where a pair of sentences begins, if the first gives the second its subject."""
    start, stop = previous
    start = after_dateline(text, start, stop)
    pair = text[start:end]
    longest = _LONGEST_JOIN["zh" if is_han(pair) else "en"]
    if "\n" in pair or len(pair) > longest:
        return None
    return start if completeness(text[start:stop]) >= _STANDS_ALONE else None
