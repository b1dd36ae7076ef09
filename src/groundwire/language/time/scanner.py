"""Where a text speaks of time: every date, time of day and count, in order, without overlap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from groundwire.language.amounts.numerals import ENGLISH_WORDS
from groundwire.language.time import chinese_dates as zh
from groundwire.language.time import chinese_times as zh_times
from groundwire.language.time import english_dates as en
from groundwire.language.time import english_times as en_times
from groundwire.language.time import numeric_dates
from groundwire.language.time.mentions import Rule, TimeMention

_N = "〇零一二两三四五六七八九十"
_MONTHS = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sept sep oct nov dec"
)
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri "
    "sat sun"
)
_UNITS = "minutes hours days weeks months years decades"
_FESTIVALS = (
    "chinese lunar spring mid dragon easter good thanksgiving christmas new ramadan diwali "
    "halloween black cyber labor hanukkah"
)
# By the word, in small letters.
_WORD_RULES: tuple[tuple[str, tuple[Rule, ...]], ...] = (
    (_FESTIVALS, (en.FESTIVE,)),
    ("early late mid the beginning start middle end", (en.EDGE,)),
    ("last next past coming", (en_times.SPAN,)),
    ("last next this past coming", (en.PERIOD, en.WEEKDAY)),
    ("last today yesterday tomorrow tonight the recent recently lately not", (en.TODAY,)),
    (_MONTHS, en.MONTH_RULES),
    (_WEEKDAYS, (en.WEEKDAY,)),
    ("q h first second third fourth", (en.QUARTER,)),
    ("fy fiscal financial", (en.FISCAL_YEAR,)),
    ("just moments a", (en_times.NOW,)),
    (f"a an half couple several many some {_UNITS} {' '.join(ENGLISH_WORDS)}", (en_times.AGO,)),
    ("this morning afternoon evening night noon midday midnight", (en_times.WORD,)),
)
# Words that begin very much else.
_THEN = {
    word: re.compile(f"{word} (?:{after})", re.IGNORECASE)
    for word, after in (
        ("the", "day|oth|end|beg|sta|mid|nex|fol|sam|pre|com"),
        ("a", "coup|few|sec|min|hou|day|wee|mon|qua|yea|dec|mom"),
        ("an", "hou"),
    )
}
# By the first character.
_HAN_RULES: tuple[tuple[str, tuple[Rule, ...]], ...] = (
    ("今 昨 明 前 后 大 当 同 次 翌 隔 第 头", (zh.SHIFTED_DAY,)),
    ("今 去 明 前 后 大 本 上 来 同 当 次 翌 民 中", (zh.YEAR,)),
    ("大 农 阴 旧 腊 正 清 中 春 除 元 端 重 国 双 圣 劳 儿 妇 感 复", (zh.FESTIVE,)),
    ("上 下", (zh.HALF,)),
    ("上 下 本 这 当 月", (zh.MONTHS,)),
    ("上 下 本 这 今 当 周 星 礼", (zh.WEEK, zh.WHOLE_WEEK)),
    ("第 首 上 下 本 这 前", (zh.QUARTER,)),
    ("上 本", (zh.DECADE,)),
    ("年 岁", (zh.EDGE,)),
    ("近 最 过 未 接 今", (zh_times.SPAN,)),
    ("近 日 最 不 前 这 连 早", (zh.VAGUE_WORDS,)),
    ("几 数 半 好", (zh_times.AGO,)),
    ("凌 清 早 上 中 正 午 下 傍 晚 深 夜 半", (zh_times.CLOCK, zh_times.PART)),
    ("刚 方 适", (zh_times.NOW,)),
)
# Which characters follow those that are common in other words.
_NEXT = {
    first: frozenset(after)
    for firsts, after in (
        ("上下本这", "上下一周星礼月个半季世年午几两"),
        ("前", "天日年几些两段不晚夜一二三"),
        ("后", "天年"),
        ("头", "天"),
        ("大", "前后年"),
        ("近", f"日期来年几半数{_N}0123456789"),
        ("当", "天日晚年月周"),
        ("同次", "年日一"),
        ("日", "前"),
        ("年月", "初底末中"),
        ("岁", "末"),
        ("早晚", f"上晨间些约{_N}0123456789"),
        ("夜", "间里"),
        ("周", "一二三四五六日末"),
        ("第", "一二三四1234"),
        ("首", "季"),
        ("民", "国"),
        ("来", "年"),
        ("最", "近"),
        ("不", "久"),
        ("连", "日"),
        ("刚", "刚才"),
        ("方适", "才"),
        ("过", "去"),
        ("未", "来"),
        ("接", "下"),
        ("好", "几"),
        ("正", "月午"),
        ("清", "明晨"),
        ("深", "夜"),
        ("午", "间后夜"),
        ("中", "午秋华"),
        ("春", "节"),
        ("除", "夕"),
        ("元", "旦宵"),
        ("端", "午"),
        ("重", "阳"),
        ("国", "庆"),
        ("双", "十1"),
        ("圣", "诞"),
        ("劳", "动"),
        ("儿", "童"),
        ("妇", "女"),
        ("感", "恩"),
        ("复", "活"),
        ("数", "小天周个分年月日"),
    )
    for first in firsts
}
# 周五晚, 11日早
_AFTER_DAY = frozenset("日号天一二三四五六")
# By the character that follows a number.
_TAIL_RULES: tuple[tuple[str, tuple[Rule, ...]], ...] = (
    ("年 世", (zh.DECADE, zh.YEAR, zh_times.AGO)),
    ("财 会", (zh.YEAR,)),
    ("月", (zh.MONTH,)),
    ("- ~ 至 到", (zh.FROM_MONTH,)),
    ("日 号", (zh.DAY,)),
    ("天 周 个 小 分 秒 刻 钟 星 礼 季 多 余", (zh_times.AGO,)),
    ("季", (zh.QUARTER,)),
    ("点 时 :", (zh_times.CLOCK,)),
    ("夕 期 假 长 黄 节", (zh.FESTIVE,)),
)
_ENGLISH_NUMBER: tuple[Rule, ...] = (*en.DIGIT_RULES, en_times.AGO, en_times.CLOCK)
_MARKED_NUMBER: tuple[Rule, ...] = (*numeric_dates.RULES, *_ENGLISH_NUMBER)


def _table(pairs: Iterable[tuple[str, tuple[Rule, ...]]]) -> dict[str, tuple[Rule, ...]]:
    found: dict[str, tuple[Rule, ...]] = {}
    for heads, rules in pairs:
        for head in heads.split():
            known = found.get(head, ())
            found[head] = (*known, *(rule for rule in rules if rule not in known))
    return found


_BY_WORD = _table(_WORD_RULES)
_BY_HAN = _table(_HAN_RULES)
_BY_TAIL = _table(_TAIL_RULES)
_START = re.compile(f"[0-9]+|[A-Za-z]+|[{_N}]+|[{''.join(_BY_HAN)}]")


class FoundMention(NamedTuple):
    """Where, and what is said there."""

    start: int
    end: int
    said: TimeMention


# Figures, names and dates of one text are asked for one after the other.
@lru_cache(maxsize=32)
def readings(flat: str) -> tuple[FoundMention, ...]:
    """What a text in its normal form says of time."""
    return tuple(_read(flat))


def _read(flat: str) -> Iterator[FoundMention]:
    done = 0
    for start in _START.finditer(flat):
        at = start.start()
        if at < done:
            continue
        for pattern, say in _rules(flat, at, start.group(), start.end()):
            match = pattern.match(flat, at)
            if match is None or match.end() == at:
                continue
            said = say(match)
            if said is None:
                continue
            begin = match.start() if said.start < 0 else max(said.start, done)
            done = match.end() if said.end < 0 else said.end
            yield FoundMention(begin, done, said)
            break


def _rules(flat: str, at: int, head: str, end: int) -> tuple[Rule, ...]:
    first = head[0]
    if first.isdigit():
        return _number_rules(flat[end : end + 1], len(head) == 4)
    if first in _N:
        return _BY_TAIL.get(flat[end : end + 1], ())
    if first.isascii():
        word = head.lower()
        rules = _BY_WORD.get(word, ())
        then = _THEN.get(word)
        return rules if then is None or then.match(flat, at) else ()
    after = _NEXT.get(first)
    if after is None or flat[end : end + 1] in after:
        return _BY_HAN[first]
    late = first in "早晚" and at > 0 and flat[at - 1] in _AFTER_DAY
    return _BY_HAN[first] if late else ()


@lru_cache(maxsize=1024)
def _number_rules(tail: str, four: bool) -> tuple[Rule, ...]:
    """What a number can begin, by the character behind it; a year last of all."""
    last = numeric_dates.YEAR_RULES if four else ()
    if tail and tail in "-/.":
        return (*_MARKED_NUMBER, *_BY_TAIL.get(tail, ()), *last)
    if tail.isascii():
        english = _ENGLISH_NUMBER if tail else ()
        return (*english, *_BY_TAIL.get(tail, ()), *last)
    return (*_BY_TAIL.get(tail, ()), *last)
