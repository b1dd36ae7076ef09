"""Where a text speaks of time: every date, time of day and count, in order, without overlap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from groundwire.language.amounts.numerals import ENGLISH_WORDS
from groundwire.language.data import data_lines
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
    (_FESTIVALS, (en.festive,)),
    ("early late mid the beginning start middle end", (en.edge,)),
    ("last next past coming", (en_times.span,)),
    ("last next this past coming", (en.period, en.weekday)),
    ("last today yesterday tomorrow tonight the recent recently lately not", (en.today,)),
    (_MONTHS, en.MONTH_RULES),
    (_WEEKDAYS, (en.weekday,)),
    ("q h first second third fourth", (en.quarter,)),
    ("fy fiscal financial", (en.fiscal_year,)),
    ("just moments a", (en_times.now,)),
    (f"a an half couple several many some {_UNITS} {' '.join(ENGLISH_WORDS)}", (en_times.ago,)),
    ("this morning afternoon evening night noon midday midnight", (en_times.word,)),
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
    ("今 昨 明 前 后 大 当 同 次 翌 隔 第 头", (zh.shifted_day,)),
    ("今 去 明 前 后 大 本 上 来 同 当 次 翌 民 中", (zh.year,)),
    ("大 农 阴 旧 腊 正 清 中 春 除 元 端 重 国 双 圣 劳 儿 妇 感 复", (zh.FESTIVE,)),
    ("上 下", (zh.half,)),
    ("上 下 本 这 当 月", (zh.months,)),
    ("上 下 本 这 今 当 周 星 礼", (zh.week, zh.whole_week)),
    ("第 首 上 下 本 这 前", (zh.named_quarter,)),
    ("上 本", (zh.decade,)),
    ("年 岁", (zh.edge,)),
    ("近 最 过 未 接 今", (zh_times.span,)),
    ("近 日 最 不 前 这 连 早", (zh.vague_words,)),
    ("几 数 半 好", (zh_times.ago,)),
    ("凌 清 早 上 中 正 午 下 傍 晚 深 夜 半", (zh_times.clock, zh_times.part_of_day)),
    ("刚 方 适", (zh_times.now,)),
)
# Which characters follow those that are common in other words.
_NEXT = {
    first: frozenset(after)
    for firsts, after in (line.split("\t") for line in data_lines("time_heads.tsv"))
    for first in firsts
}
# 周五晚, 11日早
_AFTER_DAY = frozenset("日号天一二三四五六")
# By the character that follows a number.
_TAIL_RULES: tuple[tuple[str, tuple[Rule, ...]], ...] = (
    ("年 世", (zh.decade, zh.year, zh_times.ago)),
    ("财 会", (zh.year,)),
    ("月", (zh.month,)),
    ("- ~ 至 到", (zh.from_month,)),
    ("日 号", (zh.day_number,)),
    ("天 周 个 小 分 秒 刻 钟 星 礼 季 多 余", (zh_times.ago,)),
    ("季", (zh.named_quarter,)),
    ("点 时 :", (zh_times.clock,)),
    ("夕 期 假 长 黄 节", (zh.FESTIVE,)),
)
_ENGLISH_NUMBER: tuple[Rule, ...] = (*en.DIGIT_RULES, en_times.ago, en_times.clock)
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
    """Return what a text in its normal form says of time."""
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
    """Return what a number can begin, by the character behind it; a year last of all."""
    last = numeric_dates.YEAR_RULES if four else ()
    if tail and tail in "-/.":
        return (*_MARKED_NUMBER, *_BY_TAIL.get(tail, ()), *last)
    if tail.isascii():
        english = _ENGLISH_NUMBER if tail else ()
        return (*english, *_BY_TAIL.get(tail, ()), *last)
    return (*_BY_TAIL.get(tail, ()), *last)
