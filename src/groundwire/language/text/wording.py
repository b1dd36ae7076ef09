"""Words compared across inflection and language: stems, related words, and searchable texts."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundwire.language.data import data_lines
from groundwire.language.names.glossary import equivalents
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import tokens

_HAN = re.compile(f"[{HAN}]")
_MAIN = 2  # English words of a Chinese one that count as its main sense


def is_han(text: str) -> bool:
    """Tell whether it has any Chinese character."""
    return not text.isascii() and _HAN.search(text) is not None


@lru_cache(maxsize=16_384)
def stemmed(name: str) -> str:
    """Return a name of one or more words in the form that `Wording` looks for."""
    if is_han(name):
        return simplify(name).lower().replace(" ", "")
    return " ".join(
        stem(token) for token in re.findall(r"[^\W_]+(?:\.\d+)?%?", simplify(name).lower())
    )


class Wording:
    """A text that can be searched for a word, whatever its inflection or script."""

    __slots__ = ("_han", "_words", "stems", "tokens")

    def __init__(self, text: str) -> None:
        flat = simplify(text).lower()
        self.tokens = frozenset(tokens(text))
        self.stems = frozenset(map(stem, self.tokens))
        words = re.findall(r"[^\W_]+", flat)
        self._words = f" {' '.join(map(stem, words))} "
        self._han = flat if is_han(flat) else ""

    def has(self, name: str) -> bool:
        """Tell whether the text has a name, which must come from `stemmed`."""
        return self.has_any((name,))

    def has_any(self, names: tuple[str, ...]) -> bool:
        # Most are single words: one look-up each, before any search.
        if not self.stems.isdisjoint(names):
            return True
        han, phrases = _searched(names)
        if self._han and any(name in self._han for name in han):
            return True
        return any(phrase in self._words for phrase in phrases)


@lru_cache(maxsize=4096)
def _searched(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the stemmed names to search for: Chinese ones, and phrases between spaces."""
    han = tuple(name for name in names if is_han(name) and len(name) > 1)
    return han, tuple(f" {name} " for name in names if " " in name and not is_han(name))


@cache
def _related() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Map each stemmed word of the list of related words to its groups."""
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
    searched = sorted((w for w in words if is_han(w) or " " in w), key=lambda w: (-len(w), w))
    parts = (re.escape(w) if is_han(w) else rf"(?<!\w){re.escape(w)}(?!\w)" for w in searched)
    return re.compile("|".join(parts), re.IGNORECASE)


def related_spans(normal: str) -> list[tuple[int, int]]:
    """Find words of the list of related words in text in its normal form; the longest wins."""
    return [match.span() for match in _related_pattern().finditer(normal)]


def has_relatives(word: str) -> bool:
    """Tell whether the list of related words has this one."""
    return stemmed(word) in _related()


def is_proper(name: str) -> bool:
    """Tell whether the glossary knows it only as a name: capitals in all its English forms."""
    known = equivalents(name)
    english = [other for other in known if not is_han(other)]
    # As typed, perhaps in lower case, it is no sign if there is another form.
    others = [other for other in english if other != name] or english
    capital = all(other[0].isupper() or other[1:2].isupper() for other in others)  # iPhone, eSIM
    return len(known) > 1 and bool(others) and capital


@lru_cache(maxsize=16_384)
def variants(word: str) -> tuple[str, ...]:
    """Return every way to write this word that the glossary and the list of related words know.

    Names are followed one step further (矽谷银行 → Silicon Valley Bank → 硅谷银行); common words
    are not, because two steps from `release` lead to `listing`.
    """
    variants = list(equivalents(word))
    if is_proper(word):
        variants.extend(other for name in tuple(variants) for other in equivalents(name))
    # Its own relatives; only a word without any takes those of its translations. Never those of its
    # synonyms: a notice is an announcement, but to announce is not to notice.
    others = [name for name in equivalents(word) if is_han(name) != is_han(word)]
    for names in ([word], others):
        groups = [g for name in names for g in _related().get(stemmed(name), ())]
        variants.extend(other for group in groups for other in group)
        if groups:
            break
    return tuple(dict.fromkeys(variants))


def translation(word: str, language: str) -> str:
    """Return the first way to write it in the other language (`zh` or `en`), or nothing.

    Into Chinese only by its main sense: who failed to vote closed nothing (关闭), who was fired did
    not burn (火灾), who raises taxes raises no funds (融资).
    """
    if language != "zh" or is_han(word):
        want_han = language == "zh"
        return next((name for name in variants(word)[1:] if is_han(name) == want_han), "")
    singular = word.removesuffix("s")  # a plural is the same word, a participle may not be
    known = [name for name in (*equivalents(word), *equivalents(singular)) if is_han(name)]
    if is_proper(word) or " " in word:
        return next((name for name in (*known, *variants(word)) if is_han(name)), "")
    groups = _related().get(stemmed(word), ())
    names = [name for name in variants(word) if is_han(name) and name not in known]
    if len(groups) > 1:
        # A verb in several senses: only a line that has this very form means it.
        own = {name for group in groups if word.lower() in group for name in group}
        names = [name for name in names if name in own and len(equivalents(name)) > 1]
    elif any(name in group for group in groups for name in known):
        names = []  # what is related to a minor sense of it is no sense of it
    return next((name for name in (*known, *names) if _is_main_sense(word, name)), "")


def _is_main_sense(word: str, name: str) -> bool:
    """Tell whether a Chinese word primarily means an English one, by the order of the glossary."""
    english = [other for other in equivalents(name)[1:] if not is_han(other)]
    return not english or stemmed(word) in map(stemmed, english[:_MAIN])


def synonym(word: str, language: str) -> str:
    """Return another word for it in its own language, by the glossary alone, or nothing.

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
