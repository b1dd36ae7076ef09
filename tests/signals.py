"""How the children of tests begin: with the signals of an ordinary command."""

from __future__ import annotations

import signal


def listening() -> None:
    """Restore ignored signals (`preexec_fn`), which a suite in the background hands down."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)


def shut_out() -> None:
    """Ignore Ctrl-C (`preexec_fn`), as the background job of a script does."""
    listening()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
