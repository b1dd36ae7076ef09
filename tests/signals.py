"""How the children of tests begin: with the signals of an ordinary command."""

from __future__ import annotations

import signal


def listening() -> None:
    """For `preexec_fn`: a suite that runs in the background hands down ignored signals."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)


def shut_out() -> None:
    """For `preexec_fn`: as the background job of a script."""
    listening()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
