"""How good the brief is: credibility, coverage and quality in numbers of code; pure."""

from __future__ import annotations

from groundwire.evidence.sources.credibility import credibility
from groundwire.evidence.sources.urls import canonical_url
from groundwire.jobs.watch.ledger.claims import Claim
from groundwire.jobs.watch.reading import usable
from groundwire.jobs.watch.result import Critique
from groundwire.jobs.watch.types import State
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.source import Evidence
from groundwire.search.platforms import platform, platform_of

_SHARES = 0.40, 0.35, 0.25  # of credibility, coverage and quality
_SUPPORTED = frozenset({"supported", "qualified"})
_STALE_DAYS = 90


def score_of(evidence: Evidence) -> float:
    """Score a source: by its tier and flags, and no better than its platform lets anybody be."""
    found = credibility(evidence)
    where = platform_of(evidence.document.canonical_url)
    if where and evidence.tier in ("unknown", "social"):
        return round(min(max(found, platform(where).credibility), 1.0), 4)
    return found


def supported(claim: Claim) -> bool:
    return claim.stands and claim.verdict in _SUPPORTED and bool(claim.citations)


def covered(state: State, claims: tuple[Claim, ...]) -> frozenset[int]:
    """Return the sub-tasks whose searches, now or before, brought a page that a supported claim cites."""
    names = {
        name
        for claim in claims
        if supported(claim)
        for each in claim.citations
        for name in state.found_by.get(canonical_url(each.url), ())
    }
    return frozenset(n for n, each in enumerate(state.planned.tasks) if each.task in names)


def critique_of(state: State, claims: tuple[Claim, ...]) -> Critique:
    """Compute the critique of what was found so far."""
    scores = [score_of(each) for each in usable(state)]
    tasks = range(len(state.planned.tasks))
    done = covered(state, claims)
    standing = [each for each in claims if each.stands]
    parts = (
        sum(scores) / len(scores) if scores else 0.0,
        len(done) / len(tasks),
        sum(map(supported, standing)) / len(standing) if standing else 0.0,
    )
    overall = sum(share * part for share, part in zip(_SHARES, parts, strict=True))
    return Critique(
        credibility=round(parts[0], 4),
        coverage=round(parts[1], 4),
        quality=round(parts[2], 4),
        overall=round(overall, 4),
        notes=tuple(_notes(state, claims, done)),
        rounds=state.directed,
    )


def _notes(state: State, claims: tuple[Claim, ...], done: frozenset[int]) -> list[Phrase]:
    """Say what lowers it: parts without a claim, one source alone, points that are contested, age."""
    found = [
        phrase("watch.note.uncovered", task=task.task)
        for place, task in enumerate(state.planned.tasks)
        if place not in done
    ]
    standing = [each for each in claims if supported(each)]
    alone = sum(len(each.origins) < 2 for each in standing)
    if alone:
        found.append(phrase("watch.note.alone", n=alone, of=len(standing)))
    contested = sum(each.state == "contested" for each in claims)
    if contested:
        found.append(phrase("watch.note.contested", n=contested))
    dated = [each.document.published_at for each in usable(state) if each.document.published_at]
    if dated and (state.now - max(dated)).days > _STALE_DAYS:
        found.append(phrase("watch.note.old", days=(state.now - max(dated)).days))
    return found
