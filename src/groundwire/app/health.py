"""What is configured, what works, and what to set to get more, for every door."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, get_args

from groundwire.app.part import AppPart
from groundwire.app.wiring import ARCHIVE, PROVIDERS
from groundwire.data import provider as known
from groundwire.errors import AuthRejected, GroundwireError, PlanLimit
from groundwire.gateway.breaker import pause
from groundwire.llm.spec import VENDORS, vendor
from groundwire.llm.tiers import Tier
from groundwire.log import mask_url
from groundwire.model.base import Instant, Value
from groundwire.model.call import CallError, DayOfCalls, LastCall
from groundwire.search.platforms import platforms
from groundwire.settings.names import env_name
from groundwire.words import Words, coded, kept

if TYPE_CHECKING:
    from groundwire.search.provider import SearchProvider

_DAYS = 7
_POOR = 0.95
_AGAIN = kept("said.ask_now", command="gw providers --probe")
_END = re.compile(r"[.。] ?(?=[(（])")  # of a sentence before a bracket
# Tools that measure, and their sources in order.
TOOL_SOURCES = {
    "price": ("coingecko", "binance", "kraken"),
    "onchain": ("stablecoins", "defillama"),
    "macro": ("fred",),
}


class PartState(Value):
    """A provider or a vendor: whether it is used, why, and what would change that."""

    name: str
    on: bool
    why: str  # a code as it is kept, and so `to_set` and `trouble`; `translate` renders them
    to_set: str = ""
    answered: int = 0  # of the calls that were sent in the last days
    made: int = 0
    days: tuple[DayOfCalls, ...] = ()  # newest first
    poor: bool = False  # answers less than 95 % of its calls
    until: Instant | None = None  # not asked until then: its plan is used up, or it said so
    trouble: str = ""  # how its newest call failed
    refused: bool = False  # our key or address is: nothing changes until something is set

    def translate(self, say: Words) -> PartState:
        """Return it in the reader's language."""
        trouble = _END.sub(" " if say.language == "en" else "", say.stored(self.trouble))
        words = {"why": say.stored(self.why), "to_set": say.stored(self.to_set)}
        return self.model_copy(update={**words, "trouble": trouble.removeprefix(f"{self.name}: ")})

    @property
    def rate(self) -> str:
        return f"{self.answered}/{self.made} ({self.answered / self.made:.0%})" if self.made else ""


_OFFLINE = ("said.offline", "hint.unset_offline")


def _off(name: str, why: str, to_set: str = "") -> PartState:
    return PartState(name=name, on=False, why=why, to_set=to_set)


class Finding(Value):
    """One check of `gw doctor`."""

    what: str
    state: Literal["ok", "note", "bad"]
    found: str  # a code as it is kept, and so `to_do`
    to_do: str = ""

    def translate(self, say: Words) -> Finding:
        """Return it in the reader's language."""
        words = {"found": say.stored(self.found), "to_do": say.stored(self.to_do)}
        return self.model_copy(update={"what": say.name("said", self.what), **words})


class PlatformState(Value):
    """A platform: its sites, who searches it by an API of its own, and who searches its sites."""

    name: str
    label: str  # as people call it
    sites: tuple[str, ...]  # (): the whole web
    own: tuple[str, ...]
    by_sites: tuple[str, ...]


class Health(AppPart):
    """What is configured, what works, and what to set to get more."""

    async def providers(self) -> list[PartState]:
        """List search providers in the order in which they are asked, unused ones last."""
        order = list(self._app.outside.chain_names())
        names = [*order, *(name for name in sorted(PROVIDERS) if name not in order)]
        since = self._app.clock() - timedelta(days=_DAYS)
        days = await self._app.store.ledger.days("search", since)
        calls = await self._app.store.ledger.newest("search", since)
        newest = {last.provider: last for last in calls}
        return [
            _counted(self._provider(name, name in order, newest.get(name)), days, (name,))
            for name in names
        ]

    def platforms(self, say: Words) -> list[PlatformState]:
        """List the platforms, each with the providers that would be asked for it, in order."""
        outside = self._app.outside
        usable = [
            outside.provider(self._app.settings, name)
            for name in sorted(PROVIDERS)
            if outside.usable(name)
        ]
        named = outside.chain_names()
        general = [each for each in usable if each.general and each.name in named]
        general.sort(key=lambda each: named.index(each.name))
        return [
            PlatformState(
                name=each.name,
                label=say.name("platform", each.name),
                sites=each.domains,
                own=tuple(own.name for own in usable if own.serves(each.name)),
                by_sites=tuple(engine.name for engine in general if not engine.local),
            )
            for each in platforms().values()
        ]

    def _provider(self, name: str, wanted: bool, last: LastCall | None) -> PartState:
        if name == ARCHIVE:
            return PartState(name=name, on=True, why="said.always")
        provider = self._app.outside.provider(self._app.settings, name)
        if self._app.settings.offline and not provider.local:
            return _off(name, *_OFFLINE)
        missing = provider.lacks()
        if missing is not None:
            why = "said.no_key" if provider.needs_key else "said.not_set_up"
            # A part that is not installed is named by the command that installs it.
            to_set = missing if missing.startswith("pip ") else f"{missing}=…"
            return _off(name, why, to_set)
        if not wanted and not provider.only_platforms:
            to_set = kept("said.add_to_chain", name=env_name("search.chain"))
            return _off(name, "said.not_in_chain", to_set)
        keyless = "said.set_up" if provider.beside else "said.needs_no_key"
        has = "said.has_key" if provider.needs_key else keyless
        why = kept("said.all", parts=[coded(has), *_good_for(provider)])
        state = PartState(name=name, on=True, why=why)
        if last is None or last.error is None:
            return state
        return self._troubled(state, provider, last.error, last.at)

    def _troubled(
        self, state: PartState, provider: SearchProvider, error: CallError, at: datetime
    ) -> PartState:
        """Add how the newest call failed, and whether the provider is paused."""
        reason = coded(error.message, **error.params)
        trouble = kept("said.trouble", why=reason, code=error.code, at=self._at(at))
        changes: dict[str, object] = {"trouble": trouble}
        until = at + timedelta(seconds=pause(error.to_exception()) or 0.0)
        if until > self._app.clock():
            what = "said.used_up" if error.code == PlanLimit.code else "said.pause"
            why = kept(what, at=self._at(until))
            changes |= {"on": False, "until": until, "why": why, "to_set": _AGAIN}
        if error.code == AuthRejected.code:
            # A server without a key refuses for reasons of its own, which its message explains.
            keyed = {"why": "said.key_refused", "to_set": f"{provider.key_hint}=…"}
            changes |= keyed if provider.needs_key else {"why": "said.refuses"}
            changes["refused"] = True
        return state.model_copy(update=changes)

    def _at(self, moment: datetime) -> str:
        """Show a moment as the reader's clock does."""
        local, today = moment.astimezone(), self._app.clock().astimezone().date()
        return f"{local:%H:%M}" if local.date() == today else f"{local:%Y-%m-%d %H:%M}"

    def tiers(self) -> dict[str, tuple[str, ...]]:
        """List the models by tier, in the order in which a run submitted now would try them."""
        found = self._app.outside.chosen_tiers()
        tiers: tuple[Tier, ...] = get_args(Tier)
        return {tier: tuple(spec.label for spec in found.ladder(tier)) for tier in tiers}

    async def tools(self) -> list[PartState]:
        """List the tools that measure: whether each may be used, by which sources, what it lacks."""
        since = self._app.clock() - timedelta(days=_DAYS)
        days = await self._app.store.ledger.days("data", since)
        return [_counted(self._tool(name), days, sources) for name, sources in TOOL_SOURCES.items()]

    def _tool(self, name: str) -> PartState:
        sources = TOOL_SOURCES[name]
        given = self._app.settings.tools.providers
        missing = [lack for each in sources if (lack := known.provider(each, given).lacks())]
        enabled: bool = getattr(self._app.settings.tools, name).enabled
        wanted = [f"{env_name(f'tools.{name}.enabled')}=true"] if not enabled else []
        to_set = " ".join([*wanted, *(f"{each}=…" for each in missing)])
        if self._app.settings.offline:
            return _off(name, *_OFFLINE)
        if not enabled:
            return _off(name, kept("said.switched_off", source=sources[0]), to_set)
        if missing:
            return _off(name, "said.no_key", to_set)
        return PartState(name=name, on=True, why=kept("said.asks", sources=sources))

    def vendors(self) -> list[PartState]:
        """List the model vendors, and what those that cannot be used lack."""
        given = self._app.settings.models.providers
        names = [*sorted(VENDORS), *(name for name in sorted(given) if name not in VENDORS)]
        used = {name.partition(":")[0] for names_ in self.tiers().values() for name in names_}
        return [self._vendor(name, name in used) for name in names]

    def _vendor(self, name: str, used: bool) -> PartState:
        options = self._app.settings.models.providers.get(name, {})
        kind = str(options.get("kind", name))
        if used:
            return PartState(name=name, on=True, why="said.used")
        if self._app.settings.offline:
            return _off(name, *_OFFLINE)
        if kind not in VENDORS:
            return _off(name, kept("said.no_vendor", kind=kind))
        declared = vendor(kind)
        in_a_tier = f"{env_name('models.light')}={name}:MODEL"
        if "api_key" in options or (declared.LOCAL and "base_url" in options):
            return _off(name, "said.in_no_tier", in_a_tier)
        if declared.BASE_URL is None and "base_url" not in options and not declared.LOCAL:
            to_set = f"{env_name(f'models.providers.{name}.base_url')}=…"
            return _off(name, "said.no_address", to_set)
        wanted = declared.KEY_SETTING or declared.URL_SETTING
        why = "said.no_address" if declared.LOCAL else "said.no_key"
        return _off(name, why, f"{wanted[0]}=…" if wanted else in_a_tier)

    async def findings(self) -> list[Finding]:
        """Run every check, in the order in which a person would look."""
        return [
            self._folder(),
            self._revision(),
            await self._archive(),
            *await self._search(),
            self._models(),
            await self._tools(),
            *self._network(),
            await self._left_over(),
        ]

    def _folder(self) -> Finding:
        home = self._app.settings.data_home()
        if not os.access(home, os.W_OK | os.X_OK):
            found = kept("said.not_writable", home=str(home))
            return Finding(what="data folder", state="bad", found=found, to_do="said.make_writable")
        return Finding(what="data folder", state="ok", found=kept("said.writable", home=str(home)))

    def _revision(self) -> Finding:
        from groundwire.app.facade import database_revision

        revision, head = database_revision(self._app.settings)
        kind = self._app.settings.database().partition(":")[0].partition("+")[0]
        if revision == head:
            found = kept("said.revision", kind=kind, revision=revision)
            return Finding(what="database", state="ok", found=found)
        found = kept("said.old_revision", kind=kind, revision=revision or "–", head=head)
        return Finding(what="database", state="bad", found=found, to_do="gw db upgrade")

    async def _archive(self) -> Finding:
        stats = await self._app.store.index.stats()
        count, megabytes = f"{stats.documents:,}", f"{stats.bytes / 1_000_000:.1f}"
        size = kept("said.size", count=count, size=megabytes)
        if stats.documents:
            return Finding(what="archive", state="ok", found=size)
        to_do = "gw archive add --sample"
        return Finding(what="archive", state="note", found="said.empty", to_do=to_do)

    async def _search(self) -> list[Finding]:
        try:
            states = await self.providers()
        except GroundwireError as error:
            return [Finding(what="search", state="bad", found=error.kept, to_do=_advice(error))]
        on = [state.name for state in states if state.on]
        more = any(not state.on and state.to_set for state in states)
        few = all(PROVIDERS[name].Provider.local for name in on)
        open_to_more = more and not self._app.settings.offline
        to_do = kept("said.more_with_key", command="gw providers") if open_to_more else ""
        found = [
            Finding(what="search", state="note" if few else "ok", found=", ".join(on), to_do=to_do)
        ]
        for each in states:
            if each.until is not None or each.refused:
                text = kept("said.of", name=each.name, why=_read(each.why))
                to_do = each.to_set or (each.trouble if each.refused else "")
                found.append(Finding(what="search", state="bad", found=text, to_do=to_do))
            elif each.poor:
                text = kept("said.poor", name=each.name, rate=each.rate, days=_DAYS)
                found.append(Finding(what="search", state="bad", found=text, to_do="gw providers"))
        return found

    def _models(self) -> Finding:
        try:
            tiers = self.tiers()
        except GroundwireError as error:
            return Finding(what="models", state="bad", found=error.kept, to_do=_advice(error))
        named = sorted({name for names in tiers.values() for name in names})
        if named:
            return Finding(what="models", state="ok", found=", ".join(named))
        to_do = "" if self._app.settings.offline else kept("said.set_key", command="gw models")
        return Finding(what="models", state="note", found="said.no_models", to_do=to_do)

    async def _tools(self) -> Finding:
        try:
            states = await self.tools()
        except GroundwireError as error:
            return Finding(what="tools", state="bad", found=error.kept, to_do=_advice(error))
        on = [state.name for state in states if state.on]
        found = kept("said.measures", names=on) if on else "said.only_searches"
        more = [state.to_set for state in states if not state.on]
        poor = [state for state in states if state.poor]
        if poor:
            text = kept("said.poor_tool", name=poor[0].name, rate=poor[0].rate, days=_DAYS)
            return Finding(what="tools", state="bad", found=text, to_do="gw providers")
        open_to_more = more and not self._app.settings.offline
        to_do = kept("said.more", what=_read(more[0])) if open_to_more else ""
        return Finding(what="tools", state="ok" if on else "note", found=found, to_do=to_do)

    def _network(self) -> Iterator[Finding]:
        if self._app.settings.offline:
            found, to_do = "said.nothing_sent", "said.go_online"
            yield Finding(what="network", state="note", found=found, to_do=to_do)
        else:
            yield Finding(what="network", state="ok", found="said.online")
        proxies = [mask_url(each.get_secret_value()) for each in self._app.settings.fetch.proxies]
        found = kept("said.own_proxies", hosts=proxies) if proxies else "said.no_proxies"
        yield Finding(what="proxies", state="ok", found=found)

    async def _left_over(self) -> Finding:
        runs = await self._app.store.runs.unfinished()
        if not runs:
            return Finding(what="runs", state="ok", found="said.none_left")
        found = kept("said.left", count=len(runs), names=[run.id for run in runs[:5]])
        return Finding(what="runs", state="note", found=found, to_do=f"gw follow {runs[0].id}")


def _counted(state: PartState, calls: Sequence[DayOfCalls], sources: Sequence[str]) -> PartState:
    days = tuple(day for day in reversed(calls) if day.provider in sources)
    answered, made = sum(day.answered for day in days), sum(day.made for day in days)
    poor = made > 0 and answered / made < _POOR
    counts = {"answered": answered, "made": made, "days": days, "poor": poor}
    return state.model_copy(update=counts)


def _good_for(provider: SearchProvider) -> Iterator[dict[str, object]]:
    """Say what a provider is for, where it is not for everything."""
    if provider.topics and not provider.general:
        yield coded("said.for", topics=list(provider.topics))
    if provider.languages:
        yield coded("said.best_at", languages=list(provider.languages))
    if provider.sites:
        yield coded("said.background")
    if provider.only_platforms and provider.platforms:
        yield coded("said.only_platforms", platforms=list(provider.platforms))


def _read(text: str) -> object:
    """Parse a kept text as a parameter of another; any other text stands for itself."""
    return json.loads(text) if text.startswith("{") else coded(text)


def _advice(error: GroundwireError) -> str:
    """Return what to do about an error, as it is kept."""
    return kept(error.hints, **error.params) if error.hints else ""
