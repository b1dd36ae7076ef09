"""What a channel is: who is told by it, and what is sent to tell them, both pure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from groundwire.errors import Unfit
from groundwire.gateway.mail import Envelope
from groundwire.model.base import JsonObject
from groundwire.model.outbox import DESK, Parcel


def _split(value: object) -> object:
    # The environment has text only.
    return value.replace(",", " ").split() if isinstance(value, str) else value


Addresses = Annotated[tuple[str, ...], BeforeValidator(_split)]


class ChannelOptions(BaseModel):
    """Options that every channel has."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    timeout: float = Field(default=10.0, gt=0, le=60)
    # Whether it is told of every result, or only of what somebody has subscribed it to.
    everything: bool = True


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request as it is sent: authentication included, so it is never recorded."""

    url: str
    body: bytes
    headers: Mapping[str, str]
    # Whether the settings name the address, which then may be private; a subscriber's may not.
    trusted: bool = True


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a service that answers 200 to everything says went wrong."""

    detail: str
    status: int  # the HTTP status that says the same
    retry_after: float | None = None


class Channel(ABC):
    """Base of all: a module in `providers/` holds its `Options` and one class `Provider`."""

    name: ClassVar[str]

    def __init__(self, options: ChannelOptions) -> None:
        self.options = options

    @abstractmethod
    def outgoing(self, parcel: Parcel, at: datetime, link: str) -> Outgoing | Envelope:
        """Build what is sent to tell a subscriber; `link` leads people to the run, "" nowhere."""

    def subscribers(self) -> tuple[str, ...]:
        """Name those who are told of everything."""
        return (DESK,)

    def check(self, address: str) -> None:
        """Refuse an address that this channel cannot serve; `DESK` needs what its settings name."""
        if address != DESK:
            raise Unfit("takes.no_address")

    def refusal(self, answer: JsonObject) -> Refusal | None:
        """Find the refusal in an answer whose status says that all is well."""
        return None
