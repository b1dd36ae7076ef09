"""Scenarios: a message, the web at that moment, and what a careful reader would conclude."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from groundwire.errors import InputError
from groundwire.evidence.messages.profiles import OTHER, SHIPPED, profile
from groundwire.jobs.verify.signal import Action, RiskFlag
from groundwire.model.base import Instant, Value
from groundwire.model.claim import Verdict
from groundwire.model.outcome import Outcome
from lab.evaluation.figures import places_in, rows
from lab.stubs.markets import Hack

Part = Literal["search", "pages", "price", "onchain", "model", "slow-search"]
Band = tuple[float, float]


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


OneOrMore = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class ScenarioMessage(Value):
    """The message."""

    text: str = Field(min_length=1)
    published_at: Instant | None = None
    source: str = ""
    language: str = "auto"


class ScenarioPage(Value):
    """A page that can be found and read."""

    url: str = Field(pattern=r"^https?://[^/\s]+")
    title: str
    publisher: str = ""
    published_at: Instant | None = None
    text: str = Field(min_length=1)


class Stablecoin(Value):
    price: float | None = None
    circulating: float | None = None


class Locked(Value):
    now: float
    day_before: float


class Chain(Value):
    """What is known on chain: incidents, stablecoins, value locked by protocol."""

    hacks: tuple[Hack, ...] = ()
    stablecoins: dict[str, Stablecoin] = Field(default_factory=dict[str, Stablecoin])
    tvl: dict[str, Locked] = Field(default_factory=dict[str, Locked])


class Remembered(Value):
    """An earlier signal that the desk already holds."""

    text: str
    event_type: str
    asset: str = ""
    confidence: float = Field(ge=0, le=1)
    verdict: Verdict
    outcome: Outcome | None = None
    at: Instant


class Expected(Value):
    """The expected result. Where several values are named, any of them is right."""

    verdict: Annotated[tuple[Verdict, ...], BeforeValidator(_listed)]
    flags: tuple[RiskFlag, ...] = ()
    no_flags: tuple[RiskFlag, ...] = ()
    confidence: Band = (0.0, 1.0)
    event_type: OneOrMore = ()
    asset: OneOrMore = ()
    action: Action | None = None
    origins: tuple[int, int] | None = None
    why: str = ""


class Scenario(Value):
    """One case."""

    id: str
    kind: str
    message: ScenarioMessage
    now: Instant
    web: tuple[ScenarioPage, ...] = ()
    down: tuple[Part, ...] = ()
    price: dict[str, float] = Field(default_factory=dict[str, float])
    price_before: dict[str, float] = Field(default_factory=dict[str, float])
    onchain: Chain = Chain()
    remembered: tuple[Remembered, ...] = ()
    expect: Expected

    @model_validator(mode="after")
    def _check_web(self) -> Scenario:
        seen: list[str] = []
        for page in self.web:
            parts = urlsplit(page.url)
            address = f"{parts.hostname}{parts.path.rstrip('/')}"
            if address in seen:
                raise ValueError(f"two pages at {address}")
            seen.append(address)
            if page.published_at is not None and page.published_at > self.now:
                raise ValueError(f"{address} is published after now")
        return self

    @property
    def number(self) -> int:
        """The digits at the end of its id; 0 without any."""
        digits = self.id[len(self.id.rstrip("0123456789")) :]
        return int(digits or 0)

    @property
    def language(self) -> str:
        return "zh" if self.message.language.startswith("zh") else self.message.language

    @property
    def profile(self) -> str:
        """The profile whose event types are expected; `other` belongs to all."""
        for name in SHIPPED:
            known = profile(name).type_names
            if any(each in known and each != OTHER for each in self.expect.event_type):
                return name
        return OTHER

    @property
    def holds(self) -> bool | None:
        """Whether the message is true news: its web supports it, or refutes it or shows it to be old.

        None where the web leaves it open or makes it partly true: believing that is no mistake that
        could be counted.
        """
        if set(self.expect.verdict) == {"supported"}:
            return True
        return False if set(self.expect.verdict) <= {"contradicted", "stale"} else None


def read_scenarios(path: Path, limit: int = 0) -> list[Scenario]:
    """Read the scenarios of a file; an error names the one that is wrong."""
    found: list[Scenario] = []
    for number, row in enumerate(rows(path, limit), start=1):
        try:
            found.append(Scenario.model_validate(row))
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in fault["loc"]) or "scenario"
            name = row.get("id", f"number {number}")
            raise InputError(f"{path.name}, {name}: {where}: {fault['msg']}") from None
    return found


def scenario_files(folder: Path) -> Iterator[Path]:
    """Find the files, in a folder or directly in its folders, whose first line is a scenario."""
    for place in places_in(folder):
        for path in sorted(place.glob("*.jsonl")):
            if any({"message", "web", "expect"} <= first.keys() for first in rows(path, 1)):
                yield path


def stamp(moment: datetime | None) -> str:
    """Format a moment as pages write it; empty where it is unknown."""
    return "" if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
