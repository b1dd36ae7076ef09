"""Whether sentences can stand against each other: what the one reader says of them, either way; pure."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.reading.reader import Reading, claim_of, read
from groundwire.language.text.tokens import content_tokens

_MATTER = (
    0.4  # likelihood that both speak of one matter, before anybody may set them against each other
)

_FEWEST = 3  # words of a sentence that says anything


def can_be_opposed(texts: Sequence[str]) -> bool:
    """Tell whether sentences speak of one matter, and do not plainly say the same."""
    if any(len(set(content_tokens(each))) < _FEWEST for each in texts):
        return False
    found = _readings(texts)
    same = {each.label for each in found} == {"supports"}
    return not same and any(each.same >= _MATTER for each in found)


def are_opposed(texts: Sequence[str]) -> bool:
    """Tell whether one of these sentences surely contradicts the first, or the first it."""
    return any(each.label == "contradicts" for each in _readings(texts))


def _readings(texts: Sequence[str]) -> list[Reading]:
    first, *others = texts
    pairs = [pair for other in others for pair in ((first, other), (other, first))]
    return [read(claim_of(one), other) for one, other in pairs]
