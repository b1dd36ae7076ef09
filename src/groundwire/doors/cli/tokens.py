"""`gw token`: who may use the desk from elsewhere. Secrets are shown once and kept nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import say

if TYPE_CHECKING:
    from rich.text import Text

    from groundwire.app import App
    from groundwire.model.access import Token


def create(
    name: str, scope: str, per_minute: int | None, day_usd: float | None, as_json: bool
) -> NoReturn:
    async def work(app: App) -> int:

        made = await app.access.create(
            name,
            scope=scope,
            per_minute=per_minute,
            day_usd=day_usd,
            by=session.person(""),
        )
        if as_json:
            render.put_json({"token": made.secret, **made.token.model_dump(mode="json")})
            return session.DONE
        # On a line of its own: it is what gets piped on.
        render.raw(made.secret)
        render.note(say("cli.token_may", name=made.token.name, what=_may(made.token)))
        render.note(say("cli.revoke_with", name=made.token.name))
        return session.DONE

    session.with_app(work)


def listing(as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        found = await app.access.tokens()
        if as_json:
            render.put_json([token.model_dump(mode="json") for token in found])
            return session.DONE
        if not found:
            render.note(say("cli.no_tokens"))
            return session.DONE
        names = ("name", "scope", "minute", "day", "made", "used")
        columns = [*(say(f"cli.col.{name}") for name in names), ""]
        render.put(render.table(columns, [_row(token) for token in found]))
        return session.DONE

    session.with_app(work)


def revoke(name: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:

        token = await app.access.revoke(name)
        if as_json:
            render.put_json(token.model_dump(mode="json"))
        else:
            render.put(render.shown(say("cli.revoked", name=token.name)))
        return session.DONE

    session.with_app(work)


def _may(token: Token) -> str:
    what = say(f"cli.may.{token.scope}")
    limits = [
        *([say("cli.per_minute", n=token.per_minute)] if token.per_minute is not None else []),
        *([say("cli.per_day", usd=f"${token.day_usd:.2f}")] if token.day_usd is not None else []),
    ]
    if not limits:
        return what
    return say("cli.up_to", what=what, limits=say("cli.and").join(limits))


def _row(token: Token) -> tuple[Text, ...]:
    gone = token.revoked_at is not None
    return (
        render.shown(token.name, "faint" if gone else "bold"),
        render.shown(token.scope),
        render.shown("–" if token.per_minute is None else f"{token.per_minute}", "soft"),
        render.shown("–" if token.day_usd is None else f"${token.day_usd:.2f}", "soft"),
        render.shown(f"{token.created_at.astimezone():%Y-%m-%d}", "soft"),
        render.shown(
            say("cli.never")
            if token.used_at is None
            else f"{token.used_at.astimezone():%Y-%m-%d %H:%M}",
            "soft",
        ),
        render.shown(say("cli.is_revoked") if gone else "", "failed"),
    )
