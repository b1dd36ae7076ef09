"""Which model is meant, what a vendor's file declares, and a user's options for a vendor."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Field, SecretStr

from groundwire import plugins
from groundwire.errors import AuthRejected
from groundwire.model.base import Json, Value

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

# How a structured answer is requested: by an output tool (function calling), by a native JSON
# schema, or in words, for a server that knows neither.
OutputMode = Literal["tool", "schema", "text"]

# Named, not imported: both libraries take long to load.
Client: TypeAlias = "httpx2.AsyncClient"
ChatModel: TypeAlias = "Model"

VENDORS = plugins.load("groundwire.llm.providers")
# Sent where a server wants no key: the SDKs refuse to work without one.
_NO_KEY = "none"


def _object(value: object) -> object:
    return json.loads(value) if isinstance(value, str) else value


class VendorOptions(Value):
    """A user's options for a vendor; `kind` maps a name of the user's own to a vendor's file."""

    kind: str | None = None
    api_key: SecretStr | None = None
    base_url: str | None = None
    output: OutputMode | None = None  # None: as the vendor's file declares
    timeout: float = Field(default=60.0, gt=0)  # seconds for the whole exchange
    input_usd: float | None = Field(default=None, ge=0)  # list price per million tokens
    output_usd: float | None = Field(default=None, ge=0)
    context_window: int | None = Field(default=None, gt=0)  # tokens; None: as the tables list it
    prices: str | None = None  # the vendor's name in the price tables, where its file has none
    # More for the body of each request, as JSON: what a vendor of this protocol alone knows.
    extra_body: Annotated[dict[str, Json], BeforeValidator(_object)] | None = None


class Vendor(ABC):
    """Base of the vendors: a file in `providers/` holds one class `Provider`."""

    DEFAULT_LIGHT: ClassVar[str] = ""  # empty: only the user knows what the server serves
    DEFAULT_HEAVY: ClassVar[str] = ""
    DEFAULT_VISION: ClassVar[str] = ""  # empty: none of its models sees pictures
    # Environment names that people already have for the key, and for the base URL.
    KEY_SETTING: ClassVar[tuple[str, ...]] = ()
    URL_SETTING: ClassVar[tuple[str, ...]] = ()
    BASE_URL: ClassVar[str | None] = None  # where it is; None: the user must say
    OUTPUT: ClassVar[OutputMode] = "tool"
    LOCAL: ClassVar[bool] = False  # runs on the user's machine: costs nothing, needs no key
    PRICES: ClassVar[str | None] = None  # the vendor's name in the price tables
    RANK: ClassVar[int]  # order of preference when several keys are set and no tier is named

    @abstractmethod
    def build(self, model_name: str, options: VendorOptions, client: Client) -> ChatModel:
        """Build a model on our HTTP client, with the vendor's own retries off."""


class ModelSpec(Value):
    """One model of one vendor: `openai:gpt-5.4-mini`."""

    vendor: str  # as the user names it
    name: str
    kind: str  # the file in `providers/`
    options: VendorOptions = VendorOptions()

    @property
    def label(self) -> str:
        """The model's name in records, in prices and for people."""
        return f"{self.vendor}:{self.name}"

    def declared(self) -> Vendor:
        return vendor(self.kind)


def vendor(kind: str) -> Vendor:
    """Return the vendor's declaration; an unknown name is refused with the nearest."""
    if kind not in VENDORS:
        raise plugins.unknown("noun.model_vendor", kind, VENDORS)
    declared: Vendor = VENDORS[kind].Provider()
    return declared


def key_of(vendor: str, options: VendorOptions, setting: str | None) -> str:
    """Return the key, checked before any library sees it.

    `setting` is named to a user who has none; None: the server needs no key.
    """
    key = options.api_key.get_secret_value().strip() if options.api_key else ""
    if not key:
        # A server of the user's own may want no key.
        if setting is None or options.base_url is not None:
            return _NO_KEY
        raise AuthRejected("outside.no_key", who=vendor, setting=setting)
    if not key.isascii() or not key.isprintable():
        raise AuthRejected("outside.key_characters", who=vendor)
    return key
