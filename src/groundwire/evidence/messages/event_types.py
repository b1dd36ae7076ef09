"""The kind of event that a message reports, and its field: by words and a small model."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from groundwire.evidence.data import data_lines
from groundwire.evidence.messages.assets import asset_signs, is_stablecoin
from groundwire.evidence.messages.profiles import DEFAULT, OTHER, Profile
from groundwire.language.text.lexicon import low_form

# The learned heads and the types that each votes for; the tags it learned from are broader.
HEADS: dict[str, tuple[str, ...]] = {
    "attack": ("hack", "scam_alert"),
    "rules": ("regulation",),
    "market": ("macro", "depeg", "liquidation"),
    "adoption": ("partnership", "listing"),
    "money": ("funding",),
    "network": ("governance",),
    "people": ("celebrity",),
}
LEARNED_FOR = "crypto"
_HEAD_OF = {name: head for head, names in HEADS.items() for name in names}
_ENOUGH = 2.0  # one word of some weight, or two slight ones
_FIRST = 160  # characters that tell the most; what comes later counts less
_LATER = 0.6
_MOST = 2.0  # of a head's vote
_SIGN = 3.0  # of a profile: one certain word, or several slight ones

# What the heads see beside the words of the profile.
_GRAMS = (3, 4, 5)
_SEEN = 240  # characters
_FULL = 8.0  # a type's score that counts as certain
_SOFT = 0.5
_LEXICON_SCALE = 3.0
_WORD = re.compile("[a-z0-9$%]+")
_DIGIT = re.compile("[0-9]")

_HASHTAG = re.compile(r"[#＃]([A-Za-z][A-Za-z0-9]*)")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class TypeChoice:
    """The type of a message, the score of each type, and the words behind the choice."""

    event_type: str
    scores: tuple[tuple[str, float], ...]  # best first, without those of no score
    words: tuple[str, ...]  # of the chosen type, in low form

    @property
    def margin(self) -> float:
        """How far the first is ahead of the second."""
        best = [score for _, score in self.scores[:2]]
        return best[0] - (best[1] if len(best) > 1 else 0.0) if best else 0.0


@lru_cache(maxsize=16)
def readable(text: str) -> str:
    """Return the text in low form, with hashtags split: #BitcoinETF is two words."""
    return low_form(_HASHTAG.sub(lambda match: " " + _HUMPS.sub(" ", match[1]) + " ", text))


def event_type(text: str, profile: Profile) -> TypeChoice:
    """Choose the type that the text supports most; `other` if none is clear enough."""
    low = readable(text)
    scores, words = lexicon_scores(low, profile)
    totals = dict(scores)
    if profile.name == LEARNED_FOR:
        if _is_off_peg(low, profile):
            totals["depeg"] += _OFF_PEG
        biases, weights = _model()
        votes = dict(biases)  # of each learned head: above 0 for its types, below 0 against them
        values = features(low, scores)
        # Most features are unknown to every head; sorted, since the order of sums shows in results.
        for feature in sorted(weights.keys() & values.keys()):
            for head, weight in weights[feature]:
                votes[head] += weight * values[feature]
        for name in totals:
            vote = votes.get(_HEAD_OF.get(name, ""), 0.0)
            if totals[name] > 0 or vote > 0:
                totals[name] += max(-_MOST, min(_MOST, vote))
    order = profile.type_names
    ranked = sorted(
        ((name, round(score, 4)) for name, score in totals.items() if score > 0 and name != OTHER),
        key=lambda each: (-each[1], order.index(each[0])),
    )
    best = ranked[0][0] if ranked and ranked[0][1] > _ENOUGH else OTHER
    return TypeChoice(best, tuple(ranked), tuple(words.get(best, ())))


_UNDER_PAR = re.compile(r"(?<![\d.])0\.[3-9]\d{0,3}(?![\d.]*%)")
_OFF_PEG = 5.0


def _is_off_peg(low: str, profile: Profile) -> bool:
    """Tell whether a stablecoin is named with a price under its peg."""
    if _UNDER_PAR.search(low) is None:
        return False
    index = profile.asset_words
    return is_stablecoin(low.upper()) or any(
        index.of[word].asset.kind == "stablecoin" for _, _, word in index.lexicon.find(low)
    )


def lexicon_scores(low: str, profile: Profile) -> tuple[dict[str, float], dict[str, list[str]]]:
    """Sum the weights of each type's words, each word once, and list the words."""
    known = profile.words
    scores = dict.fromkeys(profile.type_names, 0.0)
    words: dict[str, list[str]] = {}
    seen: dict[str, None] = {}
    for start, _, word in known.lexicon.find(low):
        if word in seen:
            continue
        seen[word] = None
        share = 1.0 if start < _FIRST else _LATER
        for name, weight in known.of[word]:
            scores[name] += share * weight
            words.setdefault(name, []).append(word)
    for kind in profile.types:
        scores[kind.name] += sum(each.weight for each in kind.joined if each.stands_in(low))
    return scores, words


def features(low: str, scores: dict[str, float]) -> dict[str, float]:
    """Build what the heads weigh: words, character n-grams, and the strength of each type."""
    flat = " " + _DIGIT.sub("0", low[:_SEEN]) + " "
    all_features = [flat[at : at + size] for size in _GRAMS for at in range(len(flat) - size + 1)]
    words = [f"={word}" for word in _WORD.findall(flat)]
    all_features.extend(words)
    all_features.extend(f"{one} {two[1:]}" for one, two in pairwise(words))
    distinct = dict.fromkeys(all_features)
    share = 1 / math.sqrt(max(1, len(distinct)))
    values = dict.fromkeys(distinct, share)
    parts = [(name, min(score, _FULL) / _FULL) for name, score in scores.items() if score > 0]
    size = sum(part * part for _, part in parts) ** 0.5 + _SOFT
    for name, part in parts:
        values[f"type:{name}"] = _LEXICON_SCALE * part / size
    return values


def profile_of(text: str, known: Sequence[Profile]) -> Profile:
    """Choose the profile that the text shows most signs of; the general one if too few."""
    low = readable(text)
    best = next((candidate for candidate in known if candidate.name == DEFAULT), known[-1])
    most = 0.0
    for candidate in known:
        index = candidate.sign_words
        words = dict.fromkeys(word for _, _, word in index.lexicon.find(low))
        signs = sum(weight for word in words for _, weight in index.of[word])
        signs += asset_signs(text, candidate) if candidate.assets else 0.0
        if signs >= _SIGN and signs > most:
            best, most = candidate, signs
    return best


@cache
def _model() -> tuple[dict[str, float], dict[str, tuple[tuple[str, float], ...]]]:
    """Load the biases by head, and by feature the weights of the heads that use it."""
    biases = dict.fromkeys(HEADS, 0.0)
    weights: dict[str, tuple[tuple[str, float], ...]] = {}
    for line in data_lines("event_weights.tsv"):
        head, written, value = line.split("\t")
        feature = written if written.startswith("type:") else written.replace("_", " ")
        if written == "(bias)":
            biases[head] = float(value)
        else:
            weights[feature] = (*weights.get(feature, ()), (head, float(value)))
    return biases, weights
