"""`gw providers`, `models`, `graph`, `schema` and `db`: what there is and what it looks like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.listing import Entry, listing
from groundwire.doors.cli.reader import say, speaking
from groundwire.words import coded, words

if TYPE_CHECKING:
    from rich.console import RenderableType

    from groundwire.app import App
    from groundwire.app.health import PartState
    from groundwire.app.probes import Probed
    from groundwire.model.base import JsonObject

_MOST_DAYS = 5
_PROBED = {
    "reachable": ("●", "supported"),
    "key invalid": ("✕", "contradicted"),
    "failed": ("✕", "contradicted"),
}


def graph(job: str) -> NoReturn:
    def body() -> int:
        from groundwire.jobs import find

        render.raw(find(job).draw())
        return session.DONE

    session.finish(body)


def schema(name: str) -> NoReturn:
    def body() -> int:
        from groundwire.jobs import find, offered

        # A result may be known by a name of its own: `signal`.
        named = {job.result.__name__.lower(): job.kind for job in offered()}
        render.put_json(find(named.get(name, name)).result.model_json_schema())
        return session.DONE

    session.finish(body)


def upgrade() -> NoReturn:
    def body() -> int:
        from groundwire.app.facade import upgrade_database

        loaded = session.settings()
        done, revision = upgrade_database(loaded.settings)
        render.put(
            render.shown(say("cli.revision_now", revision=revision, done=coded(f"cli.done.{done}")))
        )
        return session.DONE

    session.finish(body)


def providers(as_json: bool, probe: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.app.probes import probe_providers

        spoken = words("en") if as_json else speaking()
        probed = [each.told(spoken) for each in (await probe_providers(app) if probe else [])]
        states = [each.told(spoken) for each in await app.health.providers()]
        tools = [each.told(spoken) for each in await app.health.tools()]
        if as_json:
            of_tools = [{**_as_json(state, ()), "part": "tool"} for state in tools]
            render.put_json([*(_as_json(state, probed) for state in states), *of_tools])
        else:
            render.put(*_states(states))
            if any(state.made for state in states):
                render.put("", _days(states))
            render.put("", render.shown(say("cli.tools_of_verify"), "soft"), *_states(tools))
            if probed:
                render.put("", *probes(probed))
            _notes([state for state in states if state.name not in {p.name for p in probed}])
        return (
            session.DEGRADED if any(each.state != "reachable" for each in probed) else session.DONE
        )

    session.with_app(work)


def _as_json(state: PartState, probed: Sequence[Probed]) -> JsonObject:
    value: JsonObject = state.model_dump(mode="json")
    for each in probed:
        if each.name == state.name:
            value["probe"] = each.model_dump(mode="json")
    return value


def _states(states: Sequence[PartState]) -> Sequence[RenderableType]:
    return listing(
        [
            Entry(
                mark="●" if state.on else "○",
                mark_style="supported" if state.on else "insufficient",
                name=state.name,
                said=state.why,
                said_style="" if state.on else "soft",
                beside=state.to_set,
            )
            for state in states
        ]
    )


def _days(states: Sequence[PartState]) -> RenderableType:
    """Answered of made, by day, newest first."""
    asked = [state for state in states if state.made]
    dates = sorted({day.day for state in asked for day in state.days}, reverse=True)[:_MOST_DAYS]
    rows: list[list[RenderableType]] = []
    for state in asked:
        by_day = {day.day: day for day in state.days}
        style = "degraded" if state.poor else "soft"
        row: list[RenderableType] = [
            render.shown(state.name, "bold"),
            render.shown(f"{state.answered / state.made:.0%}", style),
        ]
        for date in dates:
            day = by_day.get(date)
            row.append(render.shown(f"{day.answered}/{day.made}" if day else "–", "soft"))
        rows.append(row)
    head = (say("cli.answered"), say("cli.seven_days"), *(f"{date:%m-%d}" for date in dates))
    return render.table(head, rows)


def _notes(states: Sequence[PartState]) -> None:
    for state in states:
        if state.poor:
            render.note(say("cli.answers_poorly", name=state.name), "degraded")
        if state.trouble:
            render.note(say("cli.last_trouble", name=state.name, why=state.trouble), "degraded")


def probes(probed: Sequence[Probed]) -> Sequence[RenderableType]:
    """What came of the probes, a line each, and what they said."""
    return listing(
        [
            Entry(
                mark=_PROBED[each.state][0],
                mark_style=_PROBED[each.state][1],
                name=each.name,
                said=f"{speaking().name('cli.probed', each.state)}, {each.ms / 1000:.1f} s",
                beside=f"{each.code}: {each.said}" if each.code else "",
                beside_style="degraded",
            )
            for each in probed
        ]
    )


_LAST = {"vision": "cli.nobody_sees"}


def models(as_json: bool, probe: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.app.probes import probe_models

        spoken = words("en") if as_json else speaking()
        probed = [each.told(spoken) for each in (await probe_models(app) if probe else [])]
        tiers = app.health.tiers()
        vendors = [each.told(spoken) for each in app.health.vendors()]
        if as_json:
            value: JsonObject = {
                "tiers": tiers,
                "vendors": [state.model_dump(mode="json") for state in vendors],
            }
            if probe:
                value["probes"] = [each.model_dump(mode="json") for each in probed]
            render.put_json(value)
        else:
            render.put(
                *listing(
                    [
                        Entry(
                            name=tier,
                            said=" → ".join(
                                (*names, say(_LAST.get(tier, "cli.embedded_reasoner")))
                            ),
                        )
                        for tier, names in tiers.items()
                    ]
                ),
                "",
                *_states(vendors),
            )
            if probed:
                render.put("", *probes(probed))
        return (
            session.DEGRADED if any(each.state != "reachable" for each in probed) else session.DONE
        )

    session.with_app(work)
