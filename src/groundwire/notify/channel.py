"""What a channel is: who is told, and the request that tells them, both pure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from groundwire.model.outbox import Parcel


class ChannelOptions(BaseModel):
    """What every channel can be told."""

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
        """Return the names of those who are told of everything."""

    @abstractmethod
    def request(self, parcel: Parcel, at: datetime) -> Outgoing:
        """Return the request that tells a subscriber."""
