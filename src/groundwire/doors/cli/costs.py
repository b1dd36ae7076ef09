"""`gw costs`: what was spent against its limits, on what, what is left, and where it leads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.listing import Entry, listing

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.app.costs import Against, Credits, Spending, Sum
    from groundwire.app.rollout import Rollout, Side

_BAR = 24
_CHART = 30
_MOST_DAYS = 14
_KINDS = {"model": "model", "search": "search", "embed": "embedding", "data": "numbers"}


def costs(days: int | None, month: str, rollout: bool, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:

        if rollout:
            compared = await app.costs.rollout(days=days, month=month)
            if as_json:
                render.put_json(compared.model_dump(mode="json"))
            else:
                _rollout(compared)
            return session.DONE
        found = await app.costs.spending(days=days, month=month)
        if as_json:
            render.put_json(found.model_dump(mode="json"))
        elif found.empty:
            what = "yet" if found.today is not None else f"in {found.period.name}"
            render.note(f'nothing spent {what}; every call is counted here, from: gw ask "…"')
        else:
            _spending(found)
        return session.DONE

    session.with_app(work)


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
        render.note(
            f"{name} has no price here and is counted as $0; say it with "
            f"search.providers.{name}.usd_per_credit"
        )


def _limits(found: Spending) -> list[Entry]:
    entries: list[Entry] = []
    if found.today is not None:
        entries.append(Entry(name="today", said=_bar(found.today)))
    entries.append(Entry(name=found.month.name, said=_bar(found.month)))
    if found.forecast_usd is not None and found.today is not None:
        said = f"{usd(found.forecast_usd)} by the end of the month, at the pace so far"
        over = found.month.limit_usd is not None and found.forecast_usd > found.month.limit_usd
        said += ", more than its limit" if over else ""
        entries.append(Entry(name="forecast", said=said, said_style="degraded" if over else ""))
    if found.today is not None:
        calls = found.tool_calls
        said = f"{calls.used} of {calls.limit} of verify today"
        entries.append(Entry(name="tool calls", said=said))
    return entries


def _bar(against: Against) -> str:
    """A bar that is read without colour: full blocks are spent."""
    held = f", {usd(against.held_usd)} under way" if against.held_usd else ""
    if against.share is None or against.limit_usd is None:
        return f"{usd(against.usd)}, no limit{held}"
    full = min(_BAR, round(against.share * _BAR))
    bar = "█" * full + "░" * (_BAR - full)
    return f"{bar} {usd(against.usd)} of {usd(against.limit_usd)} ({against.share:.0%}){held}"


def _alerts(found: Spending) -> list[str]:
    if not found.over or found.day_share_usd is None:
        return []
    days = ", ".join(f"{day:%m-%d}" for day in found.over[-5:])
    more = f" and {len(found.over) - 5} earlier" if len(found.over) > 5 else ""
    share = usd(found.day_share_usd)
    return [f"! more than a day's share of the month ({share}, a thirtieth) on {days}{more}"]


def _providers(found: Spending) -> RenderableType:
    rows: list[list[RenderableType]] = []
    for each in found.providers:
        rows.append(
            [
                render.shown(_KINDS.get(each.kind, each.kind), "soft"),
                render.shown(each.name, "bold"),
                render.shown(each.calls),
                render.shown(each.covered or "–", "soft"),
                render.shown(each.shared or "–", "soft"),
                render.shown(each.failed or "–", "soft"),
                render.shown(usd(each.usd)),
                render.shown(usd(each.saved_usd) if each.saved_usd else "–", "soft"),
            ]
        )
    head = ("for", found.period.name, "calls", "free", "cached", "failed", "cost", "saved")
    return render.table(head, rows)


def _chart(days: Sequence[Sum]) -> RenderableType:
    """A bar for each day: of money, or of calls while nothing costs anything."""
    money = any(day.usd for day in days)
    sizes = [day.usd if money else float(day.calls) for day in days]
    most = max(sizes) or 1.0
    rows: list[list[RenderableType]] = []
    for day, size in zip(days, sizes, strict=True):
        bar = "█" * round(size / most * _CHART) or ("▏" if size else "")
        counted = _count(day.calls, "call")
        rows.append([render.shown(each) for each in (day.name[5:], bar, usd(day.usd), counted)])
    return render.table(("", "", "", ""), rows)


def _credits(each: Credits) -> Entry:
    price = f"${each.usd_per_credit:g} each"
    dated = f", {each.source if each.as_of is None else f'list of {each.as_of}'}"
    if not each.free:
        said, beside = f"{_count(each.paid, 'credit')} paid, none free", f"{price}{dated}"
    else:
        when = f" of {each.period}" if each.period else ""
        said = f"{each.used:,} of {each.free:,} free credits{when} used, {each.left:,} left"
        said += f"; {each.paid:,} paid" if each.paid else ""
        beside = f"then {price}{dated}"
    return Entry(name=each.provider, said=said, beside=beside, beside_style="soft")


def _rest(found: Spending) -> list[Entry]:
    shared = sum(each.shared for each in found.providers)
    entries = [
        Entry(
            name="saved by cache",
            said=f"{usd(found.saved_usd)}: {_count(shared, 'answer')} without sending",
        )
    ]
    jobs = ", ".join(f"{job.name} {usd(job.usd)}" for job in found.jobs)
    if jobs:
        entries.append(Entry(name="by job", said=jobs))
    if found.unsettled:
        said = f"{_count(found.unsettled, 'call')} without an answer, at the most it may cost"
        entries.append(Entry(name="under way", said=said))
    if found.elsewhere_usd:
        said = f"{usd(found.elsewhere_usd)} by runs that were forgotten or resumed much later"
        entries.append(Entry(name="elsewhere", said=said))
    return entries


def _rollout(found: Rollout) -> None:
    sides = (found.rolled_in, found.rolled_out)
    if not any(side.messages for side in sides) and not found.gated:
        render.note(f'no message was verified in {found.period.name}; begin with: gw verify "…"')
        return
    rows = [
        [render.shown(name, "soft"), *(render.shown(value) for value in values)]
        for name, values in _compared(found.threshold, *sides)
    ]
    render.put(render.table((found.period.name, "rolled in", "rolled out"), rows))
    render.put("", *listing([Entry(name="rollout", said=f"{found.percent:g} % may go deep")]))
    if found.gated:
        render.put(*listing([Entry(name="on neither side", said=_gated(found.gated))]))
    if not all(side.messages for side in sides):
        render.note(
            "one side has no messages: set verify.rollout_percent between 0 and 100 to compare"
        )


def _gated(count: int) -> str:
    return f"{_count(count, 'message')} that the gate or a switch kept from the deep path"


def _compared(threshold: float, *sides: Side) -> list[tuple[str, list[str]]]:
    return [
        ("messages", [f"{side.messages:,}" for side in sides]),
        ("calls a day", [f"{side.calls_a_day:g}" for side in sides]),
        ("tool calls a day", [f"{side.tool_calls_a_day:g}" for side in sides]),
        ("cost", [usd(side.usd) for side in sides]),
        ("cost a message", [usd(side.usd_a_message) for side in sides]),
        ("change of confidence", [_change(side.confidence_change) for side in sides]),
        ("outcome known", [f"{side.labelled:,}" for side in sides]),
        ("supported, but false", [_of(side.false_positives, side.labelled) for side in sides]),
        (
            f"≥ {threshold:.2f}, but false",
            [_of(side.confident_and_false, side.labelled) for side in sides],
        ),
    ]


def _change(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}"


def _of(count: int, known: int) -> str:
    return f"{count:,} ({count / known:.0%})" if known else "–"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def usd(value: float) -> str:
    """Cents, or as many digits as a small sum needs."""
    if value == 0 or value >= 0.1:
        return f"${value:,.2f}"
    return f"${value:.4f}"
