"""The settings of ask: how much one round may take."""

from __future__ import annotations

from pydantic import Field

from groundwire.settings.fields import Section


class AskSettings(Section):
    queries: int = Field(
        default=5,
        ge=1,
        le=50,
        description="searches of a round; where none finds anything, up to three more, and no more than this",
    )
    results: int | None = Field(
        default=None, ge=1, le=50, description="results taken from a search; unset: as of all"
    )
    pages: int = Field(default=20, ge=0, le=200, description="pages read in a round")
    passages: int = Field(
        default=24, ge=1, le=200, description="passages that the answer is written from"
    )


SECTION = AskSettings
