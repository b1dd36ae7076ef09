"""The analysis of a text, made once: its sentences, their words, where clauses begin, and an index of the words.

Figures, dates and standing are computed when a sentence is first asked for them, and cached. All offsets are in the
text's normal form (`language.text.characters`); `Analysis.original` maps them back to the text as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache

from groundwire.evidence.reading.standing import Cue, cues_of, marks_of
from groundwire.language.amounts.counts import Count, counts
from groundwire.language.amounts.numbers import Figure, figures
from groundwire.language.text.characters import HAN, Normalised, folded, normalise
from groundwire.language.text.chinese import cut, is_chinese, tagged
from groundwire.language.text.rarity import rarity
from groundwire.language.text.sentences import sentences
from groundwire.language.text.stems import is_irregular, stem
from groundwire.language.text.tokens import is_stop_word
from groundwire.language.time.dates import DateMention, date_mentions

VERSION = 1  # of what is kept beside a document's text: raise it when words or clauses change
TOKEN = re.compile(  # what words are cut by, in small letters
    rf"n't|[a-z\u00c0-\u024f]+?(?=n't)|[a-z\u00c0-\u024f]+(?:[0-9]+)?|\d+(?:[.,]\d+)*%?|[{HAN}]+"
)
_HAN = re.compile(f"[{HAN}]")
_STAMP = re.compile(
    r"\s*\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?(?: \d{1,2}:\d{2})?\s"
)  # under a headline
_RUNS_ON = re.compile(
    rf"[ ]*[a-z{HAN},，、'’]"
)  # behind words that only open a sentence, and are no headline
_BE = frozenset({"is", "are", "was", "were", "been", "being", "am", "'s"})
_HAVE = frozenset({"has", "had", "having"})
_EDGE = re.compile(
    r"[,;:()\"]|--|。|!|\?|(?<= )(?:but|however|although|though|while|whereas|because|which|who|and then|yet|despite)(?= )"
    r"|但是?|不过|然而|因为|由于|尽管|虽然|而(?=是|且|非)|并且|以及"
)
_NAMES = frozenset({"nr", "ns", "nt", "nz", "nrt", "nrfg"})
_HELPERS = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
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
        "shall",
        "should",
        "do",
        "does",
        "did",
        "gets",
        "got",
        "wo",
        "ca",
    ]
)
_BETWEEN = frozenset(
    {"not", "n't", "just", "now", "also", "already", "never", "been", "being", "no", "yet", "still"}
)
_ARTICLES = frozenset({"the", "a", "an", "its", "their", "his", "her", "this", "these"})
_RARE = 2.5  # a first word that so few texts have is a name
_MOVER = "将"
_SMALL = 0.12  # what a word without content weighs: it decides where nothing else does
_SUFFIXES = (
    "ization", "isation", "ational", "ation", "ement", "ment", "ness", "ance", "enc", "anc", "ity", "ous", "iv", "al",
    "ion", "ly", "er", "or", "ic", "abl", "ist", "ism", "y", "t",
)  # fmt: skip


@dataclass(slots=True)
class Word:
    """A word: the key it is compared by, its weight, and its position in the sentence."""

    key: str
    start: int
    end: int
    weight: float
    root: str = ""  # without the ending that makes a noun of a verb; empty for Chinese
    named: bool = False  # written with a capital inside its sentence, or inside the word
    clause: int = 0


@dataclass
class Sentence:
    """A sentence in normal form; offsets are relative to it, and `start` is its own offset in the text."""

    text: str
    start: int
    words: list[Word]
    published: date | None = None
    edges: list[int] = field(default_factory=list[int])  # where clauses begin

    @cached_property
    def low(self) -> str:
        return folded(self.text)

    @cached_property
    def keyed(self) -> str:
        """The keys in order, each between spaces, for the search of phrases."""
        return f" {' '.join(word.key for word in self.words)} "

    @cached_property
    def cues(self) -> list[Cue]:
        """The cues to how the sentence is told, each with the words it spans."""
        keys = [word.key for word in self.words]
        found = cues_of(self.text, keys, [(word.start, word.end) for word in self.words])
        return (
            [cue for cue in found if not self._moves_its_object(cue)] if _MOVER in keys else found
        )

    @cached_property
    def manners(self) -> frozenset[str]:
        """The kinds of its cues, which every reading of its page asks for."""
        return frozenset(cue.kind for cue in self.cues)

    def _moves_its_object(self, cue: Cue) -> bool:
        """Tell whether 将 only fronts an object: 将利率上调 has been done, 将上调利率 is to come.

        An object may begin with a number, 将两家工厂关闭, a pronoun, 将其员工减至, or a Latin name, 将Aurin 5定价为.
        """
        alone = self.words[cue.first].key == _MOVER and cue.last == cue.first + 1
        if not alone or cue.last >= len(self.words):
            return False
        after = self.words[cue.last]
        return self.tags[cue.last][:1] in ("n", "m", "r") or (after.named and after.key.isascii())

    @cached_property
    def marks(self) -> list[int]:
        """The standing of each word, as bits defined in `standing`."""
        return marks_of(
            self.text,
            self.cues,
            [word.key for word in self.words],
            [word.clause for word in self.words],
            [word.weight for word in self.words],
        )

    @cached_property
    def figures(self) -> list[Figure]:
        return figures(self.text)

    @cached_property
    def dates(self) -> list[DateMention]:
        return date_mentions(self.text, self.published)

    @cached_property
    def counts(self) -> tuple[Count, ...]:
        taken = [(f.start, f.end) for f in self.figures] + [(d.start, d.end) for d in self.dates]
        return tuple(
            count
            for count in counts(self.text)
            if not any(start < count.end and count.start < end for start, end in taken)
        )

    @cached_property
    def tags(self) -> list[str]:
        """The part of speech of each Chinese word, or an empty string."""
        if self.text.isascii():
            return [""] * len(self.words)
        tags: dict[int, str] = {}
        at = 0
        for piece, tag in tagged(self.text):
            tags[at] = tag
            at += len(piece)
        return [tags.get(word.start, "") for word in self.words]

    @cached_property
    def kinds(self) -> list[str]:
        """The kind of each word: "n" and a letter or none for a name, "v" for a verb, empty for anything else."""
        named = ["n" if word.named else "" for word in self.words]
        if not _HAN.search(self.text):
            return _english_kinds(self, named)
        return [
            ("n" + tag[1:2] if tag in _NAMES else "v" if tag == "v" else "") or by_capital
            for tag, by_capital in zip(self.tags, named, strict=True)
        ]

    @cached_property
    def total(self) -> float:
        return sum(word.weight for word in self.words) or 1.0

    @cached_property
    def grams(self) -> frozenset[str]:
        """The pairs of Chinese characters and starts of words, which do not depend on segmentation."""
        return grams(self.text)


@dataclass
class Analysis:
    """A text with everything about it that does not depend on a claim."""

    text: str
    normal: Normalised
    sentences: list[Sentence]
    title: Sentence | None = None
    chinese: bool = False
    speaker: str = ""  # who says "we" in it: its name stands with the title

    @cached_property
    def index(self) -> dict[str, list[tuple[int, int]]]:
        """The positions (sentence, word) of each key and each root."""
        found: dict[str, list[tuple[int, int]]] = {}
        for number, sentence in enumerate(self.sentences):
            for at, word in enumerate(sentence.words):
                found.setdefault(word.key, []).append((number, at))
                if word.root and word.root != word.key:
                    found.setdefault(word.root, []).append((number, at))
        return found

    @cached_property
    def whole(self) -> str:
        """All sentences in one string: a phrase that is not in it need not be looked for in each."""
        return "\n".join(s.low if self.chinese else s.keyed for s in self.sentences)

    @property
    def lead(self) -> Sentence:
        """The first sentence, which for a claim is all of it."""
        return self.sentences[0]

    def original(self, first: Sentence, last: Sentence) -> tuple[int, int]:
        """Map a run of sentences to its offsets in the text as written."""
        return self.normal.original(first.start, last.start + len(last.text))


def analyse(
    text: str,
    *,
    title: str = "",
    published: date | None = None,
    whole: bool = False,
    speaker: str = "",
) -> Analysis:
    """Analyse a text; `whole` takes it as one sentence, as claims are; `speaker` is who says "we" in it."""
    normal = normalise(text)
    flat = normal.text
    spans = [(0, len(flat))] if whole else list(_spans(text, normal, title))
    found = [_sentence(flat[start:end], start, published) for start, end in spans]
    if not found:
        found = [_sentence(flat, 0, published)]
    above = f"{title} ({speaker})" if speaker else title
    headline = _sentence(normalise(above).text, 0, published) if above.strip() else None
    return Analysis(text, normal, found, headline, is_chinese(flat), speaker)


def _spans(text: str, normal: Normalised, title: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences in the normal form, with a headline at the top kept apart."""
    headline_end = 0
    if title and text.startswith(title) and not _RUNS_ON.match(text, len(title)):
        stamp = _STAMP.match(text, len(title))
        headline_end = stamp.end() if stamp else len(title)
    for first, last in ((0, headline_end), (headline_end, len(text))):
        for start, end in sentences(text[first:last]):
            span = normal.normal(first + start), normal.normal(first + end)
            if span[0] < span[1]:
                yield span


def _sentence(flat: str, start: int, published: date | None) -> Sentence:
    low = folded(flat)
    edges = [match.start() for match in _EDGE.finditer(low)]
    found: list[Word] = []
    for match in TOKEN.finditer(low):
        token, at = match.group(), match.start()
        if _HAN.match(token):
            for piece in cut(token):
                found.append(Word(piece, at, at + len(piece), _weight(piece)))
                at += len(piece)
        else:
            # The month is no hedge.
            key = "May" if token == "may" and at and flat[at] == "M" else key_of(token)
            word = Word(key, at, match.end(), _weight(key), root(key))
            word.named = len(token) > 1 and (
                (flat[at].isupper() and (at > 0 or _opens_with_name(flat, word)))
                or _is_camel(flat[at : match.end()])
            )
            found.append(word)
    clause, passed = 0, 0
    for word in found:
        while passed < len(edges) and edges[passed] <= word.start:
            passed += 1
            clause += 1
        word.clause = clause
    return Sentence(flat, start, found, published, edges)


def _is_camel(written: str) -> bool:
    """Tell whether a word is a name by its letters alone: iPhone, eBay, macOS."""
    return written[0].islower() and any(letter.isupper() for letter in written)


def _english_kinds(sentence: Sentence, named: list[str]) -> list[str]:
    """Mark the verbs: words after an auxiliary or "to", past forms, and forms in -s after a name."""
    found = list(named)
    low = sentence.low
    helped = False
    before = ""
    for at, word in enumerate(sentence.words):
        token = low[word.start : word.end]
        if token in _HELPERS or token == "to":
            helped = True
        elif helped and (token.endswith("ly") or token in _BETWEEN):
            continue
        else:
            past = token.endswith("ed") or is_irregular(token)
            third = token.endswith("s") and at > 0 and bool(named[at - 1])
            if not named[at] and (helped or (past and before not in _ARTICLES) or third):
                found[at] = "v"
            helped = False
        before = token
    return found


def _opens_with_name(flat: str, word: Word) -> bool:
    """Tell whether the first word of a sentence is a name, which its capital alone does not show.

    It is if it is rare, in capitals, or before a capital, an auxiliary or "to": "Stripe to acquire".
    """
    token, after = flat[word.start : word.end], flat[word.end + 1 :]
    if word.weight <= _SMALL:
        return False
    subject = after.partition(" ")[0].lower() in (*_HELPERS, "to")
    return word.weight >= _RARE or token.isupper() or after[:1].isupper() or subject


@lru_cache(maxsize=65_536)
def key_of(token: str) -> str:
    """Return the key that a word in lower case is compared by."""
    if token in _BE:
        return "be"
    if token in _HAVE:
        return "have"
    if token == "n't":
        return token
    return token.replace(",", "") if token[0].isdigit() else stem(token)


@lru_cache(maxsize=65_536)
def _weight(key: str) -> float:
    if is_stop_word(key) or key in ("be", "n't", "hav", "have", "sai", "becaus", "befor", "wer"):
        return _SMALL
    if len(key) == 1 and not _HAN.match(key) and not key.isdigit():
        return _SMALL
    return rarity(key)


@lru_cache(maxsize=65_536)
def root(key: str) -> str:
    """Strip an English stem of the ending that turns a verb into a noun or an adjective."""
    if not key.isascii() or not key.isalpha():
        return ""
    for suffix in _SUFFIXES:
        rest = key.removesuffix(suffix)
        if rest != key and len(rest) >= 5:
            return rest.removesuffix("at") if len(rest) > 6 else rest
    return key


def grams(flat: str) -> frozenset[str]:
    """Collect the pairs of Chinese characters and the first five letters of other words."""
    low = folded(flat)
    found = [run[at : at + 2] for run in re.findall(f"[{HAN}]+", low) for at in range(len(run) - 1)]
    found.extend(word[:5] for word in re.findall(r"[a-z0-9]{3,}", low) if not is_stop_word(word))
    return frozenset(found)
