"""How near a remembered claim is to what is asked: parts in [0, 1], and how they add up."""

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

# The share of each part; of those that are absent the others take theirs. Chosen so that words
# decide, a claim about the same subject comes before one that only shares words, and of two equal
# claims the later learned comes first.
_SHARES = {"text": 0.6, "embedding": 0.3, "subject": 0.25, "recency": 0.15}
# Of events: what was said weighs most; the same asset and the same kind of event make half a match.
EVENT_SHARES = {"text": 0.45, "subject": 0.2, "event": 0.15, "keywords": 0.1, "recency": 0.1}
APART = 0.8  # the most that an event with another figure, day, name or a denial is like this one
_HALF_LIFE = timedelta(days=30)
_MENTIONED = 0.7  # a name that the claim has, but is not about
_PLACES = 6


def similarity(shares: Mapping[str, float] = _SHARES, /, **given: float | None) -> Similarity:
    """Return the parts that are known, each with its share, and their sum."""
    there = {name: value for name, value in given.items() if value is not None}
    whole = sum(shares[name] for name in there)
    parts = [
        SimilarityPart.model_validate(
            {
                "name": name,
                "value": round(min(1.0, max(0.0, value)), _PLACES),
                "weight": round(shares[name] / whole, _PLACES),
            }
        )
        for name, value in there.items()
    ]
    total = sum(part.value * part.weight for part in parts)
    return Similarity(total=round(min(1.0, total), _PLACES), parts=tuple(parts))


def recency(seen_at: datetime, now: datetime) -> float:
    """1 for what was learned just now, a half after thirty days."""
    age = max(timedelta(0), now - seen_at)
    return 0.5 ** (age / _HALF_LIFE)


def names_of(text: str) -> tuple[str, ...]:
    """The names in a question, each once, as they stand there."""
    flat = simplify(text)
    found = {name_key(flat[start:end]): flat[start:end] for start, end in named_spans(flat)}
    return tuple(found.values())


def about(names: Sequence[str], belief: Belief) -> float | None:
    """Return how much a claim is about these names, in either language; None without any."""
    found = [
        1.0
        if name_key(name) == belief.subject_key or has_name(name, belief.subject)
        else _MENTIONED * has_name(name, belief.text)
        for name in names
    ]
    return sum(found) / len(found) if found else None


def wordings(question: str) -> tuple[str, ...]:
    """Return the question, and what of it can be said in the other language."""
    flat = simplify(question)
    other = "en" if is_han(flat) else "zh"
    known = known_names(flat)
    related = [span for span in related_spans(flat) if not overlaps(span, known)]
    said: list[str] = []
    done = 0
    translated = False
    for start, end in sorted([*known, *related]):
        word = translation(flat[start:end], other)
        said.append(_kept(flat[done:start], other))
        said.append(word or _kept(flat[start:end], other))
        translated = translated or bool(word)
        done = end
    said.append(_kept(flat[done:], other))
    spoken = " ".join(part for part in said if part.strip())
    return (question, spoken) if translated else (question,)


def _kept(words: str, other: str) -> str:
    """Codes, names and figures in Latin letters are written alike in Chinese; nothing of Chinese
    is in English."""
    if other == "zh":
        return " ".join(
            word for word in words.split() if word[:1].isupper() or any(c.isdigit() for c in word)
        )
    return " ".join("".join(" " if is_han(char) else char for char in words).split())
