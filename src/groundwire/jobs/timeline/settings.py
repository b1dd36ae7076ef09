"""The settings of timeline: how much a search may bring, and how many go on at once."""

from __future__ import annotations

from pydantic import Field

from groundwire.settings.fields import Section


class TimelineSettings(Section):
    results: int = Field(default=10, ge=1, le=50, description="results of a thread's search")
    node_results: int = Field(default=5, ge=1, le=50, description="results of a node's search")
    pages: int = Field(default=60, ge=1, le=400, description="pages read before the skeleton")
    concurrency: int = Field(default=8, ge=1, le=32, description="threads or nodes at once")


SECTION = TimelineSettings
