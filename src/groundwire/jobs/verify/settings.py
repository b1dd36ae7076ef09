"""The settings of verify: when a message is looked into, how far, and where."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Self

from pydantic import Field

from groundwire.errors import SettingsError
from groundwire.settings.fields import Count, Domains, Seconds, Section, Some
from groundwire.settings.names import Alias

_HINT = "verify.error.profiles_hint"


def _percent(value: str) -> str:
    """Convert the seed's rollout, a fraction, to a percentage."""
    try:
        fraction = float(value)
    except ValueError:
        fraction = -1.0
    if not 0 <= fraction <= 1:
        raise SettingsError("verify.error.rollout", value=value)
    return f"{fraction * 100:.10g}"


class VerifySettings(Section):
    tools_enabled: bool = Field(
        default=True, description="whether a message may be looked into by tools"
    )
    max_tool_calls: Count = Field(default=3, description="tool calls for one message")
    high_value_threshold: float = Field(
        default=0.75,
        ge=0,
        le=1,
        description="confidence from which a message from intake goes deep",
    )
    rollout_percent: float = Field(
        default=100.0, ge=0, le=100, description="share of messages from intake that may go deep"
    )
    multi_source_threshold: Some = Field(
        default=3, description="independent origins that are enough"
    )
    preferred_domains: Domains = Field(
        default=(), description="domains that are searched first, beside those of the profile"
    )
    deny_domains: Domains = Field(
        default=(), description="domains that are never used, beside those of the profile"
    )
    results: int | None = Field(
        default=None, ge=1, le=50, description="results taken from a search; unset: as of all"
    )
    pages: int = Field(default=8, ge=0, le=50, description="pages read in a round")
    patience: Seconds = Field(
        default=1.0,
        description="seconds after which a slow search of the first list is joined by the second",
    )
    # A run's own settings hold the profiles themselves here (ledger rule b).
    profiles: str | None = Field(default=None, description="folder with your own profiles")

    aliases: ClassVar[Mapping[str, Alias]] = {
        "DEEP_ANALYSIS_TOOLS_ENABLED": Alias("tools_enabled"),
        "DEEP_ANALYSIS_MAX_TOOL_CALLS": Alias("max_tool_calls"),
        "HIGH_VALUE_CONFIDENCE_THRESHOLD": Alias("high_value_threshold"),
        "SEARCH_MULTI_SOURCE_THRESHOLD": Alias("multi_source_threshold"),
        "SEARCH_INCLUDE_DOMAINS": Alias("preferred_domains"),
        "PHASE1_ROLLOUT_PERCENTAGE": Alias("rollout_percent", _percent),
    }

    def fixed(self) -> Self:
        """Return the settings as a run stores them: the profiles themselves instead of a folder."""
        if not self.profiles:
            return self
        from groundwire.evidence.messages.profiles import dump_profiles, read_profiles

        return self.model_copy(
            update={"profiles": dump_profiles(read_profiles(profile_texts(self.profiles)))}
        )


def profile_texts(folder: str) -> dict[str, str]:
    """Read each file's text by its name; an empty or unreadable folder is refused."""
    try:
        paths = sorted(path for path in Path(folder).expanduser().iterdir() if path.is_file())
        texts = {path.name: path.read_text("utf-8") for path in paths if path.suffix == ".json"}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError("verify.error.profiles", folder=folder, hint=_HINT) from error
    if not texts:
        raise SettingsError("verify.error.no_profiles", folder=folder, hint=_HINT)
    return texts


SECTION = VerifySettings
