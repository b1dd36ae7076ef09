"""What is asked of a search, and what comes back: hits and failures are different values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from groundwire.model.base import JsonObject, Published, Value
from groundwire.model.call import Recovery
from groundwire.model.phrase import Phrase

Topic = Literal["general", "news", "finance", "tech"]
EMPTY = "empty"  # the code of a search that was answered and found nothing


class Query(Value):
    """One search. `time_range` is day|week|month|year or ISO/ISO."""

    text: str = Field(min_length=1)
    max_results: int = Field(default=5, ge=1, le=50)
    include_domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
    time_range: str | None = None
    language: str | None = None
    topic: Topic = "general"
    country: str | None = None
    platform: str = ""  # one of `search/platforms`; "": anywhere


class Hit(Value):
    """One result. `score` is the provider's own; `relevance` in [0, 1] is ours."""

    title: str
    url: str
    content: str
    score: float | None = None
    relevance: float = 0.0
    published_at: Published | None = None
    raw_content: str | None = None
    provider: str
    also: tuple[str, ...] = ()  # other providers whose lists have the page
    rank: int
    document_id: str | None = None  # set when the archive already holds the page
    platform: str = ""  # where it was published, as far as that is a platform
    author: str = ""  # as the platform names them
    engagement: Mapping[str, int] = Field(
        default_factory=dict[str, int]
    )  # points, comments, stars…


class SearchFailure(Value):
    """A provider that did not answer: never an empty list."""

    provider: str
    code: str
    message: str  # a code of the catalogue
    params: JsonObject = Field(default_factory=dict)

    @property
    def phrase(self) -> Phrase:
        return Phrase(code=self.message, params=self.params)


class SearchReport(Value):
    """The answer of a chain: what was found, who failed, who was asked."""

    query: Query
    hits: tuple[Hit, ...]
    failures: tuple[SearchFailure, ...] = ()
    providers: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()  # of these: who sees a part of the web only
    cached: bool = False  # nothing was sent for it
    recoveries: tuple[Recovery, ...] = ()  # how failures were made up for

    @property
    def failed(self) -> bool:
        """Whether every web provider failed: nothing is known, which is not nothing found.

        An archive or an encyclopaedia without hits does not turn a failed web search into
        "nothing found".
        """
        if not self.failures or self.hits:
            return False
        return not self._answered

    @property
    def empty(self) -> bool:
        """Whether somebody who sees the whole web answered, and nobody found anything."""
        return not self.hits and bool(self._answered)

    @property
    def _answered(self) -> set[str]:
        """Return who answered, without those who see a part of the web only."""
        failed = {failure.provider for failure in self.failures}
        return set(self.providers) - failed - set(self.partial)
