"""Figures as a language writes them: 33亿美元 and $3.3 billion."""

from __future__ import annotations

from decimal import Decimal

_SCALES = {
    "en": ((10**12, " trillion"), (10**9, " billion"), (10**6, " million")),
    "zh": ((10**12, "万亿"), (10**8, "亿"), (10**4, "万")),
    "zh-Hant": ((10**12, "兆"), (10**8, "億"), (10**4, "萬")),
}
_THOUSAND = 1_000
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥", "TWD": "NT$", "HKD": "HK$"}
_NAMES = {
    "zh": {
        "USD": "美元",
        "EUR": "欧元",
        "GBP": "英镑",
        "CNY": "元",
        "JPY": "日元",
        "TWD": "新台币",
        "HKD": "港元",
    },
    "zh-Hant": {
        "USD": "美元",
        "EUR": "歐元",
        "GBP": "英鎊",
        "CNY": "人民幣",
        "JPY": "日圓",
        "TWD": "新台幣",
        "HKD": "港幣",
    },
}


def written_figure(value: Decimal, unit: str, language: str) -> str:
    """Write a value and its unit as a language does; a unit that it has no name for stands behind."""
    scale, word = next((each for each in _SCALES[language] if abs(value) >= each[0]), (1, ""))
    cents = _cents(value) if unit in _SIGNS else ""
    number = cents or f"{_plain(value / scale)}{word}"
    if unit == "%":
        return f"{number}%"
    if language == "en":
        sign = _SIGNS.get(unit, "")
        return f"{sign}{number}" if sign or not unit else f"{number} {unit}"
    name = _NAMES[language].get(unit, f" {unit}" if unit else "")
    return f"{number}{name}"


def _plain(value: Decimal) -> str:
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _cents(value: Decimal) -> str:
    """Write an amount of money below a thousand: $0.90, but $249."""
    return f"{value:.2f}" if value != value.to_integral() and abs(value) < _THOUSAND else ""
