"""Every provider of numbers by its name, made from its options."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from groundwire import plugins
from groundwire.data.provider import DataProvider
from groundwire.gateway.vendor import ApiOptions

PROVIDERS = plugins.load("groundwire.data.providers")
_TOOLS = {"search": "search", "fetch": "read"}  # by the kind of their calls
Options = Mapping[str, Mapping[str, object]]


def provider(name: str, options: Options) -> DataProvider:
    """Return a provider with what it was told; a wrong option is refused by its name."""
    cls: type[DataProvider] = PROVIDERS[name].Provider
    try:
        return cls(ApiOptions.model_validate(dict(options.get(name, {}))))
    except ValidationError as error:
        raise plugins.refused(f"tools.providers.{name}", error, ApiOptions) from None


def tool_of(kind: str, name: str) -> str:
    """Return the tool that an outside call was made by; "": by none, such as a model's."""
    if kind == "data" and name in PROVIDERS:
        tool: str = PROVIDERS[name].Provider.tool
        return tool
    return "" if name == "robots" else _TOOLS.get(kind, "")


def check(options: Options) -> None:
    """Refuse options of a provider that does not exist, and wrong ones, before it is a run."""
    for name in options:
        if name not in PROVIDERS:
            raise plugins.unknown("noun.numbers", name, PROVIDERS)
        provider(name, options)
