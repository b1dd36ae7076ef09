"""An analyst's judgement of a source, laid over what is known of it."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.sources.urls import matches_domain, web_host
from groundwire.model.source import Evidence, Override

ANALYST = "analyst"  # the flag of evidence that a person has judged


def apply_override(evidence: Evidence, overrides: Sequence[Override]) -> Evidence:
    """Apply the closest override of its host to the evidence, and flag it so that it shows."""
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
    """Return the override that holds for a page: of all that match its host, the most specific."""
    # A file of the archive has no host.
    matching = [each for each in overrides if web_host(url) and matches_domain(url, each.domain)]
    return max(matching, key=lambda each: (each.domain.count("."), each.domain), default=None)
