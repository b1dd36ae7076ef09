"""`gw costs`: what was spent against its limits, on what, what is left, and where it leads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render
from groundwire.doors.cli.listing import Entry, listing
from groundwire.doors.cli.reader import columns, reader_words, say
from groundwire.doors.cli.root import DESK, Json, cli, command
from groundwire.report.plain import usd

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.app.costs import Against, Credits, Spending, Sum
    from groundwire.app.period import Period
    from groundwire.app.rollout import Rollout
    from groundwire.doors.cli.render import Cell

_BAR = 24
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
_CHART = 30
_MOST_DAYS = 14


@command(cli, panel=DESK)
async def costs(
    app: App,
    days: Annotated[int | None, typer.Option(min=1, max=366)] = None,
    month: Annotated[str, typer.Option(metavar="YYYY-MM")] = "",
    rollout: Annotated[bool, typer.Option("--rollout")] = False,
    as_json: Json = False,
) -> None:
    """Show what was spent against its limits, on what, credits left, and a forecast."""
    if rollout:
        compared = await app.costs.rollout(days=days, month=month)
        if as_json:
            render.put_json(compared)
        else:
            _show_rollout(compared)
        return
    from groundwire.jobs import first

    found = await app.costs.spending(days=days, month=month)
    if as_json:
        render.put_json(found)
    elif not found.empty:
        _show_spending(found)
    elif found.today is not None:
        render.note(say("cli.nothing_spent", job=first().kind))
    else:
        render.note(say("cli.nothing_spent_in", when=_period_name(found.period), job=first().kind))


def _show_spending(found: Spending) -> None:
    today = [] if found.today is None else [Entry(say("costs.today"), _bar(found.today))]
    render.put(*listing([*today, Entry(found.month.name, _bar(found.month))]))
    render.put(*_outlook(found))
    if found.providers:
        render.put("", _provider_table(found))
    spent_days = [day for day in found.days if day.usd or day.calls or day.shared]
    if len(spent_days) > 1:
        render.put("", _chart(spent_days[-_MOST_DAYS:]))
    if found.credits:
        render.put("", *listing([_credit_entry(each) for each in found.credits]))
    render.put("", *listing(_breakdown(found)))
    for name in found.unpriced:
        priced = say("costs.unpriced", what=name)
        render.note(f"{priced} search.providers.{name}.usd_per_credit")


def _bar(against: Against) -> str:
    """Draw a bar that reads without colour: full blocks are spent."""
    full = min(_BAR, round((against.share or 0.0) * _BAR))
    bar = "" if against.share is None else f"{'█' * full}{'░' * (_BAR - full)} "
    held = f" · {say('costs.held', usd=usd(against.held_usd))}" if against.held_usd else ""
    return f"{bar}{usd(against.usd)} {against.describe(reader_words())}{held}"


def _outlook(found: Spending) -> Iterator[RenderableType]:
    """Yield where the month leads, and the days that spent too much."""
    if found.today is not None:
        if found.forecast_usd is not None:
            code = "costs.forecast_over" if found.tight else "costs.forecast"
            style = "degraded" if found.tight else ""
            yield render.shown(say(code, usd=usd(found.forecast_usd)), style)
        calls = found.tool_calls
        yield render.shown(say("costs.tool_calls", used=calls.used, limit=calls.limit))
    if found.over and found.day_share_usd is not None:
        days = ", ".join(f"{day:%m-%d}" for day in found.over[-5:])
        more = len(found.over) - 5
        code = "cli.over_share_more" if more > 0 else "cli.over_share"
        share = usd(found.day_share_usd)
        yield render.shown(say(code, share=share, days=days, n=more), "degraded")


def _provider_table(found: Spending) -> RenderableType:
    rows = [
        (
            (reader_words().name("costs.kind", each.kind), "soft"),
            (each.name, "bold"),
            each.calls,
            (each.covered or "–", "soft"),
            (each.shared or "–", "soft"),
            (each.failed or "–", "soft"),
            usd(each.usd),
            (usd(each.saved_usd) if each.saved_usd else "–", "soft"),
        )
        for each in found.providers
    ]
    numbers = columns("calls", "free", "cached", "failed", "cost", "saved")
    return render.table((say("column.for"), _period_name(found.period), *numbers), rows)


def _period_name(period: Period) -> str:
    """Name a period: a month by its number, the last days in words."""
    if _MONTH.fullmatch(period.name):
        return period.name
    days = len(period.days)
    return say("cli.period_today") if days == 1 else say("cli.last_days", n=days)


def _chart(days: Sequence[Sum]) -> RenderableType:
    """Draw a bar for each day: of money, or of calls while nothing costs anything."""
    money = any(day.usd for day in days)
    sizes = [day.usd if money else float(day.calls) for day in days]
    most = max(sizes) or 1.0
    rows: list[tuple[Cell, ...]] = []
    for day, size in zip(days, sizes, strict=True):
        bar = "█" * round(size / most * _CHART) or ("▏" if size else "")
        calls = say("n.calls", n=f"{day.calls:,}")
        rows.append((day.name[5:], bar, usd(day.usd), calls))
    return render.table(("", "", "", ""), rows)


def _credit_entry(each: Credits) -> Entry:
    paid = f"{each.paid:,}"
    parts = [say("costs.none_free", n=paid)]
    if each.free:
        left = say("costs.credits_left", left=f"{each.left:,}", free=f"{each.free:,}")
        parts = [left, each.period, say("costs.paid", n=paid) if each.paid else ""]
    dated = say("costs.list_of", day=each.as_of) if each.as_of else say("costs.set_here")
    note = f"{say('costs.then', usd=f'${each.usd_per_credit:g}')} · {dated}"
    return Entry(each.provider, " · ".join(filter(None, parts)), note, note_style="soft")


def _breakdown(found: Spending) -> list[Entry]:
    answers = say("costs.answers", n=f"{sum(each.shared for each in found.providers):,}")
    elsewhere = f"{usd(found.elsewhere_usd)} {say('costs.elsewhere_is')}"
    tools = (
        f"{reader_words().name('tool_call.tool', each.name)} {usd(each.usd)}"
        f" ({say('n.calls', n=f'{each.calls + each.shared:,}')})"
        for each in found.tools
    )
    texts = {
        "saved_by_cache": f"{usd(found.saved_usd)} · {answers}",
        "by_job": ", ".join(f"{job.name} {usd(job.usd)}" for job in found.jobs),
        "by_tool": ", ".join(tools),
        "under_way": say("costs.unsettled", n=f"{found.unsettled:,}") if found.unsettled else "",
        "elsewhere": elsewhere if found.elsewhere_usd else "",
    }
    return [Entry(say(f"costs.{name}"), text) for name, text in texts.items() if text]


def _show_rollout(found: Rollout) -> None:
    rows = found.rows(reader_words())
    if not rows:
        render.note(say("cli.no_message_verified", when=_period_name(found.period), job=found.job))
        return
    head = (_period_name(found.period), say("costs.rolled_in"), say("costs.rolled_out"))
    render.put(render.shown(say("costs.rollout_is", percent=f"{found.percent:g}"), "soft"))
    render.put(render.table(head, (((name, "soft"), *values) for name, *values in rows)))
    if found.gated:
        render.put(render.shown(say("costs.gated", n=f"{found.gated:,}"), "soft"))
    if not (found.rolled_in.messages and found.rolled_out.messages):
        render.note(f"{say('costs.one_side')} {found.setting}")
