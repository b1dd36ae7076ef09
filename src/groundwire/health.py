"""What is configured, what works, and what to set to get more: facts for every door."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, get_args

from groundwire.errors import GroundwireError
from groundwire.llm.spec import VENDORS, vendor
from groundwire.llm.tiers import Tier
from groundwire.model.base import Noun
from groundwire.outside import ARCHIVE, PROVIDERS
from groundwire.settings.names import env_name

if TYPE_CHECKING:
    from groundwire.app import App

_RECENT_RUNS = 200
_DAYS = 7
_POOR = 0.95


class PartState(Noun):
    """A provider or a vendor: whether it is used, why, and what would change that."""

    name: str
    on: bool
    why: str
    to_set: str = ""
    rate: str = ""  # success by day, newest first
    poor: bool = False


class Finding(Noun):
    """One check of `gw doctor`."""

    what: str
    state: Literal["ok", "note", "bad"]
    found: str
    to_do: str = ""


async def provider_states(app: App) -> list[PartState]:
    """Search providers in the order in which they are asked, unused ones last."""
    order = list(app.outside.chain_names())
    names = [*order, *(name for name in sorted(PROVIDERS) if name not in order)]
    rates = await _rates(app)
    return [_provider(app, name, name in order, rates.get(name, {})) for name in names]


def _provider(app: App, name: str, wanted: bool, days: dict[str, tuple[int, int]]) -> PartState:
    rate = " · ".join(
        f"{day[5:]} {good}/{all_}" for day, (good, all_) in sorted(days.items())[::-1]
    )
    good, every = (sum(counts[i] for counts in days.values()) for i in (0, 1))
    poor = every > 0 and good / every < _POOR
    on, why, to_set = _provider_why(app, name, wanted)
    return PartState(name=name, on=on, why=why, to_set=to_set, rate=rate, poor=poor)


def _provider_why(app: App, name: str, wanted: bool) -> tuple[bool, str, str]:
    if name == ARCHIVE:
        return True, "always takes part", ""
    provider = app.outside.provider(app.settings, name)
    if app.settings.offline and not provider.local:
        return False, "offline: the network is not used", "unset GROUNDWIRE_OFFLINE"
    missing = provider.lacks()
    if missing is not None:
        return False, "it has no key" if provider.needs_key else "it is not set up", f"{missing}=…"
    if not wanted:
        return False, "not in search.chain", f"add it to {env_name('search.chain')}"
    return True, "has a key" if provider.needs_key else "needs no key", ""


async def _rates(app: App) -> dict[str, dict[str, tuple[int, int]]]:
    """Answered and made calls by provider and day, from the ledgers of recent runs."""
    since = app.clock() - timedelta(days=_DAYS)
    rates: dict[str, dict[str, tuple[int, int]]] = {}
    for run in await app.store.runs.recent(limit=_RECENT_RUNS):
        if run.created_at < since:
            continue
        for record in await app.store.ledger.records(run.id):
            if record.kind != "search" or record.via != "sent" or record.outcome == "intent":
                continue
            day = record.started_at.date().isoformat()
            good, every = rates.setdefault(record.provider, {}).get(day, (0, 0))
            rates[record.provider][day] = (good + (record.outcome == "ok"), every + 1)
    return rates


def tier_names(app: App) -> dict[str, tuple[str, ...]]:
    """Models by tier, in the order in which a run submitted now would try them."""
    found = app.outside.chosen_tiers()
    tiers: tuple[Tier, ...] = get_args(Tier)
    return {tier: tuple(spec.label for spec in found.ladder(tier)) for tier in tiers}


def vendor_states(app: App) -> list[PartState]:
    """Model vendors: which have what they need."""
    given = app.settings.models.providers
    names = [*sorted(VENDORS), *(name for name in sorted(given) if name not in VENDORS)]
    used = {name.partition(":")[0] for names_ in tier_names(app).values() for name in names_}
    return [_vendor(app, name, name in used) for name in names]


def _vendor(app: App, name: str, used: bool) -> PartState:
    options = app.settings.models.providers.get(name, {})
    kind = str(options.get("kind", name))
    if used:
        return PartState(name=name, on=True, why="used by a tier")
    if app.settings.offline:
        why, to_set = "offline: the network is not used", "unset GROUNDWIRE_OFFLINE"
        return PartState(name=name, on=False, why=why, to_set=to_set)
    if kind not in VENDORS:
        return PartState(name=name, on=False, why=f"no vendor of the kind {kind}")
    declared = vendor(kind)
    if "api_key" in options or (declared.LOCAL and "base_url" in options):
        to_set = f"{env_name('models.light')}={name}:MODEL"
        return PartState(name=name, on=False, why="in no tier", to_set=to_set)
    if declared.BASE_URL is None and "base_url" not in options and not declared.LOCAL:
        to_set = f"{env_name(f'models.providers.{name}.base_url')}=…"
        return PartState(name=name, on=False, why="its address is not set", to_set=to_set)
    wanted = declared.KEY_SETTING or declared.URL_SETTING
    to_set = f"{wanted[0]}=…" if wanted else f"{env_name('models.light')}={name}:MODEL"
    why = "its address is not set" if declared.LOCAL else "it has no key"
    return PartState(name=name, on=False, why=why, to_set=to_set)


async def findings(app: App) -> list[Finding]:
    """Every check, in the order in which a person would look."""
    return [
        _folder(app),
        _revision(app),
        await _archive(app),
        *await _search(app),
        _models(app),
        *_network(app),
        *await _left_over(app),
    ]


def _folder(app: App) -> Finding:
    home = app.settings.data_home()
    if not os.access(home, os.W_OK | os.X_OK):
        to_do = "make it writable, or set GROUNDWIRE_HOME"
        return Finding(
            what="data folder", state="bad", found=f"{home} is not writable", to_do=to_do
        )
    return Finding(what="data folder", state="ok", found=f"{home} is writable")


def _revision(app: App) -> Finding:
    from groundwire.app import database_revision

    revision, head = database_revision(app.settings)
    kind = app.settings.database().partition(":")[0].partition("+")[0]
    if revision == head:
        return Finding(what="database", state="ok", found=f"{kind}, revision {revision}")
    found = f"{kind}, revision {revision or 'none'}; this version writes {head}"
    return Finding(what="database", state="bad", found=found, to_do="gw db upgrade")


async def _archive(app: App) -> Finding:
    stats = await app.store.index.stats()
    size = f"{stats.documents:,} documents, {stats.bytes / 1_000_000:.1f} MB"
    if stats.documents:
        return Finding(what="archive", state="ok", found=size)
    return Finding(what="archive", state="note", found="empty", to_do="gw archive add --sample")


async def _search(app: App) -> Iterator[Finding] | list[Finding]:
    try:
        states = await provider_states(app)
    except GroundwireError as error:
        return [Finding(what="search", state="bad", found=error.message, to_do=error.hint)]
    on = [state.name for state in states if state.on]
    more = [f"{state.name}: {state.to_set}" for state in states if not state.on and state.to_set]
    state: Literal["ok", "note"] = "ok" if on != [ARCHIVE] else "note"
    found = [Finding(what="search", state=state, found=", ".join(on), to_do="; ".join(more))]
    for each in states:
        if each.poor:
            text = f"{each.name} answered {each.rate}"
            found.append(Finding(what="search", state="bad", found=text, to_do="gw providers"))
    return found


def _models(app: App) -> Finding:
    try:
        tiers = tier_names(app)
    except GroundwireError as error:
        return Finding(what="models", state="bad", found=error.message, to_do=error.hint)
    named = sorted({name for names in tiers.values() for name in names})
    if named:
        return Finding(what="models", state="ok", found=", ".join(named))
    found = "none: the embedded reasoner answers"
    to_do = "" if app.settings.offline else "set a key: gw models"
    return Finding(what="models", state="note", found=found, to_do=to_do)


def _network(app: App) -> Iterator[Finding]:
    if app.settings.offline:
        yield Finding(
            what="network",
            state="note",
            found="offline: nothing is sent anywhere",
            to_do="unset GROUNDWIRE_OFFLINE to go online",
        )
    else:
        yield Finding(what="network", state="ok", found="online; addresses are guarded")
    if app.settings.fetch.proxies:
        found = "set, but not used yet: pages are read directly"
        yield Finding(what="proxies", state="note", found=found)
    else:
        found = "none; proxy variables of the environment are not used"
        yield Finding(what="proxies", state="ok", found=found)


async def _left_over(app: App) -> Sequence[Finding]:
    runs = await app.store.runs.unfinished()
    if not runs:
        return [Finding(what="runs", state="ok", found="none left unfinished")]
    found = f"{len(runs)} unfinished: {', '.join(run.id for run in runs[:5])}"
    return [Finding(what="runs", state="note", found=found, to_do=f"gw follow {runs[0].id}")]
