"""A sentence by its clauses: what each of them negates, denies, hedges, plans or merely asks."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache

from groundwire.language.text.polarity import negations
from groundwire.language.text.sentences import sentences

_BREAK = re.compile(
    r"(?:,(?! ?\d{4}\b)(?<!\d,)|,(?=\D)|[;:。!?]|(?<=[a-z0-9\"]) (?:-|--) (?=[a-z]))"
    r"|\s(?=(?:but|while|whereas|although|though|because|before|after which)\s)|(?=但是?|不过|然而|因为|由于)",
    re.IGNORECASE,
)
_AND = re.compile(r"(?<!between) (?:and|then) (?=[^\W\d])")
# Signs of a finite verb, enough to tell two statements from a list of two nouns.
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|did|does|do|cannot)\b|\w{2,}ed\b|n't\b"
)
_CONTRAST = re.compile(r"\b(?:but|however|although|whereas)\b|但|不过|然而|;")

_RUMOUR = re.compile(
    r"\b(?:reportedly|allegedly|alleged|alleges|purported(?:ly)?|rumou?rs?|rumou?red|unconfirmed|unverified|"
    r"supposedly|is said to|are said to|was said to|speculat(?:ion|ed)|cannot be confirmed|not been confirmed|"
    r"could not be verified)\b|据传|传闻|传言|据称|网传|疑似|涉嫌|未经证实|尚未证实|未获证实|未经确认|尚未确认",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:possibly|perhaps|might|could|appears? to|appeared to|fear(?:s|ed)?|worr(?:y|ies|ied)|likely|potentially)\b|\b[Mm]ay (?=[a-z])|"
    r"(?<!不)可能(?!性)|或将|或许|也许|恐将|恐怕|担心|担忧|忧虑",
    re.IGNORECASE,
)
_IF = re.compile(
    r"(?<!as )(?<!asked )(?<!even )\b(?:if|unless)\b(?! any| necessary)|如果|假如|倘若|若(?!干|隐)|一旦|假设|要是",
    re.IGNORECASE,
)
_PLAN_EN = (
    r"\b(?:will|would|shall|expect(?:s|ed)? (?:\w+ ){0,4}to|plan(?:s|ned|ning)? (?:\w+ ){0,2}to|plans? for|"
    r"intend(?:s|ed)? to|aim(?:s|ed)? to|hop(?:es|ed|ing) to|seek(?:s|ing)? to|set to|in talks|talks to|"
    r"consider(?:s|ing|ed)|propos(?:e|es|ed)|forecasts?|predict(?:s|ed)?|is to|are to|going to|about to)\b"
)
# 将 before a verb is the future; before a noun it only moves the object.
_PLAN_ZH = (
    r"计划|打算|拟(?!定)|预计|预期|预测|有望|准备(?!金)|考虑|谈判|洽谈|商谈|有意|"
    r"将(?=[于在会要继被由对进开发推停关裁迁收增减上下成出获为再可从向启恢破面采提投建扩退召公宣实取与加不全正首]"
    r"|[^,。]{0,2}$)"
)
_PLAN = re.compile(f"{_PLAN_EN}|{_PLAN_ZH}", re.IGNORECASE)
_DENY_EN = (
    r"\b(?:den(?:y|ies|ied|ying)|refut(?:e|es|ed|ing)|rebut(?:s|ted)?|debunk(?:s|ed)?|disput(?:es|ed|ing)|"
    r"dismiss(?:es|ed|ing)? (?=\w*(?:claim|report|rumou?r|suggest|alleg|as|the))|"
    r"reject(?:s|ed|ing)? (?=(?:the |these |those )?(?:claim|report|rumou?r|alleg|suggest))|"
    r"hoax|fake news|false(?:ly)? (?:claim|report|rumou?r|said|stat)\w*|there is no evidence|no truth)\b"
)
_DENY_AFTER = re.compile(f"{_DENY_EN}|否认|辟谣|驳斥|谎称|假称|并无证据", re.IGNORECASE)
_DENY_BEFORE = re.compile(
    r"\b(?:(?:is|are|was|were|be|been|being|as|called it|proved|turned out to be) (?:\w+ )?(?:false|untrue|fake|fabricated|baseless|unfounded|"
    r"wrong|incorrect|a hoax|a rumou?r|a lie|not true|misinformation))\b|不实|不属实|谣言|假消息|虚假|子虚乌有|纯属捏造|假的|误传|失实|澄清",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"\b(?:claims?|reports?|rumou?rs?|allegations?|suggestions?|stories|story|posts?|messages?|statements?|news)\b|网传|传闻|传言|说法|消息|报道|谣传",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause in its normal form, with its place in the text it stands in."""

    text: str
    start: int
    negated: tuple[str, ...]  # stems of what it negates
    denied: bool
    rumour: bool
    modal: bool
    planned: bool
    asked: bool

    @property
    def hedged(self) -> bool:
        return self.rumour or self.modal

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@lru_cache(maxsize=256)
def clauses(flat: str) -> tuple[Clause, ...]:
    """All clauses of text that is already in its normal form."""
    found: list[Clause] = []
    for start, end in sentences(flat):
        found.extend(_of_sentence(flat[start:end], start))
    return tuple(found)


def denies(flat: str) -> bool:
    """Whether the text itself says that something is denied or false."""
    return _DENY_AFTER.search(flat) is not None or _DENY_BEFORE.search(flat) is not None


def _of_sentence(sentence: str, offset: int) -> list[Clause]:
    denied = _denied(sentence)
    rumoured = _onwards(_RUMOUR, sentence)
    conditional = _IF.search(sentence) is not None
    asks = sentence.rstrip("\"' )").endswith("?")
    found: list[Clause] = []
    for start, end in _pieces(sentence):
        piece = sentence[start:end]
        negated = tuple(word for item in negations(piece) if not item.denial for word in item.words)
        found.append(
            Clause(
                text=piece,
                start=offset + start,
                negated=negated,
                denied=any(a < end and start < b for a, b in denied),
                rumour=any(a < end and start < b for a, b in rumoured),
                modal=conditional or _MODAL.search(piece) is not None,
                planned=_PLAN.search(piece) is not None,
                asked=asks,
            )
        )
    return found


def _pieces(sentence: str) -> list[tuple[int, int]]:
    edges = [0]
    for match in _BREAK.finditer(sentence):
        edges.append(match.end())
    edges.append(len(sentence))
    spans: list[tuple[int, int]] = []
    for start, end in itertools.pairwise(edges):
        spans.extend(_by_and(sentence, start, end))
    return [(a, b) for a, b in spans if re.search(r"\w", sentence[a:b])]


def _by_and(sentence: str, start: int, end: int) -> list[tuple[int, int]]:
    """Parts around "and" when each of them has a verb of its own."""
    spans: list[tuple[int, int]] = []
    for match in _AND.finditer(sentence, start, end):
        left, right = sentence[start : match.start()], sentence[match.end() : end]
        near = " ".join(right.split()[:6])
        if (_VERB.search(left) and _VERB.search(near)) or (
            re.search(r"\d", left) and re.search(r"\d", right)
        ):
            spans.append((start, match.start()))
            start = match.end()
    return [*spans, (start, end)]


def _onwards(pattern: re.Pattern[str], sentence: str) -> list[tuple[int, int]]:
    """From each sign to the next contrast, or to the end."""
    spans: list[tuple[int, int]] = []
    for match in pattern.finditer(sentence):
        stop = _CONTRAST.search(sentence, match.end())
        spans.append(
            (_clause_start(sentence, match.start()), stop.start() if stop else len(sentence))
        )
    return spans


def _clause_start(sentence: str, at: int) -> int:
    return max((match.end() for match in _BREAK.finditer(sentence, 0, at)), default=0)


def _denied(sentence: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for match in _DENY_AFTER.finditer(sentence):
        stop = re.compile(r"[,;。]|\bbut\b|但").search(sentence, match.end())
        spans.append((match.end(), stop.start() if stop else len(sentence)))
    for match in _DENY_BEFORE.finditer(sentence):
        start = _clause_start(sentence, match.start())
        frame = _FRAME.search(sentence, 0, match.start())
        spans.append((min(start, frame.start()) if frame else start, match.end()))
    return [(a, b) for a, b in spans if b > a]
