"""Whether a text is sure of what it says, and whether two texts say yes and no of one thing."""

from __future__ import annotations

from functools import lru_cache

from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.reader import read

_LIKELIER = 0.5


@lru_cache(maxsize=2048)
def cues_in(text: str) -> tuple[str, ...]:
    """List the kinds of the cues that show how a text says something: hedges, denies, asks."""
    return tuple(cue.kind for each in analyse(text).sentences for cue in each.cues)


def hedges(text: str) -> bool:
    """Tell whether the text itself says that it is not certain."""
    return not {"hedges", "retells"}.isdisjoint(cues_in(text))


def denies(text: str) -> bool:
    """Tell whether the text itself says that something is denied or false."""
    return not {"denies", "false"}.isdisjoint(cues_in(text))


def opposes(statement: str, quote: str) -> bool:
    """Tell whether two texts are likelier to contradict each other than not."""
    pairs = ((statement, quote), (quote, statement))
    return any(read(one, other).scores.contradicts > _LIKELIER for one, other in pairs)
