"""Hedging, negation and denial, in Chinese and English."""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundwire.language.data import words
from groundwire.language.text.characters import normalise
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens, is_stop_word, tokens

_HEDGE = re.compile(
    r"\b(?:[Rr]eportedly|[Aa]llegedly|alleged|alleges|purported|purportedly|rumou?rs?|rumou?red|unconfirmed|"
    r"unverified|supposedly|possibly|perhaps|might|could|is said to|are said to|was said to|"
    r"appears? to|appeared to|speculation|speculated|cannot be confirmed|not been confirmed|"
    r"could not be verified)\b|\bmay (?=[a-z])|"
    r"据传|传闻|传言|据称|网传|疑似|涉嫌|未经证实|尚未证实|未获证实|未经确认|尚未确认|(?<!不)可能(?!性)|或将|或许|也许|恐将",
    re.ASCII,
)
_DENIAL = re.compile(
    r"\b(?:den(?:y|ies|ied|ying)|refut(?:e|es|ed)|rebut(?:s|ted)|dismiss(?:es|ed)?|disput(?:es|ed)|"
    r"rejected (?:claims?|reports?|rumou?rs?)|untrue|is false|are false|was false)\b|否认|辟谣|驳斥|不实|不属实|澄清",
    re.IGNORECASE | re.ASCII,
)
_NEGATION = re.compile(
    r"(?:\b(?:not(?! (?:only|just|merely))|never|neither|nor|no longer|no(?= [a-z])(?! (?:more|less|fewer|later|doubt|matter|one|longer)\b)|cannot|without|fail(?:s|ed)? to|"
    r"refus(?:es|ed) to|declin(?:es|ed) to)\b|n't\b)|"
    r"没有|并未|尚未|从未|未曾|未能|并没|并非|不会|不能|不是|不再|不曾|无法|拒绝|绝不|毫无|无(?=敞口|风险|关|存款|计划|证据|意|影响|往来)|"
    r"没(?!收|落)|未(?!来|必|知|婚|遂|成年|经证实|获证实)|(?<![是])不(?!仅|只|但|过|久|断|少|同|足|及|到|得不|实|属实|可能|如|论|管|良|动产)",
    re.IGNORECASE | re.ASCII,
)
_CLAUSE_END = re.compile(r"[,.;:!?。、]|\bbut\b|但", re.ASCII)
_AUXILIARIES = words("auxiliaries")


@dataclass(frozen=True, slots=True)
class Negated:
    """What a negation denies: its predicate, or the words of the denied clause."""

    words: tuple[str, ...]
    denial: bool


def hedges(text: str) -> bool:
    """Whether the text itself says that it is not certain."""
    return _HEDGE.search(normalise(text).text) is not None


def negations(text: str) -> list[Negated]:
    """Every negation in the text with the stems of what it negates."""
    flat = normalise(text).text
    found: list[Negated] = []
    for pattern, denial in ((_NEGATION, False), (_DENIAL, True)):
        for match in pattern.finditer(flat):
            denied = _after(flat, match.end(), whole=denial)
            if denial and not denied:
                denied = _before(flat, match.start())
            if denied:
                found.append(Negated(denied, denial))
    return found


def opposes(statement: str, quote: str) -> bool:
    """Whether one text negates what the other asserts about the same predicate."""
    return _denies(quote, statement) or _denies(statement, quote)


def _denies(one: str, other: str) -> bool:
    """Whether `one` negates something that `other` says without negation."""
    theirs = negations(other)
    their_negated = {word for negated in theirs for word in negated.words}
    said = {stem(token) for token in tokens(other)} - their_negated
    for negated in negations(one):
        shared = [word for word in negated.words if word in said]
        if negated.denial and any(item.denial for item in theirs):
            continue
        if negated.denial and 2 * len(shared) > len(negated.words) and len(shared) > 1:
            return True
        if not negated.denial and shared:
            return True
    return False


def _after(flat: str, start: int, *, whole: bool) -> tuple[str, ...]:
    stop = _CLAUSE_END.search(flat, start)
    end = stop.start() if stop else len(flat)
    found = [
        token for token in tokens(flat[start : min(end, start + 160)]) if token not in _AUXILIARIES
    ]
    if whole:
        found = [word for word in found if not is_stop_word(word)]
    else:
        found = [word for word in found if not word.endswith("ly")][:1]
    return tuple(stem(word) for word in found)


def _before(flat: str, end: int) -> tuple[str, ...]:
    start = max((match.end() for match in _CLAUSE_END.finditer(flat, 0, end)), default=0)
    return tuple(stem(token) for token in content_tokens(flat[start:end]))
