"""The command line: a door like the others; it parses, calls the app, and renders."""

from __future__ import annotations

from importlib import import_module
from typing import NoReturn

from groundwire.doors.cli.root import cli

__all__ = ["cli", "main"]

# Each declares its commands; in the order of `gw --help`.
for _module in (
    *("asking", "outcomes", "archive", "forgetting", "sources", "recall"),
    *("runs", "ledger", "doctor", "providers", "costs", "desk", "serving", "tokens"),
    "measurements",
):
    import_module(f"{__name__}.{_module}")


def main() -> NoReturn:
    """Run `gw`, also called `groundwire`."""
    import gc

    from groundwire.doors.cli.session import prepare_streams

    # Imports create a million lasting objects; collecting among them costs a fifth of their time.
    gc.set_threshold(50_000, 20, 50)
    prepare_streams()
    try:
        cli(prog_name="gw")
    except SystemExit as end:
        _leave(end.code if isinstance(end.code, int) else 1)
    _leave(0)


def _leave(code: int) -> NoReturn:
    """Exit at once: all is closed, and tearing down two thousand modules takes longer."""
    import os
    import sys

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 4
    os._exit(code)
