"""The claims of a message: whole statements in its own words, the newsworthy ones, without what surrounds them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from groundwire.evidence.messages.noise import BREAK, asks, is_noise, plain, said, trimmed
from groundwire.evidence.messages.statements import (
    completed,
    finite,
    forms,
    has_chinese_verb,
    parts,
    subject,
)
from groundwire.evidence.reading.analysis import Analysis, Sentence, analyse
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.text.sentences import sentences
from groundwire.language.text.wording import is_han

MOST = 3  # claims of one message
_LONGEST = 4_000  # characters that are read
_TICKER = re.compile(r"(?<!\w)\$(?=[A-Za-z])")
_EDGES = " \t\n,;:.。!?-|•/·~…\"'，；：！？、—–～"
_WITHIN = 2.5  # how much less telling than the best one a claim may be
_LOOSELY = 1.25  # and one that names nobody or has no verb
_FEWEST = 2  # telling words of a statement
_MANY = 4  # with more an English headline needs no verb that is known
_SHORTEST = 3  # letters before which no ending is seen
_SHORT = 12  # words of a sentence that only adds a figure
_TELLING = 0.5  # the weight of a word that says something
_RARE = 2.0  # of one that small talk has not
_I = re.compile(r"\b(?:i|we|my|our|me|us|you|your)\b|我|咱|你|您|本期|这期")
_VAGUE = re.compile(r"(?:some(?:thing|body|one)|this|that|these|those|they|he|she)\b|[这那]")


@dataclass(slots=True)
class _Claim:
    text: str
    number: int  # of its sentence
    score: float
    subject: str
    firm: bool  # it names somebody and has a verb
    grown: bool = False  # by the figure of the sentence behind it


@lru_cache(maxsize=128)
def message_claims(text: str) -> tuple[str, ...]:
    """What the message says happened, is so or will happen; at most `MOST`, the main one first.

    Empty when it says nothing that could be checked: an opinion, a question, a greeting.
    """
    clean = plain(text[:_LONGEST])
    found: dict[str, _Claim] = {}
    for number, (start, end) in enumerate(sentences(clean)):
        last = next(reversed(found.values()), None)
        for claim in _of_sentence(clean[start:end], number, last):
            found.setdefault(claim.text, claim)
            last = claim
    best = max((claim.score for claim in found.values()), default=0.0)
    near = [
        claim
        for claim in found.values()
        if claim.score >= best - (_WITHIN if claim.firm else _LOOSELY)
    ]
    ranked = sorted(near, key=lambda claim: -claim.score)
    if len(near) <= MOST:
        ranked = near  # of a few statements the first is the main one
    return tuple(claim.text for claim in ranked[:MOST])


def _of_sentence(written: str, number: int, last: _Claim | None) -> list[_Claim]:
    whole = analyse(written, whole=True)
    sentence = whole.lead
    start, end = trimmed(sentence.text, sentence.low)
    # The message itself says what ought to be, unless somebody is quoted with it.
    quoted = any(cue.kind in ("says", "retells") for cue in sentence.cues)
    advice = not quoted and said["should"].search(sentence.low)
    if start >= end or advice or asks(sentence.low):
        return []
    chinese = is_han(sentence.text[start:end])
    found: list[_Claim] = []
    for span in parts(sentence, start, end, chinese):
        if is_noise(sentence.low, *span):
            continue
        claim = _claim(_written(whole, *span), number, chinese, last)
        if claim is not None:
            found.append(claim)
            last = claim
    return found


def _claim(text: str, number: int, chinese: bool, last: _Claim | None) -> _Claim | None:
    """One statement as a claim; None for what is none, or what belongs to the claim before it."""
    whole = analyse(text, whole=True)
    own = whole.lead
    near = last is not None and number - last.number <= 1
    if last is not None and near and number > last.number and _adds(own, last):
        last.text += ("，" if chinese else ", ") + text
        last.grown = True
        return None
    borrowed = None
    if last is not None and near:
        borrowed = completed(own, chinese, last.subject, number == last.number)
    if borrowed is not None:
        rest = _written(whole, borrowed[1], len(own.text))
        gap = "" if is_han(borrowed[0][-1:]) and is_han(rest[:1]) else " "
        text = f"{borrowed[0]}{gap}{rest}"
        whole = analyse(text, whole=True)
        own = whole.lead
    if not _states(own, chinese):
        return None
    head = subject(own, chinese)
    at = max(own.text.find(head), 0)
    who = _written(whole, at, at + len(head))
    firm = borrowed is not None or (_names(own) > 0 and _has_verb(own, chinese))
    return _Claim(text, number, _rated(own, chinese, number), who, firm)


def _adds(own: Sentence, last: _Claim) -> bool:
    """Whether a sentence does nothing but give a figure, or a result, of the claim before it."""
    told = any(cue.kind == "says" for cue in own.cues)
    if last.grown or told or len(own.words) > _SHORT or _names(own):
        return False
    return said["result"].match(own.low) is not None or bool(own.figures or own.counts)


def _names(own: Sentence) -> int:
    named = (
        kind.startswith("n") or form[0].isupper()
        for kind, form in zip(own.kinds, forms(own), strict=True)
    )
    return max(sum(named), len(chinese_names(own.text)) if not own.text.isascii() else 0)


def _figures(own: Sentence) -> int:
    return len(own.figures) + len(own.counts)


def _has_verb(own: Sentence, chinese: bool) -> bool:
    if chinese:
        return has_chinese_verb(own.text)
    # "The bank holds its rate": a form that ends so inside a statement may well be its verb.
    return finite(own, 0, len(own.words)) is not None or any(
        form == "to" or (form.endswith(("s", "ed")) and len(form) > _SHORTEST)
        for form in forms(own)[1:-1]
    )


def _states(own: Sentence, chinese: bool) -> bool:
    """Whether a stretch says something of something: with a verb, or as headlines do."""
    telling = sum(word.weight > _TELLING for word in own.words)
    if telling < _FEWEST or (_VAGUE.match(own.low) and not (_names(own) or _figures(own))):
        return False
    enough = _FEWEST if chinese else _MANY
    return telling > enough or bool(_names(own) and _figures(own)) or _has_verb(own, chinese)


def _rated(own: Sentence, chinese: bool, number: int) -> float:
    """How much like news a statement is: who, how many, when, that it happened, and where it stands."""
    rare = sum(word.weight >= _RARE for word in own.words)
    score = min(_names(own), 2) + 0.75 * min(_figures(own), 2) + 0.5 * bool(own.dates)
    score += _has_verb(own, chinese) + 0.25 * min(rare, 6)
    return score - 1.5 * (_I.search(own.low) is not None) + 0.6 / (1 + number)


def _written(whole: Analysis, start: int, end: int) -> str:
    """A stretch of the normal form as it was written, without hedges and the marks around it."""
    sentence = whole.lead
    pieces: list[str] = []
    # Where it says that it only retells it is no part of what is to have happened.
    hedges = (match.span() for match in said["hedge"].finditer(sentence.low))
    for first, last in (*hedges, (end, end)):
        if start <= first <= end:
            raw = whole.normal.original(start, first) if start < first else (0, 0)
            pieces.append(whole.text[slice(*raw)])
            start = max(start, last)
    plain_words = _TICKER.sub("", "".join(pieces).replace(BREAK, " "))
    return " ".join(plain_words.split()).strip(_EDGES)
