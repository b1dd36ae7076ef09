"""How a run's sentences came through the citation check, in one line."""

from __future__ import annotations

from groundwire.model.result import Checks
from groundwire.words import Words


def checked(checks: Checks, say: Words) -> str:
    """Count the sentences by what the check made of them; what never happened is not counted out."""
    counts = checks.model_dump()
    told = (say(f"report.checks.{name}", n=n) for name, n in counts.items() if n)
    return " · ".join(told) or say("report.checks.none")
