"""What a channel is: its subscribers, and the request that notifies one, both pure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from groundwire.model.outbox import Parcel


class ChannelOptions(BaseModel):
    """Options that every channel has."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    timeout: float = Field(default=10.0, gt=0, le=60)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request as it is sent: authentication included, so it is never recorded."""

    url: str
    body: bytes
    headers: Mapping[str, str]


class Channel(ABC):
    """Base of all: a module in `providers/` holds its `Options` and one class `Provider`."""

    name: ClassVar[str]

    def __init__(self, options: ChannelOptions) -> None:
        self.options = options

    @abstractmethod
    def subscribers(self) -> tuple[str, ...]:
        """Name those who are notified of everything."""

    @abstractmethod
    def request(self, parcel: Parcel, at: datetime) -> Outgoing:
        """Build the request that notifies a subscriber."""
