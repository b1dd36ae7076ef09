"""Numbers written in words, Chinese and English."""

from __future__ import annotations

from decimal import Decimal

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
# Nobody writes out a longer number, but a page can hold anything.
_LONGEST = 30
_SMALL = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "亿": 10**8, "兆": 10**12}

_ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS = {word: value for value, word in enumerate(_ONES)} | {
    word: 20 + 10 * value for value, word in enumerate(_TENS)
}
ENGLISH_SCALES = {
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
ENGLISH_WORDS = tuple(_WORDS)


def chinese_integer(text: str) -> int | None:
    """Read the whole number in digits or Chinese numerals; None if there is none."""
    if text.isdecimal() and text.isascii() and len(text) <= _LONGEST:
        return int(text)
    value = chinese_number(text)
    return int(value) if value is not None and value == value.to_integral_value() else None


def chinese_number(text: str) -> Decimal | None:
    """Read the number in Chinese numerals: 五百万, 二〇二三, 三点五亿."""
    whole, point, tail = text.partition("点")
    if not whole or len(text) > _LONGEST:
        return None
    scale = Decimal(1)
    while point and tail[-1:] in _LARGE:
        scale *= _LARGE[tail[-1]]
        tail = tail[:-1]
    value = _whole(whole)
    if value is None:
        return None
    if not point:
        return Decimal(value)
    if not tail or any(char not in _DIGITS for char in tail):
        return None
    digits = "".join(str(_DIGITS[char]) for char in tail)
    return Decimal(f"{value}.{digits}") * scale


def _whole(text: str) -> int | None:
    if all(char in _DIGITS for char in text):
        return int("".join(str(_DIGITS[char]) for char in text))
    total = section = digit = 0
    seen = False
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _SMALL:
            # A bare 十 means ten; a bare 百 or 千 is no number by itself.
            if not digit and (char != "十" or (seen and not section)):
                return None
            section += (digit or 1) * _SMALL[char]
            digit = 0
        elif char in _LARGE:
            section += digit
            if not (section or total):
                return None
            # 万亿: the smaller scale is part of the larger one's number.
            total = (
                (total + section) * _LARGE[char]
                if not section or total < _LARGE[char]
                else (total + section * _LARGE[char])
            )
            section = digit = 0
        else:
            return None
        seen = True
    return total + section + digit


def english_number(words: list[str]) -> Decimal | None:
    """Read the number in English words: five hundred million, twenty five."""
    total = Decimal(0)
    section: int | None = None
    for word in words:
        if word in _WORDS:
            value = _WORDS[word]
            joins = section is None or section % 100 == 0 or (section % 10 == 0 and value < 10)
            if not joins:
                return None
            section = (section or 0) + value
        elif word == "hundred":
            section = (1 if section is None else section) * 100
        elif word in ENGLISH_SCALES:
            total += (1 if section is None else section) * ENGLISH_SCALES[word]
            section = None
        else:
            return None
    return total + (section or 0)
