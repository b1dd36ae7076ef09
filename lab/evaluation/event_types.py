"""How well the embedded reasoner tells what kind of event a headline reports: F1 by tag, no model, no network.

The set crypto_events (`timeline.jsonl`) tags headlines; tags are broader than event types, and a headline may have
several. A type stands for one tag (`TAGS`): hack and scam_alert for Hacks, regulation for Regulation, macro, depeg
and liquidation for Market moves, partnership and listing for Adoption, funding for Investment, governance for
Innovation, celebrity for Culture; the others, and `other`, for none. A headline counts for a tag when the one type
that the crypto profile gives it stands for that tag. The figure is the mean F1 over `FOUR`, the four most frequent
tags that say what happened and that types match without stretching; every tag's own F1 is in the notes.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel

from groundwire.evidence.messages.event_types import event_type, profile_of
from groundwire.evidence.messages.profiles import profile, profiles
from lab.evaluation.figures import Part, figure, mean_of, rows_as

FILE = "timeline.jsonl"
TAGS: dict[str, str] = {
    "hack": "Hacks",
    "scam_alert": "Hacks",
    "regulation": "Regulation",
    "macro": "Market moves",
    "depeg": "Market moves",
    "liquidation": "Market moves",
    "partnership": "Adoption",
    "listing": "Adoption",
    "funding": "Investment",
    "governance": "Innovation",
    "celebrity": "Culture",
}
FOUR = ("Hacks", "Regulation", "Market moves", "Adoption")
# The published file runs some tags together (NFTInnovation, iAdoption).
_KNOWN = tuple(dict.fromkeys(TAGS.values()))


class _Row(BaseModel):
    title: str
    tag: list[str]


class Case(NamedTuple):
    """A headline and those of its tags that an event type stands for."""

    title: str
    tags: tuple[str, ...]


def read_cases(folder: Path, limit: int = 0) -> list[Case]:
    """Read the headlines of a set."""
    return [
        Case(row.title, tuple(known for known in _KNOWN if any(known in tag for tag in row.tag)))
        for row in rows_as(_Row, folder / FILE, limit, "a title with its tags")
    ]


def tag_scores(pairs: list[tuple[tuple[str, ...], str]]) -> dict[str, float]:
    """Compute F1 of each tag, from pairs of (tags, predicted event type)."""
    scores: dict[str, float] = {}
    for tag in _KNOWN:
        hit = sum(1 for tags, predicted in pairs if tag in tags and TAGS.get(predicted) == tag)
        both = sum((tag in tags) + (TAGS.get(predicted) == tag) for tags, predicted in pairs)
        scores[tag] = 2 * hit / both if both else 0.0
    return scores


def measure_event_types(folder: Path, limit: int = 0) -> Part:
    """Compute the figures of one set, and a note with the F1 of each tag."""
    cases = read_cases(folder, limit)
    crypto_profile = profile("crypto")
    pairs = [(case.tags, event_type(case.title, crypto_profile).event_type) for case in cases]
    scores = tag_scores(pairs)
    mean = sum(scores[tag] for tag in FOUR) / len(FOUR)
    all_profiles = profiles()
    crypto = [profile_of(case.title, all_profiles).name == crypto_profile.name for case in cases]
    figures = [
        figure(folder.name, "mean_f1", mean, len(cases), "headlines"),
        mean_of(folder.name, "profile", crypto, "headlines"),
    ]
    each = ", ".join(f"{tag} {score:.3f}" for tag, score in scores.items())
    return figures, [f"{folder.name}: F1 by tag: {each}; mean_f1 is over {', '.join(FOUR)}"]
