"""How near a remembered claim is to a question: parts in [0, 1], and how they add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from groundwire.evidence.memory.beliefs import named_spans
from groundwire.language.names.glossary import known_names
from groundwire.language.names.names import has_name, name_key
from groundwire.language.text.characters import simplify
from groundwire.language.text.spans import overlaps
from groundwire.language.text.wording import is_han, related_spans, translation
from groundwire.model.memory import Belief, Similarity, SimilarityPart

# The share of each part; absent parts leave theirs to the others. Chosen so that words
# decide, a claim about the same subject comes before one that only shares words, and of two equal
# claims the later learned comes first.
_SHARES = {"text": 0.6, "embedding": 0.3, "subject": 0.25, "recency": 0.15}
# For events the text weighs most; the same asset and the same kind of event make half a match.
EVENT_SHARES = {"text": 0.45, "subject": 0.2, "event": 0.15, "keywords": 0.1, "recency": 0.1}
APART = 0.8  # the highest similarity of an event with another figure, day or name, or with a denial
_HALF_LIFE = timedelta(days=30)
_MENTIONED = 0.7  # for a name that the claim mentions but is not about
_PLACES = 6


def similarity(shares: Mapping[str, float] = _SHARES, /, **values: float | None) -> Similarity:
    """Return the known parts, each with its share, and their sum."""
    known = {name: value for name, value in values.items() if value is not None}
    total_share = sum(shares[name] for name in known)
    parts = [
        SimilarityPart.model_validate(
            {
                "name": name,
                "value": round(min(1.0, max(0.0, value)), _PLACES),
                "weight": round(shares[name] / total_share, _PLACES),
            }
        )
        for name, value in known.items()
    ]
    total = sum(part.value * part.weight for part in parts)
    return Similarity(total=round(min(1.0, total), _PLACES), parts=tuple(parts))


def recency(seen_at: datetime, now: datetime) -> float:
    """Return 1 for what was learned just now, a half after thirty days."""
    age = max(timedelta(0), now - seen_at)
    return 0.5 ** (age / _HALF_LIFE)


def names_of(text: str) -> tuple[str, ...]:
    """List the names in a question, each once, as they stand there."""
    flat = simplify(text)
    by_key = {name_key(flat[start:end]): flat[start:end] for start, end in named_spans(flat)}
    return tuple(by_key.values())


def subject_match(names: Sequence[str], belief: Belief) -> float | None:
    """Measure how much a claim is about these names, in either language; None without any."""
    matches = [
        1.0
        if name_key(name) == belief.subject_key or has_name(name, belief.subject)
        else _MENTIONED * has_name(name, belief.text)
        for name in names
    ]
    return sum(matches) / len(matches) if matches else None


def wordings(question: str) -> tuple[str, ...]:
    """Return the question, and what of it can be said in the other language."""
    flat = simplify(question)
    other = "en" if is_han(flat) else "zh"
    known = known_names(flat)
    related = [span for span in related_spans(flat) if not overlaps(span, known)]
    pieces: list[str] = []
    done = 0
    translated = False
    for start, end in sorted([*known, *related]):
        word = translation(flat[start:end], other)
        pieces.append(_kept(flat[done:start], other))
        pieces.append(word or _kept(flat[start:end], other))
        translated = translated or bool(word)
        done = end
    pieces.append(_kept(flat[done:], other))
    translated_text = " ".join(part for part in pieces if part.strip())
    return (question, translated_text) if translated else (question,)


def _kept(words: str, other: str) -> str:
    """Keep what needs no translation: into Chinese only Latin codes, names and figures."""
    if other == "zh":
        return " ".join(
            word for word in words.split() if word[:1].isupper() or any(c.isdigit() for c in word)
        )
    return " ".join("".join(" " if is_han(char) else char for char in words).split())
