"""Groundwire: an evidence-first intelligence desk.

`async with open_app() as app: run = await app.ask("…")`; see docs/python.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["App", "Event", "GroundwireError", "Run", "Settings", "__version__", "open_app"]

if TYPE_CHECKING:
    from groundwire.app import App, open_app
    from groundwire.errors import GroundwireError
    from groundwire.model.event import Event
    from groundwire.model.run import Run
    from groundwire.settings import Settings

# Looked up when somebody asks for it: the package itself costs nothing to import.
_HOMES = {
    "App": "app",
    "Event": "model.event",
    "GroundwireError": "errors",
    "Run": "model.run",
    "Settings": "jobs.sections",
    "open_app": "app",
}


def __getattr__(name: str) -> Any:
    """Find a name where it lives; the result of a job by its own name (`Signal`)."""
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    if name[:1].isupper():
        from groundwire.jobs import offered

        for job in offered():
            if job.result.__name__ == name:
                return job.result
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
