"""Standard streams as they may come: closed, or of an encoding that cannot show everything."""

from __future__ import annotations

import io
import os
import sys


def prepare() -> None:
    """Make every stream usable: a closed one leads nowhere, what cannot be encoded is escaped."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream: object = getattr(sys, name)
        if stream is None:
            # Takes the lowest free number, this one: a database must not get it instead.
            os.open(os.devnull, os.O_RDWR)
            raw = io.FileIO(number, "r" if number == 0 else "w")
            buffer = io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw)
            setattr(sys, name, io.TextIOWrapper(buffer, encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper) and number:
            stream.reconfigure(errors="backslashreplace")


def nobody_reads() -> None:
    """Lead both outputs nowhere: a pipe whose reader has left must not complain at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
