"""The folder is the registry: the modules of a package by name, imported on first use."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from groundwire.errors import GroundwireError, SettingsError, UnknownName

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

Form = TypeVar("Form", bound="BaseModel")


class Folder(Mapping[str, ModuleType]):
    """Modules of one package by name; listing them imports none. Names with `_` are private."""

    def __init__(self, package: str) -> None:
        self._package = package
        # Only the package itself is imported; its `__init__` is one docstring by convention.
        paths = importlib.import_module(package).__path__
        found = (module.name for module in pkgutil.iter_modules(paths))
        self._names = tuple(sorted(name for name in found if not name.startswith("_")))

    def __getitem__(self, name: str) -> ModuleType:
        if name not in self._names:
            raise KeyError(name)
        return importlib.import_module(f"{self._package}.{name}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        # The mixin would import the module in order to answer.
        return name in self._names


def load(package: str) -> Folder:
    """Return the modules of a package, such as `groundwire.search.providers`."""
    return Folder(package)


def part(module: str, name: str, *attributes: str) -> Any:
    """Build a lazy property: its module is imported and its value made on first access.

    The value is built from its owner, or from the owner's attributes that are named.
    """

    def build(owner: Any) -> Any:
        arguments = [getattr(owner, attribute) for attribute in attributes] or [owner]
        return getattr(importlib.import_module(module), name)(*arguments)

    return cached_property(build)


def unknown(what: str, name: str, names: Iterable[str], /, **params: object) -> UnknownName:
    """Build the refusal of an unknown name, with the nearest known one; `what` is a code."""
    named = {"code": what, "params": params}
    return UnknownName("error.unknown", what=named, name=name, **_guess(name, names))


def options(where: str, form: type[Form], given: Mapping[str, object]) -> Form:
    """Read a module's options; refuse an unknown one with the nearest, a bad one with why."""
    from pydantic import ValidationError

    try:
        return form.model_validate(dict(given))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
    name = str(fault["loc"][0]) if fault["loc"] else ""
    if fault["type"] == "extra_forbidden":
        guess = _guess(name, form.model_fields)
        raise SettingsError("error.unknown_option", name=f"{where}.{name}", **guess)
    if fault["type"] == "missing":
        raise SettingsError("error.option_missing", name=f"{where}.{name}")
    raise SettingsError("error.bad_option", name=f"{where}.{name}", why=accepted(fault))


_KINDS = frozenset({"int", "float", "bool", "tuple", "string", "path", "finite"})


def accepted(fault: ErrorDetails) -> object:
    """Return what a setting takes, as a phrase `takes.<code>`."""
    context = fault.get("ctx", {})
    reason: object = context.get("error")
    if isinstance(reason, GroundwireError):
        return reason
    if fault["type"] == "literal_error":
        known = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        return {"code": "takes.one_of", "params": {"known": known}}
    for limit in ("ge", "gt", "le"):
        if limit in context:
            bound: object = context[limit]
            shown = f"{bound:g}" if isinstance(bound, float) else f"{bound}"
            return {"code": f"takes.{limit}", "params": {"limit": shown}}
    name = fault["type"].partition("_")[0]
    if name in _KINDS:
        return {"code": f"takes.{name}"}
    return fault["msg"][:1].lower() + fault["msg"][1:]


def fault_reason(fault: ErrorDetails) -> object:
    """Return what our own validator said of a value, or pydantic's text."""
    error: object = fault.get("ctx", {}).get("error")
    return (
        error if isinstance(error, GroundwireError) else fault["msg"].removeprefix("Value error, ")
    )


def _guess(name: str, names: Iterable[str]) -> dict[str, Any]:
    """Return the nearest known name, or all of them, as a parameter and as the hint."""
    from difflib import get_close_matches  # only a mistake needs it

    known = sorted(names)
    close = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    params = {"near": close[0]} if close else {"known": known}
    hint = "hint.did_you_mean" if close else "hint.known"
    return {"guess": {"code": hint, "params": params}, "hint": hint, **params}
