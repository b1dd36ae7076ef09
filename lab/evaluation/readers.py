"""Verdicts with a reader of adjustable skill beside those without a model, on the same scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundwire.reasoning.exam import standing_of
from lab.evaluation.scoring import Score
from lab.evaluation.sitting import Examined
from lab.stubs.reader import Reader, ReaderOptions

_BLIND = "blind"  # the set of which nobody may learn what comes out of which scenario


def open_reader(folder: Path, skill: float, seed: int = 0) -> Reader:
    """Open a reader that knows the scenarios of a folder and the exams."""
    return ReaderOptions(skill=skill, seed=seed, folders=(folder,)).open()


def earned(examined: Examined) -> list[str]:
    """Say what the reader's answers count for, question by question, and what its exams took."""
    marks = [
        f"{each.question}: {standing_of(each).grade}, {each.score:.2f} beside {each.embedded:.2f},"
        f" ahead {each.ahead_low:+.2f} … {each.ahead_high:+.2f}, {each.count} items"
        for each in examined.marks
    ]
    return [*marks, f"exams: {examined.tokens:,} tokens"]


def compared(name: str, without: Sequence[Score], with_reader: Sequence[Score]) -> list[str]:
    """Say how many came out right without and with the reader, and which only without."""
    return [_line(name, part, without, with_reader) for part in ("verdict", "right")]


def _line(name: str, part: str, without: Sequence[Score], with_reader: Sequence[Score]) -> str:
    before = [bool(getattr(each, part)) for each in without]
    after = [bool(getattr(each, part)) for each in with_reader]
    worse = [
        each.scenario.id
        for each, was, now in zip(without, before, after, strict=True)
        if was and not now
    ]
    better = sum(now and not was for was, now in zip(before, after, strict=True))
    listed = f" ({' '.join(worse)})" if worse and name != _BLIND else ""
    return (
        f"{name}, {part}: {sum(before)} → {sum(after)} of {len(before)};"
        f" {better} better, {len(worse)} worse{listed}"
    )
