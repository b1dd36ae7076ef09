"""The claims of a message: its newsworthy statements in its own words, without the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from groundwire.evidence.messages.noise import (
    BREAK,
    PATTERNS,
    is_noise,
    is_question,
    strip_markup,
    trim_noise,
)
from groundwire.evidence.messages.statements import (
    PERSONS,
    borrowed_subject,
    finite_verb,
    has_chinese_verb,
    has_own_subject,
    split_statements,
    word_forms,
)
from groundwire.evidence.reading.analysis import Analysis, Sentence, analyse
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.text.sentences import sentences
from groundwire.language.text.wording import is_han

MOST = 3  # claims of one message
_LONGEST = 4_000  # characters that are read
_TICKER = re.compile(r"(?<!\w)\$(?=[A-Za-z])")
_EDGES = " \t\n,;:.。!?-|•/·~…\"'，；：！？、—–～"
_WITHIN = 2.5  # how far below the best score a claim may be
_LOOSELY = 1.25  # and a claim that names nobody or has no verb
_FEWEST = 2  # telling words of a statement
_MANY = 4  # with more, an English headline needs no known verb
_SHORTEST = 3  # letters up to which no ending counts
_SHORT = 12  # words of a sentence that only adds a figure
_TELLING = 0.5  # a word that carries meaning weighs more
_RARE = 2.0  # the weight of a word that small talk does not use
_PERSONAL = re.compile(r"\b(?:i|we|my|our|me|us|you|your)\b|我|咱|你|您|本期|这期")
_VAGUE = re.compile(r"(?:some(?:thing|body|one)|this|that|these|those|they|he|she)\b|[这那]")


@dataclass(slots=True)
class _Claim:
    text: str
    number: int  # of its sentence
    score: float
    whole: Analysis  # without what it grew by
    firm: bool  # it names somebody and has a verb
    grown: bool = False  # by the figure of the following sentence


@lru_cache(maxsize=128)
def message_claims(text: str) -> tuple[str, ...]:
    """List what the message says happened, is so or will happen; at most `MOST`, main first.

    Empty when it says nothing that could be checked: an opinion, a question, a greeting.
    """
    clean = strip_markup(text[:_LONGEST])
    claims: dict[str, _Claim] = {}
    written = dict.fromkeys(clean[start:end] for start, end in sentences(clean))
    for number, sentence in enumerate(written):
        last = next(reversed(claims.values()), None)
        for claim in _sentence_claims(sentence, number, last):
            claims.setdefault(claim.text, claim)
            last = claim
    best = max(claims.values(), key=lambda claim: claim.score, default=None)
    newsworthy = [claim for claim in claims.values() if best and _is_newsworthy(claim, best)]
    ranked = sorted(newsworthy, key=lambda claim: -claim.score)
    if len(newsworthy) <= MOST:
        ranked = newsworthy  # of a few statements the first is the main one
    return tuple(claim.text for claim in ranked[:MOST])


def _is_newsworthy(claim: _Claim, best: _Claim) -> bool:
    # Whoever says one half of a sentence says the other.
    loose = not claim.firm and claim.number != best.number
    return claim.score >= best.score - (_LOOSELY if loose else _WITHIN)


def _sentence_claims(written: str, number: int, last: _Claim | None) -> list[_Claim]:
    whole = analyse(written, whole=True)
    sentence = whole.lead
    start, end = trim_noise(sentence)
    # The message itself says what ought to be done, unless it quotes somebody.
    quoted = any(cue.kind in ("says", "retells") for cue in sentence.cues)
    advice = not quoted and PATTERNS["should"].search(sentence.low)
    if start >= end or advice or is_question(sentence.low, start, end):
        return []
    chinese = is_han(sentence.text[start:end])
    claims: list[_Claim] = []
    for span in split_statements(sentence, start, end, chinese):
        if is_noise(sentence.low, *span):
            continue
        claim = _claim(_original_words(whole, *span), number, chinese, last)
        if claim is not None:
            claims.append(claim)
            last = claim
    return claims


def _claim(text: str, number: int, chinese: bool, last: _Claim | None) -> _Claim | None:
    """Make a claim of one statement; None if it is none or belongs to the claim before it."""
    whole = analyse(text, whole=True)
    sentence = whole.lead
    before = last if last is not None and number - last.number <= 1 else None
    borrowed = None
    if before is not None:
        joined = number == before.number
        borrowed = borrowed_subject(sentence, chinese, before.whole.lead, joined)
        # Who "he" is in "Reyes met Marek; he …" is not known: the sentence stays whole.
        anaphor = PATTERNS["anaphor"].match(sentence.low)
        doubtful = anaphor is not None and anaphor.group().strip() in PERSONS
        whose = joined and borrowed is None and doubtful
        if whose or (not joined and _is_addition(sentence, chinese, before)):
            mark = ("，", ", ") if not joined else ("；", "; ")
            before.text += mark[not chinese] + text
            before.grown = True
            return None
    if before is not None and borrowed is not None:
        at = before.whole.lead.text.find(borrowed[0])
        who = _original_words(before.whole, at, at + len(borrowed[0]))
        rest = _original_words(whole, borrowed[1], len(sentence.text))
        gap = "" if is_han(who[-1:]) and is_han(rest[:1]) else " "
        text = f"{who}{gap}{rest}"
        whole = analyse(text, whole=True)
        sentence = whole.lead
    if not _is_statement(sentence, chinese):
        return None
    firm = borrowed is not None or (_count_names(sentence) > 0 and _has_verb(sentence, chinese))
    return _Claim(text, number, _rate(sentence, chinese, number), whole, firm)


def _is_addition(sentence: Sentence, chinese: bool, last: _Claim) -> bool:
    """Tell whether a sentence only gives a figure, or a result, of the claim before it."""
    reported = any(cue.kind == "says" for cue in sentence.cues)
    if last.grown or reported or len(sentence.words) > _SHORT or _count_names(sentence):
        return False
    if PATTERNS["result"].match(sentence.low):
        return True
    figured = bool(sentence.figures or sentence.counts)
    return figured and not (
        has_own_subject(sentence, chinese) or PATTERNS["anaphor"].match(sentence.low)
    )


def _count_names(sentence: Sentence) -> int:
    named = (
        kind.startswith("n") or form[0].isupper()
        for kind, form in zip(sentence.kinds, word_forms(sentence), strict=True)
    )
    return max(sum(named), len(chinese_names(sentence.text)))


def _count_figures(sentence: Sentence) -> int:
    return len(sentence.figures) + len(sentence.counts)


def _has_verb(sentence: Sentence, chinese: bool) -> bool:
    if chinese:
        return has_chinese_verb(sentence.text)
    # "The bank holds its rate": a form that ends so inside a statement may well be its verb.
    return finite_verb(sentence, 0, len(sentence.words)) is not None or any(
        form == "to" or (form.endswith(("s", "ed")) and len(form) > _SHORTEST)
        for form in word_forms(sentence)[1:-1]
    )


def _is_statement(sentence: Sentence, chinese: bool) -> bool:
    """Tell whether a stretch makes a statement: with a verb, or as headlines do."""
    telling = sum(word.weight > _TELLING for word in sentence.words)
    names, figures = _count_names(sentence), _count_figures(sentence)
    if telling < _FEWEST or (_VAGUE.match(sentence.low) and not (names or figures)):
        return False
    enough = _FEWEST if chinese else _MANY
    return telling > enough or bool(names and figures) or _has_verb(sentence, chinese)


def _rate(sentence: Sentence, chinese: bool, number: int) -> float:
    """Rate how newsworthy a statement is: who, how many, when, that it happened, and its place."""
    rare = sum(word.weight >= _RARE for word in sentence.words)
    names, figures = _count_names(sentence), _count_figures(sentence)
    score = min(names, 2) + 0.75 * min(figures, 2) + 0.5 * bool(sentence.dates)
    score += _has_verb(sentence, chinese) + 0.25 * min(rare, 6)
    return score - 1.5 * (_PERSONAL.search(sentence.low) is not None) + 0.6 / (1 + number)


def _original_words(whole: Analysis, start: int, end: int) -> str:
    """Return a stretch as it was written, without hedges and the marks around it."""
    sentence = whole.lead
    pieces: list[str] = []
    # A hedge is no part of the claimed event.
    hedges = (match.span() for match in PATTERNS["hedge"].finditer(sentence.low))
    for first, last in (*hedges, (end, end)):
        if start <= first <= end:
            raw = whole.normal.original(start, first) if start < first else (0, 0)
            pieces.append(whole.text[slice(*raw)])
            start = max(start, last)
    plain_words = _TICKER.sub("", "".join(pieces).replace(BREAK, " "))
    return " ".join(plain_words.split()).strip(_EDGES)
