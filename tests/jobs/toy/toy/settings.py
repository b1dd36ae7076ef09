"""The settings of the toy."""

from __future__ import annotations

from pydantic import Field

from groundwire.settings.fields import Section


class ToySettings(Section):
    most: int = Field(default=9, ge=1, le=99, description="words that are counted")


SECTION = ToySettings
