"""`gw costs`: what was spent against its limits, on what, what is left, and where it leads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from groundwire.doors.cli import render
from groundwire.doors.cli.listing import Entry, listing
from groundwire.doors.cli.reader import say, speaking
from groundwire.doors.cli.root import DESK, Json, cli, command, option

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.app.costs import Against, Credits, Spending, Sum
    from groundwire.app.period import Period
    from groundwire.app.rollout import Rollout, Side
    from groundwire.doors.cli.render import Cell

_BAR = 24
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
_CHART = 30
_MOST_DAYS = 14


@command(cli, panel=DESK)
async def costs(
    app: App,
    days: Annotated[
        int | None, option("--days", "The last days, today among them.", min=1, max=366)
    ] = None,
    month: Annotated[
        str, option("--month", "Another month than this one.", metavar="YYYY-MM")
    ] = "",
    rollout: Annotated[
        bool, option("--rollout", "Messages rolled in beside those rolled out.")
    ] = False,
    as_json: Json = False,
) -> None:
    """What was spent against its limits, on what, credits left, and a forecast."""
    if rollout:
        compared = await app.costs.rollout(days=days, month=month)
        if as_json:
            render.put_json(compared)
        else:
            _rollout(compared)
        return
    found = await app.costs.spending(days=days, month=month)
    if as_json:
        render.put_json(found)
    elif not found.empty:
        _spending(found)
    elif found.today is not None:
        render.note(say("cli.nothing_spent"))
    else:
        render.note(say("cli.nothing_spent_in", when=_when(found.period)))


def _spending(found: Spending) -> None:
    render.put(*listing(_limits(found)))
    for line in _alerts(found):
        render.put(render.shown(line, "degraded"))
    if found.providers:
        render.put("", _providers(found))
    spent_days = [day for day in found.days if day.usd or day.calls or day.shared]
    if len(spent_days) > 1:
        render.put("", _chart(spent_days[-_MOST_DAYS:]))
    if found.credits:
        render.put("", *listing([_credits(each) for each in found.credits]))
    render.put("", *listing(_rest(found)))
    for name in found.unpriced:
        render.note(say("cli.unpriced", name=name))


def _limits(found: Spending) -> list[Entry]:
    entries: list[Entry] = []
    if found.today is not None:
        entries.append(Entry(name=say("cli.today"), said=_bar(found.today)))
    entries.append(Entry(name=found.month.name, said=_bar(found.month)))
    if found.forecast_usd is not None and found.today is not None:
        said = say("cli.by_month_end", usd=usd(found.forecast_usd))
        over = found.month.limit_usd is not None and found.forecast_usd > found.month.limit_usd
        said = say("cli.over_limit", said=said) if over else said
        entries.append(
            Entry(name=say("cli.forecast"), said=said, said_style="degraded" if over else "")
        )
    if found.today is not None:
        calls = found.tool_calls
        said = say("cli.tool_calls_used", used=calls.used, limit=calls.limit)
        entries.append(Entry(name=say("cli.tool_calls"), said=said))
    return entries


def _bar(against: Against) -> str:
    """A bar that is read without colour: full blocks are spent."""
    if against.share is None or against.limit_usd is None:
        said = say("cli.no_limit", usd=usd(against.usd))
    else:
        full = min(_BAR, round(against.share * _BAR))
        said = say(
            "cli.of_limit",
            bar="█" * full + "░" * (_BAR - full),
            usd=usd(against.usd),
            limit=usd(against.limit_usd),
            share=f"{against.share:.0%}",
        )
    return say("cli.held", said=said, usd=usd(against.held_usd)) if against.held_usd else said


def _alerts(found: Spending) -> list[str]:
    if not found.over or found.day_share_usd is None:
        return []
    days = ", ".join(f"{day:%m-%d}" for day in found.over[-5:])
    more = len(found.over) - 5
    code = "cli.over_share_more" if more > 0 else "cli.over_share"
    return [say(code, share=usd(found.day_share_usd), days=days, n=more)]


def _providers(found: Spending) -> RenderableType:
    rows = [
        (
            (speaking().name("cli.kind", each.kind), "soft"),
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
    first, *others = ("for", "calls", "free", "cached", "failed", "cost", "saved")
    head = (_column(first), _when(found.period), *map(_column, others))
    return render.table(head, rows)


def _column(name: str) -> str:
    return say(f"cli.col.{name}")


def _when(period: Period) -> str:
    """A month by its name, the last days in words."""
    if _MONTH.fullmatch(period.name):
        return period.name
    days = len(period.days)
    return say("cli.period_today") if days == 1 else say("cli.last_days", n=days)


def _chart(days: Sequence[Sum]) -> RenderableType:
    """A bar for each day: of money, or of calls while nothing costs anything."""
    money = any(day.usd for day in days)
    sizes = [day.usd if money else float(day.calls) for day in days]
    most = max(sizes) or 1.0
    rows: list[tuple[Cell, ...]] = []
    for day, size in zip(days, sizes, strict=True):
        bar = "█" * round(size / most * _CHART) or ("▏" if size else "")
        rows.append((day.name[5:], bar, usd(day.usd), _count(day.calls, "call")))
    return render.table(("", "", "", ""), rows)


def _credits(each: Credits) -> Entry:
    priced = say("cli.each", usd=f"${each.usd_per_credit:g}")
    dated = each.source if each.as_of is None else say("cli.list_of", day=each.as_of)
    price = speaking().listed([priced, dated])
    if not each.free:
        said, beside = say("cli.paid_only", n=_count(each.paid, "credit")), price
    else:
        said = say(
            "cli.free_used_of" if each.period else "cli.free_used",
            used=f"{each.used:,}",
            free=f"{each.free:,}",
            period=each.period,
            left=f"{each.left:,}",
        )
        said = say("cli.and_paid", said=said, n=f"{each.paid:,}") if each.paid else said
        beside = say("cli.then_price", price=price)
    return Entry(name=each.provider, said=said, beside=beside, beside_style="soft")


def _rest(found: Spending) -> list[Entry]:
    shared = sum(each.shared for each in found.providers)
    entries = [
        Entry(
            name=say("cli.saved_by_cache"),
            said=say(
                "cli.without_sending", usd=usd(found.saved_usd), answers=_count(shared, "answer")
            ),
        )
    ]
    jobs = ", ".join(f"{job.name} {usd(job.usd)}" for job in found.jobs)
    if jobs:
        entries.append(Entry(name=say("cli.by_job"), said=jobs))
    tools = ", ".join(
        f"{speaking().name('tool_call.tool', each.name)} {usd(each.usd)}"
        f" ({_count(each.calls + each.shared, 'call')})"
        for each in found.tools
    )
    if tools:
        entries.append(Entry(name=say("cli.by_tool"), said=tools))
    if found.unsettled:
        said = say("cli.unanswered", calls=_count(found.unsettled, "call"))
        entries.append(Entry(name=say("cli.under_way"), said=said))
    if found.elsewhere_usd:
        said = say("cli.elsewhere_usd", usd=usd(found.elsewhere_usd))
        entries.append(Entry(name=say("cli.elsewhere"), said=said))
    return entries


def _rollout(found: Rollout) -> None:
    sides = (found.rolled_in, found.rolled_out)
    if not any(side.messages for side in sides) and not found.gated:
        render.note(say("cli.no_message_verified", when=_when(found.period)))
        return
    rows = [((name, "soft"), *values) for name, values in _compared(found.threshold, *sides)]
    head = (_when(found.period), say("cli.rolled_in"), say("cli.rolled_out"))
    deep = say("cli.may_go_deep", n=f"{found.percent:g}")
    render.put(render.table(head, rows))
    render.put("", *listing([Entry(name=say("cli.rollout"), said=deep)]))
    if found.gated:
        gated = say("cli.gated", messages=_count(found.gated, "message"))
        render.put(*listing([Entry(name=say("cli.neither"), said=gated)]))
    if not all(side.messages for side in sides):
        render.note(say("cli.one_side_empty"))


def _compared(threshold: float, *sides: Side) -> list[tuple[str, list[str]]]:
    return [
        (_column("messages"), [f"{side.messages:,}" for side in sides]),
        (_column("calls_a_day"), [f"{side.calls_a_day:g}" for side in sides]),
        (_column("tool_calls_a_day"), [f"{side.tool_calls_a_day:g}" for side in sides]),
        (_column("cost"), [usd(side.usd) for side in sides]),
        (_column("cost_a_message"), [usd(side.usd_a_message) for side in sides]),
        (_column("change"), [_change(side.confidence_change) for side in sides]),
        (_column("known"), [f"{side.labelled:,}" for side in sides]),
        (_column("false"), [_of(side.false_positives, side.labelled) for side in sides]),
        (
            say("cli.confident_false", threshold=f"{threshold:.2f}"),
            [_of(side.confident_and_false, side.labelled) for side in sides],
        ),
    ]


def _change(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}"


def _of(count: int, known: int) -> str:
    return f"{count:,} ({count / known:.0%})" if known else "–"


def _count(number: int, what: str) -> str:
    return say(f"cli.n.{what}", n=f"{number:,}")


def usd(value: float) -> str:
    """Cents, or as many digits as a small sum needs."""
    if value == 0 or value >= 0.1:
        return f"${value:,.2f}"
    return f"${value:.4f}"
