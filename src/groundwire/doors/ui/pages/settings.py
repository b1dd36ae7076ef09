"""Settings: what works and what would bring more, the origin of each value, and the tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from groundwire import __version__
from groundwire.app import App, probes
from groundwire.app.facade import database_revision
from groundwire.app.health import PartState
from groundwire.app.probes import Probed
from groundwire.doors.api.door import redacted, reload_settings
from groundwire.doors.ui import charts
from groundwire.doors.ui.render import page
from groundwire.doors.ui.visits import OwnForm, Visit, VisitHere
from groundwire.log import Redactor, mask_url
from groundwire.settings import Settings
from groundwire.versions import versions
from groundwire.words import Words

router = APIRouter(include_in_schema=False)
_DAYS = 7
_WORST_FIRST = ("bad", "note", "ok")
# A command, or environment variables with their values, at the end of a sentence.
_COMMAND = re.compile(r"(?:(?:gw|pip) [\w -]+|[A-Z][A-Z0-9_]+(?: and [A-Z0-9_]+)?=.*)$", re.DOTALL)


class Part(NamedTuple):
    """A provider or a vendor: its state, where its key comes from, and how it answered lately."""

    state: PartState
    key: str  # where it was set; "": there is none
    lately: Markup


class SettingRow(NamedTuple):
    """An effective setting; of a secret only whether it is set."""

    name: str
    shown: str
    origin: str

    @property
    def changed(self) -> bool:
        return self.origin != "default"


@router.get("/settings")
async def settings(visit: VisitHere) -> HTMLResponse:
    if visit.who.may("admin"):
        return await _for_admins(visit)
    # Only what searches and answers for everybody.
    health = visit.app.health
    return page(
        visit,
        "settings_own.html",
        active="settings",
        searched=[state.name for state in await health.providers() if state.on],
        tiers=health.tiers(),
        version=__version__,
    )


@router.post("/settings/probe")
async def probe(visit: VisitHere, _form: OwnForm) -> HTMLResponse:
    """Ask each provider and model something small, because somebody pressed the button."""
    visit.check("admin")
    app = visit.app
    found = [*await probes.probe_providers(app), *await probes.probe_models(app)]
    return await _for_admins(visit, redacted(app, found))


@router.post("/settings/reload")
async def reload(visit: VisitHere, _form: OwnForm) -> HTMLResponse:
    """Reload the settings; bad ones are refused with a reason, and the old ones stay."""
    visit.check("admin")
    await reload_settings(visit.desk)
    return await _for_admins(visit)


async def _for_admins(visit: Visit, probed: Sequence[Probed] = ()) -> HTMLResponse:
    app, health, words = visit.app, visit.app.health, visit.say
    today = app.clock().date()
    values = [SettingRow(*each) for each in app.loaded.describe()]
    keys = _keys(values)

    def parts(group: str, states: Sequence[PartState]) -> list[Part]:
        shown = redacted(app, [each.translate(words) for each in states])
        return [_part(each, keys.get(f"{group}.{each.name}", ""), words, today) for each in shown]

    found = redacted(app, [each.translate(words) for each in await health.findings()])
    providers = sorted(await health.providers(), key=lambda each: not each.on)
    return page(
        visit,
        "settings.html",
        active="settings",
        step=_split_command,
        findings=sorted(found, key=lambda each: _WORST_FIRST.index(each.state)),
        searching=parts("search", providers),
        measuring=parts("tools", await health.tools()),
        answering=parts("models", health.vendors()),
        tiers=health.tiers(),
        probed=[each.translate(words) for each in probed],
        offline=app.settings.offline,
        changed=[each for each in values if each.changed],
        groups=_groups(values),
        count=len(values),
        tokens=await app.access.tokens(),
        overrides=await app.sources.overrides(),
        made=_about_desk(app),
        open_here=visit.desk.open_here,
    )


def _keys(values: Sequence[SettingRow]) -> dict[str, str]:
    """Map `search.NAME` or `models.NAME` to where the key of that provider was set."""
    found: dict[str, str] = {}
    for each in values:
        group, _, rest = each.name.partition(".providers.")
        name, _, option = rest.partition(".")
        if option.endswith("key") and each.shown == "set":
            found[f"{group}.{name}"] = each.origin
    return found


def _part(state: PartState, key: str, words: Words, today: date) -> Part:
    if not state.made:
        return Part(state, key, Markup())
    by_day = {each.day: (float(each.made), float(each.answered)) for each in state.days}
    lately = [today - timedelta(days=ago) for ago in reversed(range(_DAYS))]
    label = words("settings.answered", rate=state.rate, n=_DAYS)
    picture = charts.spark([by_day.get(day, (0.0, 0.0)) for day in lately], label)
    return Part(state, key, picture)


def _split_command(sentence: str) -> tuple[str, str]:
    """Split the next thing to do into words and what is typed."""
    found = _COMMAND.search(sentence)
    return (sentence, "") if found is None else (sentence[: found.start()].strip(), found[0])


def _groups(values: Sequence[SettingRow]) -> Sequence[tuple[str, Sequence[SettingRow]]]:
    """Group all settings by their first word; those without a group stand under no name."""
    groups: dict[str, list[SettingRow]] = {}
    for each in values:
        first, dot, _ = each.name.partition(".")
        groups.setdefault(first if dot else "", []).append(each)
    return list(groups.items())


def masked_database(settings: Settings) -> str:
    """Return where the database is, without its password."""
    return Redactor(settings.secrets()).text(mask_url(settings.database()))


def _about_desk(app: App) -> dict[str, str]:
    """Return the versions and places of this desk."""
    parts = versions()
    revision, head = database_revision(app.settings)
    return {
        "version": __version__,
        "code": parts.code.partition("+")[2],
        "prompts": parts.prompts[:12],
        "data": parts.data[:12],
        "home": str(app.settings.data_home()),
        "database": masked_database(app.settings),
        "revision": revision or "–",
        "head": head,
    }
