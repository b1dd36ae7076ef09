"""The command line: a door like the others; it parses, calls the app, and renders."""

from groundwire.doors.cli.commands import cli, main

__all__ = ["cli", "main"]
