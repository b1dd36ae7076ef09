"""`gw providers`, `models`, `graph`, `schema` and `db`: what there is and what it looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.cli import render, session

if TYPE_CHECKING:
    from rich.text import Text

    from groundwire.app import App
    from groundwire.model.base import JsonObject


def graph(job: str) -> NoReturn:
    def body() -> int:
        from groundwire.app import job as find

        render.raw(find(job).draw())
        return session.DONE

    session.finish(body)


def schema(job: str) -> NoReturn:
    def body() -> int:
        from groundwire.app import job as find

        render.put_json(find(job).result.model_json_schema())
        return session.DONE

    session.finish(body)


def upgrade() -> NoReturn:
    def body() -> int:
        from groundwire.app import upgrade_database

        loaded = session.settings()
        done, revision = upgrade_database(loaded.settings)
        render.put(render.shown(f"the database is at revision {revision} ({done})"))
        return session.DONE

    session.finish(body)


def providers(as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.health import provider_states

        states = await provider_states(app)
        if as_json:
            render.put_json([state.model_dump(mode="json") for state in states])
            return session.DONE
        rows = [
            (
                render.shown(state.name, "bold"),
                _on(state.on),
                render.shown(state.why),
                render.shown(state.to_set or "–", "accent" if state.to_set else "soft"),
                render.shown(state.rate or "–", "degraded" if state.poor else "soft"),
            )
            for state in states
        ]
        render.put(render.table(("provider", "", "why", "to set", "answered"), rows))
        for state in states:
            if state.poor:
                render.note(f"{state.name} answers less than 95 % of its calls", "degraded")
        return session.DONE

    session.with_app(work)


def _on(on: bool) -> Text:
    return render.shown("● on", "supported") if on else render.shown("○ off", "insufficient")


def _last(tier: str) -> str:
    """Who answers where no model does; rules do not see."""
    return "nobody (gw look needs one)" if tier == "vision" else "embedded reasoner"


def models(as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.health import tier_names, vendor_states

        tiers = tier_names(app)
        vendors = vendor_states(app)
        if as_json:
            value: JsonObject = {
                "tiers": tiers,
                "vendors": [state.model_dump(mode="json") for state in vendors],
            }
            render.put_json(value)
            return session.DONE
        rows = [
            (render.shown(tier, "bold"), render.shown(" → ".join((*names, _last(tier)))))
            for tier, names in tiers.items()
        ]
        render.put(render.table(("tier", "asked in this order"), rows))
        render.put(
            "",
            render.table(
                ("vendor", "", "why", "to set"),
                [
                    (
                        render.shown(state.name, "bold"),
                        _on(state.on),
                        render.shown(state.why),
                        render.shown(state.to_set or "–", "accent" if state.to_set else "soft"),
                    )
                    for state in vendors
                ],
            ),
        )
        return session.DONE

    session.with_app(work)
