"""The reading of a passage for a claim: supports, contradicts, qualifies or unrelated; how likely, and by which sign.

One reader for every job. The learned heads (`trees`) say how likely it is that the passage speaks of the same matter,
is against it, and states all of it; a side is taken only where they are sure and a sign of it can be named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from groundwire.evidence.reading.alignment import Alignment, Claim, align
from groundwire.evidence.reading.analysis import Analysis, analyse
from groundwire.evidence.reading.features import NAMES, features
from groundwire.evidence.reading.trees import Weights, weights
from groundwire.model.stance import StanceLabel

ALL: tuple[StanceLabel, ...] = ("supports", "contradicts", "qualifies", "unrelated")
SURE = 0.85  # of a side, before the product takes it
# Which of the labels is likeliest, for tables: chosen on answers that were learned without the set asked about.
_SAME, _AGAINST, _EVEN, _STATED, _UNSTATED = 0.28, 0.58, 0.38, 0.46, 0.36
_MATTER = 0.4  # of the same matter, before the product says anything about it
_WHOLE = 0.7  # of what a claim says must stand there before anything supports it
_NAMED = 0.5  # of its names, or it is about somebody else
# Signs that hold against a rumour or a plan as well.
_STRONG = frozenset({"called_false", "denied", "negated", "not_that_figure"})
_ABOUT = 0.45  # and before anything is said about it at all


@dataclass(frozen=True, slots=True)
class Reading:
    """A stance with its sign and quote; `trace` holds the features behind it that are not zero."""

    label: StanceLabel
    probability: float
    sign: str
    same: float
    against: float
    stated: float
    quote: str
    start: int
    end: int
    trace: Mapping[str, float]

    @property
    def seen(self) -> Mapping[str, float]:
        """Every feature by name, zeros included."""
        return defaultdict(float, self.trace)

    @property
    def scores(self) -> dict[StanceLabel, float]:
        """The probability of each label; they add up to one."""
        straight = self.same * (1 - self.against)
        return {
            "supports": straight * self.stated,
            "contradicts": self.same * self.against,
            "qualifies": straight * (1 - self.stated),
            "unrelated": 1 - self.same,
        }

    def likeliest(self, known: Collection[StanceLabel] = ALL) -> StanceLabel:
        """Choose the likeliest label for a set that knows only these, however unsure."""
        open_ended = "unrelated" in known
        if open_ended and self.same < _SAME:
            return "unrelated"
        if self.against >= (_AGAINST if open_ended else _EVEN):
            return "contradicts"
        if "qualifies" in known:
            return "qualifies" if self.stated < _STATED else "supports"
        return "unrelated" if open_ended and self.stated < _UNSTATED else "supports"


@lru_cache(maxsize=512)
def claim_of(text: str, said: date | None = None) -> Claim:
    """Prepare a claim, once for all passages; `said` is the day of its message."""
    return Claim(analyse(text, published=said, whole=True))


def read(
    claim: Claim | str,
    passage: Analysis | str,
    *,
    title: str = "",
    published: date | None = None,
    learned: Weights | None = None,
) -> Reading:
    """Read what a passage says of a claim, analysing both unless that was done before."""
    prepared = claim_of(claim) if isinstance(claim, str) else claim
    analysed = (
        analyse(passage, title=title, published=published) if isinstance(passage, str) else passage
    )
    return judge(align(prepared, analysed), learned or weights())


def judge(found: Alignment, learned: Weights) -> Reading:
    """Judge an alignment by its features and the learned heads."""
    seen = features(found)
    values = [seen[name] for name in NAMES]
    same, against, stated = (
        learned.heads[name].probability(values) for name in ("same", "against", "stated")
    )
    label, probability, sign = decide(seen, same, against, stated)
    start, end = found.passage.original(found.sentence, found.sentence)
    return Reading(
        label=label,
        probability=round(probability, 4),
        sign=sign,
        same=same,
        against=against,
        stated=stated,
        quote=found.passage.text[start:end],
        start=start,
        end=end,
        trace={name: value for name, value in seen.items() if value},
    )


def decide(
    seen: Mapping[str, float], same: float, against: float, stated: float
) -> tuple[StanceLabel, float, str]:
    """Decide what the product says: the label, how sure it is, and the sign."""
    covered = max(seen["covered_content"], seen["covered_around"])
    if same < _MATTER or covered < _ABOUT:
        return "unrelated", 1 - same, "other"
    if seen["missing_names"] and seen["covered_names_around"] < _NAMED:
        return "unrelated", 1 - same, "other_party"
    doubt, sign = qualifying(seen), contradicting(seen)
    if sign and against >= SURE and (not doubt or sign in _STRONG):
        return "contradicts", against, sign
    whole = covered >= _WHOLE and not seen["values_other"] and not seen["values_none"]
    if whole and not doubt and not sign and against <= 1 - SURE and stated >= SURE:
        return "supports", min(1 - against, stated), "same"
    return "qualifies", max(1 - stated, against), doubt or sign or "part"


def contradicting(seen: Mapping[str, float]) -> str:
    """Name the strongest sign that a passage speaks against the claim; empty if there is none."""
    signs = (
        (
            "called_false",
            seen["false_there"] >= 0.5
            or seen["false_after"] > 0
            or seen["taken_back_there"] >= 0.5,
        ),
        ("denied", seen["denied_there"] >= 0.25),
        (
            "negated",
            seen["negation_differs"] >= 0.15 or seen["focus_there"] > 0 or seen["focus_here"] > 0,
        ),
        (
            "not_that_figure",
            seen["figure_negated"] > 0 or seen["count_negated"] > 0 or seen["date_negated"] > 0,
        ),
        ("opposite", seen["opposed_weight"] > 0),
        ("ended", seen["ended_there"] >= 0.3 or seen["ended_here"] >= 0.3),
        ("other_figure", seen["figure_other"] + seen["count_other"] > 0),
        ("other_date", seen["date_other"] > 0),
        ("roles", seen["roles_turned"] > 0),
        ("denied", seen["denied_here"] >= 0.4 or seen["false_here"] >= 0.5),
        ("named_otherwise", seen["name_replaced"] > 0 or seen["said_otherwise"] >= 0.5),
    )
    return next((name for name, shown in signs if shown), "")


def qualifying(seen: Mapping[str, float]) -> str:
    """Name the reason why a passage about the claim does not simply state it; empty if there is none."""
    signs = (
        ("asked", seen["asked_there"] >= 0.5),
        ("rumoured", seen["retold_there"] >= 0.5 or seen["labelled"] > 0),
        ("supposed", seen["supposed_there"] >= 0.5),
        ("planned", seen["planned_there"] >= 0.4),
        ("hedged", seen["hedged_there"] >= 0.5),
        ("bound", seen["figure_bound"] > 0 and seen["figure_near"] + seen["figure_other"] > 0),
        (
            "estimate",
            seen["values_other"] > 0 and (seen["hedged_there"] > 0 or seen["part_there"] > 0),
        ),
        ("part", seen["name_replaced"] > 0 or seen["name_lost"] > 0),
    )
    return next((name for name, shown in signs if shown), "")
