"""The models that settings name, and how each of their vendors is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire import plugins
from groundwire.llm.spec import VENDORS, VendorOptions
from groundwire.llm.tiers import TierNames, Tiers, default_names, tiers
from groundwire.settings import Settings
from groundwire.settings.names import WELL_KNOWN, env_name

if TYPE_CHECKING:
    from groundwire.embed.provider import EmbedSpec

# A key of a provider that we do not have yet was set for some other program.
FOREIGN = frozenset(alias.setting.split(".")[2] for alias in WELL_KNOWN.values())


def model_names(settings: Settings) -> TierNames:
    """Return the models of each tier: as named, or those of the vendors that can be used."""
    models = settings.models
    if settings.offline:
        return TierNames()
    if models.light or models.heavy:
        return TierNames(models.light, models.heavy, models.vision)
    default = default_names(vendor_options(settings))
    return default._replace(vision=models.vision or default.vision)


def chosen_tiers(settings: Settings) -> Tiers:
    """Return the models that a run submitted now would ask."""
    return tiers(model_names(settings), vendor_options(settings))


def named_tiers(settings: Settings) -> Tiers:
    """Return the models as named; a vendor validates its own options."""
    models = settings.models
    named = TierNames(models.light, models.heavy, models.vision)
    return tiers(named, vendor_options(settings))


def vendor_options(settings: Settings) -> dict[str, VendorOptions]:
    options: dict[str, VendorOptions] = {}
    for name, given in settings.models.providers.items():
        options[name] = plugins.options(f"models.providers.{name}", VendorOptions, given)
        if name not in VENDORS and options[name].kind is None and name not in FOREIGN:
            raise plugins.unknown("noun.model_vendor", name, VENDORS)
    return options


def embed_spec(settings: Settings) -> EmbedSpec | None:
    if not settings.models.embed:
        return None
    from groundwire.embed.provider import EmbedSpec

    name, _, model = settings.models.embed[0].partition(":")
    options = vendor_options(settings).get(name, VendorOptions())
    return EmbedSpec(
        vendor=name,
        name=model,
        kind=options.kind or name,
        dimensions=settings.models.dimensions,
        usd=options.input_usd,
        **options.model_dump(include={"api_key", "base_url", "timeout"}),
    )


def embedding_lacks(settings: Settings) -> str | None:
    """Name what must be set before the archive can be searched by meaning."""
    spec = embed_spec(settings)
    if spec is None:
        return env_name("models.embed")
    from groundwire.embed.provider import lacks

    return lacks(spec)
