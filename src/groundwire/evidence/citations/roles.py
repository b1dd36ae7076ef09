"""Who did what to whom: whether the parties of a sentence have changed places."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.citations.acts import CONTENT, clause_of, is_verb
from groundwire.evidence.citations.parties import joined, names_in
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.turns import passive, suffers
from groundwire.language.names.names import Name, has_name

_MIXED = 0.3
_SLOTS = frozenset({"by", "against", "with", "from", "over", "for", "由", "被", "对", "向", "给"})


def roles_turned(claim: Claim, laid: Sequence[Alignment]) -> bool:
    """Whether two names of the sentence have changed places around the words that they share with a quote."""
    mine = claim.sentence
    parties = joined(names_in(mine.text), mine.text)
    for alignment in laid if len(parties) > 1 else ():
        theirs = alignment.sentence
        if suffers(mine) != suffers(theirs) and (passive(mine) is None) == (
            passive(theirs) is None
        ):
            continue
        pairs = _paired(parties, joined(names_in(theirs.text), theirs.text))
        if len(pairs) < 2:
            continue
        moved: set[tuple[int, int]] = set()
        # In Chinese who acts stands before the act, 被 or not.
        turned = (passive(mine) is None) != (passive(theirs) is None)
        turn = -1 if turned and not alignment.passage.chinese and not claim.analysis.chinese else 1
        for link in alignment.links:
            if claim.sought[link.claim].value or link.strength < 0.8:
                continue
            word, other = mine.words[link.claim], theirs.words[link.at]
            if any(name.start <= word.start < name.end for name in parties):
                continue
            told = is_verb(mine, link.claim) or word.key in _SLOTS
            if not told and not any(word.start - name.end == 1 for name in parties):
                continue
            for side in (-1, 1):
                here = _beside(mine, word.start, side * turn, [name for name, _ in pairs])
                there = _beside(theirs, other.start, side, [name for _, name in pairs])
                if here is not None and there is not None and here != there:
                    moved.add((here, there))
        if any((b, a) in moved for a, b in moved):
            return True
    return any(_crossed(claim, alignment) for alignment in laid)


def _crossed(claim: Claim, alignment: Alignment) -> bool:
    """Whether two clauses of the sentence each mix two of the quote: who did the one is said to have done the other."""
    shares: dict[int, dict[int, float]] = {}
    if claim.analysis.chinese != alignment.passage.chinese:
        return False
    for link in alignment.links:
        each = claim.sought[link.claim]
        if each.weight > CONTENT and not each.value:
            mine = claim.sentence.words[link.claim].clause
            theirs = alignment.sentence.words[link.at].clause
            own = shares.setdefault(mine, {})
            own[theirs] = own.get(theirs, 0.0) + each.weight
    split = [own for own in shares.values() if len(own) == 2]
    return any(
        one is not other
        and one.keys() == other.keys()
        and all(own[key] >= _MIXED * sum(own.values()) for own in (one, other) for key in own)
        for one in split
        for other in split
    )


def _paired(mine: Sequence[Name], theirs: Sequence[Name]) -> list[tuple[Name, Name]]:
    found: list[tuple[Name, Name]] = []
    for name in mine:
        for other in theirs:
            if (has_name(name.text, other.text) or has_name(other.text, name.text)) and all(
                other is not taken for _, taken in found
            ):
                found.append((name, other))
                break
    return found


def _beside(sentence: Sentence, at: int, side: int, parties: Sequence[Name]) -> int | None:
    """Which of the parties stands nearest on one side of a word, in its clause if one is there."""
    clause = clause_of(sentence, at)
    best: tuple[bool, int, int] | None = None
    for number, name in enumerate(parties):
        distance = (name.start - at) * side
        found = (clause_of(sentence, name.start) != clause, distance, number)
        if distance > 0 and (best is None or found < best):
            best = found
    return None if best is None else best[2]
