"""Whether a text is sure of what it says, and whether two texts say yes and no of one thing."""

from __future__ import annotations

from functools import lru_cache

from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.standing import DENIED, FALSE, NEGATED

_TURNED = DENIED | FALSE | NEGATED
_CONTENT = 0.5  # a word that carries meaning weighs more


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


def turns(text: str) -> bool:
    """Tell whether the text negates something, or says that it is denied or false."""
    return not {"negates", "denies", "false"}.isdisjoint(cues_in(text))


def opposes(statement: str, quote: str) -> bool:
    """Tell whether one text negates or denies what the other says plainly."""
    (plain, turned), (other_plain, other_turned) = _words(statement), _words(quote)
    return bool(turned & other_plain - other_turned or other_turned & plain - turned)


@lru_cache(maxsize=2048)
def _words(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Split content words into plainly stated ones and the first one after each negating cue."""
    plain: set[str] = set()
    turned: set[str] = set()
    for each in analyse(text).sentences:
        fresh = True
        for word, mark in zip(each.words, each.marks, strict=True):
            if word.weight <= _CONTENT:
                continue
            if not mark & _TURNED:
                plain.add(word.key)
                fresh = True
            elif fresh or mark & (DENIED | FALSE):
                turned.add(word.key)
                fresh = False
    return frozenset(plain), frozenset(turned)
