"""A watch run daily through a simulated month, by the product's own way, with its clock at each day."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from groundwire.app import App, open_app
from groundwire.app.clients import Clients
from groundwire.app.wiring import Wiring
from groundwire.errors import InputError
from groundwire.fetch.pool import ParsePool
from groundwire.jobs.sections import Settings
from groundwire.jobs.watch.ledger.claims import Change, Side
from groundwire.jobs.watch.result import WatchResult
from groundwire.language.text.characters import simplify
from groundwire.model.base import Value
from groundwire.settings import Loaded
from lab.months.month import DAYS, Expected, Month
from lab.months.web import MonthWorld, evening

_SETTINGS: dict[str, object] = {
    "search.chain": ["tavily"],
    "search.providers.tavily.api_key": "tvly-frozen",
    "fetch.delay": 0,
}
_LATE = 2  # days after which a change is still the one that was expected


class Day(Value):
    """What the run of one day said."""

    day: int
    state: str
    changes: tuple[Change, ...] = ()
    alert: bool = False
    claims: int = 0
    not_seen: int = 0
    seconds: float = 0.0


class Judged(Value):
    """What became of a month's expected changes, and of the changes that were reported."""

    found: tuple[tuple[Expected, Change, int], ...] = ()  # with the day of the report
    missed: tuple[Expected, ...] = ()
    wrong: tuple[tuple[int, Change], ...] = ()  # reported, and nothing of the kind happened
    twice: tuple[tuple[int, Change], ...] = ()  # of the wrong: told on an earlier day already
    idle_alerts: tuple[int, ...] = ()  # days with an alert on which nothing changed


def read_months(folder: Path) -> list[Month]:
    """Read the months of a folder, in the order of their names."""
    found = sorted(folder.glob("month-*.json"))
    if not found:
        raise InputError(f"nothing in {folder} can be measured: no month-*.json there")
    return [Month.model_validate_json(path.read_bytes()) for path in found]


async def live_through(month: Month, pool: ParsePool) -> list[Day]:
    """Run the watch on every day; each run begins a process of its own, as a schedule's would."""
    world = MonthWorld(month)
    days: list[Day] = []
    previous = ""
    with TemporaryDirectory(prefix="gw-month-") as home:
        loaded = Settings.load({**_SETTINGS, "home": home}, cwd=Path(home), env={})
        for day in range(1, DAYS + 1):
            world.turn(day)
            async with open_app(loaded, outside=_wiring(loaded, world, pool)) as app:
                previous, lived = await _live(app, month, day, previous)
            days.append(lived)
    return days


def _wiring(loaded: Loaded, world: MonthWorld, pool: ParsePool) -> Callable[..., Wiring]:
    return partial(Wiring, clients=Clients(loaded.settings, world.transport), pool=pool)


async def _live(app: App, month: Month, day: int, previous: str) -> tuple[str, Day]:
    began = time.perf_counter()
    given = {"command": month.command, "previous": previous}
    run = await app.submit("watch", given, now=evening(day))
    ended = await app.finished(run.id)
    took = time.perf_counter() - began
    if ended.result is None or ended.state not in ("complete", "degraded"):
        return previous, Day(day=day, state=ended.state, seconds=took)
    result = WatchResult.model_validate(ended.result)
    return ended.id, Day(
        day=day,
        state=ended.state,
        changes=result.changes,
        alert=result.alert,
        claims=len(result.claims),
        not_seen=len(result.not_seen),
        seconds=took,
    )


# --- what is right -------------------------------------------------------------------------------


def judge(month: Month, days: list[Day]) -> Judged:
    """Match what was reported with what happened: on its day, or a little later."""
    reported = [(day.day, change) for day in days for change in day.changes]
    left = [each for each in reported if not _is_background(month, each[1])]
    found: list[tuple[Expected, Change, int]] = []
    missed: list[Expected] = []
    for expected in month.expected:
        fitting = [
            (day, change)
            for day, change in left
            if 0 <= day - expected.day <= _LATE and fits(expected, change)
        ]
        if not fitting:
            missed.append(expected)
            continue
        best = min(fitting, key=lambda pair: pair[0])
        left.remove(best)
        found.append((expected, best[1], best[0]))
    told = [(expected, day) for expected, _, day in found]
    twice = [
        (day, change)
        for day, change in left
        if any(day >= before and fits(expected, change) for expected, before in told)
    ]
    happened = {each.day for each in month.expected} | {day for _, _, day in found}
    return Judged(
        found=tuple(found),
        missed=tuple(missed),
        wrong=tuple(left),
        twice=tuple(twice),
        idle_alerts=tuple(each.day for each in days if each.alert and each.day not in happened),
    )


def _is_background(month: Month, change: Change) -> bool:
    """Tell whether a new claim is one of the true sentences that stand beside the facts."""
    return (
        change.kind == "new"
        and change.after is not None
        and any(_flat(line) in _flat(change.after.text) for line in month.background)
    )


def fits(expected: Expected, change: Change) -> bool:
    """Tell whether a reported change is this one: of its kind, with its value, from its page."""
    if change.kind != expected.kind:
        return False
    side = change.before if expected.kind == "withdrawn" else change.after or change.before
    forms = expected.before if expected.kind == "withdrawn" else expected.after or expected.before
    if side is None:
        return False
    if not forms:
        return any(each.url in expected.urls for each in side.citations)
    return any(_says(side, form) for form in forms)


def _says(side: Side, form: str) -> bool:
    texts = (side.value, f"{side.value} {side.unit}", side.text, *(c.quote for c in side.citations))
    return any(_flat(form) in _flat(text) for text in texts)


def _flat(text: str) -> str:
    return simplify(text).casefold().replace(",", "").replace(" ", "")
