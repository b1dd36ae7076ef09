"""Who did what to whom: whether the parties of a sentence have swapped places."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from groundwire.evidence.citations.parties import join_names, names_in
from groundwire.evidence.citations.verbs import CONTENT, clause_of, is_verb
from groundwire.evidence.reading.alignment import Alignment, Claim
from groundwire.evidence.reading.analysis import Sentence
from groundwire.evidence.reading.turns import passive, suffers
from groundwire.language.names.names import Name, has_name

_MIXED = 0.3
_POST = r"(?:(?:new|then|former|interim|deputy|vice|chief|executive|managing|general|prime|co-?founder|founder|owner|head|boss|CEO|CFO|COO|CTO|president|chair|chairman|chairwoman|chairperson|director|officer|minister|secretary|governor|mayor|spokesman|spokeswoman|spokesperson|lawyer|analyst|economist|and) ?){1,5}"
# Before somebody, what he is to the one named first; after him, to the one named last.
_TITLE = re.compile(rf" {_POST}", re.IGNORECASE)
_OWN = re.compile(rf" (?:\w+ )?{_POST}", re.IGNORECASE)
_APPOSED = re.compile(rf",? (?:(?:the|a|an) )?{_POST}(?:of|at|for|with) (?:the )?", re.IGNORECASE)
_TITLED = re.compile(rf" {_POST}\s?(?:,|$)", re.IGNORECASE)
_SLOTS = frozenset({"by", "against", "with", "from", "over", "for", "由", "被", "对", "向", "给"})


def are_roles_swapped(claim: Claim, alignments: Sequence[Alignment]) -> bool:
    """Tell whether two names have swapped places around words that a quote shares."""
    claimed = claim.sentence
    parties = _acting(claimed.text)
    for alignment in alignments if len(parties) > 1 else ():
        quoted = alignment.sentence
        if suffers(claimed) != suffers(quoted) and (passive(claimed) is None) == (
            passive(quoted) is None
        ):
            continue
        pairs = _pair_names(parties, _acting(quoted.text))
        if len(pairs) < 2:
            continue
        moved: set[tuple[int, int]] = set()
        # In Chinese the agent stands before the verb, with or without 被.
        turned = (passive(claimed) is None) != (passive(quoted) is None)
        turn = -1 if turned and not alignment.passage.chinese and not claim.analysis.chinese else 1
        for link in alignment.links:
            if claim.sought[link.claim].value or link.strength < 0.8:
                continue
            word, other = claimed.words[link.claim], quoted.words[link.at]
            if any(name.start <= word.start < name.end for name in parties):
                continue
            telling = is_verb(claimed, link.claim) or word.key in _SLOTS
            if not telling and not any(word.start - name.end == 1 for name in parties):
                continue
            for side in (-1, 1):
                one = _nearest_party(claimed, word.start, side * turn, [name for name, _ in pairs])
                two = _nearest_party(quoted, other.start, side, [name for _, name in pairs])
                if one is not None and two is not None and one != two:
                    moved.add((one, two))
        if any((b, a) in moved for a, b in moved):
            return True
    return any(_are_clauses_mixed(claim, alignment) for alignment in alignments)


def _acting(text: str) -> list[Name]:
    """List the parties of a sentence, without those that only say who another one is: Circle in "Circle's chief executive X"."""
    found = join_names(names_in(text), text)
    between = [text[a.end : b.start] for a, b in itertools.pairwise(found)]
    described = {
        n
        for n, words in enumerate(between)
        if (_TITLE.fullmatch(words) if found[n].text[-2:] != "'s" else _OWN.fullmatch(words))
    }
    described |= {n + 1 for n, words in enumerate(between) if _APPOSED.fullmatch(words)}
    described |= {
        n + 1
        for n, words in enumerate(between)
        if words == ", "
        and found[n + 1].text.endswith("'s")
        and _TITLED.match(text, found[n + 1].end)
    }
    return [name for n, name in enumerate(found) if n not in described]


def _are_clauses_mixed(claim: Claim, alignment: Alignment) -> bool:
    """Tell whether two clauses each mix two of the quote, so that acts change their parties."""
    shares: dict[int, dict[int, float]] = {}
    if claim.analysis.chinese != alignment.passage.chinese:
        return False
    for link in alignment.links:
        each = claim.sought[link.claim]
        if each.weight > CONTENT and not each.value:
            claim_clause = claim.sentence.words[link.claim].clause
            quote_clause = alignment.sentence.words[link.at].clause
            weights = shares.setdefault(claim_clause, {})
            weights[quote_clause] = weights.get(quote_clause, 0.0) + each.weight
    split = [weights for weights in shares.values() if len(weights) == 2]
    return any(
        one is not other
        and one.keys() == other.keys()
        and all(min(weights.values()) >= _MIXED * sum(weights.values()) for weights in (one, other))
        for one in split
        for other in split
    )


def _pair_names(claimed: Sequence[Name], quoted: Sequence[Name]) -> list[tuple[Name, Name]]:
    pairs: list[tuple[Name, Name]] = []
    for name in claimed:
        for other in quoted:
            if (has_name(name.text, other.text) or has_name(other.text, name.text)) and all(
                other is not taken for _, taken in pairs
            ):
                pairs.append((name, other))
                break
    return pairs


def _nearest_party(sentence: Sentence, at: int, side: int, parties: Sequence[Name]) -> int | None:
    """Return which party stands nearest on one side of a word, preferring those in its clause."""
    clause = clause_of(sentence, at)
    best: tuple[bool, int, int] | None = None
    for number, name in enumerate(parties):
        distance = (name.start - at) * side
        candidate = (clause_of(sentence, name.start) != clause, distance, number)
        if distance > 0 and (best is None or candidate < best):
            best = candidate
    return None if best is None else best[2]
