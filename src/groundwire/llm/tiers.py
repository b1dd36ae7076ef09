"""Tiers of models (light, heavy, vision): `vendor:model` names in the order of trying."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from groundwire import plugins
from groundwire.errors import SettingsError
from groundwire.llm.spec import VENDORS, ModelSpec, VendorOptions, vendor
from groundwire.model.base import Value

Tier = Literal["light", "heavy", "vision"]


class TierNames(NamedTuple):
    """The models of each tier by their names."""

    light: tuple[str, ...] = ()
    heavy: tuple[str, ...] = ()
    vision: tuple[str, ...] = ()


class Tiers(Value):
    """The models of a run."""

    light: tuple[ModelSpec, ...] = ()
    heavy: tuple[ModelSpec, ...] = ()
    vision: tuple[ModelSpec, ...] = ()

    def ladder(self, tier: Tier) -> tuple[ModelSpec, ...]:
        """List the models to ask in order: the tier's own, then light ones for a heavy question.

        Light questions go to heavy models only where no light one is named; pictures go only to
        models named for pictures.
        """
        if tier == "vision":
            return self.vision
        if tier == "light":
            return self.light or self.heavy
        return self.heavy + tuple(spec for spec in self.light if spec not in self.heavy)

    def holding(
        self, tier: Tier, tokens: int, window: Callable[[ModelSpec], int | None]
    ) -> tuple[ModelSpec, ...]:
        """List the models to ask about a long content: those of the ladder whose window holds it.

        Where none does, those of the other tier that do, the cheaper tier first; where nobody does,
        the ladder as it is: its models refuse for themselves.
        """
        ladder = self.ladder(tier)
        others = () if tier == "vision" else (*self.light, *self.heavy)
        for specs in (ladder, others):
            found = [each for each in specs if (window(each) or tokens) >= tokens]
            if found:
                return tuple(dict.fromkeys(found))
        return ladder

    def named(self, tier: Tier, who: str) -> tuple[ModelSpec, ...]:
        """List the models of a tier's ladder that a person means: "" all, a tier's, or one by name."""
        ladder = self.ladder(tier)
        if not who:
            return ladder
        own = {"light": self.light, "heavy": self.heavy, "vision": self.vision}.get(who)
        return tuple(
            spec for spec in ladder if spec.label == who or (own is not None and spec in own)
        )


def parse(text: str, options: Mapping[str, VendorOptions] | None = None) -> ModelSpec:
    """Parse `vendor:model`; the model's own name may hold colons and slashes."""
    by_vendor = options or {}
    name, colon, model = (part.strip() for part in text.strip().partition(":"))
    if not (name and colon and model):
        raise SettingsError("error.no_model_name", text=text)
    chosen = by_vendor.get(name, VendorOptions())
    kind = chosen.kind or name
    if kind not in VENDORS:
        raise plugins.unknown("noun.model_vendor", kind, {*VENDORS, *by_vendor})
    if vendor(kind).BASE_URL is None and chosen.base_url is None:
        raise SettingsError("error.no_base_url", vendor=name, hint="hint.set_base_url")
    return ModelSpec(vendor=name, name=model, kind=kind, options=chosen)


def tiers(names: TierNames, options: Mapping[str, VendorOptions] | None = None) -> Tiers:
    """Parse the tiers that the settings name."""
    light, heavy, vision = (tuple(parse(text, options) for text in texts) for texts in names)
    return Tiers(light=light, heavy=heavy, vision=vision)


def default_names(options: Mapping[str, VendorOptions]) -> TierNames:
    """Name the models of every usable vendor, for when no tier is named.

    A key whose vendor has no file here is passed over: it was set for some other program.
    """
    usable = [
        (declared.RANK, name, declared)
        for name in VENDORS
        if name in options
        and (declared := vendor(name)).DEFAULT_LIGHT
        and (options[name].base_url if declared.LOCAL else options[name].api_key) is not None
    ]
    chosen = sorted(usable, key=lambda row: row[:2])
    return TierNames(
        light=tuple(f"{name}:{declared.DEFAULT_LIGHT}" for _, name, declared in chosen),
        heavy=tuple(f"{name}:{declared.DEFAULT_HEAVY}" for _, name, declared in chosen),
        vision=tuple(f"{n}:{v.DEFAULT_VISION}" for _, n, v in chosen if v.DEFAULT_VISION),
    )
