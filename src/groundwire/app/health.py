"""What is configured, what works, and what to set to get more: facts for every door."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, get_args

from groundwire.app.wiring import ARCHIVE, PROVIDERS
from groundwire.data import known
from groundwire.errors import AuthRejected, GroundwireError, PlanLimit
from groundwire.gateway.breaker import pause
from groundwire.llm.spec import VENDORS, vendor
from groundwire.llm.tiers import Tier
from groundwire.model.base import Instant, Value
from groundwire.model.call import DayOfCalls, LastCall
from groundwire.settings.names import env_name
from groundwire.words import words

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.search.provider import SearchProvider

_DAYS = 7
_POOR = 0.95
_AGAIN = "ask it now: gw providers --probe"
# Tools that measure, and whom they ask, in order.
TOOL_SOURCES = {
    "price": ("coingecko", "binance", "kraken"),
    "onchain": ("stablecoins", "defillama"),
    "macro": ("fred",),
}


class PartState(Value):
    """A provider or a vendor: whether it is used, why, and what would change that."""

    name: str
    on: bool
    why: str
    to_set: str = ""
    answered: int = 0  # of the calls that were sent in the last days
    made: int = 0
    days: tuple[DayOfCalls, ...] = ()  # newest first
    poor: bool = False  # answers less than 95 % of its calls
    until: Instant | None = None  # left alone until then: its plan is used up, or it said so
    trouble: str = ""  # how its newest call failed
    refused: bool = False  # because of who asks: nothing changes until something is set

    @property
    def rate(self) -> str:
        return f"{self.answered}/{self.made} ({self.answered / self.made:.0%})" if self.made else ""


class Finding(Value):
    """One check of `gw doctor`."""

    what: str
    state: Literal["ok", "note", "bad"]
    found: str
    to_do: str = ""


class Health:
    """What is configured, what works, and what to set to get more."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def providers(self) -> list[PartState]:
        """Search providers in the order in which they are asked, unused ones last."""
        order = list(self._app.outside.chain_names())
        names = [*order, *(name for name in sorted(PROVIDERS) if name not in order)]
        since = self._app.clock() - timedelta(days=_DAYS)
        days = await self._app.store.ledger.days("search", since)
        newest = {
            last.provider: last for last in await self._app.store.ledger.newest("search", since)
        }
        return [
            _counted(
                self._provider(name, name in order, newest.get(name)),
                [day for day in reversed(days) if day.provider == name],
            )
            for name in names
        ]

    def _provider(self, name: str, wanted: bool, last: LastCall | None) -> PartState:
        if name == ARCHIVE:
            return PartState(name=name, on=True, why="always takes part")
        provider = self._app.outside.provider(self._app.settings, name)
        if self._app.settings.offline and not provider.local:
            why, to_set = "offline: the network is not used", "unset GROUNDWIRE_OFFLINE"
            return PartState(name=name, on=False, why=why, to_set=to_set)
        missing = provider.lacks()
        if missing is not None:
            why = "it has no key" if provider.needs_key else "it is not set up"
            # A part that is not installed is named by the command that installs it.
            to_set = missing if missing.startswith("pip ") else f"{missing}=…"
            return PartState(name=name, on=False, why=why, to_set=to_set)
        if not wanted:
            to_set = f"add it to {env_name('search.chain')}"
            return PartState(name=name, on=False, why="not in search.chain", to_set=to_set)
        has = (
            "has a key"
            if provider.needs_key
            else "needs no key"
            if not provider.beside
            else "set up"
        )
        state = PartState(name=name, on=True, why=", ".join([has, *_good_for(provider)]))
        return state if last is None or last.error is None else self._troubled(state, last)

    def _troubled(self, state: PartState, last: LastCall) -> PartState:
        """Its newest call failed: with what, and whether it is left alone for a while."""
        error = last.error
        if error is None:
            return state
        said = words("en").failure(error.model_dump()).rstrip(".").removeprefix(f"{state.name}: ")
        changes: dict[str, object] = {"trouble": f"{said} ({error.code}, {self._at(last.at)})"}
        until = last.at + timedelta(seconds=pause(error.raised()) or 0.0)
        if until > self._app.clock():
            what = "its plan is used up" if error.code == PlanLimit.code else "it wants a pause"
            changes |= {"on": False, "until": until, "why": f"{what} until {self._at(until)}"}
            changes["to_set"] = _AGAIN
        if error.code == AuthRejected.code:
            provider = self._app.outside.provider(self._app.settings, state.name)
            # A server without a key refuses for reasons of its own, and has said what to do.
            keyed = {"why": "its key was refused", "to_set": f"{provider.key_hint}=…"}
            changes |= {
                "refused": True,
                **(keyed if provider.needs_key else {"why": "it refuses us"}),
            }
        return state.model_copy(update=changes)

    def _at(self, moment: datetime) -> str:
        """A moment as the reader's clock shows it."""
        local, today = moment.astimezone(), self._app.clock().astimezone().date()
        return f"{local:%H:%M}" if local.date() == today else f"{local:%Y-%m-%d %H:%M}"

    def tiers(self) -> dict[str, tuple[str, ...]]:
        """Models by tier, in the order in which a run submitted now would try them."""
        found = self._app.outside.chosen_tiers()
        tiers: tuple[Tier, ...] = get_args(Tier)
        return {tier: tuple(spec.label for spec in found.ladder(tier)) for tier in tiers}

    async def tools(self) -> list[PartState]:
        """Tools of verify: whether each may be used, by which sources, and what would change that."""
        since = self._app.clock() - timedelta(days=_DAYS)
        days = await self._app.store.ledger.days("data", since)
        return [
            _counted(
                self._tool(name),
                [day for day in reversed(days) if day.provider in TOOL_SOURCES[name]],
            )
            for name in TOOL_SOURCES
        ]

    def _tool(self, name: str) -> PartState:
        sources = TOOL_SOURCES[name]
        given = self._app.settings.tools.providers
        missing = [lack for each in sources if (lack := known.provider(each, given).lacks())]
        enabled: bool = getattr(self._app.settings.tools, name).enabled
        wanted = [f"{env_name(f'tools.{name}.enabled')}=true"] if not enabled else []
        to_set = " ".join([*wanted, *(f"{each}=…" for each in missing)])
        if self._app.settings.offline:
            why, to_set = "offline: the network is not used", "unset GROUNDWIRE_OFFLINE"
            return PartState(name=name, on=False, why=why, to_set=to_set)
        if not enabled:
            return PartState(name=name, on=False, why=f"switched off; {sources[0]}", to_set=to_set)
        if missing:
            return PartState(name=name, on=False, why="it has no key", to_set=to_set)
        return PartState(name=name, on=True, why=f"asks {', '.join(sources)}")

    def vendors(self) -> list[PartState]:
        """Model vendors: which have what they need."""
        given = self._app.settings.models.providers
        names = [*sorted(VENDORS), *(name for name in sorted(given) if name not in VENDORS)]
        used = {name.partition(":")[0] for names_ in self.tiers().values() for name in names_}
        return [self._vendor(name, name in used) for name in names]

    def _vendor(self, name: str, used: bool) -> PartState:
        options = self._app.settings.models.providers.get(name, {})
        kind = str(options.get("kind", name))
        if used:
            return PartState(name=name, on=True, why="used by a tier")
        if self._app.settings.offline:
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

    async def findings(self) -> list[Finding]:
        """Every check, in the order in which a person would look."""
        return [
            self._folder(),
            self._revision(),
            await self._archive(),
            *await self._search(),
            self._models(),
            await self._tools(),
            *self._network(),
            *await self._left_over(),
        ]

    def _folder(self) -> Finding:
        home = self._app.settings.data_home()
        if not os.access(home, os.W_OK | os.X_OK):
            to_do = "make it writable, or set GROUNDWIRE_HOME"
            return Finding(
                what="data folder", state="bad", found=f"{home} is not writable", to_do=to_do
            )
        return Finding(what="data folder", state="ok", found=f"{home} is writable")

    def _revision(self) -> Finding:
        from groundwire.app.facade import database_revision

        revision, head = database_revision(self._app.settings)
        kind = self._app.settings.database().partition(":")[0].partition("+")[0]
        if revision == head:
            return Finding(what="database", state="ok", found=f"{kind}, revision {revision}")
        found = f"{kind}, revision {revision or 'none'}; this version writes {head}"
        return Finding(what="database", state="bad", found=found, to_do="gw db upgrade")

    async def _archive(self) -> Finding:
        stats = await self._app.store.index.stats()
        size = f"{stats.documents:,} documents, {stats.bytes / 1_000_000:.1f} MB"
        if stats.documents:
            return Finding(what="archive", state="ok", found=size)
        return Finding(what="archive", state="note", found="empty", to_do="gw archive add --sample")

    async def _search(self) -> list[Finding]:
        try:
            states = await self.providers()
        except GroundwireError as error:
            return [Finding(what="search", state="bad", found=error.message, to_do=error.hint)]
        on = [state.name for state in states if state.on]
        more = any(not state.on and state.to_set for state in states)
        few = all(PROVIDERS[name].Provider.local for name in on)
        to_do = "more with a key: gw providers" if more and not self._app.settings.offline else ""
        found = [
            Finding(what="search", state="note" if few else "ok", found=", ".join(on), to_do=to_do)
        ]
        for each in states:
            if each.until is not None or each.refused:
                text = f"{each.name}: {each.why}"
                to_do = each.to_set or (each.trouble if each.refused else "")
                found.append(Finding(what="search", state="bad", found=text, to_do=to_do))
            elif each.poor:
                text = f"{each.name} answered {each.rate} of its calls in {_DAYS} days"
                found.append(Finding(what="search", state="bad", found=text, to_do="gw providers"))
        return found

    def _models(self) -> Finding:
        try:
            tiers = self.tiers()
        except GroundwireError as error:
            return Finding(what="models", state="bad", found=error.message, to_do=error.hint)
        named = sorted({name for names in tiers.values() for name in names})
        if named:
            return Finding(what="models", state="ok", found=", ".join(named))
        found = "none: the embedded reasoner answers"
        to_do = "" if self._app.settings.offline else "set a key: gw models"
        return Finding(what="models", state="note", found=found, to_do=to_do)

    async def _tools(self) -> Finding:
        try:
            states = await self.tools()
        except GroundwireError as error:
            return Finding(what="tools", state="bad", found=error.message, to_do=error.hint)
        on = [state.name for state in states if state.on]
        found = f"verify measures by {', '.join(on)}" if on else "none: verify only searches"
        more = [state.to_set for state in states if not state.on]
        poor = [state for state in states if state.poor]
        if poor:
            text = f"{poor[0].name} was answered {poor[0].rate} of its calls in {_DAYS} days"
            return Finding(what="tools", state="bad", found=text, to_do="gw providers")
        to_do = f"more: {more[0]}" if more and not self._app.settings.offline else ""
        return Finding(what="tools", state="ok" if on else "note", found=found, to_do=to_do)

    def _network(self) -> Iterator[Finding]:
        if self._app.settings.offline:
            yield Finding(
                what="network",
                state="note",
                found="offline: nothing is sent anywhere",
                to_do="unset GROUNDWIRE_OFFLINE to go online",
            )
        else:
            yield Finding(what="network", state="ok", found="online; addresses are guarded")
        found = "none; proxy variables of the environment are not used"
        yield Finding(what="proxies", state="ok", found=found)

    async def _left_over(self) -> Sequence[Finding]:
        runs = await self._app.store.runs.unfinished()
        if not runs:
            return [Finding(what="runs", state="ok", found="none left unfinished")]
        found = f"{len(runs)} unfinished: {', '.join(run.id for run in runs[:5])}"
        return [Finding(what="runs", state="note", found=found, to_do=f"gw follow {runs[0].id}")]


def _counted(state: PartState, days: Sequence[DayOfCalls]) -> PartState:
    answered, made = sum(day.answered for day in days), sum(day.made for day in days)
    poor = made > 0 and answered / made < _POOR
    counts = {"answered": answered, "made": made, "days": tuple(days), "poor": poor}
    return state.model_copy(update=counts)


def _good_for(provider: SearchProvider) -> Iterator[str]:
    """What a provider is for, where it is not for everything."""
    if provider.topics and not provider.general:
        yield f"for {', '.join(provider.topics)}"
    if provider.languages:
        yield f"best at {', '.join(provider.languages)}"
    if provider.sites:
        yield "background"
