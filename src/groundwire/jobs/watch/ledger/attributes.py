"""The attributes that claims are known by, and where a sentence names them; data in `attributes.json`.

English words are found in any inflection, Chinese ones in simplified characters. A word marked `~` names an attribute
only where nothing surer does: who sells something says a price, unless he says what it costs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from groundwire.evidence.reading.analysis import TOKEN, Sentence, key_of
from groundwire.jobs.watch.ledger.claims import ValueKind
from groundwire.language.text.characters import simplify
from groundwire.language.text.script import in_script

_GAP = 3  # words that may stand inside a phrase: "cut 1,100 jobs"
_NOUN = re.compile(r"(?:(?<!re)(?<!se)al|[ts]ion|ment|[ae]nce|ure)s?$")
_WEAK = "~"
_LANGUAGES = ("en", "zh", "zh-Hant")


class Word(NamedTuple):
    """A word or phrase of a list: where it stands, what it stands for, and whether it does so surely."""

    start: int
    end: int
    meaning: str
    weak: bool


class _Entry(NamedTuple):
    meaning: str
    weak: bool


class Vocabulary:
    """Words of both languages, each with its meanings."""

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        self._english: dict[str, list[tuple[tuple[str, ...], _Entry]]] = {}
        chinese: dict[str, list[_Entry]] = {}
        for meaning, written in rows:
            entry = _Entry(meaning, written.endswith(_WEAK))
            word = simplify(written.removesuffix(_WEAK)).lower()
            if word.isascii():
                keys = tuple(key_of(token) for token in TOKEN.findall(word))
                self._english.setdefault(keys[0], []).append((keys, entry))
            elif entry not in chinese.setdefault(word, []):
                chinese[word].append(entry)
        self._chinese: Mapping[str, Sequence[_Entry]] = chinese
        longest_first = sorted(chinese, key=lambda word: (-len(word), word))
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def find_verbs(self, sentence: Sentence) -> Iterator[Word]:
        """Yield every word of the list that says what is done: "approved", but not "approval"."""
        for each in self.find(sentence):
            if not _NOUN.search(sentence.low[each.start : each.end]):
                yield each

    def find(self, sentence: Sentence) -> Iterator[Word]:
        """Yield every word of the list in a sentence; of those that begin together, the longest."""
        keys = [word.key for word in sentence.words]
        for at, key in enumerate(keys):
            here = self._english.get(key, ())
            fits = [
                (phrase, entry, end) for phrase, entry in here if (end := _end(phrase, keys, at))
            ]
            longest = max(
                (len(phrase) for phrase, _, end in fits if end - at == len(phrase)), default=0
            )
            for phrase, entry, end in fits:
                if len(phrase) >= longest:
                    # "Cut 1,100 jobs" stands where it ends: what is between is no part of it.
                    first = sentence.words[at if end - at == len(phrase) else end - 1]
                    yield Word(first.start, sentence.words[end - 1].end, entry.meaning, entry.weak)
        if not sentence.text.isascii() and self._chinese:
            for match in self._pattern.finditer(sentence.low):
                for entry in self._chinese.get(match.group(), ()):
                    yield Word(*match.span(), entry.meaning, entry.weak)


def _end(phrase: Sequence[str], keys: Sequence[str], at: int) -> int:
    """Return where a phrase that begins at a word ends; 0 if it does not go on within a few words."""
    for part in phrase[1:]:
        near = keys[at + 1 : at + 2 + _GAP]
        if part not in near:
            return 0
        at += 1 + near.index(part)
    return at + 1


@dataclass(frozen=True)
class Attribute:
    """What a claim can say of a thing: which kinds of value, and the states of it where these are words."""

    id: str
    kinds: frozenset[ValueKind]
    single: bool = False  # the subject has one; a name beside it does not say which
    period: bool = False  # a quarter or a year is which one is meant, not when it was so
    person: bool = False  # only somebody, no place and no body, can be its value
    units: frozenset[str] = frozenset({""})  # of its counts
    states: Vocabulary | None = field(default=None, compare=False)

    def can_have(self, kind: ValueKind, unit: str) -> bool:
        """Tell whether a value of a kind, in a unit, can be of this attribute."""
        return kind in self.kinds and (kind != "count" or unit in self.units)


@cache
def _data() -> dict[str, Any]:
    return json.loads(files(__package__ or "").joinpath("attributes.json").read_text("utf-8"))


@cache
def attributes() -> dict[str, Attribute]:
    """Return every attribute by its id."""
    return {row["id"]: _attribute(row) for row in _data()["attributes"]}


def _attribute(row: dict[str, Any]) -> Attribute:
    states = row.get("states")
    return Attribute(
        id=row["id"],
        kinds=frozenset(row["kinds"]),
        single=row.get("single", False),
        period=row.get("period", False),
        person=row.get("person", False),
        units=frozenset(row.get("units", [""])),
        states=Vocabulary((state, word) for state, words in states.items() for word in words)
        if states
        else None,
    )


@cache
def named() -> Vocabulary:
    """Return the words that name an attribute."""
    return Vocabulary(
        (row["id"], word)
        for row in _data()["attributes"]
        for language in _LANGUAGES
        for word in row[language]
    )


@cache
def acts() -> Vocabulary:
    """Return the acts that another undoes, each by its kind and side: `halt done`, `halt undone`."""
    return Vocabulary(
        (f"{kind['id']} {side}", word)
        for kind in _data()["acts"]
        for side in ("done", "undone")
        for word in kind[side]
    )


@cache
def _sorts() -> Vocabulary:
    return Vocabulary(
        (f"{group}={sort}", word)
        for group, sorts in _data()["sorts"].items()
        for sort, words in sorts.items()
        for language in ("en", "zh")
        for word in words[language]
    )


def sorts(sentence: Sentence) -> dict[str, str]:
    """Return which of several a sentence speaks of: monthly or daily, paid or free; nothing where it says both."""
    found: dict[str, set[str]] = {}
    for word in _sorts().find(sentence):
        group, _, sort = word.meaning.partition("=")
        found.setdefault(group, set()).add(sort)
    return {group: min(kinds) for group, kinds in found.items() if len(kinds) == 1}


@cache
def called(attribute: str, language: str) -> str:
    """Return what people call an attribute; "" for the open class."""
    row = next((each for each in _data()["attributes"] if each["id"] == attribute), None)
    if row is None:
        return ""
    if language.startswith("zh"):
        return str((row.get(language) or row["zh"])[0]).removesuffix(_WEAK)
    return attribute.replace("_", " ")


@cache
def state_called(attribute: str, state: str, language: str) -> str:
    """Return what people call a state of an attribute; "" where it has no such state."""
    rows = (each for each in _data()["attributes"] if each["id"] == attribute)
    words = next((row.get("states", {}).get(state, ()) for row in rows), ())
    if not language.startswith("zh"):
        return state.replace("_", " ") if words else ""
    word = next((each.removesuffix(_WEAK) for each in words if not each.isascii()), "")
    return next(iter(in_script([word], language)))
