"""How well a watch tells what changed: simulated months (`python -m lab.months SEED… DIR`), a run a day.

The product itself runs, without a model, its clock at each evening of the month. A change counts as found if one of its
kind with its value was told on its day or up to two days later; precision is the share of told changes that happened,
true sentences beside the facts left aside. `idle_alerts` are days with an alert on which nothing had changed, `twice`
changes that had been told before, `false_withdrawn` withdrawals that did not happen: these are counts, and should be 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from groundwire.fetch.pool import ParsePool
from lab.evaluation.figures import EvaluationFigure, Measured, Part, collected, figure
from lab.evaluation.months import Day, Judged, judge, live_through, read_months
from lab.months.month import Kind, Month


async def measure(folder: Path, limit: int = 0) -> Measured:
    """Measure every month of the folder, or the first `limit` of them."""
    months = read_months(folder)[: limit or None]
    pool = ParsePool(workers=2, max_documents=100_000)
    found: list[tuple[Month, list[Day], Judged]] = []
    try:
        for month in months:
            days = await live_through(month, pool)
            found.append((month, days, judge(month, days)))
    finally:
        await pool.close()
    groups = {"months": found}
    for language in sorted({month.language for month, _, _ in found}):
        groups[f"months/{language}"] = [each for each in found if each[0].language == language]
    parts: list[Part] = [
        ([*_figures(name, [j for _, _, j in group]), *_speed(name, group)], [])
        for name, group in groups.items()
    ]
    parts.append(([], [line for month, _, judged in found for line in _notes(month, judged)]))
    return collected("watch", parts, limit)


def _figures(name: str, judged: Sequence[Judged]) -> list[EvaluationFigure]:
    figures: list[EvaluationFigure] = []
    for kind in ("all", *get_args(Kind)):
        told = sum(_is(kind, change.kind) for each in judged for _, change, _ in each.found)
        missed = sum(_is(kind, e.kind) for each in judged for e in each.missed)
        wrong = sum(_is(kind, change.kind) for each in judged for _, change in each.wrong)
        if told + wrong:
            share = told / (told + wrong)
            figures.append(figure(name, f"precision/{kind}", share, told + wrong, "changes told"))
        if told + missed:
            share = told / (told + missed)
            figures.append(figure(name, f"recall/{kind}", share, told + missed, "changes"))
    counts = {
        "idle_alerts": sum(len(each.idle_alerts) for each in judged),
        "twice": sum(len(each.twice) for each in judged),
        "false_withdrawn": sum(c.kind == "withdrawn" for each in judged for _, c in each.wrong),
    }
    return [
        *figures,
        *(figure(name, metric, n, len(judged), "months") for metric, n in counts.items()),
    ]


def _is(wanted: str, kind: str) -> bool:
    return wanted in ("all", kind)


def _speed(name: str, group: Sequence[tuple[Month, list[Day], Judged]]) -> list[EvaluationFigure]:
    seconds = [day.seconds for _, days, _ in group for day in days]
    failed = sum(day.state == "failed" for _, days, _ in group for day in days)
    return [
        figure(name, "seconds_a_run", sum(seconds) / (len(seconds) or 1), len(seconds), "runs"),
        figure(name, "failed_runs", failed, len(seconds), "runs"),
    ]


def _notes(month: Month, judged: Judged) -> list[str]:
    """Name each miss and each wrong report, to be read one by one."""
    name = f"{month.language}-{month.seed}"
    lines = [
        f"{name} day {e.day}: missed {e.kind} {e.about} {' | '.join((*e.before[:1], *e.after[:1]))}"
        for e in judged.missed
    ]
    for day, change in judged.wrong:
        side = change.after or change.before
        was = change.before.value if change.before else ""
        lines.append(
            f"{name} day {day}: wrong {change.kind} {change.attribute} {was} → "
            f"{side.value if side else ''} ({change.reason}): {side.text if side else ''}"
        )
    return [*lines, *(f"{name} day {day}: idle alert" for day in judged.idle_alerts)]
