"""What was spent and what is left: budgets, credits, calls and a forecast, as facts for every door."""

from __future__ import annotations

import calendar
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from groundwire import jobs
from groundwire.app.budget import DAYS_OF_A_MONTH
from groundwire.app.wiring import PROVIDERS
from groundwire.errors import InputError
from groundwire.model.access import Caller
from groundwire.model.base import Instant, Value
from groundwire.model.call import MICRO
from groundwire.model.costs import CostLine, Rolled
from groundwire.model.quota import TOOL_CALLS

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.search.prices import Tariff

_MOST_DAYS = 366


class Period(Value):
    """From, inclusive, to, exclusive, in UTC; days that are yet to come are not in it."""

    name: str
    since: Instant
    until: Instant

    @property
    def days(self) -> list[date]:
        last = (self.until - timedelta(microseconds=1)).date()
        count = (last - self.since.date()).days + 1
        return [self.since.date() + timedelta(days=number) for number in range(count)]


class Against(Value):
    """What is spent of a limit; `held_usd` is reserved by calls under way."""

    name: str
    usd: float
    held_usd: float = 0.0
    limit_usd: float | None = None  # None: not limited

    @property
    def share(self) -> float | None:
        """Spent of the limit; None without one."""
        if self.limit_usd is None:
            return None
        return self.usd / self.limit_usd if self.limit_usd else 1.0


class Sum(Value):
    """Calls that have something in common: a day, a provider, a job, a way."""

    name: str
    kind: str = ""
    calls: int = 0  # sent
    shared: int = 0  # answered by the cache or by another's call
    failed: int = 0
    covered: int = 0  # paid by a vendor's free quota
    usd: float = 0.0
    saved_usd: float = 0.0


class Credits(Value):
    """A vendor's credits, and what one costs when the free ones are used up."""

    provider: str
    period: str  # the month or day of the free ones; "" where they never come again
    free: int
    used: int  # of the free ones, by calls under way too
    left: int
    paid: int  # beyond them, in the days that are looked at
    usd_per_credit: float
    as_of: date | None = None  # of the list price
    source: str = ""


class ToolCalls(Value):
    """Tool calls of verify, today, of those that a day may have."""

    used: int
    limit: int


class Spending(Value):
    """What `gw costs` shows."""

    at: Instant
    period: Period
    today: Against | None  # None: the period is over
    month: Against
    forecast_usd: float | None = None  # of the month's end, at the pace so far
    day_share_usd: float | None = None  # a thirtieth of the month's limit
    over: tuple[date, ...] = ()  # days that spent more than that
    days: tuple[Sum, ...] = ()
    providers: tuple[Sum, ...] = ()
    kinds: tuple[Sum, ...] = ()
    jobs: tuple[Sum, ...] = ()
    ways: tuple[Sum, ...] = ()
    credits: tuple[Credits, ...] = ()
    tool_calls: ToolCalls
    saved_usd: float = 0.0
    unsettled: int = 0  # calls without an answer, counted at their estimate
    elsewhere_usd: float = 0.0  # spent by runs that were forgotten, or were resumed much later
    unpriced: tuple[str, ...] = ()  # providers whose price nobody has named: counted as nothing

    @property
    def empty(self) -> bool:
        """Nothing was called or spent."""
        return not self.providers and not self.month.usd and not self.elsewhere_usd


def period(now: datetime, *, days: int | None = None, month: str = "") -> Period:
    """The last days, or a month: this one where nothing is said."""
    if days is not None and month:
        raise InputError("give --days or --month, not both")
    if days is not None:
        if not 1 <= days <= _MOST_DAYS:
            raise InputError(f"--days takes a number from 1 to {_MOST_DAYS}")
        first = _midnight(now.date() - timedelta(days=days - 1))
        name = "today" if days == 1 else f"the last {days} days"
        return Period(name=name, since=first, until=_midnight(now.date() + timedelta(days=1)))
    year, number = _month(month, now)
    since = datetime(year, number, 1, tzinfo=UTC)
    last = date(year, number, calendar.monthrange(year, number)[1])
    until = _midnight(min(last, max(now.date(), since.date())) + timedelta(days=1))
    return Period(name=f"{since:%Y-%m}", since=since, until=until)


def _month(text: str, now: datetime) -> tuple[int, int]:
    if not text:
        return now.year, now.month
    found = re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])", text.strip())
    if found is None or not 1970 <= int(found[1]) <= 9998:
        raise InputError(f"{text!r} is no month", hint="write it as 2026-11")
    return int(found[1]), int(found[2])


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


async def spending(app: App, *, days: int | None = None, month: str = "") -> Spending:
    """Sums of a period. Totals are the budgets' own; what they are made of is the ledger's."""
    now = app.clock().astimezone(UTC)
    asked = period(now, days=days, month=month)
    lines = await app.store.costs.lines(asked.since, asked.until)
    named = f"{asked.until - timedelta(microseconds=1):%Y-%m}"
    limits = app.settings.budget
    this_month = await _against(app, f"month:{named}", limits.month_usd)
    going = asked.since <= now < asked.until
    today = await _against(app, f"day:{now:%Y-%m-%d}", limits.day_usd) if going else None
    share = None if limits.month_usd is None else limits.month_usd / DAYS_OF_A_MONTH
    by_day = await _days(app, asked, lines)
    told = sum(day.usd for day in by_day) - _usd(sum(line.micro for line in lines))
    found, unpriced = await _credits(app, asked, now, lines)
    return Spending(
        at=now,
        period=asked,
        today=today,
        month=this_month,
        forecast_usd=forecast(this_month.usd, named, now),
        day_share_usd=share,
        over=tuple(
            date.fromisoformat(day.name) for day in by_day if share is not None and day.usd > share
        ),
        days=by_day,
        providers=_sums(lines, lambda line: (line.kind, line.provider)),
        kinds=_sums(lines, lambda line: ("", line.kind)),
        jobs=_sums(lines, lambda line: ("", line.job)),
        ways=_sums(lines, lambda line: ("", line.via)),
        credits=found,
        tool_calls=ToolCalls(
            used=await app.store.quota.used(TOOL_CALLS, now), limit=limits.day_tool_calls
        ),
        saved_usd=_usd(sum(line.saved for line in lines)),
        unsettled=sum(line.unsettled for line in lines),
        elsewhere_usd=round(max(0.0, told), 6),
        unpriced=unpriced,
    )


async def today_of(app: App, who: Caller) -> Against | None:
    """Today's spending that concerns somebody: the desk's, or only their own of what they may."""
    day = f"{app.clock().astimezone(UTC):%Y-%m-%d}"
    if who.may("admin"):
        return await _against(app, f"day:{day}", app.settings.budget.day_usd)
    if who.day_usd is None:
        return None
    return await _against(app, f"owner:{who.id}:{day}", who.day_usd)


def forecast(usd: float, month: str, now: datetime) -> float | None:
    """The month's end at the pace so far: spent / days gone × days of the month.

    The first day counts as a whole one, so that a busy first hour is not a ruinous month. None for
    a month that is yet to come; what is over is what it was.
    """
    year, number = map(int, month.split("-"))
    count = calendar.monthrange(year, number)[1]
    gone = (now - datetime(year, number, 1, tzinfo=UTC)) / timedelta(days=1)
    if gone < 0:
        return None
    return round(usd * count / min(max(gone, 1.0), count), 6)


async def _against(app: App, scope: str, limit: float | None) -> Against:
    spent = (await app.store.budget.spent([scope]))[scope]
    held = (await app.store.budget.reserved([scope]))[scope]
    name = scope.partition(":")[2]
    return Against(name=name, usd=_usd(spent), held_usd=_usd(held), limit_usd=limit)


async def _days(app: App, asked: Period, lines: Sequence[CostLine]) -> tuple[Sum, ...]:
    """Every day of the period; a day has spent no less than its budget says."""
    spent = await app.store.budget.spent([f"day:{day}" for day in asked.days])
    sums = {each.name: each for each in _sums(lines, lambda line: ("", str(line.day)))}
    found: list[Sum] = []
    for day in asked.days:
        each = sums.get(str(day), Sum(name=str(day)))
        usd = max(each.usd, _usd(spent[f"day:{day}"]))
        found.append(each.model_copy(update={"usd": usd}))
    return tuple(found)


def _sums(lines: Sequence[CostLine], of: Callable[[CostLine], tuple[str, str]]) -> tuple[Sum, ...]:
    """The dearest first, then the most used."""
    groups: dict[tuple[str, str], list[CostLine]] = defaultdict(list)
    for line in lines:
        groups[of(line)].append(line)
    sums = [_sum(kind, name, group) for (kind, name), group in groups.items()]
    return tuple(sorted(sums, key=lambda each: (-each.usd, -each.calls, each.kind, each.name)))


def _sum(kind: str, name: str, lines: Sequence[CostLine]) -> Sum:
    sent = [line for line in lines if line.via == "sent"]
    return Sum(
        name=name,
        kind=kind,
        calls=sum(line.calls for line in sent),
        shared=sum(line.calls for line in lines if line.via != "sent"),
        failed=sum(line.failed for line in sent),
        covered=sum(line.covered for line in sent),
        usd=_usd(sum(line.micro for line in lines)),
        saved_usd=_usd(sum(line.saved for line in lines)),
    )


async def _credits(
    app: App, asked: Period, now: datetime, lines: Sequence[CostLine]
) -> tuple[tuple[Credits, ...], tuple[str, ...]]:
    """The credits of every provider that is used or could be, and those without a price."""
    paid: dict[str, int] = defaultdict(int)
    for line in lines:
        if line.kind == "search":
            paid[line.provider] += line.micro
    found: list[Credits] = []
    unpriced: list[str] = []
    for name in sorted(PROVIDERS):
        tariff = _tariff(app, name)
        if tariff is None or not (name in paid or _usable(app, name)):
            continue
        if not tariff.known:
            unpriced.append(name)
        elif tariff.micro:
            at = min(now, asked.until - timedelta(microseconds=1))
            found.append(await _credit(app, tariff, at, paid[name]))
    return tuple(found), tuple(unpriced)


async def _credit(app: App, tariff: Tariff, at: datetime, paid: int) -> Credits:
    scope = tariff.free(at).scope
    taken = sum(
        moved[scope]
        for moved in (
            await app.store.budget.spent([scope]),
            await app.store.budget.reserved([scope]),
        )
    )
    used = min(tariff.free_credits, round(taken / tariff.micro))
    listed = tariff.listed
    if listed is not None and listed.usd_per_credit != tariff.usd_per_credit:
        listed = None  # the user has said another
    return Credits(
        provider=tariff.provider,
        period=tariff.period(at),
        free=tariff.free_credits,
        used=used,
        left=tariff.free_credits - used,
        paid=round(paid / tariff.micro),
        usd_per_credit=tariff.usd_per_credit,
        as_of=None if listed is None else listed.as_of,
        source="set here" if listed is None else listed.source,
    )


def _tariff(app: App, name: str) -> Tariff | None:
    from groundwire.search.provider import HttpProvider

    provider = app.outside.provider(app.settings, name)
    return provider.tariff if isinstance(provider, HttpProvider) else None


def _usable(app: App, name: str) -> bool:
    return app.outside.provider(app.settings, name).lacks() is None


def _usd(micro: int) -> float:
    return round(micro / MICRO, 6)


# --- the rollout -----------------------------------------------------------------------------


class Side(Value):
    """The messages of one side of the rollout."""

    messages: int
    calls_a_day: float
    tool_calls_a_day: float
    usd: float
    usd_a_message: float
    confidence_change: float | None  # mean of final minus preliminary; None without a message
    labelled: int  # whose outcome is known
    false_positives: int  # called supported, and false
    confident_and_false: int  # at or above the threshold of the gate, and false


class Rollout(Value):
    """Messages that went deep beside those that the rollout kept from it."""

    period: Period
    percent: float  # of the messages that may go deep
    threshold: float
    rolled_in: Side
    rolled_out: Side
    gated: int  # the gate, or a switch, kept them from the deep path: on neither side


async def rollout(app: App, *, days: int | None = None, month: str = "") -> Rollout:
    """Both sides over the same days: from the first message of the period on."""
    now = app.clock().astimezone(UTC)
    asked = period(now, days=days, month=month)
    found = await app.store.costs.rolled(asked.since, asked.until)
    first = min((each.at for each in found), default=asked.since)
    span = max(1.0, (min(now, asked.until) - first) / timedelta(days=1))
    settings: Any = app.settings.section(jobs.for_messages()[0].kind)
    deep = [each for each in found if each.rolled_in and each.path == "deep"]
    out = [each for each in found if not each.rolled_in]
    return Rollout(
        period=asked,
        percent=settings.rollout_percent,
        threshold=settings.high_value_threshold,
        rolled_in=_side(deep, span, settings.high_value_threshold),
        rolled_out=_side(out, span, settings.high_value_threshold),
        gated=len(found) - len(deep) - len(out),
    )


def _side(found: Sequence[Rolled], days: float, threshold: float) -> Side:
    count = len(found)
    usd = _usd(sum(each.micro for each in found))
    false = [each for each in found if each.outcome == "false"]
    change = sum(each.confidence - each.preliminary for each in found)
    return Side(
        messages=count,
        calls_a_day=round(sum(each.calls for each in found) / days, 2),
        tool_calls_a_day=round(sum(each.tool_calls for each in found) / days, 2),
        usd=usd,
        usd_a_message=round(usd / count, 6) if count else 0.0,
        confidence_change=round(change / count, 4) if count else None,
        labelled=sum(1 for each in found if each.outcome is not None),
        false_positives=sum(1 for each in false if each.verdict == "supported"),
        confident_and_false=sum(1 for each in false if each.confidence >= threshold),
    )
