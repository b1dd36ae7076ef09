"""Where a text speaks of time: every date, time of day and count, in order, without overlap."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from groundwire.language.amounts.numerals import ENGLISH_WORDS
from groundwire.language.data import data_lines
from groundwire.language.time import date_rules, time_rules
from groundwire.language.time.mentions import Rule, TimeMention

_N = "〇零一二两三四五六七八九十"
_UNITS = "minutes hours days weeks months years decades"
_FESTIVALS = (
    "chinese lunar spring mid dragon easter good thanksgiving christmas new ramadan diwali "
    "halloween black cyber labor hanukkah"
)
# By the word in lower case, or by its first three letters.
_WORD_RULES: tuple[tuple[str, str], ...] = (
    (_FESTIVALS, "festival"),
    ("early late mid the beginning start middle end first last final", "edge"),
    ("last next past coming", "span"),
    ("last next this past coming", "period, weekday"),
    ("last today yesterday tomorrow tonight the recent recently lately not", "today"),
    ("jan feb mar apr may jun jul aug sep oct nov dec", "month day, month"),
    ("mon tue wed thu fri sat sun", "weekday"),
    ("q h first second third fourth", "quarter"),
    ("fy fiscal financial", "fiscal"),
    ("just moments a", "now"),
    (f"a an half couple several many some {_UNITS} {' '.join(ENGLISH_WORDS)}", "ago"),
    ("this morning afternoon evening night noon midday midnight", "part of day"),
)
# By the first character.
_HAN_RULES: tuple[tuple[str, str], ...] = (
    ("今 昨 明 前 后 大 当 同 次 翌 隔 第 头", "shifted day"),
    ("今 去 明 前 后 大 本 上 来 同 当 次 翌 民 中", "year"),
    ("大 农 阴 旧 腊 正 清 中 春 除 元 端 重 国 双 圣 劳 儿 妇 感 复", "festive"),
    ("上 下", "half"),
    ("上 下 本 这 当 月", "months"),
    ("上 下 本 这 今 当 周 星 礼", "week, whole week"),
    ("第 首 上 下 本 这 前", "quarter"),
    ("上 本", "decade"),
    ("年 岁", "bare edge"),
    ("近 最 过 未 接 今", "span"),
    ("近 日 最 不 前 这 连 早", "vague"),
    ("几 数 半 好", "ago"),
    ("凌 清 早 上 中 正 午 下 傍 晚 深 夜 半", "clock, part of day"),
    ("刚 方 适", "now"),
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
_TAIL_RULES: tuple[tuple[str, str], ...] = (
    ("年 世", "decade, year, ago"),
    ("财 会", "year"),
    ("月", "month"),
    ("- ~ 至 到", "from month"),
    ("日 号", "day"),
    ("天 周 个 小 分 秒 刻 钟 星 礼 季 多 余", "ago"),
    ("季", "quarter"),
    ("点 时 :", "clock"),
    ("夕 期 假 长 黄 节", "festive"),
)
_CHINESE = date_rules.CHINESE | time_rules.CHINESE
_ENGLISH = date_rules.ENGLISH | time_rules.ENGLISH
_YEAR = (date_rules.NUMERIC["bare year"],)
_MARKED = tuple(date_rules.NUMERIC[name] for name in ("full", "slashed", "year month"))
_ENGLISH_NUMBER = tuple(
    _ENGLISH[name] for name in ("day month", "hyphenated", "decade", "year quarter", "ago", "clock")
)


def _table(
    pairs: tuple[tuple[str, str], ...], rules: Mapping[str, Rule]
) -> dict[str, tuple[Rule, ...]]:
    """Map each head to the rules that it may begin."""
    by_head: dict[str, dict[str, Rule]] = {}
    for heads, names in pairs:
        for head in heads.split():
            by_head.setdefault(head, {}).update((name, rules[name]) for name in names.split(", "))
    return {head: tuple(named.values()) for head, named in by_head.items()}


_BY_WORD = _table(_WORD_RULES, _ENGLISH)
_BY_HAN = _table(_HAN_RULES, _CHINESE)
_BY_TAIL = _table(_TAIL_RULES, _CHINESE)
_START = re.compile(f"[0-9]+|[A-Za-z]+|[{_N}]+|[{''.join(_BY_HAN)}]")


@lru_cache(maxsize=32)
def time_mentions(flat: str) -> tuple[TimeMention, ...]:
    """Return what a text in its normal form says of time."""
    return tuple(_read(flat))


def _read(flat: str) -> Iterator[TimeMention]:
    done = 0
    for start in _START.finditer(flat):
        at = start.start()
        if at < done:
            continue
        for pattern, read in _rules(flat, at, start.group(), start.end()):
            match = pattern.match(flat, at)
            if match is None or match.end() == at:
                continue
            mention = read(match)
            if mention is None:
                continue
            begin = match.start() if mention.start < 0 else max(mention.start, done)
            done = match.end() if mention.end < 0 else mention.end
            yield mention._replace(start=begin, end=done)
            break


def _rules(flat: str, at: int, head: str, end: int) -> tuple[Rule, ...]:
    first = head[0]
    if first.isdigit():
        return _number_rules(flat[end : end + 1], len(head) == 4)
    if first in _N:
        return _BY_TAIL.get(flat[end : end + 1], ())
    if first.isascii():
        word = head.lower()
        return _BY_WORD.get(word) or _BY_WORD.get(word[:3], ())
    after = _NEXT.get(first)
    if after is None or flat[end : end + 1] in after:
        return _BY_HAN[first]
    late = first in "早晚" and at > 0 and flat[at - 1] in _AFTER_DAY
    return _BY_HAN[first] if late else ()


@lru_cache(maxsize=1024)
def _number_rules(tail: str, four: bool) -> tuple[Rule, ...]:
    """Return the rules that a number can begin, by the character after it; a year comes last."""
    rules = _BY_TAIL.get(tail, ())
    if tail.isascii() and tail:
        rules = (*_ENGLISH_NUMBER, *rules)
    if tail in ("-", "/", "."):
        rules = (*_MARKED, *rules)
    return (*rules, *_YEAR) if four else rules
