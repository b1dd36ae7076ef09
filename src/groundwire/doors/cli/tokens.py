"""`gw token`: who may use the desk from elsewhere. Secrets are shown once and not stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.doors.cli import render, session
from groundwire.doors.cli.reader import columns, say
from groundwire.doors.cli.root import DESK, Json, command, group

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.doors.cli.render import Cell
    from groundwire.model.access import Token

token = group("token", DESK, "Who may use the desk from elsewhere, and how much.")


@command(token)
async def create(
    app: App,
    name: str,
    scope: Annotated[str, typer.Option(metavar="read|run|admin")] = "run",
    per_minute: Annotated[int | None, typer.Option(min=1, max=1_000_000, metavar="N")] = None,
    day_usd: Annotated[float | None, typer.Option(min=0.0, max=1e6, metavar="USD")] = None,
    as_json: Json = False,
) -> None:
    """Make a token; its secret is shown this once and kept nowhere."""
    made = await app.access.create(
        name, scope=scope, per_minute=per_minute, day_usd=day_usd, by=session.person("")
    )
    if as_json:
        render.put_json({"token": made.secret, **made.token.model_dump(mode="json")})
        return
    # Alone on stdout, so that it can be piped.
    render.raw(made.secret)
    render.note(say("cli.token_may", name=made.token.name, what=_permissions(made.token)))
    render.note(say("cli.revoke_with", name=made.token.name))


@command(token, "list")
async def listing(app: App, as_json: Json = False) -> None:
    """List all tokens, revoked ones included; no secret is shown."""
    found = await app.access.tokens()
    if as_json:
        render.put_json(found)
    elif not found:
        render.note(say("cli.no_tokens"))
    else:
        head = (*columns("name", "scope", "minute", "day", "made", "used"), "")
        render.put(render.table(head, map(_row, found)))


@command(token)
async def revoke(app: App, name: str, as_json: Json = False) -> None:
    """Revoke a token: nobody comes in with it any more, and its browsers are signed out."""
    revoked = await app.access.revoke(name)
    render.answer(as_json, revoked, render.shown(say("cli.revoked", name=revoked.name)))


def _permissions(token: Token) -> str:
    what = say(f"settings.scope_{token.scope}")
    limits: list[str] = []
    if token.per_minute is not None:
        limits.append(say("settings.per_minute", n=token.per_minute))
    if token.day_usd is not None:
        limits.append(say("settings.per_day", usd=f"${token.day_usd:.2f}"))
    return say("cli.up_to", what=what, limits=say("cli.and").join(limits)) if limits else what


def _row(token: Token) -> tuple[Cell, ...]:
    revoked, used = token.revoked_at is not None, token.used_at
    return (
        (token.name, "faint" if revoked else "bold"),
        token.scope,
        ("–" if token.per_minute is None else token.per_minute, "soft"),
        ("–" if token.day_usd is None else f"${token.day_usd:.2f}", "soft"),
        (f"{token.created_at.astimezone():%Y-%m-%d}", "soft"),
        (say("settings.never") if used is None else f"{used.astimezone():%Y-%m-%d %H:%M}", "soft"),
        (say("costs.revoked") if revoked else "", "failed"),
    )
