"""Names that a sentence asserts, and whether another text has them, in either language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.language.amounts.numbers import figures
from groundwire.language.data import data_lines, words
from groundwire.language.names.glossary import equivalents, known_names
from groundwire.language.text.characters import HAN, normalise
from groundwire.language.text.sentences import sentences
from groundwire.language.text.tokens import stop_words
from groundwire.language.time.dates import date_spans

_LATIN = re.compile(
    r"[A-Za-z\u00c0-\u024f][A-Za-z0-9\u00c0-\u024f&]*(?:[.'-][A-Za-z0-9\u00c0-\u024f]+)*"
)
_HAN = re.compile(f"[{HAN}]")
# Written in capitals, yet no names.
_COMMON_CAPITALS = words("common capitals")
_TITLES = words("titles and calendar")
# Common words that open sentences; endings catch most of the others.
_OPENERS = words("sentence openers")
_COMMON_ENDING = re.compile(
    r"(?:ally|ently|antly|edly|ously|arly|ately|ively|[a-z]{2}tions?|[a-z]{2}ments?|ness|ities)$"
)


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """Map every name and adjective of a country to all its names."""
    known: dict[str, tuple[str, ...]] = {}
    for line in data_lines("countries.tsv"):
        country, others, people = line.split("\t")
        forms = (country, *others.split("|"))
        known.update((form.lower(), forms) for form in (*forms, *people.split("|")))
    return known


def is_country(name: str) -> bool:
    """Tell whether this is the name of a country, or its adjective."""
    return bool(_country(normalise(name).text))


def _country(flat: str) -> tuple[str, ...]:
    return _countries().get(flat.lower().rstrip(".").removeprefix("the "), ())


@lru_cache(maxsize=512)
def country_names(name: str) -> tuple[str, ...]:
    """Return every name and adjective of a country; none for another name."""
    forms = _country(normalise(name).text)
    words = [word for word, known in _countries().items() if forms and known == forms]
    return tuple(dict.fromkeys([*forms, *(word.capitalize() for word in words)]))


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it stands in a text."""

    start: int
    end: int
    text: str


def names(text: str) -> list[Name]:
    """Find the names in the text, in order: glossary names whole, other capitals singly."""
    normal = normalise(text)
    places = (normal.original(*span) for span in _spans(normal.text))
    return [Name(start, end, text[start:end]) for start, end in places]


@lru_cache(maxsize=64)
def _spans(flat: str) -> tuple[tuple[int, int], ...]:
    # Months and currencies are capitalised, too, but are dates and amounts.
    taken = bytearray(len(flat))
    for start, end in (*date_spans(flat), *(figure.span for figure in figures(flat))):
        taken[start:end] = b"\1" * (end - start)
    known = [span for span in known_names(flat) if not any(taken[slice(*span)])]
    spans = [(start, end) for start, end in known if _is_proper(flat[start:end])]
    for start, end in spans:
        taken[start:end] = b"\1" * (end - start)
    opening = {start for start, _ in sentences(flat)}
    chinese = len(_HAN.findall(flat)) * 2 > len(_LATIN.findall(flat))
    for match in _LATIN.finditer(flat):
        word = match.group()
        # Most words end here: in English a lower-case word is no name.
        if (not chinese and word.isalpha() and word.islower()) or any(taken[slice(*match.span())]):
            continue
        before = flat[max(0, match.start() - 1) : match.start()]
        if _is_name(word, match.start() in opening or before in ('"', "(", ":"), chinese):
            spans.append(match.span())
    return tuple(sorted(spans))


@lru_cache(maxsize=4096)
def _is_proper(written: str) -> bool:
    """Tell whether a glossary entry is a proper name: some English form of it is capitalised."""
    return any(form[:1].isupper() and form.isascii() for form in equivalents(written)[1:]) and (
        not written.islower()
    )


@lru_cache(maxsize=16_384)
def _is_name(written: str, opens: bool, chinese: bool) -> bool:
    word = re.sub(r"'s?$", "", written)
    low = word.lower()
    if word in _COMMON_CAPITALS or low in _TITLES or len(word) < 2:
        return False
    if any(char.isdigit() for char in word) or any(char.isupper() for char in word[1:]):
        return True
    if chinese:
        return word[0].isupper() or len(word) >= 4
    if not word[0].isupper() or low in stop_words():
        return False
    return not (opens and (low in _OPENERS or _COMMON_ENDING.search(low)))


def has_name(name: str, text: str) -> bool:
    """Tell whether the text has this name, as a word, by an equivalent or by its initials."""
    return any(_has_form(form, text) for form in known_spellings(name))


def missing_names(text: str, others: Iterable[str]) -> list[str]:
    """List the names of the text that stand in none of the other texts, each once."""
    pool = "\n".join(others)
    wanted = dict.fromkeys(name.text for name in names(text))
    lacking = [name for name in wanted if not has_name(name, pool)]
    return [name for name in lacking if not _matches_initials(name, text, pool)]


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """Return one key for all ways to write a name, for counting what two texts share."""
    return min(form.lower() for form in known_spellings(name))


@lru_cache(maxsize=4096)
def known_spellings(name: str) -> tuple[str, ...]:
    """Return every known way to write this name, itself first."""
    flat = re.sub(r"'s?$", "", normalise(name).text)
    forms = list(equivalents(flat))
    # One more step: two Chinese names that share an English one are the same name.
    forms.extend(more for form in tuple(forms) if _is_proper(form) for more in equivalents(form))
    forms.extend(_country(flat))
    return tuple(dict.fromkeys(forms))


def _has_form(form: str, text: str) -> bool:
    flat = normalise(text).text
    if _HAN.search(form):
        return form in flat
    low = flat.lower()
    return all(pattern.search(low) for pattern in _word_patterns(form))


@lru_cache(maxsize=4096)
def _word_patterns(form: str) -> tuple[re.Pattern[str], ...]:
    """Compile a pattern for each word of a name, alone or in the plural."""
    words = filter(None, re.split(r"[\s-]+", form.lower().rstrip(".")))
    return tuple(
        re.compile(rf"(?<![a-z0-9]){re.escape(word)}(?:s|es)?(?![a-z0-9])") for word in words
    )


def _matches_initials(name: str, text: str, pool: str) -> bool:
    """Tell whether initials match a name, either way round: SVB for Silicon Valley Bank."""
    letters = name.replace(".", "")
    if letters.isupper() and 2 <= len(letters) <= 6:
        # Letters that the glossary knows have that meaning and no other.
        return len(equivalents(letters)) == 1 and letters in _initials(pool)
    runs = re.findall(r"(?:[A-Z][\w'-]+ (?:of |the |and )*)+[A-Z][\w'-]+", normalise(text).text)
    return any(
        name in run and re.search(rf"\b{initials}\b", pool, re.ASCII) is not None
        for run in runs
        if (initials := "".join(re.findall(r"\b[A-Z]", run))) and len(initials) > 1
    )


_TITLE_RUN = re.compile(r"[A-Z][\w'-]*(?: (?:(?:of|the|and|for|&) )*[A-Z][\w'-]*)+")


def _initials(text: str) -> frozenset[str]:
    """Collect the initials of capitalised names; a common word that only opens is no part."""
    initials: set[str] = set()
    for run in _TITLE_RUN.findall(normalise(text).text):
        words = re.findall(r"\b[A-Z][\w'-]*", run)
        while words and (words[0].lower() in _OPENERS or words[0].lower() in stop_words()):
            words = words[1:]
        heads = "".join(word[0] for word in words)
        initials.update(
            heads[at : at + size] for size in range(2, 7) for at in range(len(heads) - size + 1)
        )
    return frozenset(initials)
