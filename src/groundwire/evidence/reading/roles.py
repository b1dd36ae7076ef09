"""Who did what to whom: whether the parties of a claim have changed places in the sentence laid beside it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from groundwire.evidence.reading.alignment import CONTENT, Alignment
from groundwire.evidence.reading.analysis import Sentence

_REACH = 5  # words around a passive in which its parties stand


def are_turned(found: Alignment) -> bool:
    """Whether parties changed places: told by their order, which a passive on one side turns round."""
    sought = found.claim.sought
    chain = [
        link
        for link in found.links
        if sought[link.claim].weight > CONTENT and not sought[link.claim].value
    ]
    mine, theirs = passive(found.claim.sentence), passive(found.sentence)
    here, there = {link.claim: link.at for link in chain}, {link.at: link.claim for link in chain}
    if mine is not None and theirs is None:
        patient, agent = _party(mine[0], -1, here), _party(mine[1], 1, here)
    elif theirs is not None and mine is None:
        patient, agent = _party(theirs[0], -1, there), _party(theirs[1], 1, there)
    else:
        if suffers(found.claim.sentence) != suffers(found.sentence):
            return False
        kinds = found.claim.sentence.kinds
        # Who says something is no party to what is said.
        said = min((cue.last for cue in found.sentence.cues if cue.kind == "says"), default=0)
        names = [link for link in chain if kinds[link.claim][:1] == "n" and link.at >= said]
        return any(a.at > b.at for a, b in itertools.pairwise(names))
    return patient is not None and agent is not None and patient < agent


def suffers(sentence: Sentence) -> bool:
    """Whether it has a passive that does not say by whom: was appointed."""
    words, low = sentence.words, sentence.low
    return any(
        word.key == "be" and low[after.start : after.end].endswith(("ed", "en", "wn"))
        for word, after in itertools.pairwise(words)
    )


def passive(sentence: Sentence) -> tuple[int, int] | None:
    """Between which words the passive stands: (was, by), or 被 twice; None in the active."""
    keys = [word.key for word in sentence.words]
    for cue in sentence.cues:
        if cue.kind != "passive" or cue.first >= len(keys):
            continue
        if keys[cue.first] != "by":
            return cue.first, cue.first
        before = [at for at in range(max(0, cue.first - 4), cue.first) if keys[at] == "be"]
        if before:
            return before[-1], cue.first
    return None


def _party(start: int, step: int, where: Mapping[int, int]) -> int | None:
    """Where the nearest word before or behind a place stands on the other side."""
    for distance in range(1, _REACH + 1):
        found = where.get(start + step * distance)
        if found is not None:
            return found
    return None
