"""`gw sources`: what the house knows of a site, and what analysts say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from groundwire.app import App
    from groundwire.model.source import Override


def listing(everything: bool, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        found = await (app.sources.history() if everything else app.sources.overrides())
        if as_json:
            render.put_json([each.model_dump(mode="json") for each in found])
            return session.DONE
        if found:
            render.put(_table(found))
        else:
            render.note(say("cli.nobody_judged"))
        return session.DONE

    session.with_app(work)


def show(name: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        site = await app.sources.known(name)
        known, holding, history = site.profile, site.override, site.history
        if as_json:
            render.put_json(
                {
                    **known.model_dump(mode="json"),
                    "override": holding.model_dump(mode="json") if holding else None,
                    "history": [each.model_dump(mode="json") for each in history],
                }
            )
            return session.DONE
        rows = [
            (say("cli.col.name"), known.name),
            (say("cli.col.tier"), known.tier),
            (say("cli.col.owner"), known.owner or "–"),
            (say("cli.col.country"), known.country or "–"),
            (say("cli.col.language"), known.language or "–"),
        ]
        render.put(render.shown(known.domain, "bold"))
        render.put(
            render.table(("", ""), [(render.shown(k, "soft"), render.shown(v)) for k, v in rows])
        )
        if holding is not None:
            said = say("cli.judgement_holds", what=_said(holding), by=holding.by, why=holding.why)
            render.put(render.shown(said, "accent"))
        if history:
            render.put("", _table(history))
        return session.DONE

    session.with_app(work)


def set_(
    name: str, tier: str | None, owner: str | None, why: str, by: str, as_json: bool
) -> NoReturn:
    async def work(app: App) -> int:
        made = await app.sources.judge(name, tier=tier, owner=owner, why=why, by=session.person(by))
        return _done(
            made, say("cli.counts_from_now", domain=made.domain, what=_said(made)), as_json
        )

    session.with_app(work)


def unset(name: str, why: str, by: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        made = await app.sources.withdraw(name, why=why, by=session.person(by))
        return _done(made, say("cli.counts_again", domain=made.domain), as_json)

    session.with_app(work)


def _done(made: Override, text: str, as_json: bool) -> int:
    if as_json:
        render.put_json(made.model_dump(mode="json"))
    else:
        render.put(render.shown(text))
    return session.DONE


def _said(override: Override) -> str:
    owner = say("cli.owned_by", owner=override.owner) if override.owner else ""
    return ", ".join(part for part in (override.tier or "", owner) if part)


def _table(found: Sequence[Override]) -> Table:
    rows = [
        (
            render.shown(each.domain, "bold"),
            render.shown(_said(each)),
            render.shown(f"{each.at:%Y-%m-%d}", "soft"),
            render.shown(each.by),
            render.shown(each.why),
            render.shown(
                say("cli.until", day=f"{each.withdrawn_at:%Y-%m-%d}", why=each.withdrawn_why)
                if each.withdrawn_at
                else say("cli.holds"),
                "soft" if each.withdrawn_at else "supported",
            ),
        )
        for each in found
    ]
    return render.table(
        [*(say(f"cli.col.{name}") for name in ("domain", "counts_as", "since", "by", "why")), ""],
        rows,
    )
