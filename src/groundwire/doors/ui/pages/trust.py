"""Trust: what confidences were worth so far, counted from people's feedback on signals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from groundwire.app.judgements import CalibrationReport
from groundwire.doors.ui import charts
from groundwire.doors.ui.charts import Chart, Dot
from groundwire.doors.ui.render import page
from groundwire.doors.ui.visits import VisitHere
from groundwire.evidence.memory.calibration import interval
from groundwire.jobs import for_messages
from groundwire.model.outcome import SourceRecord, Tenth
from groundwire.report import exams
from groundwire.words import Words

router = APIRouter(include_in_schema=False)
COIN = 0.25  # the Brier score of always saying a half
_FEEDBACK = 12
_SOURCES = 12
_COLUMNS = ("source", "kind", "rate", "count")


class Column(NamedTuple):
    """A heading of the table of sources, and the address that sorts by it."""

    href: str
    order: str  # ascending, descending, or "" where it is not sorted by


class SourceRow(NamedTuple):
    """A source with the interval of its hit rate."""

    record: SourceRecord
    outcomes: int
    low: float
    high: float
    picture: Markup


@router.get("/trust")
async def trust(visit: VisitHere) -> HTMLResponse:
    app, words, params = visit.app, visit.say, visit.request.query_params
    report = await app.judgements.calibration()
    sort, down = _sorting(params)
    rows = _sorted([_row(record) for record in report.sources], sort, down)
    shown = rows if params.get("all") else rows[:_SOURCES]
    return page(
        visit,
        "trust.html",
        active="trust",
        report=report,
        curve=_curve(report, words) if report.labels else None,
        reading=_caption(report, words),
        brier=_brier(report, words),
        steps=_steps(report),
        columns={name: _column(name, sort, down) for name in _COLUMNS},
        rows=shown,
        hidden=len(rows) - len(shown),
        all_rows=f"/trust?{urlencode({'sort': sort, 'down': int(down), 'all': 1})}#sources",
        said=await app.judgements.feedback(_FEEDBACK, visit.who.sees),
        mine=visit.who.sees is not None,
        judged=for_messages()[0].kind,
        marks=exams.lines(await app.exams.rows(), words),
        mark_heads=exams.head(words),
    )


# --- the curve -------------------------------------------------------------------------------


def _curve(report: CalibrationReport, words: Words) -> Chart:
    found = [each for each in report.reliability if each.samples]
    dots = [_dot(each) for each in found]
    fitted = report.calibration
    steps = [] if fitted is None else list(zip(fitted.scores, fitted.values, strict=True))
    caption = _caption(report, words)
    return Chart(
        picture=charts.reliability(dots, steps, words, caption),
        caption=caption,
        head=tuple(words(f"column.{name}") for name in ("confidence", "signals", "mean", "true", "sure")),
        rows=tuple(_tenth(each) for each in report.reliability),
    )  # fmt: skip


def _dot(each: Tenth) -> Dot:
    share = each.value or 0.0
    return Dot(each.score or 0.0, share, *interval(share, each.samples), each.samples)


def _tenth(each: Tenth) -> tuple[str, ...]:
    span = f"{each.low:.1f}–{each.high:.1f}"
    if each.score is None or each.value is None:
        return span, "0", "–", "–", "–"
    low, high = interval(each.value, each.samples)
    sure = f"{low:.0%}–{high:.0%}"
    return span, f"{each.samples:,}", f"{each.score:.2f}", f"{each.value:.0%}", sure


def _caption(report: CalibrationReport, words: Words) -> str:
    """Sum the curve up: mean confidence, what came true, and whether the difference is beyond chance."""
    found = [each for each in report.reliability if each.samples]
    count = sum(each.samples for each in found)
    if not count:
        return ""
    confidence = sum((each.score or 0.0) * each.samples for each in found) / count
    came_true = sum((each.value or 0.0) * each.samples for each in found) / count
    low, high = interval(came_true, count)
    name = "low" if confidence < low else "high" if confidence > high else "fair"
    values = {"n": f"{count:,}", "said": f"{confidence:.2f}", "true": f"{came_true:.2f}"}
    return words(f"trust.reads_{name}", **values)


def _brier(report: CalibrationReport, words: Words) -> Chart | None:
    if report.brier is None:
        return None
    name, after = "none", report.brier_calibrated
    places = [(COIN, "coin"), (report.brier, "before")]
    rows = [(words("trust.brier_before"), f"{report.brier:.3f}")]
    if after is not None:
        name = "better" if after < report.brier - 0.0005 else "same"
        places.append((after, "after"))
        rows.append((words("trust.after"), f"{after:.3f}"))
    caption = words(f"trust.brier_{name}", before=f"{report.brier:.3f}", after=f"{after or 0:.3f}")
    whole = max(COIN, report.brier)
    return Chart(charts.scale(places, whole, caption), caption, (), tuple(rows))


def _steps(report: CalibrationReport) -> Sequence[tuple[str, str]]:
    """List the scores of the calibration, each with what it is worth from there on."""
    fitted = report.calibration
    if fitted is None:
        return ()
    digits = 2 if len({f"{score:.2f}" for score in fitted.scores}) == len(fitted.scores) else 3
    pairs = zip(fitted.scores, fitted.values, strict=True)
    return [(f"{score:.{digits}f}", f"{value:.2f}") for score, value in pairs]


# --- sources ---------------------------------------------------------------------------------


def _sorting(params: Mapping[str, str]) -> tuple[str, bool]:
    """Return the column to sort by, and whether the largest comes first."""
    sort = params.get("sort", "count")
    sort = sort if sort in _COLUMNS else "count"
    down = params.get("down", "")
    return sort, down == "1" if down in ("0", "1") else sort in ("count", "rate")


def _row(record: SourceRecord) -> SourceRow:
    count = record.hits + record.partly + record.misses
    rate = record.rate or 0.0
    low, high = interval(rate, count)
    return SourceRow(record, count, low, high, charts.share(rate, low, high))


def _sorted(rows: Sequence[SourceRow], sort: str, down: bool) -> list[SourceRow]:
    keys: dict[str, Callable[[SourceRow], Any]] = {
        "source": lambda row: (row.record.source.casefold(), row.record.kind),
        "kind": lambda row: row.record.kind,
        # Of equal rates, the one with more outcomes first.
        "rate": lambda row: (row.record.rate or 0.0, row.outcomes),
        "count": lambda row: row.outcomes,
    }
    return sorted(sorted(rows, key=keys["source"]), key=keys[sort], reverse=down)


def _column(name: str, sort: str, down: bool) -> Column:
    """Build a heading; a click on the sorted column reverses the order."""
    largest_first = name in ("count", "rate")
    down_next = not down if name == sort else largest_first
    order = ("descending" if down else "ascending") if name == sort else ""
    return Column(f"/trust?{urlencode({'sort': name, 'down': int(down_next)})}#sources", order)
