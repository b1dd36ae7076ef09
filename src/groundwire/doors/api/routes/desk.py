"""The desk itself: the caller, which parts are on, and the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from fastapi import APIRouter, Request

from groundwire.app import probes
from groundwire.app.costs import Against
from groundwire.app.health import PartState, PlatformState
from groundwire.app.probes import Probed
from groundwire.app.reloading import Reloaded
from groundwire.doors.api.door import Admin, Desk, DeskHere, Reader, redacted, reload_settings
from groundwire.doors.language import language_of
from groundwire.errors import Conflict
from groundwire.model.access import Caller, Token
from groundwire.model.base import Value
from groundwire.model.exam import ExamRow
from groundwire.words import words

router = APIRouter(prefix="/api", tags=["desk"])
N = TypeVar("N", PartState, Probed)


class Me(Value):
    """The caller, and today's spending as far as it concerns them."""

    caller: Caller
    today: Against | None


class Parts(Value):
    """Search providers in the order in which they are called, and the sources of tools."""

    search: tuple[PartState, ...]
    tools: tuple[PartState, ...]


class Platforms(Value):
    """The platforms, in the order in which they are offered."""

    platforms: tuple[PlatformState, ...]


class Models(Value):
    """Models by tier, in the order in which a run would try them, and vendors."""

    tiers: dict[str, tuple[str, ...]]
    vendors: tuple[PartState, ...]
    exams: tuple[ExamRow, ...]  # what the answers of each count for, question by question


class Probes(Value):
    """The outcome of a small test call to each part."""

    probed: tuple[Probed, ...]


class Tokens(Value):
    """All tokens; their secrets are not stored."""

    tokens: tuple[Token, ...]


@router.get("/me", summary="Who asks")
async def me(desk: DeskHere, who: Reader) -> Me:
    """Return the caller: its scope, its limits, what it spent today."""
    return Me(caller=who, today=await desk.app.costs.today(who))


@router.get("/providers", summary="What is searched")
async def providers(request: Request, desk: DeskHere, _who: Reader) -> Parts:
    """List providers: on or off, why, what to set, how well each answered lately; none is called."""
    return Parts(
        search=_translate(request, desk, await desk.app.health.providers()),
        tools=_translate(request, desk, await desk.app.health.tools()),
    )


@router.get("/platforms", summary="Where can be looked")
async def platforms(request: Request, desk: DeskHere, _who: Reader) -> Platforms:
    """List the platforms that a search can be confined to, and how each is reached from here."""
    say = words(language_of(request))
    return Platforms(platforms=tuple(desk.app.health.platforms(say)))


@router.post("/providers/probe", summary="Ask each provider and model something small")
async def probe(request: Request, desk: DeskHere, _who: Admin) -> Probes:
    """Probe each provider and model; it costs what those calls cost."""
    app = desk.app
    if app.settings.offline:
        raise Conflict("error.probe_offline", hint="hint.unset_offline")
    found = [*await probes.probe_providers(app), *await probes.probe_models(app)]
    return Probes(probed=_translate(request, desk, found))


@router.get("/models", summary="Who thinks")
async def models(request: Request, desk: DeskHere, _who: Reader) -> Models:
    """List models and vendors; without any model the embedded reasoner answers."""
    return Models(
        tiers=desk.app.health.tiers(),
        vendors=_translate(request, desk, desk.app.health.vendors()),
        exams=tuple(await desk.app.exams.rows()),
    )


@router.post("/reload", summary="Read the settings anew")
async def reload(desk: DeskHere, _who: Admin) -> Reloaded:
    """Reload settings and providers without a restart.

    Runs that go on keep theirs. What cannot be used is refused, and the old settings stay.
    """
    return await reload_settings(desk)


@router.get("/tokens", summary="Who may come in")
async def tokens(desk: DeskHere, _who: Admin) -> Tokens:
    """List the tokens; they are made and revoked on the machine itself: `gw token`."""
    return Tokens(tokens=tuple(await desk.app.access.tokens()))


def _translate(request: Request, desk: Desk, parts: Sequence[N]) -> tuple[N, ...]:
    say = words(language_of(request))
    return redacted(desk.app, [each.translate(say) for each in parts])
