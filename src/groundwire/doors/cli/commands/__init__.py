"""Every command and its options; each is handed to its own module when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import NoReturn

from groundwire.doors.cli.commands.root import cli

__all__ = ["cli", "main"]

# Each registers its commands; in the order of `gw --help`.
for _panel in (
    "asking",
    "looking",
    "judging",
    "remembering",
    "running",
    "desk",
    "access",
    "measuring",
):
    import_module(f"groundwire.doors.cli.commands.{_panel}")


def main() -> NoReturn:
    """The entry point of `gw` and `groundwire`."""
    import gc

    from groundwire.doors.cli.streams import prepare

    # Imports make a million objects that stay: looking through them again and again is a fifth
    # of their time.
    gc.set_threshold(50_000, 20, 50)
    prepare()
    try:
        cli(prog_name="gw")
    except SystemExit as end:
        _leave(end.code if isinstance(end.code, int) else 1)
    _leave(0)


def _leave(code: int) -> NoReturn:
    """Leave at once: everything is closed by now, and taking two thousand modules apart one by one
    takes longer than many a command."""
    import os
    import sys

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 4
    os._exit(code)
