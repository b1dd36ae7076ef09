"""The phases of a watch and the moves between them: one table, which the graph follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from groundwire.errors import IllegalState

Phase = Literal[
    "idle",
    "planning",
    "executing",
    "searching",
    "scraping",
    "expanding",
    "critiquing",
    "synthesizing",
    "recovering",
    "completed",
    "failed",
]
PHASES: tuple[Phase, ...] = get_args(Phase)
# Where each stands in the picture of a run: column and row.
PLACES: Mapping[Phase, tuple[int, int]] = {
    "idle": (0, 0),
    "planning": (0, 1),
    "executing": (0, 2),
    "searching": (1, 2),
    "scraping": (1, 3),
    "expanding": (0, 4),
    "critiquing": (0, 5),
    "synthesizing": (0, 6),
    "completed": (0, 7),
    "recovering": (1, 6),
    "failed": (1, 7),
}

_ONWARD: Mapping[Phase, tuple[Phase, ...]] = {
    "idle": ("planning",),
    "planning": ("executing",),
    "executing": ("searching", "scraping"),
    "searching": ("executing", "expanding"),
    "scraping": ("executing", "expanding"),
    "expanding": ("executing", "critiquing"),
    "critiquing": ("executing", "synthesizing"),
    "synthesizing": ("completed",),
}


_RECOVERING: frozenset[Phase] = frozenset(["recovering"])
_ENDS: frozenset[Phase] = frozenset(["completed", "failed"])


def _moves() -> Mapping[Phase, frozenset[Phase]]:
    """Add recovering to the way onward: from any phase that is not completed, and back to it."""
    table: dict[Phase, frozenset[Phase]] = {}
    for phase in PHASES:
        away = frozenset[Phase]() if phase in ("completed", "recovering") else _RECOVERING
        table[phase] = frozenset[Phase](_ONWARD.get(phase, ())) | away
    back = frozenset[Phase](each for each in PHASES if each not in {"recovering", *_ENDS})
    failed: frozenset[Phase] = frozenset(["failed"])
    return {**table, "recovering": back | failed}


MOVES = _moves()


def moved(here: Phase, there: Phase, came_from: Phase | None = None) -> Phase:
    """Move to a phase; a move that the table does not have is a bug, and raises.

    `came_from` is the phase that recovering began in: it leads back there, or to the end.
    """
    if there not in MOVES[here]:
        raise IllegalState(f"no move from {here} to {there}")
    if here == "recovering" and there not in ("failed", came_from):
        raise IllegalState(f"recovering leads back to {came_from}, not to {there}")
    return there


def drawn() -> str:
    """Draw the table as Mermaid."""
    lines = ["stateDiagram-v2", "    [*] --> idle"]
    for phase in PHASES:
        lines += [f"    {phase} --> {other}" for other in PHASES if other in MOVES[phase]]
    lines += ["    completed --> [*]", "    failed --> [*]"]
    return "\n".join(lines)
