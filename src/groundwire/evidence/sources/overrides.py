"""An analyst's judgement of a source, laid over what the house knows of it."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.sources.urls import matches_domain, web_host
from groundwire.model.source import Evidence, Override

ANALYST = "analyst"  # the flag: a person's judgement counts here


def judged(evidence: Evidence, overrides: Sequence[Override]) -> Evidence:
    """The evidence with what the closest override says of its host; flagged, so that it shows."""
    closest = override_of(evidence.document.canonical_url, overrides)
    if closest is None:
        return evidence
    return evidence.model_copy(
        update={
            "tier": closest.tier or evidence.tier,
            "owner": closest.owner,
            "flags": tuple(sorted({*evidence.flags, ANALYST})),
        }
    )


def override_of(url: str, overrides: Sequence[Override]) -> Override | None:
    """Return what holds for a page: of all that fit its host, the one that says most of it."""
    # A file of the user's own has no host.
    fitting = [each for each in overrides if web_host(url) and matches_domain(url, each.domain)]
    return max(fitting, key=lambda each: (each.domain.count("."), each.domain), default=None)
