"""Does the embedded reasoner see what kind of event a headline tells of: F1 by tag, no model, no network.

The set crypto_events (`timeline.jsonl`) tags headlines; tags are broader than event types, and a headline may have
several. A type stands for one tag (`TAGS`): hack and scam_alert for Hacks, regulation for Regulation, macro, depeg
and liquidation for Market moves, partnership and listing for Adoption, funding for Investment, governance for
Innovation, celebrity for Culture; the others, and `other`, for none. A headline counts for a tag when the one type
that the crypto profile gives it stands for that tag. The figure is the mean F1 over `FOUR`, the four most frequent
tags that say what happened and that types stand for without stretching; every tag's own F1 is in the notes.
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
    """A headline and those of its tags that types stand for."""

    title: str
    tags: tuple[str, ...]


def read_cases(folder: Path, limit: int = 0) -> list[Case]:
    """The headlines of a set's folder."""
    return [
        Case(row.title, tuple(known for known in _KNOWN if any(known in tag for tag in row.tag)))
        for row in rows_as(_Row, folder / FILE, limit, "a title with its tags")
    ]


def tag_scores(said: list[tuple[tuple[str, ...], str]]) -> dict[str, float]:
    """F1 of each tag, from pairs of (tags, event type that was said)."""
    scores: dict[str, float] = {}
    for tag in _KNOWN:
        hit = sum(1 for tags, own in said if tag in tags and TAGS.get(own) == tag)
        both = sum((tag in tags) + (TAGS.get(own) == tag) for tags, own in said)
        scores[tag] = 2 * hit / both if both else 0.0
    return scores


def measure_event_types(folder: Path, limit: int = 0) -> Part:
    """The figures of one set's folder, and a note with what stands behind them."""
    cases = read_cases(folder, limit)
    given = profile("crypto")
    said = [(case.tags, event_type(case.title, given).event_type) for case in cases]
    scores = tag_scores(said)
    mean = sum(scores[tag] for tag in FOUR) / len(FOUR)
    known = profiles()
    crypto = [profile_of(case.title, known).name == given.name for case in cases]
    figures = [
        figure(folder.name, "mean_f1", mean, len(cases), "headlines"),
        mean_of(folder.name, "profile", crypto, "headlines"),
    ]
    each = ", ".join(f"{tag} {score:.3f}" for tag, score in scores.items())
    return figures, [f"{folder.name}: F1 by tag: {each}; mean_f1 is over {', '.join(FOUR)}"]
