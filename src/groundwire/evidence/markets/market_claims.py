"""What a message states about a market: a peg lost or kept, a level crossed, a move, a crash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

from groundwire.evidence.markets.coins import spoken_of
from groundwire.language.amounts.numbers import Figure, figures
from groundwire.language.text.characters import folded, normalise
from groundwire.language.text.clauses import clauses
from groundwire.language.time.expressions import expressions

NOW = timedelta(hours=6)  # what happened longer ago is not what today's numbers show
Way = Literal["below", "above", "at"]

_PEG = r"(?:(?:the |its |their |us |u\.s\. |dollar |1:1 |one-to-one )*)(?:peg|parity)\b"
_LOST = re.compile(
    r"\bde-?peg(?:s|ged|ging)?\b"
    rf"|\b(?:los(?:es?|t|ing)|br(?:eaks?|oke|oken|eaking)|abandon(?:s|ed)) (?:from )?{_PEG}"
    r"|\b(?:slips?|slipped|slid(?:es)?|falls?|fell|fallen|drops?|dropped|drift(?:s|ed)|dips?|dipped"
    rf"|trad(?:es|ed|ing)) (?:\w+ )?(?:below|under|off|from|away from) (?:{_PEG}|\$1\b(?![.,]\d)|one dollar)"
    r"|脱[锚钩]|失锚|(?:跌破|偏离|失去|脱离)(?:了)?(?:美元|其|与美元)?(?:的)?锚定|锚定(?:失守|失败|崩溃)"
    r"|跌破(?:1|一)美元"
)
_RESTORED = re.compile(
    r"\bre-?peg(?:s|ged|ging)?\b"
    rf"|\b(?:regain|restor|recover|reclaim|re-?establish)(?:e?s|e?d|ing)? (?:to )?{_PEG}"
    rf"|\b(?:return(?:s|ed|ing)?|back) (?:to|at|on) {_PEG}|\bpeg (?:is |was |has been )?restored\b"
    r"|(?:恢复|重新|重回|回归|回到|收复)(?:了)?(?:与)?(?:美元|其)?(?:的)?(?:锚定|挂钩)|[回复]锚|锚定(?:已)?恢复"
    r"|(?:恢复|重回|回升|回到|回归)(?:至|到)?(?:1|一)美元"
)
_KEPT = re.compile(
    r"\b(?:not|never|n't|no|without) (?:\w+ ){0,2}(?:de-?peg(?:ged|ging|s)?|"
    rf"los(?:t|e|ing) {_PEG})|\b(?:holds?|held|holding|keeps?|kept|maintain(?:s|ed|ing)?) {_PEG}"
    r"|\bremains? pegged\b"
    r"|(?:没有|并未|并没有|未曾|从未|不曾|未|没)(?:发生|出现|再次|真正)?(?:脱[锚钩]|失锚)"
    r"|(?:维持|保持|守住|稳住)(?:了)?(?:与)?(?:美元|其)?(?:的)?(?:锚定|挂钩)|仍(?:然)?锚定"
)
_NOT_RESTORED = re.compile(
    r"(?:\bnot|n't|\bfail(?:s|ed|ing)?|未能|尚未|没有|仍未|无法)\W{0,2}(?:\w+ ){0,2}$"
)
# What is feared or traded on is not what happened.
_ONLY_TALK = re.compile(
    r"\bde-?peg(?:ging)? (?:fear|risk|concern|worr|rumou?r|scare|scenario|insurance|protection|talk)"
    r"|\b(?:fears?|risks?|threats?|talk) of (?:a |an |another )?de-?peg|脱[锚钩](?:的)?(?:风险|担忧|恐慌|传闻|谣言|保险|可能)"
    r"|(?:担心|担忧|恐|警惕|防止|避免)\w{0,6}脱[锚钩]"
)
_PASSING = re.compile(
    r"\b(?:briefly|momentarily|temporarily|short-lived|for a (?:moment|while)|intraday|earlier|flash)\b"
    r"|\bon (?:curve|uniswap|binance|bybit|kraken|okx|coinbase|some|one|several|certain)\b|\bpools?\b"
    r"|一度|曾|短暂|短线|插针|闪崩|瞬间|盘中|早些时候|交易对|流动性池|\w池"
)
_RETROSPECT = re.compile(
    r"\banniversary\b|\blook(?:ing|s)? back\b|\brecap\b|\bin hindsight\b|回顾|周年|复盘|当年|往事"
)
_SINCE = re.compile(r"(?:\bsince|\bafter|\bas of|自从?|从)\W{0,2}$")
_EVER_SINCE = re.compile("以[来來]")
_NEGATED = re.compile(r"(?:\bnot|n't|\bnever|未|没有|并未|尚未|没|不会)\W{0,2}(?:[a-z]+ ){0,3}$")

_BELOW = re.compile(
    r"(?:\b(?:below|under|beneath)|跌破|失守|跌穿|下破|低于|跌落|击穿|跌下)\W{0,2}(?:the |了)?$"
)
_ABOVE = re.compile(
    r"(?:\b(?:above|past|tops?|topped|surpass(?:es|ed)?|exceed(?:s|ed)?|breaks?|broke|cross(?:es|ed)|through|over)"
    r"|突破|升破|站上|涨破|冲破|重回|收复|超过|高于|站稳)\W{0,2}(?:the |了)?$"
)
_TO = re.compile(
    r"(?:\b(?:to|at|hits?|reach(?:es|ed)?|touch(?:es|ed)?)(?: around| about| nearly| as low as| as high as)?"
    r"|跌至|跌到|跌落至|回落至|降至|下探至|升至|涨至|涨到|触及|报|现报|达到|至)\W{0,2}$"
)
_DOWN = re.compile(
    r"\b(?:down|fell|falls?|fallen|drops?|dropped|declin\w+|plung\w+|crash\w*|tumbl\w+|slump\w*|los(?:es|t|ing)"
    r"|sinks?|sank|slid\w*|lower|dives?|dived|dove|sheds?|plummet\w*)\b|跌|下挫|重挫|跳水|缩水|崩"
)
_UP = re.compile(
    r"\b(?:up|ris(?:es|ing|en)|rose|gain\w*|jump\w*|surg\w+|soar\w*|climb\w*|rall(?:y|ies|ied)|higher|spik\w+"
    r"|pump\w*|adds?|added)\b|涨|飙升|拉升|上扬|反弹"
)
_DAY = re.compile(
    r"24[ -]?h(?:(?:ou)?rs?)?\b|\b(?:in|within) (?:a|one) day\b|\btoday\b|24小时|日内|一天内?|今[日天]|当[日天]"
)
_OTHER_WINDOW = re.compile(
    r"\b(?:hours?|minutes?|mins?|weeks?|weekly|months?|monthly|years?|yearly|days|quarter|ytd|since)\b|\d ?[hm]\b"
    r"|小时|分钟|[本上一这]周|星期|个月|[本上]月|今年|年内|以来|\d日"
)
_CRASH = re.compile(
    r"\b(?:crash\w*|plung\w+|collaps\w+|plummet\w*|flash crash)\b|暴跌|崩盘|闪崩|崩跌|跳水|血洗"
)


@dataclass(frozen=True, slots=True)
class PegClaim:
    """A stablecoin is said to have lost its peg, or to have it (again)."""

    lost: bool
    passing: bool  # only for a while, or only in one place
    stated: bool


@dataclass(frozen=True, slots=True)
class LevelClaim:
    """A price is said to be beyond a level, or at it."""

    way: Way
    level: float


@dataclass(frozen=True, slots=True)
class MoveClaim:
    """A price is said to have moved by so many percent; `day`: None where no time is given."""

    percent: float
    day: bool | None


def is_past(text: str, at: datetime) -> bool:
    """Whether a message from `at` speaks of an earlier time only."""
    if _RETROSPECT.search(folded(normalise(text).text)):
        return True
    old = near = False
    for each in expressions(text, at):
        if each.begin is None or each.finish is None:
            continue
        if _SINCE.search(text[: each.start].casefold()) or _EVER_SINCE.match(text[each.end :]):
            continue
        if each.finish <= at - NOW:
            old = True
        elif each.begin <= at:
            near = True
    return old and not near


def is_passing(text: str) -> bool:
    """Whether it is said to have been so for a while only, or in one place only."""
    return _PASSING.search(folded(normalise(text).text)) is not None


def peg_claim(text: str, symbol: str) -> PegClaim | None:
    """What is said of a coin's peg; None where nothing is."""
    normal = normalise(text).text
    flat = folded(normal)
    passing = is_passing(text)

    def said(pattern: re.Pattern[str]) -> re.Match[str] | None:
        for match in pattern.finditer(flat):
            named = spoken_of(normal, match.start())
            if not named or symbol in named:
                return match
        return None

    restored = said(_RESTORED)
    if restored is not None:
        lost = _NOT_RESTORED.search(flat[: restored.start()]) is not None
        return PegClaim(lost, False, _stated(flat, restored.start()))
    kept = said(_KEPT)
    if kept is not None:
        return PegClaim(False, False, _stated(flat, kept.start()))
    lost_at = said(_LOST)
    if lost_at is None:
        return None
    stated = _ONLY_TALK.search(flat) is None and _stated(flat, lost_at.start())
    return PegClaim(True, passing, stated)


def level_claims(text: str, symbol: str) -> tuple[LevelClaim, ...]:
    """Levels that a coin's price is said to be beyond, or at, in the order of the text."""
    flat = normalise(text).text
    low = folded(flat)
    found: list[LevelClaim] = []
    for figure in figures(flat):
        before = low[max(0, figure.start - 40) : figure.start]
        way = _way(before)
        bare = figure.unit == "" and figure.value >= 10 and way in ("below", "above")
        if way is None or not (figure.unit in ("USD", "USDT", "USDC") or bare):
            continue
        if _of_coin(flat, figure, symbol) and _affirmed(low, figure):
            found.append(LevelClaim(way, float(figure.value)))
    return tuple(found)


def move_claims(text: str, symbol: str) -> tuple[MoveClaim, ...]:
    """Moves in percent that a coin is said to have made."""
    flat = normalise(text).text
    low = folded(flat)
    found: list[MoveClaim] = []
    for figure in figures(flat):
        if figure.unit != "%" or not _of_coin(flat, figure, symbol) or not _affirmed(low, figure):
            continue
        sign = _sign(low, figure)
        if sign:
            found.append(MoveClaim(sign * float(figure.value), _window(low, figure)))
    return tuple(found)


def says_crash(text: str) -> bool:
    """Whether prices are said to have crashed, without a figure."""
    low = folded(normalise(text).text)
    match = _CRASH.search(low)
    return match is not None and _stated(low, match.start())


def _way(before: str) -> Way | None:
    if _BELOW.search(before):
        return "below"
    if _ABOVE.search(before):
        return "above"
    return "at" if _TO.search(before) and (_DOWN.search(before) or _UP.search(before)) else None


def _sign(low: str, figure: Figure) -> int:
    """The nearest word of direction, before the figure or else right after it."""
    before = low[max(0, figure.start - 40) : figure.start]
    downs = [match.end() for match in _DOWN.finditer(before)]
    ups = [match.end() for match in _UP.finditer(before)]
    if downs or ups:
        return 1 if max(ups, default=-1) > max(downs, default=-1) else -1
    after = low[figure.end : figure.end + 12]
    if _DOWN.search(after):
        return -1
    return 1 if _UP.search(after) else 0


def _window(low: str, figure: Figure) -> bool | None:
    around = low[max(0, figure.start - 40) : figure.end + 30]
    if _DAY.search(around):
        return True
    return False if _OTHER_WINDOW.search(around) else None


def _of_coin(flat: str, figure: Figure, symbol: str) -> bool:
    """Whether a figure is said of this coin: the one that is named last before it, or first."""
    named = spoken_of(flat, figure.start)
    return not named or symbol in named


def _affirmed(low: str, figure: Figure) -> bool:
    if _NEGATED.search(low[max(0, figure.start - 40) : figure.start]):
        return False
    return _stated(low, figure.start) and not any(_negations(low, figure))


def _negations(low: str, figure: Figure) -> Iterator[bool]:
    """Whether the word of direction before a figure is negated: has not fallen below…"""
    before = low[max(0, figure.start - 40) : figure.start]
    for pattern in (_DOWN, _UP, _BELOW, _ABOVE):
        for match in pattern.finditer(before):
            yield _NEGATED.search(before[: match.start()]) is not None


@lru_cache(maxsize=256)
def _stated(low: str, at: int) -> bool:
    """Whether the clause at this place states, and does not expect, plan, ask or deny."""
    for clause in clauses(low):
        if clause.start <= at < clause.end:
            return not (clause.asked or clause.modal or clause.planned or clause.denied)
    return True
