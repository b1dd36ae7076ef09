"""`gw sources`: what the house knows of a site, and what analysts say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.errors import InputError, NotFoundHere

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from groundwire.app import App
    from groundwire.model.source import Override


def listing(everything: bool, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        sources = app.store.sources
        found = await (sources.history() if everything else sources.overrides())
        if as_json:
            render.put_json([each.model_dump(mode="json") for each in found])
            return session.DONE
        if found:
            render.put(_table(found))
        else:
            render.note(
                "nobody has judged a source yet; do it with: gw sources set DOMAIN --tier …"
            )
        return session.DONE

    session.with_app(work)


def show(name: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        from groundwire.evidence.sources.overrides import override_of
        from groundwire.evidence.sources.tiers import profile

        domain = _domain(name)
        known = profile(domain)
        holding = override_of(f"https://{domain}/", await app.store.sources.overrides())
        history = await app.store.sources.history(domain)
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
            ("name", known.name),
            ("tier", known.tier),
            ("owner", known.owner or "–"),
            ("country", known.country or "–"),
            ("language", known.language or "–"),
        ]
        render.put(render.shown(domain, "bold"))
        render.put(
            render.table(("", ""), [(render.shown(k, "soft"), render.shown(v)) for k, v in rows])
        )
        if holding is not None:
            said = f"an analyst's judgement holds: {_said(holding)} ({holding.by}: {holding.why})"
            render.put(render.shown(said, "accent"))
        if history:
            render.put("", _table(history))
        return session.DONE

    session.with_app(work)


def set_(
    name: str, tier: str | None, owner: str | None, why: str, by: str, as_json: bool
) -> NoReturn:
    async def work(app: App) -> int:
        from pydantic import ValidationError

        from groundwire.model.source import Override

        if tier is None and owner is None:
            raise InputError("nothing is said of it", hint="give --tier or --owner")
        given = {"domain": _domain(name), "tier": tier, "owner": owner, "why": _reason(why)}
        try:
            made = Override.model_validate({**given, "by": session.person(by), "at": app.clock()})
        except ValidationError:
            raise InputError(f"there is no tier {tier!r}", hint=f"tiers: {_tiers()}") from None
        await app.store.sources.override(made)
        return _done(made, f"{made.domain} counts as {_said(made)} from now on", as_json)

    session.with_app(work)


def unset(name: str, why: str, by: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        domain = _domain(name)
        taken = await app.store.sources.withdraw(
            domain, app.clock(), session.person(by), _reason(why)
        )
        if not taken:
            raise NotFoundHere(f"nothing is said of {domain}", hint="list them: gw sources list")
        (made, *_) = await app.store.sources.history(domain)
        return _done(made, f"{domain} counts as the house knows it again", as_json)

    session.with_app(work)


def _done(made: Override, text: str, as_json: bool) -> int:
    if as_json:
        render.put_json(made.model_dump(mode="json"))
    else:
        render.put(render.shown(text))
    return session.DONE


def _domain(name: str) -> str:
    """A host as it is kept; an address is taken for its host."""
    from groundwire.evidence.sources.urls import host_of

    text = name.strip()
    return host_of(text if "://" in text else f"https://{text}/").removeprefix("www.")


def _reason(text: str) -> str:
    if not text.strip():
        raise InputError("a judgement needs its reason", hint='give --why "…"')
    return text.strip()


def _tiers() -> str:
    from typing import get_args

    from groundwire.model.source import Tier

    return ", ".join(get_args(Tier))


def _said(override: Override) -> str:
    owner = f"owned by {override.owner}" if override.owner else ""
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
                f"until {each.withdrawn_at:%Y-%m-%d}: {each.withdrawn_why}"
                if each.withdrawn_at
                else "holds",
                "soft" if each.withdrawn_at else "supported",
            ),
        )
        for each in found
    ]
    return render.table(("domain", "counts as", "since", "by", "why", ""), rows)
