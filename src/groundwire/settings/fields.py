"""The types of settings: words, domains, models, addresses, secrets; checked as they are read."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Self, TypeAlias, cast
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    SecretStr,
)

from groundwire.errors import Unfit
from groundwire.settings.names import Alias

_SECRET_NAME = re.compile(
    r"(?:^|[._])(?:(?:api|access|secret)?_?key|token|secret|password|passwd|passphrase|credential"
    r"|auth|authorization|bearer|cookie)s?$"
)


def is_secret_name(name: str) -> bool:
    """Tell whether an option of this name holds a secret: `api_key`, `token`, `client_secret`…"""
    return _SECRET_NAME.search(name) is not None


def _split(value: object) -> object:
    """Split a list written with commas, as the environment has it; TOML arrays stay."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _unlimited(value: object) -> object:
    # TOML has no null and the environment only text, so "no limit" needs a word.
    return None if isinstance(value, str) and value.lower() in ("none", "unlimited") else value


def _model_name(value: str) -> str:
    vendor, colon, model = value.partition(":")
    if not (vendor and colon and model):
        raise Unfit("takes.model")
    return value


def _network(value: str) -> str:
    try:
        return str(ipaddress.ip_network(value, strict=False))
    except ValueError:
        raise Unfit("takes.network") from None


def _domain(value: str) -> str:
    name = value.lower().removeprefix("*.").strip(".")
    if not name or re.search(r"[\s/:@]", name):
        raise Unfit("takes.domains")
    return name


def _keyword(value: str) -> str:
    # One Chinese character is a part of too many words, and one letter is no word.
    if len(value.strip()) < 2:
        raise Unfit("takes.keywords")
    return value.strip()


def _feed(value: str) -> str:
    if not value.lower().startswith(("http://", "https://")):
        raise Unfit("takes.feeds")
    return value


def _share(value: str) -> str:
    source, equals, share = value.rpartition("=")
    try:
        usable = bool(source.strip() and equals) and 0 <= float(share) <= 1
    except ValueError:
        usable = False
    if not usable:
        raise Unfit("takes.shares")
    return value


def _database(value: SecretStr) -> SecretStr:
    if not re.match(r"(?:sqlite|postgres(?:ql)?)(?:\+\w+)?:///?", value.get_secret_value()):
        raise Unfit("takes.database")
    return value


def _proxy(value: SecretStr) -> SecretStr:
    parts = urlsplit(value.get_secret_value())
    try:
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise Unfit("takes.proxies")
    return value


Word = Annotated[str, Field(min_length=1)]
Words = Annotated[tuple[Word, ...], BeforeValidator(_split)]
Domains = Annotated[tuple[Annotated[str, AfterValidator(_domain)], ...], BeforeValidator(_split)]
Models = Annotated[tuple[Annotated[str, AfterValidator(_model_name)], ...], BeforeValidator(_split)]
Networks = Annotated[tuple[Annotated[str, AfterValidator(_network)], ...], BeforeValidator(_split)]
Ports = Annotated[tuple[Annotated[int, Field(ge=1, le=65535)], ...], BeforeValidator(_split)]
Keywords = Annotated[tuple[Annotated[str, AfterValidator(_keyword)], ...], BeforeValidator(_split)]
Feeds = Annotated[tuple[Annotated[str, AfterValidator(_feed)], ...], BeforeValidator(_split)]
Shares = Annotated[tuple[Annotated[str, AfterValidator(_share)], ...], BeforeValidator(_split)]
# A URL that may hold a password is a secret whose host may be shown.
DatabaseUrl = Annotated[SecretStr, AfterValidator(_database)]
Proxies = Annotated[
    tuple[Annotated[SecretStr, AfterValidator(_proxy)], ...], BeforeValidator(_split)
]
Usd = Annotated[
    Annotated[float, Field(ge=0, allow_inf_nan=False)] | None, BeforeValidator(_unlimited)
]
Seconds = Annotated[float, Field(gt=0, le=600)]
Count = Annotated[int, Field(ge=0)]
Most = Annotated[Count | None, BeforeValidator(_unlimited)]
Some = Annotated[int, Field(ge=1)]

Option: TypeAlias = SecretStr | bool | int | float | str | tuple[str, ...]


def _address(name: str, value: str) -> str:
    try:
        parts = urlsplit(value)
        usable = parts.scheme not in ("http", "https") or bool(parts.hostname and parts.port != 0)
    except ValueError:
        usable = False
    if not usable or (name.endswith("base_url") and not value.lower().startswith("http")):
        raise Unfit("takes.address", name=name)
    if "@" in urlsplit(value).netloc:
        raise Unfit("takes.bare_address", name=name)
    return value


def _option(name: str, value: object) -> Option:
    secret = is_secret_name(name)
    match value:
        case SecretStr():
            return value
        case str() if secret:
            return SecretStr(value)
        case str() if name.endswith("urls"):
            return _option(name, [part.strip() for part in value.split(",") if part.strip()])
        case str():
            return _address(name, value) if "://" in value or name.endswith("base_url") else value
        case bool() | int() | float() if not secret:
            return value
        case list() | tuple() if not secret:
            items = map(str, cast("Sequence[object]", value))
            return tuple(_address(name, item) if "://" in item else item for item in items)
        case _:
            raise Unfit("takes.text", name=name)


def _options(value: object) -> Mapping[str, Mapping[str, Option]]:
    """Turn secrets into `SecretStr`; providers validate their own options."""
    # The loader has checked the shape; only Python callers can get it wrong.
    providers = cast("Mapping[str, Mapping[str, object]]", value)
    return {
        provider: {name: _option(f"{provider}.{name}", item) for name, item in options.items()}
        for provider, options in providers.items()
    }


# PlainValidator: the union itself would turn every text into a secret.
Providers = Annotated[Mapping[str, Mapping[str, Option]], PlainValidator(_options)]


class Section(BaseModel):
    """A group of settings; frozen, unknown names refused."""

    # Only the whole tree is ever validated; building each group by itself doubles start-up time.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    # Environment variables of other programs that set options of this group.
    aliases: ClassVar[Mapping[str, Alias]] = {}

    def fixed(self) -> Self:
        """Return the section as a run keeps it, with whatever it only points at read in."""
        return self
