"""What a provider of numbers is: its requests and the parsers of its answers, both pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field

from groundwire import plugins
from groundwire.errors import AuthRejected
from groundwire.gateway.status import raise_for_api_status
from groundwire.gateway.vendor import ApiOptions, ApiProvider
from groundwire.model.base import Json, JsonObject, Value

_REGION = 451
PROVIDERS = plugins.load("groundwire.data.providers")
_TOOLS = {"search": "search", "fetch": "read"}  # by the kind of their calls
Options = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class DataRequest:
    """One GET of a JSON API, without authentication.

    `read` turns the decoded answer into what is recorded, the same for every run, or raises
    `Malformed`; `absent` recognises the answer that there is no such thing.
    """

    provider: str
    path: str
    read: Callable[[Json], JsonObject]
    keep: float  # seconds that runs may share the answer
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    absent: Callable[[int, bytes], bool] = lambda _status, _body: False
    most: int = 8_000_000  # bytes, unpacked


class DataProvider(ApiProvider[ApiOptions]):
    """Base of all: a module in `providers/` holds one class `Provider`, and its requests."""

    needs_key: ClassVar[bool] = False
    per_second: ClassVar[float] = 5.0  # its pace where nobody set one
    tool: ClassVar[str]  # that asks it

    @property
    def pause(self) -> float:
        """The least seconds between two requests."""
        return 1 / (self.options.per_second or self.per_second)

    def check(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        if status == _REGION:
            raise AuthRejected("outside.region", who=self.name, status=status)
        hint = self.key_hint if self.key or self.needs_key else ""
        raise_for_api_status(status, headers, body, self.name, hint)


class Traded(Value):
    """A pair's last trade and its last 24 hours, as recorded."""

    last: float
    change: float | None = None  # percent
    mean: float
    low: float
    high: float
    closed_at: int | None = None  # milliseconds since 1970


def _written(value: Json) -> Json:
    """Convert a number that an exchange writes as text."""
    if not isinstance(value, str):
        raise ValueError("a number as text")  # noqa: TRY004 - pydantic reports these only
    return float(value)


# A JSON number, not a text or a truth value that could be taken for one.
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
Written = Annotated[float, BeforeValidator(_written), Field(allow_inf_nan=False)]
PositiveWritten = Annotated[float, BeforeValidator(_written), Field(gt=0, allow_inf_nan=False)]


def tool_of(kind: str, name: str) -> str:
    """Return the tool that made an outside call; "": none, such as a model's."""
    if kind == "data" and name in PROVIDERS:
        tool: str = PROVIDERS[name].Provider.tool
        return tool
    return "" if name == "robots" else _TOOLS.get(kind, "")


def provider(name: str, options: Options) -> DataProvider:
    """Build a provider with its options; a wrong one is refused by its name."""
    cls: type[DataProvider] = PROVIDERS[name].Provider
    return cls(plugins.options(f"tools.providers.{name}", ApiOptions, options.get(name, {})))


def check(options: Options) -> None:
    """Refuse wrong options, and those of a provider that does not exist, before a run."""
    for name in options:
        if name not in PROVIDERS:
            raise plugins.unknown("noun.numbers", name, PROVIDERS)
        provider(name, options)
