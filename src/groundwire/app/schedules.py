"""Standing runs: made, listed, started by hand or when due, and what their runs said over time."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from groundwire import jobs, plugins
from groundwire.app.access import caller
from groundwire.app.budget import own_limits, scope_at
from groundwire.app.part import AppPart
from groundwire.app.schedule_views import Believed, Diff, History, PastRun, Terms
from groundwire.app.submission import prepared
from groundwire.errors import Conflict, InputError, NotFoundHere
from groundwire.model.access import LOCAL, LOCAL_OWNER, Caller
from groundwire.model.call import MICRO
from groundwire.model.change import Change
from groundwire.model.run import FINISHED, Run
from groundwire.model.schedule import Schedule, ScheduleLine
from groundwire.runs.schedule import day_ends, next_due, quiet_of, rule_of

if TYPE_CHECKING:
    from groundwire.model.outbox import Parcel, Subscriber

_MOST = 1_000
_MOST_SUBSCRIBERS = 50
_LOOKED_AT = 24  # runs, for those that found something to tell
_LONGEST_DAY = 60  # characters
_PREFIX = "st-"
_EVER = datetime.max.replace(tzinfo=UTC)
_PERIODS = ("day", "month")


class Schedules(AppPart):
    """Standing runs of any job, and their runs."""

    async def add(
        self,
        kind: str,
        given: Mapping[str, object],
        terms: Terms | str,
        *,
        settings: Mapping[str, object] | None = None,
        owner: Caller = LOCAL,
        door: str = "",
        exact: bool = False,
    ) -> Schedule:
        """Keep an input to be run on a rule; what cannot be used is refused now, not when it is due."""
        terms = Terms(schedule=terms) if isinstance(terms, str) else terms
        if kind not in (names := [each.kind for each in jobs.offered()]):
            raise plugins.unknown("noun.job", kind, names)
        job, now, zone = jobs.find(kind), self._app.clock(), _zone(terms.zone)
        stored = prepared(job, self._app.settings, given, door=door, exact=exact)
        value = stored.model_dump(mode="json")
        usd = terms.budgets_usd.model_dump(exclude_none=True)
        draft = Schedule(
            id=f"{_PREFIX}{secrets.token_hex(5)}",
            kind=kind,
            input=value,
            options=dict(settings or {}),
            text=job.text(value).replace("\0", ""),
            said=terms.schedule.strip(),
            recurrence=rule_of(terms.schedule, zone, now),
            zone=zone,
            quiet=quiet_of(terms.quiet),
            budgets=own_limits(None, usd, owner),
            subscribers=self._subscribers(terms.to),
            owner=owner.id,
            created_at=now,
            next_at=now,
        )
        made = draft.model_copy(update={"next_at": next_due(draft, now)})
        await self._app.store.schedules.put(made)
        return made

    async def add_from(
        self,
        run: Run,
        terms: Terms | str,
        *,
        settings: Mapping[str, object] | None = None,
        owner: Caller = LOCAL,
    ) -> Schedule:
        """Turn a finished run into a standing run; it is the first of its runs."""
        if run.state not in FINISHED:
            raise Conflict("schedule.unfinished", run=run.id, hint="hint.follow_run")
        made = await self.add(run.kind, run.input, terms, settings=settings, owner=owner)
        await self._app.store.schedules.adopt(run.id, made.id)
        return made

    async def find(self, name: str, who: Caller = LOCAL) -> Schedule:
        """Find the one with this id, or the only one whose id begins so; others' do not exist."""
        wanted = name.strip()
        plain = wanted.isascii() and wanted.isprintable() and wanted != ""
        found = await self._app.store.schedules.find(wanted, who.sees) if plain else ()
        exact = [each for each in found if each.id == wanted]
        if exact or len(found) == 1:
            return (exact or list(found))[0]
        code = "schedule.several" if found else "schedule.none_of"
        raise NotFoundHere(code, name=wanted[:80], hint="hint.list_schedules")

    async def listed(self, who: Caller = LOCAL, limit: int = _MOST) -> Sequence[ScheduleLine]:
        """List the caller's own, the newest first; whoever has the scope admin sees all."""
        return await self._app.store.schedules.listed(who.sees, limit)

    async def kept(self) -> bool:
        """Tell whether a desk or a worker is there to start what is due."""
        return await self._app.engine.keeps_time()

    async def pause(self, schedule: Schedule) -> Schedule:
        """Let it rest; a run under way goes on to its end."""
        return await self._switch(schedule, paused=True)

    async def resume(self, schedule: Schedule) -> Schedule:
        """Let it go on, from the next time that it is due."""
        return await self._switch(schedule, paused=False)

    async def _switch(self, schedule: Schedule, *, paused: bool) -> Schedule:
        table, next_at = self._app.store.schedules, next_due(schedule, self._app.clock())
        if not await table.switch(schedule.id, next_at, paused=paused):
            raise NotFoundHere("schedule.none_of", name=schedule.id, hint="hint.list_schedules")
        return schedule.model_copy(update={"paused": paused, "next_at": next_at, "trouble": ""})

    async def remove(self, schedule: Schedule) -> None:
        """Remove it; its runs stay, and one under way goes on, telling no subscriber."""
        if not await self._app.store.schedules.remove(schedule.id):
            raise NotFoundHere("schedule.none_of", name=schedule.id, hint="hint.list_schedules")

    # --- its runs ------------------------------------------------------------------------------

    async def run(self, schedule: Schedule, *, at: datetime | None = None, key: str = "") -> Run:
        """Run it now, by the clock of another moment where one is named.

        While a run of it goes on, another is refused.
        """
        owner = await self._owner(schedule)
        moment = at or self._app.clock()
        last = await self._app.store.schedules.last(schedule.id, moment)
        job = jobs.find(schedule.kind)
        given = job.again(schedule.input, schedule.id, "" if last is None else last.id)
        usd = {period: most / MICRO for period, most in schedule.budgets.items()}
        scopes = {period: _scope(schedule, period) for period in _PERIODS}
        return await self._app.submit(
            schedule.kind,
            given,
            owner=owner,
            settings=schedule.options,
            idempotency_key=key or None,
            now=at,
            budget_usd=usd.get("run"),
            shared_usd={scopes[name]: most for name, most in usd.items() if name in scopes},
            schedule_id=schedule.id,
        )

    async def start_due(self, schedule: Schedule, due: datetime) -> Run:
        """Start the run of a due time, which there is only once."""
        return await self.run(schedule, key=f"schedule:{schedule.id}:{due.isoformat()}")

    async def runs(self, schedule: Schedule, limit: int = 50) -> Sequence[Run]:
        """List its runs, those of the latest moment first."""
        return await self._app.store.schedules.runs(schedule.id, limit)

    async def diff(self, schedule: Schedule, run_id: str = "", language: str = "") -> Diff:
        """Return what a run of it found changed: the last one where none is named."""
        if run_id:
            run = await self._app.runs.find(run_id)
            if run.schedule_id != schedule.id:
                raise NotFoundHere("schedule.not_its_run", run=run_id[:80], id=schedule.id)
        else:
            run = await self._app.store.schedules.last(schedule.id, _EVER)
        if run is None:
            return Diff(id=schedule.id, run=None, at=None, changes=())
        found = jobs.changes_of(run, language)
        return Diff(id=schedule.id, run=run.id, at=run.now, changes=found)

    async def history(self, schedule: Schedule, limit: int = 50) -> History:
        """List its runs with what each found changed, those of the latest moment first."""
        found = await self.runs(schedule, limit)
        return History(id=schedule.id, runs=tuple(_past(run) for run in found))

    async def moments(self, schedule: Schedule) -> Sequence[tuple[str, datetime]]:
        """List the runs that have a result, each with its moment, the first one first."""
        return await self._app.store.schedules.moments(schedule.id)

    async def believed(
        self, schedule: Schedule, day: date | None = None, language: str = ""
    ) -> Believed:
        """Return what was believed when a day ended, in its zone, and the run that said so."""
        until = _EVER if day is None else day_ends(day, schedule.zone)
        run = await self._app.store.schedules.last(schedule.id, until)
        if run is None:
            return Believed(id=schedule.id, day=day, run=None, at=None, claims=())
        claims = jobs.beliefs_of(run, language)
        return Believed(id=schedule.id, day=day, run=run.id, at=run.now, claims=claims)

    async def spent(self, schedule: Schedule) -> Mapping[str, tuple[float, float]]:
        """Return what its runs have spent of their shared limits, in US dollars, by period."""
        now = self._app.clock()
        limits = {each: schedule.budgets[each] for each in _PERIODS if each in schedule.budgets}
        scopes = {each: scope_at(_scope(schedule, each), now) for each in limits}
        spent = await self._app.store.budget.spent(list(scopes.values()))
        return {
            each: (spent[scopes[each]] / MICRO, limit / MICRO) for each, limit in limits.items()
        }

    async def sent(self, schedule: Schedule, limit: int = 50) -> Sequence[Parcel]:
        """List what was, or will be, told to whom, the newest first."""
        return await self._app.store.schedules.sent(schedule.id, limit)

    # --- readers -------------------------------------------------------------------------------

    async def looked(self, who: Caller) -> Mapping[str, datetime]:
        """Return when a reader last looked at each."""
        return await self._app.store.schedules.looked(who.id)

    async def look(self, schedule: Schedule, who: Caller) -> None:
        """Note that a reader has seen what there is."""
        await self._app.store.schedules.look(who.id, schedule.id, self._app.clock())

    async def unseen(
        self, who: Caller, most: int = 8, language: str = ""
    ) -> Sequence[tuple[Schedule, Run, tuple[Change, ...]]]:
        """List the runs that found something to tell since a reader last looked, the newest first."""
        table = self._app.store.schedules
        found: list[tuple[Schedule, Run, tuple[Change, ...]]] = []
        for run in await table.unseen(who.id, who.sees, _LOOKED_AT):
            schedule = None if run.schedule_id is None else await table.get(run.schedule_id)
            if schedule is not None and jobs.calls_for_notice(run):
                found.append((schedule, run, jobs.changes_of(run, language)))
        return found[:most]

    # --- what is refused now, and not when it is due -------------------------------------------

    def _subscribers(self, to: Sequence[str]) -> tuple[Subscriber, ...]:
        from groundwire.notify.dispatch import subscriber_of

        if len(to) > _MOST_SUBSCRIBERS:
            raise InputError("schedule.too_many_subscribers", most=_MOST_SUBSCRIBERS)
        channels = self._app.settings.notify
        return tuple(dict.fromkeys(subscriber_of(each, channels) for each in to))

    async def _owner(self, schedule: Schedule) -> Caller:
        """Return on whose behalf it runs; a revoked token's standing runs rest."""
        if schedule.owner == LOCAL_OWNER:
            return LOCAL
        token = await self._app.store.access.token(schedule.owner)
        if token is None or token.revoked_at is not None:
            raise InputError("schedule.revoked")
        return caller(token)


def local_day(schedule: Schedule, moment: datetime) -> date:
    """Return the day of a moment by the clocks of a standing run."""
    return moment.astimezone(ZoneInfo(schedule.zone)).date()


def _scope(schedule: Schedule, period: str) -> str:
    return f"schedule:{schedule.id}:{period}"


def _past(run: Run) -> PastRun:
    told, found = jobs.calls_for_notice(run), len(jobs.changes_of(run))
    return PastRun(run=run.id, at=run.now, state=run.state, told=told, changes=found)


def _zone(name: str) -> str:
    """Return the name of a zone as every table of zones knows it."""
    from groundwire.language.time.zones import zone_named

    wanted = name.strip() or "UTC"
    try:
        return ZoneInfo(wanted).key
    except (KeyError, ValueError, OSError):  # no such zone, or no path to one
        found = zone_named(wanted)
    if not isinstance(found, ZoneInfo):
        raise InputError("error.no_zone", name=wanted[:40], hint="hint.zone")
    return found.key


def day_of(text: str, schedule: Schedule, now: datetime) -> date:
    """Read a day as people write it: 2026-03-03, 3 March, 3月3日."""
    from groundwire.language.time.expressions import up_to

    zone = ZoneInfo(schedule.zone)
    found = up_to(text.strip(), now, zone) if len(text) <= _LONGEST_DAY else None
    if found is None:
        raise InputError("schedule.no_day", text=text[:40])
    return found.astimezone(zone).date()


def moment_of(text: str) -> datetime:
    """Read a moment in ISO 8601; UTC where no zone is named."""
    try:
        found = datetime.fromisoformat(text.strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InputError("schedule.no_moment", text=text[:40]) from None
