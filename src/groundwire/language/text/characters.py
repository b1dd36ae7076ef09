"""The normal form of text, character by character, with a way back to the original offsets."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TypeAlias

from groundwire.language.text.rarity import UNLISTED, rarity
from groundwire.language.text.spans import merged

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_CJK = "\u3001-\u303f\u3040-\u30ff" + HAN
# Invisible characters, which search and quotation must not see either.
_INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_MARKS = "\u0300-\u036f\u3099\u309a\ufe00-\ufe0f"
_MARKS_OF_ASCII = {
    char: mark
    for mark, chars in (
        ('"', "“”„‟«»〝〞〟＂「」﹁﹂"),
        ("'", "‘’‚‛‹›＇ʼ´`『』﹃﹄′"),
        ("-", "‐‑‒–—―−﹘﹣－─"),
    )
    for char in chars
}
# Superscripts, circled numbers and fractions would turn into digits of the number before them.
_KEPT_FORMS = ("<super>", "<sub>", "<circle>", "<fraction>")

_SPACES = "\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_BLANK = f"[{_SPACES}{_INVISIBLE}]"
# Blanks that do not simply become one space. The class comes first: a look-behind at every
# position would cost more than all the rest.
_RUN = re.compile(
    f"{_BLANK}(?:{_BLANK}+|(?<=[{_INVISIBLE}])|(?=[{_CJK}])|(?<=[{_CJK}].))", re.DOTALL
)
_CLUSTER = re.compile(f"[^{_SPACES}{_INVISIBLE}{_MARKS}][{_MARKS}]+")
_CJK_CHARACTER = re.compile(f"[{_CJK}]")
_INVISIBLE_CHARACTER = re.compile(f"[{_INVISIBLE}]")
_MARK = re.compile(f"[{_MARKS}]")

# Filled as characters occur: what each becomes, and those that do not become exactly one.
_TABLE: dict[int, str] = {}
_IRREGULAR: set[str] = set()
_LEARNED: set[str] = set()


def _learn(text: str) -> set[str]:
    present = set(text)
    for char in sorted(present - _LEARNED):
        form = _normal_form(char)
        _TABLE[ord(char)] = form
        if len(form) != 1:
            _IRREGULAR.add(char)
        _LEARNED.add(char)
    return present


def _normal_form(char: str) -> str:
    if char in _MARKS_OF_ASCII:
        return _MARKS_OF_ASCII[char]
    if char.isspace():
        return " "
    if _INVISIBLE_CHARACTER.match(char):
        return ""
    if unicodedata.decomposition(char).startswith(_KEPT_FORMS):
        return char
    wide = unicodedata.normalize("NFKC", char)
    if any(part.isspace() for part in wide):
        return char
    simple = _simplified()
    return "".join(simple.get(part, part) for part in wide)


@cache
def _dictionary(name: str) -> dict[str, list[str]]:
    lines = files("opencc").joinpath("dictionary", name).read_text("utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if "\t" in line)
    return {pair[0]: pair[1].split() for pair in pairs}


@cache
def _simplified() -> dict[str, str]:
    """Map each traditional character to its first simplified one, by OpenCC's own table."""
    return {old: new[0] for old, new in _dictionary("TSCharacters.txt").items()}


@cache
def script_marks() -> tuple[frozenset[str], frozenset[str]]:
    """Return the characters written only in traditional, and only in simplified Chinese."""
    to_simple, to_old = _dictionary("TSCharacters.txt"), _dictionary("STCharacters.txt")
    old = set(to_simple).union(*to_old.values())
    new = set(to_old).union(*to_simple.values())
    return frozenset(old - new), frozenset(new - old)


# (start, length, original start, original length): equal lengths map character by character,
# others as a whole.
_Piece: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Normalised:
    """Text in its normal form; `original` gives the offsets that a stretch of it came from."""

    text: str
    pieces: tuple[_Piece, ...]
    starts: tuple[int, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the original of the characters that became `text[start:end]`."""
        if end <= start:
            at = self._place(start - 1)[1] if start > 0 else 0
            return at, at
        return self._place(start)[0], self._place(end - 1)[1]

    def normal(self, offset: int) -> int:
        """Return the offset in the normal form for an offset in the original."""
        at = bisect_right(self.pieces, offset, key=lambda piece: piece[2]) - 1
        if at < 0:
            return 0
        start, length, origin, origin_length = self.pieces[at]
        into = offset - origin
        if into >= origin_length:
            return start + length
        return start + into if length == origin_length else start

    def _place(self, index: int) -> tuple[int, int]:
        """Return the offsets in the original that one character came from."""
        at = bisect_right(self.starts, index) - 1
        start, length, origin, origin_length = self.pieces[at]
        if length != origin_length:
            return origin, origin + origin_length
        return origin + index - start, origin + index - start + 1

    def find(self, needle: str) -> tuple[int, int] | None:
        """Return the original offsets of the first place where `needle` (already normal) stands."""
        at = self.text.find(needle) if needle else -1
        return None if at < 0 else self.original(at, at + len(needle))


def normalise(text: str, *, fold: bool = False) -> Normalised:
    """Make width, quotes, dashes, white space and script equal; case too if `fold` is set.

    White space next to Chinese characters carries no meaning and disappears.
    """
    # Rules ask for the same stretch one after another; whole books are not cached.
    if len(text) <= _SHORT:
        return _cached_sentences(text, fold)
    return _cached_pages(text, fold) if len(text) <= _CACHED else _normalised(text, fold)


_SHORT = 400
_CACHED = 20_000


def _normalised(text: str, fold: bool) -> Normalised:
    out: list[str] = []
    pieces: list[_Piece] = []
    done = size = 0
    for start, end in _irregular(text):
        if start > done:
            out.append(text[done:start].translate(_TABLE))
            pieces.append((size, start - done, done, start - done))
            size += start - done
        form = _form(text, start, end)
        if form:
            out.append(form)
            pieces.append((size, len(form), start, end - start))
            size += len(form)
        done = end
    if done < len(text):
        out.append(text[done:].translate(_TABLE))
        pieces.append((size, len(text) - done, done, len(text) - done))
    flat = "".join(out)
    return Normalised(
        folded(flat) if fold else flat, tuple(pieces), tuple(piece[0] for piece in pieces)
    )


_cached_sentences = lru_cache(maxsize=2048)(_normalised)  # those of a few pages
_cached_pages = lru_cache(maxsize=128)(_normalised)


def folded(flat: str) -> str:
    """Convert to lower case, every character at its place."""
    lower = flat.lower()
    if len(lower) == len(flat):
        return lower
    # A few characters grow in lower case; they keep their case, so that offsets stay true.
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in flat)


def _irregular(text: str) -> list[tuple[int, int]]:
    """Find stretches that do not map character by character, in order, without overlap."""
    present = _learn(text)
    spans = [match.span() for match in _RUN.finditer(text)]
    odd = sorted(char for char in present & _IRREGULAR if not _INVISIBLE_CHARACTER.match(char))
    marked = _MARK.search("".join(sorted(present))) is not None
    if not odd and not marked:
        return spans
    if odd:
        pattern = re.compile("[" + re.escape("".join(odd)) + "]")
        spans.extend(match.span() for match in pattern.finditer(text))
    if marked:
        spans.extend(match.span() for match in _CLUSTER.finditer(text))
    return merged(spans)


def _form(text: str, start: int, end: int) -> str:
    part = text[start:end]
    if not part.isspace() and not _RUN.match(part[:1] * 2):
        whole = unicodedata.normalize("NFC", part)
        _learn(whole)
        return whole.translate(_TABLE)
    if _CJK_CHARACTER.match(text, end) or (start and _CJK_CHARACTER.match(text, start - 1)):
        return ""
    return " " if any(char.isspace() for char in part) else ""


def simplify(text: str) -> str:
    """Return the normal form alone, for rules that need no offsets."""
    return normalise(text).text


_SCRIPTS = {
    "han": HAN, "kana": "\u3040-\u30ff", "latin": "A-Za-z\u00c0-\u024f", "ko": "\uac00-\ud7af",
    "ru": "\u0400-\u04ff", "ar": "\u0600-\u06ff",
}  # fmt: skip


def detect_language(text: str) -> str:
    """Return zh, zh-Hant, en, another code by script, or und when nothing tells."""
    sample = text[:5_000]
    count = {script: len(re.findall(f"[{chars}]", sample)) for script, chars in _SCRIPTS.items()}
    han, kana, latin = count["han"], count["kana"], count["latin"]
    code = max(("ko", "ru", "ar"), key=lambda script: count[script])
    most = count[code]
    # A Chinese character carries about as much as four Latin letters.
    if most > latin and most > han * 4:
        return code
    if han * 4 < latin or han == 0:
        return _latin_language(sample) if latin else "und"
    if kana * 3 > han:
        return "ja"
    old, new = script_marks()
    marks_old = sum(map(old.__contains__, sample))
    marks_new = sum(map(new.__contains__, sample))
    if marks_old == marks_new:  # the characters of both scripts: the words may tell
        signs = _regional_words()
        found = re.findall("|".join(signs), sample)
        marks_old = marks_new + sum(signs[each] for each in found)
    return "zh-Hant" if marks_old > marks_new else "zh"


@cache
def _regional_words() -> dict[str, int]:
    """Return the words that only Taiwan uses, 1, and the mainland's for the same, -1; long ones first."""
    pairs = [(word, new) for word, others in _dictionary("TWPhrases.txt").items() for new in others]
    mainland = {word: -1 for word, _ in pairs}
    # What news of the mainland writes, too, tells nothing: 核心, 智慧.
    taiwan = {new: 1 for _, new in pairs if new not in mainland and rarity(new) >= UNLISTED}
    known = {word: sign for word, sign in (mainland | taiwan).items() if len(word) > 1}
    return dict(sorted(known.items(), key=lambda row: (-len(row[0]), row)))


# Small words of the languages in Latin script; one that two of them have counts for both.
_LATIN_WORDS = {
    code: frozenset(words.split())
    for code, words in {
        "en": " a after an and are as at be but by for from has have he his in is it its not of on or said "
        "that the this to was were which who will with ",
        "es": " al con de del el en es la las los no para por que se su un una y ",
        "fr": " au aux ce dans de des du en est et la le les ne par pas pour que qui sa son sur un une ",
        "de": " am auf das dem den der des die ein eine für hat im in ist mit nicht sich und von zu zum ",
        "pt": " a ao as com da das de do dos e em na no não o os para por que se um uma ",
        "it": " a al alla che con da dal dei del della di e gli ha i il in la le nel non per si sono un una ",
    }.items()
}
_CLEAR = 2  # small words by which another language has to lead English


def _latin_language(sample: str) -> str:
    words = re.findall(r"[^\W\d_]+", sample.lower())
    scores = {code: sum(map(known.__contains__, words)) for code, known in _LATIN_WORDS.items()}
    best = max(scores, key=lambda code: scores[code])
    # Headlines have few small words, and names bring foreign ones (the Rio de Janeiro police).
    return best if scores[best] >= scores["en"] + _CLEAR else "en"
