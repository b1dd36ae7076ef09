"""Words compared across inflection and language: stems, related words, and a text to look them up in."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundwire.language.data import data_lines
from groundwire.language.names.glossary import equivalents
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import tokens

_HAN = re.compile(f"[{HAN}]")
_MAIN = 2  # English words of a Chinese one that are its main sense


def is_han(text: str) -> bool:
    """Tell whether any Chinese character is in it."""
    return not text.isascii() and _HAN.search(text) is not None


@lru_cache(maxsize=16_384)
def stemmed(name: str) -> str:
    """Return a name of one or more words in the form that `Wording` is searched for."""
    if is_han(name):
        return simplify(name).lower().replace(" ", "")
    return " ".join(
        stem(token) for token in re.findall(r"[^\W_]+(?:\.\d+)?%?", simplify(name).lower())
    )


class Wording:
    """A text that can be asked whether it has a word, whatever its inflection or script."""

    __slots__ = ("_han", "_words", "stems", "tokens")

    def __init__(self, text: str) -> None:
        flat = simplify(text).lower()
        self.tokens = frozenset(tokens(text))
        self.stems = frozenset(map(stem, self.tokens))
        words = re.findall(r"[^\W_]+", flat)
        self._words = f" {' '.join(map(stem, words))} "
        self._han = flat if is_han(flat) else ""

    def has(self, name: str) -> bool:
        """`name` must come from `stemmed`."""
        return self.has_any((name,))

    def has_any(self, names: tuple[str, ...]) -> bool:
        # Most are single words: one look-up each, before anything is searched for.
        if not self.stems.isdisjoint(names):
            return True
        han, phrases = _searched(names)
        if self._han and any(name in self._han for name in han):
            return True
        return any(phrase in self._words for phrase in phrases)


@lru_cache(maxsize=4096)
def _searched(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of stemmed names those that are searched for: Chinese ones, and phrases between spaces."""
    han = tuple(name for name in names if is_han(name) and len(name) > 1)
    return han, tuple(f" {name} " for name in names if " " in name and not is_han(name))


@cache
def _related() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Each stemmed word of the list of related words, with the groups that hold it."""
    index: dict[str, list[tuple[str, ...]]] = {}
    for line in data_lines("related.tsv"):
        words = tuple(word.strip() for word in line.split("|") if word.strip())
        for key in dict.fromkeys(stemmed(word) for word in words):
            index.setdefault(key, []).append(words)
    return {key: tuple(groups) for key, groups in index.items()}


@cache
def _related_pattern() -> re.Pattern[str]:
    words = dict.fromkeys(word for line in data_lines("related.tsv") for word in line.split("|"))
    # Single English words are found by their stems.
    found = sorted((w for w in words if is_han(w) or " " in w), key=lambda w: (-len(w), w))
    parts = (re.escape(w) if is_han(w) else rf"(?<!\w){re.escape(w)}(?!\w)" for w in found)
    return re.compile("|".join(parts), re.IGNORECASE)


def related_spans(normal: str) -> list[tuple[int, int]]:
    """Where words of the list of related words stand in text in its normal form; longest wins."""
    return [match.span() for match in _related_pattern().finditer(normal)]


def has_relatives(word: str) -> bool:
    """Tell whether the list of related words has this one."""
    return stemmed(word) in _related()


def is_proper(name: str) -> bool:
    """Whether the glossary knows the word only as a name: capitals in all its English forms."""
    known = equivalents(name)
    english = [other for other in known if not is_han(other)]
    # As the person typed it, in small letters perhaps, it is no sign when there is another form.
    others = [other for other in english if other != name] or english
    capital = all(other[0].isupper() or other[1:2].isupper() for other in others)  # iPhone, eSIM
    return len(known) > 1 and bool(others) and capital


@lru_cache(maxsize=16_384)
def ways(word: str) -> tuple[str, ...]:
    """Return every way to write this word that the glossary and the list of related words know.

    Names are followed one step further (矽谷银行 → Silicon Valley Bank → 硅谷银行); common words
    are not, because two steps from `release` lead to `listing`.
    """
    found = list(equivalents(word))
    if is_proper(word):
        found.extend(other for name in tuple(found) for other in equivalents(name))
    # By its own relatives; only a word without any has those of its translations. Never those of
    # its synonyms: a notice is an announcement, but to announce is not to notice.
    others = [name for name in equivalents(word) if is_han(name) != is_han(word)]
    for names in ([word], others):
        groups = [g for name in names for g in _related().get(stemmed(name), ())]
        found.extend(other for group in groups for other in group)
        if groups:
            break
    return tuple(dict.fromkeys(found))


def translation(word: str, language: str) -> str:
    """Return the first way to write it in the other language (`zh` or `en`), or nothing.

    Into Chinese only by its main sense: who failed to vote did not go bankrupt (倒闭), who raises
    taxes raises no funds (融资).
    """
    want_han = language == "zh"
    for name in (*equivalents(word)[1:], *ways(word)):
        if is_han(name) == want_han and (is_han(word) or _is_main_sense(word, name)):
            return name
    return ""


def _is_main_sense(word: str, name: str) -> bool:
    """Whether a Chinese word means an English one in the first place, by the order of the glossary."""
    english = [other for other in equivalents(name)[1:] if not is_han(other)]
    if is_proper(word) or " " in word:
        return True
    if not english:  # a word in several groups has several senses
        return len(_related().get(stemmed(word), ())) <= 1
    return stemmed(word) in map(stemmed, english[:_MAIN])


def synonym(word: str, language: str) -> str:
    """Another word for it in its own language, by the glossary alone, or nothing.

    In Chinese only one with the same first English word: 发布 and 上线 share `launch`, not more.
    """
    english = [name for name in equivalents(word)[1:] if not is_han(name)]
    if language == "en":
        return next((name for name in english if stemmed(name) != stemmed(word)), "")
    for name in equivalents(english[0])[1:] if english else ():
        others = [other for other in equivalents(name)[1:] if not is_han(other)]
        if is_han(name) and name != word and others[:1] == english[:1]:
            return name
    return ""
