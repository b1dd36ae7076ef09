"""Settings: the only reader of the environment."""

from groundwire.settings.load import Loaded, Settings
from groundwire.settings.schema import BudgetSettings, FetchSettings, SearchSettings
from groundwire.settings.sources import Origin

__all__ = ["BudgetSettings", "FetchSettings", "Loaded", "Origin", "SearchSettings", "Settings"]
