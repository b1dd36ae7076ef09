"""How a sentence stands to what it speaks of: false, denied, negated, rumoured, not done yet, asked."""

from __future__ import annotations

import re

from groundwire.language.text.phrases import listed

FALSE = re.compile(listed("called false"))
DENIED = re.compile(listed("denied"))
TOLD = re.compile(listed("a telling"))  # what is told is itself a telling: posts, rumours
RUMOUR = re.compile(listed("rumoured"))
NOBODY = re.compile(listed("said by nobody"))  # whoever says so has no name
UNCHECKED = re.compile(listed("unchecked"))  # nobody could check what the page tells
WEAK = re.compile(listed("not done yet"))
PROPOSAL = re.compile(listed("proposal"))
BACKGROUND = re.compile(listed("told of another time"))
ASKED = re.compile(listed("asked"))
OTHERS = re.compile(listed("others"))
CAUSE = re.compile(listed("cause"))
IN_TALKS = re.compile(listed("in talks"))
WITHDRAWN = re.compile(listed("taken back"))
INSTEAD = re.compile(listed("instead"))
WHOLE = re.compile(listed("whole"))
PARTLY = re.compile(listed("partly"))
# Where the claim says "will", these say no less.
AHEAD = frozenset({"plans to", "planned", "计划", "预计", "scheduled to"})

_NEGATION = re.compile(listed("negated"))
_NOT_YET = re.compile(r"\b(?:not yet|yet to)\b|尚未|还没|仍未|还未|暂未|尚无")
_NEGATED_AFTER = re.compile(
    r" (?:is|are|was|were|has|have|did|does|will) (?:not|never)\b|(?:一事)?(?:并不|不存在|并未)"
)
_REACH = re.compile(r"(?:\W+[\w'%$.,-]+){0,5}\W*\Z")
_NO_REACH = re.compile(r"(?:\W+[\w'%$.,-]+){0,10}\W*\Z")  # no custodian … has been seized
# How many characters a Chinese negation reaches: 不 little, 并未 far.
_CHINESE_REACH = {"不": 2, "没": 4, "未": 9}
_FAR = 10
_SINCE = re.compile(
    r"\b(?:months|years|decades?|anniversary) (?:after|since|of|on from)\b[^,.;]{0,40}\Z"
)
_YEARS_ON = re.compile(
    "(?:发生|过去|过后|至今|后|以来)*(?:已|近|约|将近|快|逾|满)*[\\d一二两三四五六七八九十半多个]+(?:周|月|年)[多余]?(?:之?后|来|了|[,。])"
)
_QUESTION = re.compile(r"[^,;。!.]{0,40}\?")
_CLAUSE = re.compile(
    r",(?!\d{3})|[;:。!?]|\.(?=\s|\Z)|\b(?:but|while|although|because)\b|但|不过|然而|因为|由于"
)


def clause_before(low: str, at: int) -> str:
    """What stands before a place in its clause."""
    start = max((match.end() for match in _CLAUSE.finditer(low, 0, at)), default=0)
    return low[start:at]


def negated_at(low: str, start: int, end: int) -> bool:
    """Whether what is said here is negated: before it in its clause, or right after it."""
    before = clause_before(low, start)
    for match in _NEGATION.finditer(before):
        gap = before[match.end() :]
        if not match.group().isascii():
            if len(gap) <= _CHINESE_REACH.get(match.group(), _FAR):
                return True
        elif (_NO_REACH if match.group() == "no" else _REACH).fullmatch(gap):
            return True
    return _NEGATED_AFTER.match(low, end) is not None


def long_ago(low: str, start: int, end: int) -> bool:
    """Whether what is said here is only what time is counted from: two years after the quake."""
    return bool(_SINCE.search(low[:start]) or _YEARS_ON.match(low, end))


def asked_at(low: str, end: int) -> bool:
    """Whether the clause that goes on here ends in a question mark: a headline that answers itself."""
    return _QUESTION.match(low, end) is not None


def not_yet(low: str) -> bool:
    """Whether the sentence says that something has still to come."""
    return _NOT_YET.search(low) is not None
