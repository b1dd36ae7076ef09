"""How text is compared: tokens, shingles and lexical relevance."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache

from groundwire.language.data import data_lines
from groundwire.language.names.glossary import equivalents, known_names
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.chinese import cut

_DOTTED = r"(?:[^\W\d_]\.){2,}"
_TOKEN = re.compile(
    # Most words end at a space or a comma; trying them first saves the rest.
    rf"[a-z]+(?=[ ,;:])|[{HAN}]+|{_DOTTED}|[$€£¥₹]\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*%|\d+(?:[.,]\d+)+|[^\W_{HAN}]+"
)
_HAN = re.compile(f"[{HAN}]")
_POSSESSIVE = re.compile(r"(?<=[a-z])'s\b")
_AHEAD = 400  # characters at the start, which count more
_SHINGLE_WORDS = 4
_SHINGLE_CHARACTERS = 5


def tokens(text: str) -> list[str]:
    """Split text into words for comparison: by rjieba in Chinese, else in lower case.

    A figure with a sign gives two tokens, `$0.88` and `0.88`, so that either form is found.
    """
    return list(_cached_tokens(text) if len(text) <= _CACHED else _tokens(text))


_CACHED = 4_000  # characters: passages, not pages


def _tokens(text: str) -> tuple[str, ...]:
    flat = (text if text.isascii() else simplify(text)).lower()
    if "'s" in flat:
        flat = _POSSESSIVE.sub("", flat)
    words: list[str] = []
    for token in _TOKEN.findall(flat):
        first = token[0]
        if first >= "\u3400" and _HAN.match(first):
            words.extend(cut(token, for_search=True))
        elif first.isalpha():
            words.append(token.replace(".", ""))
        else:
            whole = token.replace(",", "")
            words.extend(dict.fromkeys([whole, whole.strip("$€£¥₹%")]))
    return tuple(words)


_cached_tokens = lru_cache(maxsize=512)(_tokens)


def shingles(text: str) -> frozenset[str]:
    """Return overlapping pieces for near-duplicates: characters for Chinese, words for the rest."""
    return _cached_shingles(text) if len(text) <= _PAGE else _shingles(text)


_PAGE = 20_000  # characters: pages are compared with one another in every round, books are not


def _shingles(text: str) -> frozenset[str]:
    flat = simplify(text).lower()
    if not flat.isascii() and len(_HAN.findall(flat)) * 4 >= len(flat):
        units: list[str] = re.findall(r"[^\W_]", flat)
        size, glue = _SHINGLE_CHARACTERS, ""
    else:
        units = re.findall(r"[^\W_]+", flat)
        size, glue = _SHINGLE_WORDS, " "
    if len(units) < size:
        return frozenset([glue.join(units)] if units else [])
    return frozenset(map(glue.join, zip(*(units[at:] for at in range(size)), strict=False)))


_cached_shingles = lru_cache(maxsize=64)(_shingles)


@cache
def stop_words() -> frozenset[str]:
    """Return the words without content, Chinese (simplified) and English."""
    return frozenset(word for line in data_lines("stopwords.txt") for word in line.split())


def is_stop_word(token: str) -> bool:
    """Tell whether a token carries no content of its own."""
    return token in stop_words()


def content_tokens(text: str) -> list[str]:
    """Return the tokens without stop words, in order, with repeats."""
    return [token for token in tokens(text) if not is_stop_word(token)]


def relevance(query: str, text: str, title: str = "") -> float:
    """Measure how much of a query stands in the text, in [0, 1]; word-exact, zh and en.

    Names and figures weigh more than other words; a name counts in either language.
    """
    return best_relevance((query,), text, title)


def best_relevance(queries: Sequence[str], text: str, title: str = "") -> float:
    """Return the relevance to the query that fits the text best; 0 without any."""
    all_text = _searched_text(f"{title}\n{text}")
    lead = all_text if len(text) <= _AHEAD else _searched_text(f"{title}\n{text[:_AHEAD]}")
    best = 0.0
    for query in queries:
        terms = query_terms(query)
        total = sum(weight for _, weight in terms)
        if total:
            whole = sum(weight for names, weight in terms if all_text.has(names)) / total
            ahead = sum(weight for names, weight in terms if lead.has(names)) / total
            best = max(best, round(0.8 * whole + 0.2 * ahead, 6))
    return best


class _SearchedText:
    """A text that can be searched for tokens and for names of several words."""

    def __init__(self, text: str) -> None:
        self.tokens = frozenset(tokens(text))
        self.source = text

    def has(self, names: tuple[str, ...]) -> bool:
        return not self.tokens.isdisjoint(names) or any(self._has(name) for name in names)

    def _has(self, name: str) -> bool:
        if _HAN.search(name):
            return len(name) > 1 and name in self._joined
        return " " in name and f" {name} " in self._joined

    @cached_property
    def _joined(self) -> str:
        return " " + re.sub(r"[^\w]+", " ", simplify(self.source).lower()) + " "


_searched_text = lru_cache(maxsize=32)(_SearchedText)


@lru_cache(maxsize=4096)
def query_terms(query: str) -> tuple[tuple[tuple[str, ...], float], ...]:
    """Return the terms of a query: (ways to write it, weight), each once."""
    normal = simplify(query)
    weights: dict[tuple[str, ...], float] = {}
    rest: list[str] = []
    done = 0
    for start, end in known_names(normal):
        rest.append(normal[done:start])
        forms = equivalents(normal[start:end])
        names = (re.sub(r"[^\w]+", " ", form.lower()).strip() for form in forms)
        proper = any(form[:1].isupper() for form in forms[1:])
        weights[tuple(dict.fromkeys(names))] = 2.0 if proper else 1.0
        done = end
    rest.append(normal[done:])
    left = " ".join(rest)
    spelling = {word.lower(): word for word in re.findall(rf"[^\W_{HAN}]+", left)}
    chinese = _HAN.search(normal) is not None
    for token in content_tokens(left):
        weights.setdefault((token,), _weight(token, spelling.get(token, ""), chinese))
    return tuple(weights.items())


def _weight(token: str, written: str, chinese: bool) -> float:
    if any(char.isdigit() for char in token):
        return 2.0
    if _HAN.match(token):
        return 1.0 if len(token) > 1 else 0.5
    named = written[:1].isupper() or chinese
    return 2.0 if named else 1.0
