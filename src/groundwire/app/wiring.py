"""A run's connections to the outside, built from its fixed settings: search, pages, models, gateway."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from threading import Thread
from typing import TYPE_CHECKING, cast

from groundwire import plugins
from groundwire.app import vendors
from groundwire.app.budget import micro
from groundwire.app.clients import Clients
from groundwire.context import Parts
from groundwire.context.context import Tables
from groundwire.context.recall import remembers
from groundwire.data import provider as known
from groundwire.gateway.gateway import Gateway
from groundwire.gateway.limits import Limit, Limits
from groundwire.gateway.tally import Tally
from groundwire.jobs.sections import sections
from groundwire.llm.spec import ModelSpec
from groundwire.llm.tiers import Tiers
from groundwire.log import Redactor, get_logger
from groundwire.model.base import JsonObject, fingerprint
from groundwire.model.clock import Clock
from groundwire.model.ports import Index, Ledger
from groundwire.model.run import Run
from groundwire.model.tool import SWITCHED
from groundwire.settings import Settings

if TYPE_CHECKING:
    from groundwire.context.exams import Examiner
    from groundwire.data.api import Apis
    from groundwire.embed.likeness import Likeness
    from groundwire.fetch.pages import Pages
    from groundwire.fetch.pictures import Pictures
    from groundwire.fetch.pool import ParsePool
    from groundwire.fetch.reader import PageReader
    from groundwire.fetch.robots import Robots
    from groundwire.notify.dispatch import Dispatch
    from groundwire.search.chain import Chain
    from groundwire.search.provider import SearchProvider
    from groundwire.store import Store

log = get_logger("groundwire.app.wiring")

PROVIDERS = plugins.load("groundwire.search.providers")
ARCHIVE = "archive"
_KEPT_PARTS = 64  # sets of parts, one for each distinct set of run settings


class Wiring:
    """One per app. Clients are built on first use."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        *,
        ledger: Ledger | None = None,
        index: Index | None = None,
        clients: Clients | None = None,
        pool: ParsePool | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._settings = settings
        self.ledger: Ledger = ledger or store.ledger  # under the gateway, from its first call on
        self._index: Index = index or store.index
        self._store = store
        self._parts: dict[str, Parts] = {}
        self.clients = clients or Clients(settings)
        self._borrowed = pool  # outlives this app
        self._warmed = False
        self.tally = Tally()
        self.clock = clock or Clock()  # the app's, too: there is one

    @cached_property
    def limits(self) -> Limits:
        fetch = self._settings.fetch
        kinds = {
            "fetch": Limit(at_once=fetch.per_host),
            "data": Limit(at_once=4),
        }
        lanes = {("search", name): self.provider(self._settings, name).limit for name in PROVIDERS}
        return Limits(lanes, kinds, {"fetch": fetch.concurrency})

    @cached_property
    def gateway(self) -> Gateway:
        # Known secrets only: masking text that merely looks like one would break quotes and
        # addresses. The database's password never goes outside.
        known = Redactor(self._settings.outside_secrets(), shapes=False)
        return Gateway(
            self.ledger,
            self._store.cache,
            self.limits,
            known,
            history=self._store.ledger,
            clock=self.clock,
            tally=self.tally,
        )

    @cached_property
    def reader(self) -> PageReader:
        from groundwire.fetch.pool import ParsePool
        from groundwire.fetch.reader import PageReader

        fetch = self._settings.fetch
        self.pool = self._borrowed or ParsePool(workers=fetch.workers)
        return PageReader(
            self.clients.pages,
            self.clients.page_policy,
            self.pool,
            fetch,
            clock=self.clock,
            proxied=self.clients.proxied,
        )

    def _pages(self, settings: Settings, robots: Robots) -> Pages:
        from groundwire.fetch.pages import Pages

        return Pages(
            self.reader,
            self.gateway,
            self._index,
            self._store.sources,
            timeout=settings.fetch.timeout + 10,
            robots=robots,
            feed_ttl=settings.search.cache_ttl,
        )

    def _pictures(self, settings: Settings, robots: Robots) -> Pictures:
        from groundwire.fetch.pictures import Pictures

        return Pictures(
            self.gateway,
            self.clients.pages,
            self.clients.page_policy,
            self._store.pictures,
            robots,
            timeout=settings.fetch.timeout,
        )

    def _robots(self, settings: Settings, *, obeyed: bool) -> Robots:
        from groundwire.fetch.robots import Robots

        return Robots(
            self.gateway,
            self.clients.pages,
            self.clients.page_policy,
            pace=self.limits.pace,
            delay=settings.fetch.delay,
            obeyed=obeyed,
        )

    @cached_property
    def _view(self) -> JsonObject:
        # Cached: settings are frozen, and a listening door submits many runs a second.
        view = self._settings.public_view()
        chain = [name for name in self.chain_names() if self.usable(name)]
        view["search"] = {**view["search"], "chain": chain}
        # Whether, not which: a record replays alike where no proxy is set.
        view["fetch"] = {**view["fetch"], "proxied": bool(self._settings.fetch.proxies)}
        self.chosen_tiers()  # a mistake is refused before there is a run
        known.check(self._settings.tools.providers)
        if self.dispatch:
            self.dispatch.subscribers()
        named = vendors.model_names(self._settings)._asdict()
        view["models"] |= {tier: list(names) for tier, names in named.items()}
        return view

    def run_settings(self, own: Mapping[str, object] | None = None) -> JsonObject:
        """Return the settings fixed in a new run's row: no secrets, and nothing left to be chosen.

        `own` are settings of this run alone, by their dotted names.
        """
        view = dict(self._view)  # only what this run changes is copied
        for kind in sections():
            section = self._settings.section(kind)
            if (fixed := section.fixed()) is not section:
                view[kind] = fixed.model_dump(mode="json")
        for name, value in (own or {}).items():
            *parents, leaf = name.split(".")
            node: dict[str, object] = view
            for parent in parents:
                node[parent] = dict(cast("dict[str, object]", node.get(parent, {})))
                node = cast("dict[str, object]", node[parent])
            node[leaf] = value
        return view

    def chosen_tiers(self) -> Tiers:
        """Return the models that a run submitted now would ask."""
        return vendors.chosen_tiers(self._settings)

    def chain_names(self) -> tuple[str, ...]:
        """Return the search chain as set, or every provider; an unknown name is refused."""
        named = self._settings.search.chain
        # A key of a provider that we do not have yet was set for some other program.
        optioned = [name for name in self._settings.search.providers if name not in vendors.FOREIGN]
        for name in (*named, *optioned):
            if name not in PROVIDERS:
                raise plugins.unknown("noun.search_provider", name, PROVIDERS)
        for name in optioned:
            self.provider(self._settings, name)  # a wrong option is refused before there is a run
        if spec := vendors.embed_spec(self._settings):
            from groundwire.embed.provider import vendor

            vendor(spec).url(spec)  # refuses an unknown vendor, and one without an address
        # Who searches platforms only is asked when a query names one, in the chain or not.
        general = (name for name in PROVIDERS if not PROVIDERS[name].Provider.only_platforms)
        return named or tuple(sorted(general, key=_preference))

    def usable(self, name: str) -> bool:
        """Tell whether a provider can be used; a named one without its key is off, with a warning."""
        provider = self.provider(self._settings, name)
        if self._settings.offline and not provider.local:
            return False
        missing = provider.lacks()
        if missing is not None and name in self._settings.search.chain:
            log.warning("search provider is off", provider=name, set=missing)
        return missing is None

    def provider(self, settings: Settings, name: str) -> SearchProvider:
        cls: type[SearchProvider] = PROVIDERS[name].Provider
        given: dict[str, object] = dict(settings.search.providers.get(name, {}))
        if cls.needs_embedding:
            given["missing"] = vendors.embedding_lacks(settings)
        return cls(plugins.options(f"search.providers.{name}", cls.Options, given))

    def parts(self, run: Run) -> Parts:
        """Return a run's parts, from the settings that were fixed when it was submitted."""
        from groundwire.context.mind import Mind

        stamp = fingerprint(run.settings)
        if stamp not in self._parts:
            if len(self._parts) >= _KEPT_PARTS:  # callers may set options of their own
                del self._parts[next(iter(self._parts))]
            settings = self._settings.under(run.settings)
            models = vendors.named_tiers(settings)
            self._warm((*models.light, *models.heavy))
            # Runs from before robots.txt was obeyed have no record of it.
            obeyed = bool(run.settings.get("fetch", {}).get("robots", False))
            robots = self._robots(settings, obeyed=obeyed)
            pages = self._pages(settings, robots)
            pages.proxied = bool(run.settings.get("fetch", {}).get("proxied", False))
            self._parts[stamp] = Parts(
                search=self._chain(settings, pages),
                pages=pages,
                pictures=self._pictures(settings, robots),
                mind=Mind(
                    self.gateway,
                    models,
                    self.clients.models,
                    self._store.pictures,
                    self.examiner,
                    # Runs from before there were exams have no record of one, nor a budget for it.
                    run.settings.get("models", {}).get("exam", "off"),
                    micro(run.settings.get("models", {}).get("exam_usd", 0)),
                ),
                limits={kind: settings.section(kind).model_dump() for kind in sections()},
                enabled=tuple(each for each in SWITCHED if getattr(settings.tools, each).enabled),
                reads=self.gateway,
                results=settings.search.max_results,
                likeness=self.likeness(settings),
                data=self._apis(settings),
                tools=settings.tools.model_dump(exclude={"providers"}),
                tables=Tables(
                    memory=lambda: self._store.memory,
                    signals=lambda: self._store.signals,
                    messages=lambda: self._store.messages,
                    quota=lambda: self._store.quota,
                    runs=lambda: self._store.runs,
                    remembers=remembers(run),
                    twins=settings.intake.dedup.signal,
                    # Today's limit, not that of the submit, so that a raised one lets a run resume.
                    tool_calls=self._settings.budget.day_tool_calls,
                    clock=self.clock,
                ),
            )
        return self._parts[stamp]

    @cached_property
    def examiner(self) -> Examiner:
        from groundwire.context.exams import Examiner
        from groundwire.versions import versions

        def reader() -> str:
            here = versions()
            return f"{here.code}+{here.data[:12]}"

        return Examiner(self.gateway, lambda: self._store.exams, reader, self.clock)

    def _apis(self, settings: Settings) -> Apis:
        from groundwire.data.api import Apis

        return Apis(
            self.gateway,
            self.clients.apis,
            lambda name: known.provider(name, settings.tools.providers),
            timeout=settings.tools.timeout,
            pace=self.limits.pace,
        )

    @cached_property
    def dispatch(self) -> Dispatch | None:
        """The channels that deliver results; None: the desk is offline."""
        if self._settings.offline:
            return None
        from groundwire.notify.dispatch import Dispatch

        return Dispatch(
            self._settings.notify,
            self.gateway,
            self.clients.apis,
            self.clients.pages,
            self.clock,
            self._settings.desk.address(),
        )

    def _warm(self, models: tuple[ModelSpec, ...]) -> None:
        """Import the vendors' libraries, which takes a second, in a thread while the run searches."""
        if models and not self._warmed and not self._settings.offline:
            from groundwire.llm.model import warm

            self._warmed = True
            given = (models, self.clients.models)
            Thread(target=warm, args=given, name="warm-models", daemon=True).start()

    def _chain(self, settings: Settings, pages: Pages) -> Chain:
        from groundwire.search.chain import Chain
        from groundwire.search.provider import SearchServices

        ground = SearchServices(
            gateway=self.gateway,
            client=self.clients.apis,
            index=self._index,
            timeout=settings.search.timeout,
            cache_ttl=settings.search.cache_ttl,
            likeness=self.likeness(settings),
            feeds=pages,
        )
        # The archive always takes part; a name that this version no longer knows is ignored.
        named = dict.fromkeys(name for name in settings.search.chain if name in PROVIDERS)
        return Chain(
            [self.provider(settings, name) for name in dict.fromkeys([*named, ARCHIVE])],
            ground,
            mode=settings.search.mode,
            per_domain=settings.search.per_domain,
            reserves=partial(self._reserves, settings),
        )

    def _reserves(self, settings: Settings) -> list[SearchProvider]:
        """Build the providers that the chain leaves out: they search platforms of their own."""
        if settings.offline:
            return []
        left_out = (name for name in PROVIDERS if name not in settings.search.chain)
        return [self.provider(settings, name) for name in left_out if self.usable(name)]

    def likeness(self, settings: Settings) -> Likeness | None:
        """Build the search of the archive by meaning, where a model is set for it.

        Only the first that is named: vectors of two models cannot be compared.
        """
        spec = vendors.embed_spec(settings)
        if spec is None:
            return None
        from groundwire.embed.likeness import Likeness

        return Likeness(spec, self._store.vectors, self._index, self.gateway, self.clients.apis)

    async def wait_for_calls(self, run_id: str) -> None:
        """Wait a while for a run's calls under way."""
        if "gateway" in self.__dict__:
            await self.gateway.wait_for_calls(run_id)

    async def close(self) -> None:
        if "gateway" in self.__dict__:
            await self.gateway.close()
        if "reader" in self.__dict__ and self._borrowed is None:
            await self.pool.close()
        await self.clients.close()


def _preference(name: str) -> tuple[bool, bool, int, str]:
    """Order providers: those with a key first, then those that need none, the archive last."""
    cls: type[SearchProvider] = PROVIDERS[name].Provider
    return cls.beside, not cls.needs_key, cls.preference, name
