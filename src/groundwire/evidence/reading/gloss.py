"""Glosses of Chinese in English, word by word, so that one encoder can read it beside an English text.

A gloss is not a translation: each word becomes one that the dictionary gives for it, preferably one that the other text
uses; figures and dates are written as in English. The encoder has learned to read such text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from groundwire.evidence.reading.analysis import key_of
from groundwire.evidence.reading.pieces import vocabulary
from groundwire.evidence.reading.synonyms import alternatives
from groundwire.language.amounts.numbers import Figure, figures
from groundwire.language.data import lines_of
from groundwire.language.text.characters import HAN, normalise

_PART = re.compile(rf"(?P<han>[{HAN}]+)|[^{HAN}]+")
_WORD = re.compile(r"[a-z\u00c0-\u024f]+")
_LONGEST = 6  # characters of a word
_DAY = re.compile(r"(?:(\d{4})年)?(?:(\d{1,2})月(?:份)?)?(?:(\d{1,2})[日号])?")
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_SCALES = (
    (Decimal(10) ** 12, "trillion"),
    (Decimal(10) ** 9, "billion"),
    (Decimal(10) ** 6, "million"),
)
_UNITS = {
    "USD": "$", "CNY": "yuan", "%": "%", "HKD": "hk$", "TWD": "nt$", "EUR": "€", "GBP": "£", "JPY": "yen",
}  # fmt: skip


def gloss(text: str, beside: str) -> str:
    """Gloss the Chinese of a text in English, preferring words of the text `beside` it."""
    known = {key_of(word): word for word in _WORD.findall(normalise(beside).text.lower())}
    flat = _numbers(normalise(text).text)
    found: list[str] = []
    for part in _PART.finditer(flat):
        found.extend(_words(part.group(), known) if part["han"] else [part.group().strip()])
    return " ".join(filter(None, found))


def _words(run: str, known: dict[str, str]) -> Iterator[str]:
    """Gloss a run of Chinese, always taking the longest word that the dictionary has.

    A single unknown character is glossed by itself; several are taken for a name, which stays as it is.
    """
    at, unknown = 0, ""
    while at <= len(run):
        ends = range(min(len(run), at + _LONGEST), at, -1)
        end, english = next(
            ((end, english) for end in ends if (english := _one(run[at:end], known)) is not None),
            (at + 1, None),
        )
        if unknown and (english is not None or at == len(run)):
            yield _table("characters.tsv").get(unknown, unknown)
            unknown = ""
        if english is None:
            unknown += run[at:end]
        else:
            yield english
        at = end


def _one(word: str, known: dict[str, str]) -> str | None:
    if (listed := _table("gloss.tsv").get(word)) is not None:
        return listed
    others = [each for each in alternatives(word).items() if each[0].isascii()]
    if not others:
        return None
    shared = next((known[key] for key, _ in others if key in known), None)
    if shared is not None:
        return shared
    best = max(others, key=lambda each: (each[1], -len(each[0].split()), -len(each[0])))[0]
    return " ".join(_whole_words().get(stem, stem) for stem in best.split())


def _numbers(flat: str) -> str:
    """Write Chinese figures and dates as in English."""
    for figure in reversed(figures(flat)):
        if re.search(f"[{HAN}]", flat[figure.start : figure.end]):
            flat = f"{flat[: figure.start]} {_figure(figure)} {flat[figure.end :]}"
    return _DAY.sub(_day, flat)


def _figure(figure: Figure) -> str:
    unit = _UNITS.get(figure.unit, figure.unit.lower())
    for scale, name in _SCALES:
        if abs(figure.value) >= scale:
            return f"{figure.qualifier} {_plain(figure.value / scale)} {name} {unit}".strip()
    return f"{figure.qualifier} {_plain(figure.value)} {unit}".strip()


def _plain(value: Decimal) -> str:
    return f"{value.normalize():,f}"


def _day(match: re.Match[str]) -> str:
    year, month, day = match.groups()
    name = _MONTHS[int(month) - 1] if month and 0 < int(month) <= len(_MONTHS) else month
    return f" {' '.join(filter(None, (name, day, year)))} " if match.group() else ""


@cache
def _table(name: str) -> dict[str, str]:
    """Load a table of Chinese words and their English."""
    return dict(line.split("\t", 1) for line in lines_of("groundwire.evidence.reading.data", name))


@cache
def _whole_words() -> dict[str, str]:
    """Map each stem to the commonest whole word of it that the English encoder knows: "rate", not "rat"."""
    found: dict[str, str] = {}
    for word in vocabulary("en"):  # common words come first
        if word.isalpha() and word.isascii():
            found.setdefault(key_of(word), word)
    return found
