"""What kind of source a page is, and how far it is believed before anything is compared."""

from __future__ import annotations

from functools import cache
from typing import cast

from groundwire.errors import InputError
from groundwire.evidence.glossary import data_lines
from groundwire.evidence.urls import host_of
from groundwire.model.source import Document, Evidence, Tier

_BASE: dict[Tier, float] = {
    "primary": 0.95,
    "wire": 0.9,
    "established": 0.8,
    "trade": 0.7,
    "aggregator": 0.5,
    "unknown": 0.4,
    "social": 0.3,
    "satire": 0.0,
}
# What a flag leaves of the base; retracted and satirical pages support nothing.
_LEFT = {
    "snippet": 0.7,
    "injection": 0.3,
    "correction": 0.9,
    "opinion": 0.8,
    "retraction": 0.1,
    "satire": 0.0,
}


@cache
def _tiers() -> dict[str, Tier]:
    tiers: dict[str, Tier] = {}
    for line in data_lines("tiers.tsv"):
        domain, _, tier = line.partition("\t")
        tiers[domain.strip()] = cast(Tier, tier.strip())
    return tiers


def tier_of(document: Document) -> Tier:
    """The declared tier, else that of the closest listed domain, else unknown."""
    if document.tier is not None:
        return document.tier
    try:
        host = host_of(document.canonical_url)
    except InputError:
        return "unknown"  # an archive file has no web address
    labels = host.split(".")
    for at in range(len(labels) - 1):
        tier = _tiers().get(".".join(labels[at:]))
        if tier is not None:
            return tier
    # Public bodies publish on domains that nobody else can register.
    public = {"gov", "mil", "int"}
    return "primary" if labels[-1] in public or labels[-2:-1] in (["gov"], ["mil"]) else "unknown"


def credibility(evidence: Evidence) -> float:
    """In [0, 1]: the tier's base, lowered by each flag."""
    score = _BASE[evidence.tier]
    for flag in sorted(
        set(evidence.flags) | ({"snippet"} if evidence.kind == "snippet" else set())
    ):
        score *= _LEFT.get(flag, 1.0)
    return round(score, 4)
