"""What a vendor of embeddings is: `body()` and `parse()`, both pure; the network is elsewhere."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import SecretStr

from groundwire import plugins
from groundwire.errors import AuthRejected, Malformed, SettingsError
from groundwire.gateway.vendor import key_in
from groundwire.model.base import Json, JsonObject, Value

Vector = tuple[float, ...]

VENDORS = plugins.load("groundwire.embed.providers")
_ASSUMED = 0.2  # dollars per million tokens: above the list price of every vendor here


class EmbedSpec(Value):
    """One embedding model of one vendor: `openai:text-embedding-3-small`."""

    vendor: str  # as the user names it
    name: str
    kind: str  # the file in `providers/`
    dimensions: int
    api_key: SecretStr | None = None
    base_url: str | None = None
    timeout: float = 30.0
    usd: float | None = None  # per million tokens, where the user states it

    @property
    def label(self) -> str:
        """The name that vectors are kept under: those of two labels are never compared."""
        return f"{self.vendor}:{self.name}/{self.dimensions}"


class EmbedVendor(ABC):
    """Base of the vendors: a module in `providers/` holds one class `Provider`."""

    base_url: ClassVar[str | None]  # None: the user must say
    key_setting: ClassVar[str | None]  # None: it needs no key
    key_header: ClassVar[str] = "Authorization"  # carries the key, which is never recorded
    prices: ClassVar[Mapping[str, float]] = {}  # dollars per million tokens, by model

    @abstractmethod
    def path(self, spec: EmbedSpec) -> str:
        """Return the path below the base URL."""

    @abstractmethod
    def body(self, spec: EmbedSpec, texts: Sequence[str]) -> JsonObject: ...

    @abstractmethod
    def parse(self, answer: Json) -> tuple[list[list[float]], int]:
        """Parse vectors in the order of the texts, and the tokens counted (0: not counted)."""

    def url(self, spec: EmbedSpec) -> str:
        base = spec.base_url or self.base_url
        if base is None:
            raise SettingsError("error.no_base_url", vendor=spec.vendor, hint="hint.set_base_url")
        return f"{base.rstrip('/')}/{self.path(spec)}"

    def lacks(self, spec: EmbedSpec) -> str | None:
        """Return the setting of a missing key; a server of the user's own may need none."""
        return None if _key(spec) or spec.base_url is not None else self.key_setting

    def authentication(self, spec: EmbedSpec) -> dict[str, str]:
        if missing := self.lacks(spec):
            raise AuthRejected("outside.no_key", who=spec.vendor, setting=missing)
        key = _key(spec)
        return key_in(self.key_header, key) if key else {}

    def price(self, spec: EmbedSpec, tokens: int) -> int:
        """Price tokens in micro-dollars; a model on the user's own machine costs nothing."""
        if spec.usd is not None:
            return math.ceil(tokens * spec.usd)
        if self.key_setting is None:
            return 0
        return math.ceil(tokens * self.prices.get(spec.name, _ASSUMED))


def _key(spec: EmbedSpec) -> str:
    return spec.api_key.get_secret_value().strip() if spec.api_key else ""


def vendor(spec: EmbedSpec) -> EmbedVendor:
    """Return the vendor's declaration; an unknown name is refused with the nearest."""
    if spec.kind not in VENDORS:
        raise plugins.unknown("noun.embedding_vendor", spec.kind, VENDORS)
    declared: EmbedVendor = VENDORS[spec.kind].Provider()
    return declared


def lacks(spec: EmbedSpec) -> str | None:
    """Return the setting of the key that a known vendor is missing."""
    return vendor(spec).lacks(spec) if spec.kind in VENDORS else None


def to_unit_vectors(
    vectors: Sequence[Sequence[float]], count: int, spec: EmbedSpec
) -> list[Vector]:
    """Check vectors (one a text, of one length, none zero) and scale them to unit length."""
    if len(vectors) != count:
        raise Malformed("outside.vector_count", who=spec.label, n=len(vectors), of=count)
    if len({len(vector) for vector in vectors}) != 1 or not vectors[0]:
        raise Malformed("outside.vector_lengths", who=spec.label)
    return [_unit(vector, spec) for vector in vectors]


def _unit(vector: Sequence[float], spec: EmbedSpec) -> Vector:
    norm = math.sqrt(math.fsum(x * x for x in vector))
    if not math.isfinite(norm) or norm == 0:
        raise Malformed("outside.vector_zero", who=spec.label)
    return tuple(x / norm for x in vector)
