"""`gw token`: who may use the desk from elsewhere. Secrets are shown once and kept nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from groundwire.doors.cli import render, session

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
        render.note(f"{made.token.name} may {_may(made.token)}; this is shown only now")
        render.note(f"revoke it with: gw token revoke {made.token.name}")
        return session.DONE

    session.with_app(work)


def listing(as_json: bool) -> NoReturn:
    async def work(app: App) -> int:
        found = await app.access.tokens()
        if as_json:
            render.put_json([token.model_dump(mode="json") for token in found])
            return session.DONE
        if not found:
            render.note("no tokens yet; make one with: gw token create NAME")
            return session.DONE
        columns = ("name", "scope", "a minute", "a day", "made", "last used", "")
        render.put(render.table(columns, [_row(token) for token in found]))
        return session.DONE

    session.with_app(work)


def revoke(name: str, as_json: bool) -> NoReturn:
    async def work(app: App) -> int:

        token = await app.access.revoke(name)
        if as_json:
            render.put_json(token.model_dump(mode="json"))
        else:
            render.put(render.shown(f"{token.name} is revoked; nobody comes in with it any more"))
        return session.DONE

    session.with_app(work)


def _may(token: Token) -> str:
    what = {"read": "look", "run": "look and start jobs", "admin": "do everything"}[token.scope]
    limits = [
        *([f"{token.per_minute} requests a minute"] if token.per_minute is not None else []),
        *([f"${token.day_usd:.2f} a day"] if token.day_usd is not None else []),
    ]
    return f"{what}, up to {' and '.join(limits)}" if limits else what


def _row(token: Token) -> tuple[Text, ...]:
    gone = token.revoked_at is not None
    return (
        render.shown(token.name, "faint" if gone else "bold"),
        render.shown(token.scope),
        render.shown("–" if token.per_minute is None else f"{token.per_minute}", "soft"),
        render.shown("–" if token.day_usd is None else f"${token.day_usd:.2f}", "soft"),
        render.shown(f"{token.created_at.astimezone():%Y-%m-%d}", "soft"),
        render.shown(
            "never" if token.used_at is None else f"{token.used_at.astimezone():%Y-%m-%d %H:%M}",
            "soft",
        ),
        render.shown("revoked" if gone else "", "failed"),
    )
