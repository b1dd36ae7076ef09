"""When two messages are one: the normal form, how alike texts are, and keys under which they meet."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from datetime import timedelta
from functools import lru_cache
from typing import NamedTuple

from groundwire.errors import InputError
from groundwire.evidence.memory.novelty import novelty
from groundwire.evidence.sources.origins import alike
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
# Who passed a message on, and labels that every channel puts before its lines: no part of what it
# says. Labels that say something (update, correction, 辟谣) are not among them.
_PASSED_ON = re.compile(r"^\W*(?:rt|转发|转)[ :]*@\w+[ :]*", re.IGNORECASE)
_said = patterns("wrappings.txt", "groundwire.evidence.data", flags=re.IGNORECASE)
# These say yes, no, up or down; all other pictures decorate.
_TELLING = "❌🚫⛔✅✔📈📉🟢🔴⬆⬇"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PIECES = re.compile(
    rf"[-+]?[$€£¥₩₿]?\d+(?:[.:/-]\d+)*(?:%|[a-z]+)?|[^\W\d_]+(?:'[^\W_]+)?|[^\W_]|[?]|[{_TELLING}]"
)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_SEGMENT = re.compile(f"([{HAN}]+)|[^{HAN}]+")
_GRAM = 4  # letters of what is written in letters; Chinese says as much in two characters
_PERMUTATIONS, _BANDS = 120, 20
_ROWS = _PERMUTATIONS // _BANDS


@lru_cache(maxsize=512)
def normal_form(text: str) -> str:
    """Return a message without what changes when it is passed on: case, width, script, punctuation,
    pictures, marks of hashtags, tracking in addresses, blanks, channel labels."""
    links = [_address(found.group()) for found in _URL.finditer(text)]
    return " ".join(part for part in (wording(text), *dict.fromkeys(links)) if part)


@lru_cache(maxsize=512)
def wording(text: str) -> str:
    """The normal form of what a message says itself, its links left out."""
    pieces = _PIECES.findall(_THOUSANDS.sub("", folded(_undressed(text))))
    # Chinese has no spaces between words, wherever it was broken.
    return re.sub(rf"(?<=[{HAN}]) | (?=[{HAN}])", "", " ".join(pieces))


def digest(text: str) -> str:
    """SHA-256 of the normal form: two messages with one digest say the same in the same words."""
    return hashlib.sha256(normal_form(text).encode()).hexdigest()


def similarity(first: str, later: str) -> float:
    """How much two messages share, in [0, 1]: of their letters or of their words, whichever is
    more; a text in other words is another text, whatever it means."""
    one, other = wording(first), wording(later)
    if one == other:
        return 1.0 if one else float(normal_form(first) == normal_form(later))
    letters = alike(_grams(one), _grams(other))
    words = alike(_words(first), _words(later))
    # Dice's measure of the words, Jaccard's of the letters.
    return round(max(letters, 2 * words / (1 + words)), 6)


class MessageLikeness(NamedTuple):
    """How alike two messages are, and what keeps them apart all the same."""

    similarity: float
    differs: str

    def reaches(self, least: float) -> bool:
        return self.similarity >= least and not self.differs


def near(first: str, later: str) -> MessageLikeness:
    """Tell whether the later message only repeats the first, hardly changed (layer 3)."""
    return _likeness(first, later, NEAR, strict=True)


def same_signal(first: str, later: str) -> MessageLikeness:
    """Tell whether the later message tells what the first told, of the same asset (layer 4)."""
    return _likeness(first, later, SAME_SIGNAL)


def _likeness(first: str, later: str, least: float, *, strict: bool = False) -> MessageLikeness:
    share = similarity(first, later)
    return MessageLikeness(share, differs(first, later, strict=strict) if share >= least else "")


def differs(first: str, later: str, *, strict: bool = False) -> str:
    """Return the fact in which the later message differs from the first; "" when there is none."""
    return novelty(_undressed(first), _undressed(later), strict=strict)


def keys(text: str) -> tuple[int, ...]:
    """Numbers of 63 bits, of which two messages share one if they are nearly the same.

    MinHash in bands: a pair that shares 0.85 of its letters is missed once in ten thousand. The
    digits are a part of every key: other digits make another message, however alike the rest.
    """
    said = wording(text)
    values = sketch_of(_grams(said) or [normal_form(text)], _PERMUTATIONS).digest()
    numbers = " ".join(sorted(_DIGITS.findall(said)))
    found: list[int] = []
    for band in range(_BANDS):
        rows = values[band * _ROWS : (band + 1) * _ROWS]
        data = f"{band} {numbers} {rows}".encode()
        found.append(int.from_bytes(hashlib.blake2b(data, digest_size=8).digest()) >> 1)
    return tuple(found)


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
def _undressed(text: str) -> str:
    """What a message says, with its capitals: without links, pictures, labels and who passed it on."""
    flat = normalise(_said["credit line"].sub(". ", _URL.sub(" ", text))).text
    if not flat.isascii():
        flat = "".join(" " if _decorates(char) else char for char in flat)
    flat = flat.replace("#", " ").strip()
    bare = _said["label"].sub("", _PASSED_ON.sub("", flat))
    bare = _said["tail"].sub("", bare)
    return bare if re.search(r"\w", bare) else flat


# One message is compared with many, and those with the next one again.
@lru_cache(maxsize=2048)
def _grams(said: str) -> frozenset[str]:
    found: set[str] = set()
    for match in _SEGMENT.finditer(said):
        piece = match.group(1) or f" {match.group().strip()} "
        size = 2 if match.group(1) else _GRAM
        if len(piece) <= size:
            found.add(piece)
        found.update(piece[at : at + size] for at in range(len(piece) - size + 1))
    return frozenset(found)


@lru_cache(maxsize=2048)
def _words(text: str) -> frozenset[str]:
    return frozenset(stem(token) for token in content_tokens(wording(text)))
