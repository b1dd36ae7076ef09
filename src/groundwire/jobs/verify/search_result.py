"""The tool result of a search: counted, not judged."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from groundwire.evidence.sources.official import official_language
from groundwire.jobs.verify.domains import site_of
from groundwire.jobs.verify.feature_types import Features
from groundwire.jobs.verify.features import features
from groundwire.jobs.verify.searching import Found
from groundwire.jobs.verify.types import State
from groundwire.language.text.sentiment import sentiment
from groundwire.model.base import JsonObject
from groundwire.model.query import Hit
from groundwire.model.result import Origin
from groundwire.model.tool import ToolFailure, ToolResult

_MULTI, _OFFICIAL, _MANY = 0.15, 0.10, 0.05
_MANY_RESULTS = 5
_TRIGGERS = 0.5
_PLACES = 4


def search_result(state: State, found: Found, now: datetime) -> ToolResult:
    """Build the tool result of a round's search, as the contract defines it."""
    failure = ToolFailure.under(*found.failure) if found.failure else None
    counted = {} if failure else search_summary(found.hits, state.origins, features(state))
    return ToolResult(
        tool="search",
        source=",".join(found.providers) or "search",
        timestamp=now,
        success=failure is None,
        data={"keyword": state.keywords, "keyword_source": state.keyword_source, **counted},
        triggered=search_triggered(counted) if counted else False,
        confidence=search_confidence(counted) if counted else 0.0,
        error=failure,
    )


def search_summary(
    hits: Sequence[Hit], origins: Sequence[Origin], features: Features
) -> JsonObject:
    """Count what the `data` of a search holds: results, and their independent origins.

    `official_primary`: a party's own page takes a side. `official_language` (plain, hedged or
    null) is only a weak hint by the wording. `sentiment` is null when no mood is expressed.
    """
    texts = [f"{hit.title}\n{hit.content}" for hit in hits]
    mood = sentiment(texts)
    wordings = {official_language(text) for text in texts}
    return {
        "results": [
            {
                "title": hit.title,
                "source": site_of(hit.url),
                "url": hit.url,
                "score": hit.score,
                "relevance": round(hit.relevance, _PLACES),
            }
            for hit in hits
        ],
        "source_count": len(hits),
        "unique_domains": len({site_of(hit.url) for hit in hits}),
        "independent_origins": len(origins),
        "multi_source": len(features.supports.origins) >= max(1, features.multi_source_threshold),
        "official_primary": bool(features.supports.primary_ids or features.contradicts.primary_ids),
        "official_language": next((each for each in ("plain", "hedged") if each in wordings), None),
        "sentiment": None if mood is None else mood.model_dump(),
    }


def search_confidence(summary: JsonObject) -> float:
    """Compute the seed's figure: mean relevance plus bonuses, at most 1."""
    score = _mean_relevance(summary)
    score += _MULTI if summary["multi_source"] else 0.0
    score += _OFFICIAL if summary["official_primary"] else 0.0
    score += _MANY if len(summary["results"]) >= _MANY_RESULTS else 0.0
    return round(min(1.0, score), _PLACES)


def search_triggered(summary: JsonObject) -> bool:
    """Tell whether several origins support the claim with relevant results."""
    return bool(summary["multi_source"]) and _mean_relevance(summary) >= _TRIGGERS


def _mean_relevance(summary: JsonObject) -> float:
    values: list[float] = [each["relevance"] for each in summary["results"]]
    return sum(values) / len(values) if values else 0.0
