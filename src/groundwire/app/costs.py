"""What was spent and what is left: budgets, credits, calls and a forecast, for every door."""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from groundwire import jobs
from groundwire.app.budget import DAYS_OF_A_MONTH
from groundwire.app.part import AppPart
from groundwire.app.period import Period, period
from groundwire.app.rollout import Rollout, compared
from groundwire.app.wiring import PROVIDERS
from groundwire.data.provider import tool_of
from groundwire.model.access import LOCAL, Caller
from groundwire.model.base import Instant, Value
from groundwire.model.call import MICRO, exams_scope, run_scope
from groundwire.model.costs import CostLine
from groundwire.model.tool import TOOL_CALLS
from groundwire.report.plain import usd
from groundwire.words import Words

if TYPE_CHECKING:
    from groundwire.search.provider import Tariff


class Against(Value):
    """Spending against a limit; `held_usd` is reserved by calls under way."""

    name: str
    usd: float
    held_usd: float = 0.0
    limit_usd: float | None = None  # None: not limited

    @property
    def share(self) -> float | None:
        """The spent share of the limit; None without one."""
        if self.limit_usd is None:
            return None
        return self.usd / self.limit_usd if self.limit_usd else 1.0

    def describe(self, say: Words) -> str:
        """Say what the limit is, and how much of it is spent."""
        if self.limit_usd is None:
            return say("costs.no_limit")
        return say("costs.of_limit", limit=usd(self.limit_usd), share=f"{self.share:.0%}")


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
    paid: int  # beyond them, in the period
    usd_per_credit: float
    as_of: date | None = None  # of the list price
    source: str = ""


class ToolCalls(Value):
    """Tool calls of jobs, today, of those that a day may have."""

    used: int
    limit: int


class Spent(Value):
    """What a token's holder, or whoever sits at the machine, has spent in a time."""

    id: str
    name: str  # "": a token that is not known any more
    runs: int = 0
    calls: int = 0  # sent
    usd: float = 0.0
    day_usd: float | None = None  # what it may spend in a day
    revoked: bool = False


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
    tools: tuple[Sum, ...] = ()
    jobs: tuple[Sum, ...] = ()
    ways: tuple[Sum, ...] = ()
    credits: tuple[Credits, ...] = ()
    tool_calls: ToolCalls
    saved_usd: float = 0.0
    unsettled: int = 0  # calls without an answer, counted at their estimate
    elsewhere_usd: float = 0.0  # spent by runs that were forgotten, or were resumed much later
    unpriced: tuple[str, ...] = ()  # providers without a known price: counted as free

    @property
    def empty(self) -> bool:
        """Whether nothing was called or spent."""
        return not self.providers and not self.month.usd and not self.elsewhere_usd

    @property
    def tight(self) -> bool:
        """Whether the month will have spent more than its limit."""
        limit = self.month.limit_usd
        return limit is not None and (self.forecast_usd or 0.0) > limit


class Costs(AppPart):
    """What was spent, on what, by whom, and what is left."""

    async def spending(self, *, days: int | None = None, month: str = "") -> Spending:
        """Sum up a period. Totals are the budgets' own; what they consist of is the ledger's."""
        now = self._app.clock().astimezone(UTC)
        wanted = period(now, days=days, month=month)
        lines = await self._app.store.costs.lines(wanted.since, wanted.until)
        month_name = f"{wanted.until - timedelta(microseconds=1):%Y-%m}"
        limits = self._app.settings.budget
        this_month = await self._against(f"month:{month_name}", limits.month_usd)
        current = wanted.since <= now < wanted.until
        today = await self._against(f"day:{now:%Y-%m-%d}", limits.day_usd) if current else None
        share = None if limits.month_usd is None else limits.month_usd / DAYS_OF_A_MONTH
        by_day = await self._days(wanted, lines)
        unlisted = sum(day.usd for day in by_day) - _usd(sum(line.micro for line in lines))
        found, unpriced = await self._credits(wanted, now, lines)
        return Spending(
            at=now,
            period=wanted,
            today=today,
            month=this_month,
            forecast_usd=forecast(this_month.usd, month_name, now),
            day_share_usd=share,
            over=tuple(
                date.fromisoformat(day.name)
                for day in by_day
                if share is not None and day.usd > share
            ),
            days=by_day,
            providers=_sums(lines, lambda line: (line.kind, line.provider)),
            kinds=_sums(lines, lambda line: ("", line.kind)),
            tools=_sums(
                [line for line in lines if tool_of(line.kind, line.provider)],
                lambda line: ("", tool_of(line.kind, line.provider)),
            ),
            jobs=_sums(lines, lambda line: ("", line.job)),
            ways=_sums(lines, lambda line: ("", line.via)),
            credits=found,
            tool_calls=ToolCalls(
                used=await self._app.store.quota.used(TOOL_CALLS, now), limit=limits.day_tool_calls
            ),
            saved_usd=_usd(sum(line.saved for line in lines)),
            unsettled=sum(line.unsettled for line in lines),
            elsewhere_usd=round(max(0.0, unlisted), 6),
            unpriced=unpriced,
        )

    async def by_owner(self, who: Caller, since: datetime, until: datetime) -> list[Spent]:
        """List spending by owner, the highest first: of all for admins, of oneself for others."""
        lines = await self._app.store.costs.owners(since, until)
        found = {line.owner: line for line in lines if who.owns(line.owner)}
        tokens = {token.id: token for token in await self._app.store.access.tokens()}
        spent: list[Spent] = []
        for owner in dict.fromkeys([*found, *((who.id,) if who.scope != "admin" else ())]):
            line, token = found.get(owner), tokens.get(owner)
            spent.append(
                Spent(
                    id=owner,
                    name=owner if owner == LOCAL.id else token.name if token else "",
                    runs=line.runs if line else 0,
                    calls=line.calls if line else 0,
                    usd=_usd(line.micro) if line else 0.0,
                    day_usd=token.day_usd if token else None,
                    revoked=token is not None and token.revoked_at is not None,
                )
            )
        return spent

    async def today(self, who: Caller) -> Against | None:
        """Return today's spending for a caller: the desk's for admins, else their own if limited."""
        day = f"{self._app.clock().astimezone(UTC):%Y-%m-%d}"
        if who.may("admin"):
            return await self._against(f"day:{day}", self._app.settings.budget.day_usd)
        if who.day_usd is None:
            return None
        return await self._against(f"owner:{who.id}:{day}", who.day_usd)

    async def _against(self, scope: str, limit: float | None) -> Against:
        spent, held = await self._micro(scope)
        name = scope.partition(":")[2]
        return Against(name=name, usd=_usd(spent), held_usd=_usd(held), limit_usd=limit)

    async def _days(self, wanted: Period, lines: Sequence[CostLine]) -> tuple[Sum, ...]:
        """Sum up every day of the period; a day has spent no less than its budget says."""
        spent = await self._app.store.budget.spent([f"day:{day}" for day in wanted.days])
        sums = {each.name: each for each in _sums(lines, lambda line: ("", str(line.day)))}
        found = [sums.get(str(day), Sum(name=str(day))) for day in wanted.days]
        return tuple(
            each.model_copy(update={"usd": max(each.usd, _usd(spent[f"day:{each.name}"]))})
            for each in found
        )

    async def _credits(
        self, wanted: Period, now: datetime, lines: Sequence[CostLine]
    ) -> tuple[tuple[Credits, ...], tuple[str, ...]]:
        """List the credits of every provider that is or could be used, and those without a price."""
        from groundwire.search.provider import HttpProvider

        paid: dict[str, int] = defaultdict(int)
        for line in lines:
            if line.kind == "search":
                paid[line.provider] += line.micro
        found: list[Credits] = []
        unpriced: list[str] = []
        at = min(now, wanted.until - timedelta(microseconds=1))
        for name in sorted(PROVIDERS):
            provider = self._app.outside.provider(self._app.settings, name)
            if not isinstance(provider, HttpProvider):
                continue
            if name not in paid and provider.lacks() is not None:
                continue
            if not provider.tariff.known:
                unpriced.append(name)
            elif provider.tariff.micro:
                found.append(await self._credit(provider.tariff, at, paid[name]))
        return tuple(found), tuple(unpriced)

    async def _credit(self, tariff: Tariff, at: datetime, paid: int) -> Credits:
        taken = sum(await self._micro(tariff.free(at).scope))
        used = min(tariff.free_credits, round(taken / tariff.micro))
        listed = tariff.listed
        if listed is not None and listed.usd_per_credit != tariff.usd_per_credit:
            listed = None  # the user has set another price
        return Credits(
            provider=tariff.provider,
            period=tariff.period(at),
            free=tariff.free_credits,
            used=used,
            left=tariff.free_credits - used,
            paid=round(paid / tariff.micro),
            usd_per_credit=tariff.usd_per_credit,
            as_of=None if listed is None else listed.as_of,
            source="costs.set_here" if listed is None else listed.source,
        )

    async def rollout(self, *, days: int | None = None, month: str = "") -> Rollout:
        """Compare both sides of the rollout over the same days, from the period's first message on."""
        now = self._app.clock().astimezone(UTC)
        wanted = period(now, days=days, month=month)
        found = await self._app.store.costs.rolled(wanted.since, wanted.until)
        switches: Any = self._app.settings.section(jobs.for_messages()[0].kind)
        percent, threshold = switches.rollout_percent, switches.high_value_threshold
        return compared(found, wanted, now, percent, threshold)

    async def of_run(self, run_id: str) -> int:
        """Return what a run has spent by now, in micro-dollars."""
        scopes = (run_scope(run_id), exams_scope(run_id))
        return sum([(await self._micro(scope))[0] for scope in scopes])

    async def of_day(self) -> int:
        """Return what was spent today, in micro-dollars."""
        return (await self._micro(f"day:{self._app.clock():%Y-%m-%d}"))[0]

    async def of_month(self) -> int:
        """Return what was spent this month, in micro-dollars."""
        return (await self._micro(f"month:{self._app.clock():%Y-%m}"))[0]

    async def left_of_day(self) -> int | None:
        """Return what may still be spent today, in micro-dollars; None: there is no limit."""
        scope = f"day:{self._app.clock():%Y-%m-%d}"
        return await self._left(scope, self._app.settings.budget.day_usd)

    async def left_of_month(self) -> int | None:
        """Return what may still be spent this month, in micro-dollars; None: there is no limit."""
        scope = f"month:{self._app.clock():%Y-%m}"
        return await self._left(scope, self._app.settings.budget.month_usd)

    async def _left(self, scope: str, limit: float | None) -> int | None:
        return (
            None if limit is None else max(0, round(limit * MICRO) - sum(await self._micro(scope)))
        )

    async def _micro(self, scope: str) -> tuple[int, int]:
        """Return what a scope has spent, and what calls under way hold back in it."""
        budget = self._app.store.budget
        return (await budget.spent([scope]))[scope], (await budget.reserved([scope]))[scope]


def forecast(usd: float, month: str, now: datetime) -> float | None:
    """Estimate the month's total at the pace so far: spent / days gone × days of the month.

    The first day counts as a whole one, so that a busy first hour does not predict a ruinous month.
    None for a future month; a past one is what it was.
    """
    year, number = map(int, month.split("-"))
    count = calendar.monthrange(year, number)[1]
    gone = (now - datetime(year, number, 1, tzinfo=UTC)) / timedelta(days=1)
    if gone < 0:
        return None
    return round(usd * count / min(max(gone, 1.0), count), 6)


def _sums(lines: Sequence[CostLine], key: Callable[[CostLine], tuple[str, str]]) -> tuple[Sum, ...]:
    """Sum lines by group, the most expensive first, then the most used."""
    groups: dict[tuple[str, str], list[CostLine]] = defaultdict(list)
    for line in lines:
        groups[key(line)].append(line)
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


def _usd(micro: int) -> float:
    return round(micro / MICRO, 6)
