"""Where two texts with the same words say different things: negated, reversed, replaced, opposed."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from groundwire.evidence.reading.meaning import units
from groundwire.evidence.reading.terms import Term, TermIndex
from groundwire.evidence.reading.windows import Window
from groundwire.language.data import words
from groundwire.language.text.opposites import antonyms
from groundwire.language.text.wording import Wording

# Wider than the negations that refute a quote alone: these are weighed with everything else.
_NEGATION = re.compile(
    r"\b(?:not(?! (?:only|just|merely))|never|neither|nor|no(?! (?:doubt|matter|one)\b)|none|nobody|nothing|cannot|without|"
    r"hardly|barely|rarely|scarcely|unable|lacks?|lacking|absence|nowhere)\b|n't\b|"
    r"没(?!收)|未(?!来|必|知|婚|遂|成年|免)|无(?!论|疑|数|锡|线|人机)|"
    r"不(?!仅|只|但|过|久|断|少|同|足|及|到|得不|如|论|管|良|动产|锈|丹|料|禁|幸|时|愧|妨)|"
    r"(?<![除若])非(?!常|洲|法|遗|典|凡)|勿|莫(?!斯|桑|尔|名|言|高|迪)",
    re.IGNORECASE,
)
_REVERSAL_EN = (
    r"\b(?:fail(?:s|ed|ure)?|refus\w+|declin(?:es|ed) to|reject\w*|den(?:y|ies|ied|ying|ial)|stop(?:s|ped)?|ceas\w+|cancel\w*|"
    r"halt\w*|prevent\w*|avoid\w*|myth|hoax|fals(?:e|ely|ehood)|wrong(?:ly)?|incorrect\w*|untrue|mislead\w*|debunk\w*|"
)
_REVERSAL_MORE = (
    r"refut\w+|contrary|contradict\w*|rather than|instead|despite|unlikely|disput\w+|misconception|erroneous\w*|"
    r"inaccura\w+|fabricat\w+|rumou?rs?)\b"
)
_REVERSAL_ZH = (
    "拒绝|否认|否定|停止|取消|终止|中止|避免|失败|禁止|难以|缺乏|拒|谣言|辟谣|不实|虚假|错误|误导|伪造|捏造|谎言|"
    "假消息|误区|误解|驳斥|失去|放弃|撤销|解散"
)
_REVERSAL = re.compile(f"{_REVERSAL_EN}{_REVERSAL_MORE}|{_REVERSAL_ZH}", re.IGNORECASE)
_PASSIVE = re.compile(
    r"\bby\b|\b(?:was|were|been|being|is|are|be) \w+(?:ed|en)\b|[被由遭受]", re.IGNORECASE
)
_STOP = re.compile(r"[,.;:!?。、]")
_REACH = 3  # words with content that a negation is taken to cover
# Chinese words that differ in just one of these are opposites: 上调 and 下调, 有效 and 无效.
_OPPOSED = frozenset(frozenset(pair) for pair in words("opposed characters"))


@lru_cache(maxsize=512)
def negated(read: TermIndex) -> tuple[bool, ...]:
    """For each word, whether it stands in the reach of an odd number of negations."""
    flags = [False] * len(read.terms)
    for match in _NEGATION.finditer(read.flat):
        stop = _STOP.search(read.flat, match.end())
        end = stop.start() if stop else len(read.flat)
        reached = 0
        for at, term in enumerate(read.terms):
            if term.end <= match.start():
                continue
            if term.start >= end or reached >= _REACH:
                break
            flags[at] = not flags[at]
            reached += term.weight > 0
    return tuple(flags)


@lru_cache(maxsize=512)
def negates(flat: str) -> bool:
    """Whether anything is negated."""
    return _NEGATION.search(flat) is not None


def reversals(read: TermIndex, matched: frozenset[int] = frozenset()) -> int:
    """How often something is called off, denied, refused or false, in words other than these."""
    return sum(read.at(match.start()) not in matched for match in _REVERSAL.finditer(read.flat))


def negated_apart(claim: TermIndex, found: Window) -> float:
    """Weight of the shared words that one text negates and the other does not, as a share."""
    mine, theirs = negated(claim), negated(found.reading)
    apart = shared = 0.0
    for at, (places, _) in zip(claim.content, found.found, strict=True):
        if places:
            weight = claim.terms[at].weight
            shared += weight
            apart += weight if all(mine[at] != theirs[place] for place in places) else 0.0
    return apart / shared if shared else 0.0


def opposed(claim: TermIndex, found: Window, here: Wording, there: Wording) -> tuple[int, int]:
    """How many words of the claim have their antonym in the window: in their place, and beside them."""
    instead = beside = 0
    for at, (places, _) in zip(claim.content, found.found, strict=True):
        sides = antonyms(claim.terms[at].key)
        if any(there.has_any(side) and not here.has_any(side) for side in sides):
            if places:
                beside += 1
            else:
                instead += 1
    return instead, beside


def turned(claim: TermIndex, found: Window) -> int:
    """Chinese words of the claim that stand in the window with one character turned round."""
    matched = found.matched
    theirs = [found.reading.terms[at].key for at in found.reading.content if at not in matched]
    missing = [
        claim.terms[at].key
        for at, (places, _) in zip(claim.content, found.found, strict=True)
        if not places and not claim.terms[at].key.isascii()
    ]
    return sum(any(_is_turned(one, other) for other in theirs) for one in missing)


def _is_turned(one: str, other: str) -> bool:
    if len(one) != len(other) or len(one) > 4:
        return False
    differ = [frozenset(pair) for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    return len(differ) == 1 and differ[0] in _OPPOSED


def swapped(claim: TermIndex, found: Window) -> bool:
    """Whether what stands before an act in the claim stands after it in the window, and the other way round."""
    if _PASSIVE.search(claim.flat) or _PASSIVE.search(found.reading.flat):
        return False
    acts = [claim.at(unit.start) for unit in units(claim.flat) if unit.predicate]
    for number, at in enumerate(claim.content):
        if at not in acts or not 0 < number < len(claim.content) - 1:
            continue
        left, act, right = (found.found[number + step][0] for step in (-1, 0, 1))
        if left and act and right and max(right) < min(act) and max(act) < min(left):
            return True
    return False


def replaced(claim: TermIndex, found: Window) -> list[Term]:
    """Words of the claim for which the window has others, between the same neighbours."""
    matched, theirs = found.matched, found.reading.terms
    gone: list[Term] = []
    for at in range(1, len(claim.content) - 1):
        left, middle, right = (found.found[at + step][0] for step in (-1, 0, 1))
        if middle or not left or not right:
            continue
        for before in left:
            for after in right:
                between = [n for n in range(before + 1, after) if theirs[n].weight]
                if 1 <= len(between) <= 2 and not any(n in matched for n in between):
                    gone.append(claim.terms[claim.content[at]])
                    break
            else:
                continue
            break
    return gone


def adjoining(claim: TermIndex, found: Window) -> float:
    """Share of the claim's neighbouring words that are neighbours in the window, too."""
    pairs = list(pairwise(range(len(claim.content))))
    if not pairs:
        return found.coverage
    near = 0
    for one, other in pairs:
        reach = claim.content[other] - claim.content[one] + 2
        left, right = found.found[one][0], found.found[other][0]
        near += any(0 < b - a <= reach for a in left for b in right)
    return near / len(pairs)
