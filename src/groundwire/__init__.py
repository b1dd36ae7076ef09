"""Groundwire: an evidence-first intelligence desk.

`async with open_app() as app: run = await app.ask("…")`; see docs/python.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = [
    "App",
    "AskResult",
    "Event",
    "GroundwireError",
    "Run",
    "Settings",
    "Signal",
    "__version__",
    "open_app",
]

if TYPE_CHECKING:
    from groundwire.app import App, open_app
    from groundwire.errors import GroundwireError
    from groundwire.jobs.ask.answer import AskResult
    from groundwire.jobs.verify.signal import Signal
    from groundwire.model.event import Event
    from groundwire.model.run import Run
    from groundwire.settings import Settings

# Looked up when somebody asks for it: the package itself costs nothing to import.
_HOMES = {
    "App": "app",
    "AskResult": "jobs.ask.answer",
    "Event": "model.event",
    "GroundwireError": "errors",
    "Run": "model.run",
    "Settings": "settings",
    "Signal": "jobs.verify.signal",
    "open_app": "app",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
