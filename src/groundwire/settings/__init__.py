"""Settings: the only reader of the environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["BudgetSettings", "FetchSettings", "Loaded", "Origin", "SearchSettings", "Settings"]

if TYPE_CHECKING:
    from groundwire.settings.load import Loaded, Settings
    from groundwire.settings.schema import BudgetSettings, FetchSettings, SearchSettings
    from groundwire.settings.sources import Origin

_HOMES = {
    **dict.fromkeys(("Loaded", "Settings"), "load"),
    **dict.fromkeys(("BudgetSettings", "FetchSettings", "SearchSettings"), "schema"),
    "Origin": "sources",
}


def __getattr__(name: str) -> object:
    """Import a name when it is asked for: the schema takes longer than all of `gw --help`."""
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
