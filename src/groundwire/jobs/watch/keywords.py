"""Words that were found on the way: names, bursts, and what is commoner here than anywhere; pure.

A word's score is relevance × novelty × frequency: how much it stands beside the subject, how new it
is to the searches and to the latest pages, and how many independent pages have it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from groundwire.evidence.sources.urls import host_of
from groundwire.jobs.watch.result import Keyword
from groundwire.language.amounts.numbers import figures, is_state_money
from groundwire.language.names.names import is_country, names
from groundwire.language.names.subjects import latin_subjects
from groundwire.language.text.characters import simplify
from groundwire.language.text.chinese import tagged
from groundwire.language.text.rarity import UNLISTED, rarity
from groundwire.language.text.sentences import sentences
from groundwire.language.text.spans import blanked
from groundwire.language.text.stems import stem
from groundwire.language.text.tokens import content_tokens, is_stop_word
from groundwire.language.text.wording import is_han
from groundwire.language.time.dates import date_spans
from groundwire.model.source import Evidence

_READ = 6_000  # characters of a page: what matters stands before
_NEWEST = 0.25  # the share of dated pages that counts as the latest
_BURST = 2.0  # the most that a burst lifts a word
_PLAIN = 0.4  # a common word weighs less than a name
_LOGODDS = 1.0  # least log-odds against the background, in powers of ten
_LEAST = 0.05  # score from which a word is worth a search
_RARE = 2.5  # rarity from which on a word that is no name says something by itself
_COMMON, _BEFORE = ("n", "vn"), ("n", "vn", "v", "a")  # the tagger's marks of common nouns
_POSSESSIVE = re.compile(r"['’]s\b")
_FIRST = re.compile(r"(?:\A|[:.!?—–“\"]\s+)\W*")
_NOUNS = frozenset({"n", "nz", "vn", "nt", "nr", "ns", "nrt", "nrfg", "eng", "l", "i"})


@dataclass
class _Word:
    """A candidate as it is counted."""

    written: str  # as its page writes it
    is_name: bool
    inside: bool = False  # it was seen elsewhere than where any word has a capital
    pages: dict[str, int] = field(default_factory=dict[str, int])  # by origin, times
    beside: int = 0  # sentences that name the subject, too
    sentences: int = 0
    late: int = 0  # of the latest pages
    first: str = ""  # the evidence that has it first


def candidates(
    evidence: Sequence[Evidence],
    subject: Sequence[str],
    tried: Iterable[str],
    known: Iterable[str] = (),
    language: str = "",
) -> list[Keyword]:
    """Score the words of what was read; what was searched for before is nothing new.

    With a language, words that are no names are of that language only.
    """
    late = _latest(evidence)
    found: dict[str, _Word] = {}
    for each in evidence:
        _count(found, each, subject, is_late=each.id in late)
    old = " ".join(simplify(text).lower() for text in (*tried, *subject))
    stems = {stem(each) for each in old.split()}
    seen = {simplify(each).lower() for each in known}
    total = len({each.origin_id or each.id for each in evidence}) or 1
    scored = (
        _scored(key, word, total, len(late) / (len(evidence) or 1), seen)
        for key, word in found.items()
        if key not in old
        and stem(key) not in stems
        and (
            (word.is_name and word.inside) or not language or is_han(key) == (language[:2] == "zh")
        )
    )
    kept = [each for each in scored if each.score > 0]
    return sorted(kept, key=lambda each: (-each.score, each.word))


def worthwhile(words: Sequence[Keyword], most: int) -> tuple[Keyword, ...]:
    """Choose the best few; a word that holds another one says the same."""
    chosen: list[Keyword] = []
    for each in words:
        if len(chosen) == most or each.score < _LEAST:
            break
        key = each.word.lower()
        if not any(key in other.word.lower() or other.word.lower() in key for other in chosen):
            chosen.append(each)
    return tuple(chosen)


def _latest(evidence: Sequence[Evidence]) -> frozenset[str]:
    dated: list[tuple[datetime, str]] = sorted(
        ((each.document.published_at, each.id) for each in evidence if each.document.published_at),
        reverse=True,
    )
    return frozenset(name for _, name in dated[: math.ceil(len(dated) * _NEWEST)])


def _count(
    found: dict[str, _Word], evidence: Evidence, subject: Sequence[str], *, is_late: bool
) -> None:
    text = f"{evidence.document.title}.\n{evidence.document.text[:_READ]}"
    origin = evidence.origin_id or evidence.id
    own = [simplify(name).lower() for name in subject]
    document = evidence.document
    house = (
        f"{document.publisher} {host_of(document.canonical_url)}".lower()
    )  # says it on every page
    here: set[str] = set()
    for start, end in sentences(text):
        original = text[start:end]
        flat = simplify(original)
        beside = any(name in flat.lower() for name in own)
        for written, is_name in _words(flat):
            key = written.lower()
            if key in house or any(key in name or name in key for name in own):
                continue
            place = flat.find(written)
            shown = (
                original[place : place + len(written)] if len(original) == len(flat) else written
            )
            word = found.setdefault(key, _Word(shown, is_name, first=evidence.id))
            word.is_name = word.is_name and is_name
            word.inside = word.inside or not _begins(flat, written)
            word.sentences += 1
            word.beside += beside
            word.pages[origin] = word.pages.get(origin, 0) + 1
            if key not in here:
                word.late += is_late
                here.add(key)


def _words(flat: str) -> Iterator[tuple[str, bool]]:
    """Yield the candidate words of a sentence, and whether each is a name."""
    taken: set[str] = set()
    # A day, a month and an amount are written with capitals, too, and are no names.
    figured = (each.span for each in figures(flat))
    flat = blanked(flat, [*date_spans(flat), *figured])
    flat = _POSSESSIVE.sub("  ", flat)
    whole = [flat[each.start : each.end] for each in latin_subjects(flat)]
    # Some company is called so, too; the tagger knows it as a thing: 苹果, 应用商店.
    cut = tagged(flat) if is_han(flat) else ()
    common = _common(cut)
    for written in (*whole, *(each.text for each in names(flat))):
        if (
            written.lower() in taken
            or is_country(written)
            or _is_money(written)
            or _is_part(flat, written)
            or any(written != other and written in other for other in whole)
        ):
            continue
        if len(written) > 1 and not written.isdigit() and not is_stop_word(written.lower()):
            taken.add(written.lower())
            yield written, written not in common
    if cut:
        for word, tag in cut:
            if len(word) > 1 and tag in _NOUNS and is_han(word) and word not in taken:
                taken.add(word)
                yield word, False
        return
    for token in content_tokens(flat):
        if len(token) > 3 and token.isalpha() and not any(token in name for name in taken):
            taken.add(token)
            yield token, False


def _is_money(word: str) -> bool:
    """Tell whether a word only says in what money is counted: 美元."""
    found = figures(f"1{word}")
    return bool(found) and found[0].end == len(word) + 1 and is_state_money(found[0].unit)


def _is_part(flat: str, written: str) -> bool:
    """Tell whether a common word is only a part of a longer name: Trust in "Bank & Trust"."""
    if not written.isascii() or " " in written or rarity(stem(written.lower())) >= UNLISTED:
        return False
    word = re.escape(written)
    return re.search(rf"(?:[A-Z][\w.]*|&)[ -]{word}\b|\b{word}[ -](?:&|[A-Z])", flat) is not None


def _begins(flat: str, written: str) -> bool:
    """Tell whether a word of Latin letters stands only where any has a capital: first, or behind a label's colon."""
    if not written.isascii() or " " in written or not (written.istitle() or written.isupper()):
        return False
    starts = (match.end() for match in _FIRST.finditer(flat))
    first = {flat[start : start + len(written)] for start in starts}
    return written in first and flat.count(written) == 1


def _common(cut: Sequence[tuple[str, str]]) -> set[str]:
    """Return the common nouns of a sentence, and what they make with the word before."""
    nouns = {word for word, tag in cut if tag in _COMMON}
    pairs = (
        (first, second)
        for (first, tag), (second, _) in pairwise(cut)
        if second in nouns and tag in _BEFORE and len(first) > 1
    )
    return nouns | {first + second for first, second in pairs}


def _scored(key: str, word: _Word, total: int, late: float, seen: set[str]) -> Keyword:
    origins = len(word.pages)
    relevance = word.beside / word.sentences
    # How much commoner it is here than in any text: a common word is common everywhere.
    is_name = word.is_name and word.inside
    background = UNLISTED if is_name else rarity(key if is_han(key) else stem(key))
    odds = math.log10(origins / total) + background
    if odds < _LOGODDS or (background < _RARE and not is_name):
        return Keyword(word=word.written, found_in=word.first, score=0.0)
    kind = 1.0 if is_name else _PLAIN * min(1.0, background / UNLISTED)
    burst = min(_BURST, (word.late / origins) / late) if late else 1.0
    novelty = (0.3 if key in seen else 1.0) * (0.5 + 0.5 * burst / _BURST)
    frequency = math.log1p(origins) / math.log1p(total)
    return Keyword(
        word=word.written,
        found_in=word.first,
        score=round(kind * relevance * novelty * frequency, 4),
        relevance=round(relevance, 4),
        novelty=round(novelty, 4),
        frequency=round(frequency, 4),
    )
