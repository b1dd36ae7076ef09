"""The words that carry what a sentence says, and whether another text has them in any wording."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.evidence.data import data_lines
from groundwire.language.amounts.counts import counts
from groundwire.language.amounts.numbers import Figure, figures
from groundwire.language.data import words
from groundwire.language.names.chinese_names import chinese_names
from groundwire.language.names.glossary import equivalents
from groundwire.language.names.names import Name, names
from groundwire.language.text.characters import HAN
from groundwire.language.text.stems import base, stem
from groundwire.language.text.tokens import is_stop_word
from groundwire.language.text.wording import Wording, is_han, stemmed
from groundwire.language.time.dates import date_spans

_WORD = re.compile(rf"[{HAN}]+|[^\W\d_{HAN}]+(?:['-][^\W\d_{HAN}]+)*")
_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile(r"[A-Za-z]+")
_ROOT = 5  # letters that words of one root share at least
_AUXILIARY = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "has",
        "have",
        "had",
        "will",
        "would",
        "can",
        "could",
        "may",
        "might",
        "must",
        "did",
        "does",
        "do",
        "to",
        "not",
        "cannot",
        "also",
    ]
)
_MOVED = re.compile(r"\b(up|down)(?= (?:by |about |around |nearly )?[$€£¥]?\d)", re.IGNORECASE)
_MOVES = {"up": "rise", "down": "fall"}
_COPULA = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "remains",
        "remained",
        "became",
        "become",
        "stays",
    ]
)
_SKIPPED_TAGS = ("u", "p", "c", "d", "r", "m", "q", "t", "x", "f", "y", "e", "o", "h", "k", "zg")
_PREDICATES = ("v", "vd", "vi", "vq")


@dataclass(frozen=True, slots=True)
class Unit:
    """A word with content, every way to say it, and whether it is what a clause states."""

    text: str
    start: int
    forms: tuple[str, ...]  # as `Wording.has` takes them
    predicate: bool

    def known_in(self, chinese: bool) -> bool:
        """Whether any way to say it is known in that language."""
        return any(is_han(form) == chinese for form in self.forms)


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    index: dict[str, list[str]] = {}
    for line in data_lines("same_meaning.tsv"):
        members = tuple(dict.fromkeys(stemmed(word) for word in line.split("|")))
        for member in members:
            index.setdefault(member, []).extend(members)
    return {word: tuple(dict.fromkeys(members)) for word, members in index.items()}


@cache
def _phrases() -> re.Pattern[str]:
    listed = (word for line in data_lines("same_meaning.tsv") for word in line.split("|"))
    found = dict.fromkeys(word for word in listed if " " in word)
    ordered = sorted(found, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, ordered))})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=16_384)
def forms(word: str) -> tuple[str, ...]:
    """Every way to say a word, stemmed, itself first."""
    own = stemmed(word)
    found = [own, *_groups().get(own, ())]
    for other in equivalents(word)[1:]:
        found.append(stemmed(other))
    if len(found) == 1 and not is_han(word):
        found.extend(stemmed(other) for other in equivalents(base(word))[1:])
    return tuple(dict.fromkeys(found))


# Every rule of the checker asks for the names of the same few stretches.
@lru_cache(maxsize=512)
def named(flat: str) -> tuple[Name, ...]:
    """The names of a text, as `names` finds them."""
    return tuple(names(flat))


@lru_cache(maxsize=512)
def amounts_in(flat: str) -> tuple[Figure, ...]:
    """The figures of a text, as `figures` finds them."""
    return tuple(figures(flat))


@lru_cache(maxsize=256)
def units(flat: str) -> tuple[Unit, ...]:
    """Content words of a text in its normal form; names, figures and dates are asked for elsewhere."""
    taken = _taken(flat)
    found: list[Unit] = []
    for match in _phrases().finditer(flat):
        if not any(taken[match.start() : match.end()]):
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
            found.append(Unit(match.group(), match.start(), forms(match.group().lower()), True))
    previous = ""
    for match in _WORD.finditer(flat):
        if is_han(match.group()):
            found.extend(_chinese(match.group(), match.start(), taken))
            continue
        word = match.group().lower()
        if not any(taken[match.start() : match.end()]):
            unit = _english(word, match.start(), previous)
            if unit is not None:
                found.append(unit)
        if not word.endswith("ly"):
            previous = word
    return tuple(sorted(found, key=lambda unit: unit.start))


def _taken(flat: str) -> bytearray:
    taken = bytearray(len(flat))
    spans = [*date_spans(flat), *chinese_names(flat)]
    spans.extend((figure.start, figure.end) for figure in amounts_in(flat))
    spans.extend((name.start, name.end) for name in named(flat))
    spans.extend((count.start, count.end) for count in counts(flat) if count.kind != "multiple")
    for start, end in spans:
        taken[start:end] = b"\1" * (end - start)
    return taken


def _english(word: str, start: int, previous: str) -> Unit | None:
    word = re.sub(r"'s?$", "", word)
    if len(word) < 2 or is_stop_word(word) or word in words("light words"):
        return None
    if word in words("reporting verbs"):
        return None
    finite = (
        (word.endswith("ed") and len(word) > 4)
        or base(word) != word
        or previous in _AUXILIARY
        or previous in _COPULA
    )
    return Unit(word, start, forms(word), finite and not word.endswith("ly"))


def _chinese(run: str, offset: int, taken: bytearray) -> list[Unit]:
    # Deferred: loading the dictionary takes longer than most commands that never need it.
    import rjieba

    found: list[Unit] = []
    at = offset
    for word, tag in rjieba.tag(run):
        start, at = at, at + len(word)
        if any(taken[start:at]) or is_stop_word(word) or word in words("light words"):
            continue
        known = forms(word)
        if tag.startswith(_SKIPPED_TAGS) and len(known) == 1:
            continue
        if len(word) == 1 and len(known) == 1:
            continue
        found.append(Unit(word, start, known, tag in _PREDICATES))
    return found


class Pool:
    """What the quotes say, asked for words in any wording."""

    __slots__ = ("_roots", "chinese", "text", "wording")

    def __init__(self, flat: str) -> None:
        self.text = flat
        # "up 4%" and "down 4%" say that something rose or fell.
        moves = " ".join(_MOVES[m.group(1).lower()] for m in _MOVED.finditer(flat))
        self.wording = Wording(f"{flat} {moves}" if moves else flat)
        han = len(_HAN.findall(flat))
        self.chinese = han * 2 > len(_LATIN.findall(flat))
        self._roots: dict[str, list[str]] | None = None

    def has(self, unit: Unit) -> bool:
        """Whether the word, one that means the same or one of the same root stands here."""
        if self.wording.has_any(unit.forms):
            return True
        word = unit.text
        if is_han(word):
            return len(word) > 2 and (word[:2] in self.text or word[-2:] in self.text)
        one = stem(word)
        return any(_one_root(one, other) for other in self._with_root(one))

    def _with_root(self, word: str) -> list[str]:
        """Stems that begin as this one does; no others can be of its root."""
        if self._roots is None:
            self._roots = {}
            for other in sorted(self.wording.stems):
                self._roots.setdefault(other[:_ROOT], []).append(other)
        return self._roots.get(word[:_ROOT], [])


@lru_cache(maxsize=256)
def pool(flat: str) -> Pool:
    return Pool(flat)


def _one_root(one: str, other: str) -> bool:
    """regulator and regulation, insolvent and insolvency; not internet and international."""
    if len(one) < _ROOT or len(other) < _ROOT:
        return False
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    return shared >= _ROOT and shared >= 0.7 * max(len(one), len(other))
