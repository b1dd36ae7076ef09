"""How likely quotes carry a sentence: the signs of a reading, weighed by one small learned curve.

No sign decides by itself. What each is worth is learned from right sentences and lies by `lab.training.citations`; the weights
(`evidence/reading/data/citations.json`) name their origin. Vetoes of code are no signs: they come before.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.model.stance import StanceScores

_DATA = "groundwire.evidence.reading.data"
WEIGHTS = "citations.json"
_LEAST = 1e-4  # a likelihood is never nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What is seen of a sentence beside its quotes."""

    shown: StanceScores  # of the quotes with what is shown beside them
    alone: StanceScores  # and by themselves
    unsure: bool = False  # a number in words stands nowhere
    uncertain: bool = False  # words see that the quote is less sure
    denied: bool = False  # or that one side denies what the other says
    sentences: int = 1  # that are quoted

    @property
    def surer(self) -> StanceScores:
        return max(self.shown, self.alone, key=lambda scores: scores.supports)


def values(signs: Signs) -> dict[str, float]:
    """Return the signs as numbers, by name."""
    found = {
        f"{name}_{label}": _log_odds(getattr(scores, label))
        for name, scores in (("shown", signs.shown), ("alone", signs.alone))
        for label in ("supports", "contradicts", "qualifies")
    }
    return {
        **found,
        "surer": max(found["shown_supports"], found["alone_supports"]),
        **{name: float(getattr(signs, name)) for name in ("unsure", "uncertain", "denied")},
        "sentences": math.log1p(signs.sentences),
    }


def likelihood(signs: Signs) -> float:
    """Compute how likely the quotes carry the sentence."""
    learned = _weights()
    seen = values(signs)
    total = learned["bias"] + sum(each * seen[name] for name, each in learned["weights"].items())
    return 1.0 / (1.0 + math.exp(-total))


@cache
def _weights() -> Mapping[str, Any]:
    return json.loads(files(_DATA).joinpath(WEIGHTS).read_text("utf-8"))


def _log_odds(share: float) -> float:
    inside = min(max(share, _LEAST), 1 - _LEAST)
    return math.log(inside / (1 - inside))
