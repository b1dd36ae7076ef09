"""When two messages are one: the normal form, how alike texts are, and keys to find them by."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from datetime import timedelta
from functools import lru_cache
from typing import NamedTuple

from groundwire.errors import InputError
from groundwire.evidence.memory.novelty import novelty
from groundwire.evidence.sources.origins import shared_part
from groundwire.evidence.sources.urls import canonical_url
from groundwire.language.text.characters import HAN, folded, normalise
from groundwire.language.text.phrases import patterns
from groundwire.language.text.sketches import sketch_of
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens

EXACT_FOR = timedelta(hours=24)
NEAR = 0.85
NEAR_FOR = timedelta(days=7)
SAME_SIGNAL = 0.68
SAME_SIGNAL_FOR = timedelta(hours=6)

_URL = re.compile(r"https?://[^\s<>\"'，。；！？、）】」]+", re.IGNORECASE)
# Who passed a message on, and the labels that every channel prefixes, are no part of the message.
# Labels that say something (update, correction, 辟谣) are not among them.
_PASSED_ON = re.compile(r"^\W*(?:rt|转发|转)[ :]*@\w+[ :]*", re.IGNORECASE)
_patterns = patterns("wrappings.txt", "groundwire.evidence.data", flags=re.IGNORECASE)
# These say yes, no, up or down; all other pictures decorate.
_TELLING = "❌🚫⛔✅✔📈📉🟢🔴⬆⬇"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PIECES = re.compile(
    rf"[-+]?[$€£¥₩₿]?\d+(?:[.:/-]\d+)*(?:%|[a-z]+)?|[^\W\d_]+(?:'[^\W_]+)?|[^\W_]|[?]|[{_TELLING}]"
)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_SEGMENT = re.compile(f"([{HAN}]+)|[^{HAN}]+")
_GRAM = 4  # letters; Chinese says as much in two characters
_PERMUTATIONS, _BANDS = 120, 20
_ROWS = _PERMUTATIONS // _BANDS


@lru_cache(maxsize=512)
def normal_form(text: str) -> str:
    """Strip from a message what changes when it is passed on: case, width, script, punctuation,
    pictures, hashtag marks, tracking in addresses, blanks and channel labels."""
    links = [_address(match.group()) for match in _URL.finditer(text)]
    return " ".join(part for part in (linkless_form(text), *dict.fromkeys(links)) if part)


@lru_cache(maxsize=512)
def linkless_form(text: str) -> str:
    """Return the normal form of a message without its links."""
    pieces = _PIECES.findall(_THOUSANDS.sub("", folded(_strip_wrapping(text))))
    # Chinese has no spaces between words, wherever it was broken.
    return re.sub(rf"(?<=[{HAN}]) | (?=[{HAN}])", "", " ".join(pieces))


def digest(text: str) -> str:
    """Hash the normal form: two messages with one digest say the same in the same words."""
    return hashlib.sha256(normal_form(text).encode()).hexdigest()


def similarity(first: str, later: str) -> float:
    """Measure how much two messages share, in [0, 1], of their letters or of their words."""
    one, other = linkless_form(first), linkless_form(later)
    if one == other:
        return 1.0 if one else float(normal_form(first) == normal_form(later))
    letters = shared_part(_grams(one), _grams(other))
    words = shared_part(_words(first), _words(later))
    # Dice's measure of the words, Jaccard's of the letters.
    return round(max(letters, 2 * words / (1 + words)), 6)


class MessageLikeness(NamedTuple):
    """How alike two messages are, and what sets them apart all the same."""

    similarity: float
    differs: str

    def reaches(self, least: float) -> bool:
        return self.similarity >= least and not self.differs


def near_duplicate(first: str, later: str) -> MessageLikeness:
    """Tell whether the later message only repeats the first, hardly changed (layer 3)."""
    return _likeness(first, later, NEAR, strict=True)


def same_signal(first: str, later: str) -> MessageLikeness:
    """Tell whether the later message reports the same of the same asset (layer 4)."""
    return _likeness(first, later, SAME_SIGNAL)


def _likeness(first: str, later: str, least: float, *, strict: bool = False) -> MessageLikeness:
    share = similarity(first, later)
    differs = difference_between(first, later, strict=strict) if share >= least else ""
    return MessageLikeness(share, differs)


def difference_between(first: str, later: str, *, strict: bool = False) -> str:
    """Return the fact in which the later message differs from the first; "" if there is none."""
    return novelty(_strip_wrapping(first), _strip_wrapping(later), strict=strict)


def band_keys(text: str) -> tuple[int, ...]:
    """Compute numbers of 63 bits, of which two nearly equal messages share at least one.

    MinHash in bands: a pair that shares 0.85 of its letters is missed once in ten thousand. The
    digits are a part of every key: other digits make another message, however alike the rest.
    """
    words = linkless_form(text)
    values = sketch_of(_grams(words) or [normal_form(text)], _PERMUTATIONS).digest()
    numbers = " ".join(sorted(_DIGITS.findall(words)))
    bands: list[int] = []
    for band in range(_BANDS):
        rows = values[band * _ROWS : (band + 1) * _ROWS]
        data = f"{band} {numbers} {rows}".encode()
        bands.append(int.from_bytes(hashlib.blake2b(data, digest_size=8).digest()) >> 1)
    return tuple(bands)


def _address(url: str) -> str:
    try:
        return canonical_url(url.rstrip(".,;:!?)"))
    except InputError:
        return url


def _decorates(char: str) -> bool:
    if char.isascii() or char in _TELLING:
        return False
    return unicodedata.category(char) in ("So", "Sk", "Cs", "Co", "Cn", "Cf", "Mn", "Me")


@lru_cache(maxsize=512)
def _strip_wrapping(text: str) -> str:
    """Return a message with its capitals, without links, pictures, labels and forwarding marks."""
    flat = normalise(_patterns["credit line"].sub(". ", _URL.sub(" ", text))).text
    if not flat.isascii():
        flat = "".join(" " if _decorates(char) else char for char in flat)
    flat = flat.replace("#", " ").strip()
    bare = _patterns["label"].sub("", _PASSED_ON.sub("", flat))
    bare = _patterns["tail"].sub("", bare)
    return bare if re.search(r"\w", bare) else flat


@lru_cache(maxsize=2048)
def _grams(words: str) -> frozenset[str]:
    grams: set[str] = set()
    for match in _SEGMENT.finditer(words):
        piece = match.group(1) or f" {match.group().strip()} "
        size = 2 if match.group(1) else _GRAM
        if len(piece) <= size:
            grams.add(piece)
        grams.update(piece[at : at + size] for at in range(len(piece) - size + 1))
    return frozenset(grams)


@lru_cache(maxsize=2048)
def _words(text: str) -> frozenset[str]:
    return frozenset(stem(token) for token in content_tokens(linkless_form(text)))
