"""`gw sources`: what is known of a site, and what analysts say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import columns, say
from groundwire.doors.cli.root import LOOK, By, Json, Why, command, group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from groundwire.app import App
    from groundwire.model.source import Override

_ABOUT = "Who is speaking: what is known of a site, and what you say of it."
sources = group("sources", LOOK, _ABOUT)
Domain = Annotated[str, typer.Argument(metavar="DOMAIN")]


@command(sources, "list")
async def listing(
    app: App,
    everything: Annotated[bool, typer.Option("--all")] = False,
    as_json: Json = False,
) -> None:
    """List the judgements that hold."""
    found = await (app.sources.history() if everything else app.sources.overrides())
    if as_json:
        render.put_json(found)
    elif found:
        render.put(_table(found))
    else:
        render.note(say("cli.nobody_judged"))


@command(sources)
async def show(app: App, domain: Domain, as_json: Json = False) -> None:
    """Show a site's tier, owner and country, and every judgement of it."""
    site = await app.sources.known(domain)
    profile, holding, history = site.profile, site.override, site.history
    if as_json:
        judgements = {"override": holding, "history": history}
        render.put_json({**profile.model_dump(mode="json"), **judgements})
        return
    names = ("name", "tier", "owner", "country", "language")
    facts = ((say(f"column.{name}"), getattr(profile, name) or "–") for name in names)
    render.put(render.shown(profile.domain, "bold"), render.facts(facts))
    if holding is not None:
        text = say("cli.judgement_holds", what=_judgement(holding), by=holding.by, why=holding.why)
        render.put(render.shown(text, "accent"))
    if history:
        render.put("", _table(history))


@command(sources, "set")
async def judge(
    app: App,
    domain: Domain,
    why: Why,
    tier: Annotated[str | None, typer.Option(metavar="TIER")] = None,
    owner: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    by: By = "",
    as_json: Json = False,
) -> None:
    """Judge a site; runs from now on follow it, and show that they do."""
    made = await app.sources.judge(domain, tier=tier, owner=owner, why=why, by=session.person(by))
    text = say("cli.counts_from_now", domain=made.domain, what=_judgement(made))
    render.answer(as_json, made, render.shown(text))


@command(sources)
async def unset(app: App, domain: Domain, why: Why, by: By = "", as_json: Json = False) -> None:
    """Take a judgement back; it stays in the history."""
    made = await app.sources.withdraw(domain, why=why, by=session.person(by))
    text = say("cli.counts_again", domain=made.domain)
    render.answer(as_json, made, render.shown(text))


def _judgement(override: Override) -> str:
    owner = say("cli.owned_by", owner=override.owner) if override.owner else ""
    return ", ".join(part for part in (override.tier or "", owner) if part)


def _table(found: Sequence[Override]) -> Table:
    rows = [
        (
            (each.domain, "bold"),
            _judgement(each),
            (f"{each.at:%Y-%m-%d}", "soft"),
            each.by,
            each.why,
            (say("cli.until", day=f"{each.withdrawn_at:%Y-%m-%d}", why=each.withdrawn_why), "soft")
            if each.withdrawn_at
            else (say("cli.holds"), "supported"),
        )
        for each in found
    ]
    return render.table((*columns("domain", "counts_as", "since", "by", "why"), ""), rows)
