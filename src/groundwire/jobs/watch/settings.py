"""The settings of watch: how much a round may take, and from when on a brief is good enough."""

from __future__ import annotations

from pydantic import Field

from groundwire.settings.fields import Section


class WatchSettings(Section):
    results: int = Field(default=10, ge=1, le=50, description="results of a search")
    pages: int = Field(default=40, ge=1, le=200, description="new pages read in a round")
    words: int = Field(default=3, ge=0, le=10, description="words that a round adds to the search")
    concurrency: int = Field(default=8, ge=1, le=32, description="sub-tasks at once")
    enough: float = Field(
        default=0.7, ge=0, le=1, description="critique from which no further round is made"
    )


SECTION = WatchSettings
