"""Costs: what was spent against its limits, on what, by whom, and where it leads."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from groundwire.app.costs import Against, Spending
from groundwire.app.period import Period
from groundwire.app.period import period as period_of
from groundwire.doors.ui import charts
from groundwire.doors.ui.charts import Chart, ChartBar, Mark
from groundwire.doors.ui.render import page
from groundwire.doors.ui.visits import VisitHere
from groundwire.errors import InputError
from groundwire.report.plain import usd
from groundwire.words import Words

router = APIRouter(include_in_schema=False)
_SPANS = (7, 30, 90)


class Head(NamedTuple):
    """The head of the page: the period, and links to others."""

    days: int | None
    month: str
    wrong: str  # a month that could not be read
    period: Period
    named: str
    before: str
    after: str | None
    spans: Sequence[int] = _SPANS


class CostLine(NamedTuple):
    """A budget: its picture and the texts beside it."""

    name: str
    against: Against
    picture: Markup
    said: str
    notes: Sequence[tuple[str, bool]]  # sentences, and whether the limit is exceeded


@router.get("/costs")
async def spending(visit: VisitHere) -> HTMLResponse:
    app, words = visit.app, visit.say
    days, month = _parse_period(visit.request)
    wrong = ""
    try:
        period = period_of(app.clock(), days=days, month=month)
    except InputError:
        month, wrong = "", month[:20]
        period = period_of(app.clock())
    owners = await app.costs.by_owner(visit.who, period.since, period.until)
    today = app.clock().date()
    neighbours = _neighbours(today if days else period.since.date(), today)
    named = period.name if days is None else words("costs.last_days", n=days)
    head = Head(days, month, wrong, period, named, *neighbours)
    if not visit.who.may("admin"):
        line = visit.today and _line(words("costs.today"), visit.today, None, words)
        return page(visit, "costs_own.html", active="costs", head=head, owners=owners, own=line)
    found = await app.costs.spending(days=days, month=month)
    compared = await app.costs.rollout(days=days, month=month)
    return page(
        visit,
        "costs.html",
        active="costs",
        head=head,
        owners=owners,
        found=found,
        lines=_lines(found, words),
        days=_days(found, words),
        kinds=[(words.name("costs.kind", each.name), each) for each in found.kinds],
        tools=[(words.name("tool_call.tool", each.name), each) for each in found.tools],
        providers=[(words.name("costs.kind", each.kind), each) for each in found.providers],
        dearest=max((each.usd for each in found.jobs), default=0.0),
        shared_answers=sum(each.shared for each in found.providers),
        rollout=compared,
        sides=compared.rows(words),
    )


def _parse_period(request: Request) -> tuple[int | None, str]:
    """Return one of the spans or a month; this month where neither is readable."""
    days = request.query_params.get("days", "")
    if days.isascii() and days.isdigit() and int(days[:4]) in _SPANS:
        return int(days), ""
    return None, request.query_params.get("month", "").strip()


def _neighbours(first: date, today: date) -> tuple[str, str | None]:
    """Return the month before the one that is shown, and the one after unless it is yet to come."""
    before = first.replace(day=1) - timedelta(days=1)
    after = (first.replace(day=28) + timedelta(days=4)).replace(day=1)
    return f"{before:%Y-%m}", f"{after:%Y-%m}" if after <= today else None


# --- budgets ---------------------------------------------------------------------------------


def _lines(found: Spending, words: Words) -> list[CostLine]:
    if found.today is None:
        return [_line(found.month.name, found.month, None, words)]
    today = _line(words("costs.today"), found.today, None, words)
    return [today, _line(found.month.name, found.month, found.forecast_usd or None, words)]


def _line(name: str, against: Against, forecast: float | None, words: Words) -> CostLine:
    text = against.describe(words)
    limit = against.limit_usd
    over = limit is not None and forecast is not None and forecast > limit
    notes: list[tuple[str, bool]] = []
    edge = mark = None
    if against.held_usd:
        notes.append((words("costs.held", usd=usd(against.held_usd)), False))
    if limit is not None:
        edge = Mark(limit, words("costs.limit_mark", usd=usd(limit)))
    if forecast is not None:
        wording = "costs.forecast_over" if over else "costs.forecast"
        notes.append((words(wording, usd=usd(forecast)), over))
        mark = Mark(forecast, words("costs.forecast_mark", usd=usd(forecast)))
    label = f"{name}: {usd(against.usd)} {text}"
    picture = charts.budget(against.usd, against.held_usd, edge, mark, label)
    return CostLine(name, against, picture, text, notes)


# --- days ------------------------------------------------------------------------------------


def _days(found: Spending, words: Words) -> Chart | None:
    """Chart a bar for each day: of money, or of calls while nothing costs anything."""
    if not any(day.usd or day.calls or day.shared for day in found.days):
        return None
    money = any(day.usd for day in found.days)
    bars = [
        ChartBar(
            label=str(int(day.name[8:])) if len(found.days) <= 31 else day.name[5:],
            size=day.usd if money else float(day.calls),
            value=usd(day.usd) if money else f"{day.calls:,}",
        )
        for day in found.days
    ]
    share = found.day_share_usd
    limit = None
    if money and share and found.over:
        limit = Mark(share, words("costs.share_line", usd=usd(share)))
    caption = _caption(found, money, words)
    return Chart(
        picture=charts.bars(bars, caption, limit),
        caption=caption,
        head=(
            words("costs.day"),
            *(words(f"column.{name}") for name in ("cost", "calls", "cached", "failed")),
        ),
        rows=tuple(
            (day.name, usd(day.usd), f"{day.calls:,}", f"{day.shared:,}", f"{day.failed:,}")
            for day in found.days
            if day.usd or day.calls or day.shared
        ),
    )


def _caption(found: Spending, money: bool, words: Words) -> str:
    """Sum the chart up in a sentence."""
    if not money:
        calls = sum(day.calls for day in found.days)
        most = max(found.days, key=lambda day: day.calls)
        return words("costs.reads_calls", n=f"{calls:,}", day=most.name, most=f"{most.calls:,}")
    whole = sum(day.usd for day in found.days)
    most = max(found.days, key=lambda day: day.usd)
    text = words("costs.reads", usd=usd(whole), day=most.name, most=usd(most.usd))
    if found.over:
        name = "costs.reads_over_one" if len(found.over) == 1 else "costs.reads_over"
        text += words(name, n=len(found.over), usd=usd(found.day_share_usd or 0.0))
    return text
