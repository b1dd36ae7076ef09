"""Tiers of models, light and heavy: `vendor:model` names in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from groundwire import plugins
from groundwire.errors import SettingsError
from groundwire.llm.spec import VENDORS, ModelSpec, VendorOptions, vendor
from groundwire.model.base import Noun

Tier = Literal["light", "heavy"]


class Tiers(Noun):
    """The models of a run."""

    light: tuple[ModelSpec, ...] = ()
    heavy: tuple[ModelSpec, ...] = ()

    def ladder(self, tier: Tier) -> tuple[ModelSpec, ...]:
        """Whom to ask in order: the tier's own models, then light ones for a heavy question.

        Light questions go to heavy models only where no light one is named.
        """
        if tier == "light":
            return self.light or self.heavy
        return self.heavy + tuple(spec for spec in self.light if spec not in self.heavy)


def parse(text: str, options: Mapping[str, VendorOptions] | None = None) -> ModelSpec:
    """`vendor:model`; the model's own name may hold colons and slashes."""
    given = options or {}
    name, colon, model = (part.strip() for part in text.strip().partition(":"))
    if not (name and colon and model):
        raise SettingsError(f"{text!r} is not a model; write vendor:model")
    chosen = given.get(name, VendorOptions())
    kind = chosen.kind or name
    if kind not in VENDORS:
        raise plugins.unknown("model vendor", kind, {*VENDORS, *given})
    if vendor(kind).BASE_URL is None and chosen.base_url is None:
        raise SettingsError(
            f"{name}: no base_url", hint=f"set models.providers.{name}.base_url to its address"
        )
    return ModelSpec(vendor=name, name=model, kind=kind, options=chosen)


def tiers(
    light: Sequence[str],
    heavy: Sequence[str],
    options: Mapping[str, VendorOptions] | None = None,
) -> Tiers:
    """The tiers that the settings name; which ones those are by default is the settings' affair."""
    given = options or {}
    return Tiers(
        light=tuple(parse(name, given) for name in light),
        heavy=tuple(parse(name, given) for name in heavy),
    )


def default_names(options: Mapping[str, VendorOptions]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Light and heavy models of every vendor that can be used, for when no tier is named.

    A key whose vendor has no file here is passed over: it was set for some other program.
    """
    usable = [
        (declared.RANK, name, declared)
        for name in VENDORS
        if name in options
        and (declared := vendor(name)).DEFAULT_LIGHT
        and (options[name].base_url if declared.LOCAL else options[name].api_key) is not None
    ]
    chosen = [(name, declared) for _, name, declared in sorted(usable, key=lambda row: row[:2])]
    return (
        tuple(f"{name}:{declared.DEFAULT_LIGHT}" for name, declared in chosen),
        tuple(f"{name}:{declared.DEFAULT_HEAVY}" for name, declared in chosen),
    )
