"""The folder is the registry: the modules of a package by name, imported when they are asked for."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING

from groundwire.errors import SettingsError, UnknownName

if TYPE_CHECKING:
    from pydantic import ValidationError


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
    """The modules of a package, such as `groundwire.search.providers`."""
    return Folder(package)


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The known name most like this one, if any is like it."""
    from difflib import get_close_matches  # only a mistake needs it

    close = get_close_matches(name.lower(), sorted(names), n=1, cutoff=0.5)
    return close[0] if close else None


def unknown(what: str, name: str, names: Iterable[str]) -> UnknownName:
    """The refusal of an unknown name, with the nearest known one."""
    hint = _guess(name, names)
    return UnknownName(f"unknown {what} {name!r}; {hint}", hint=hint)


def refused(where: str, error: ValidationError, options: type) -> SettingsError:
    """The refusal of a module's options: an unknown one with the nearest, a wrong one by its fault."""
    fault = error.errors(include_url=False, include_input=False)[0]
    name = str(fault["loc"][0]) if fault["loc"] else ""
    if fault["type"] == "extra_forbidden":
        hint = _guess(name, getattr(options, "model_fields", {}))
        return SettingsError(f"unknown setting {where}.{name}; {hint}", hint=hint)
    return SettingsError(f"{where}.{name}: {fault['msg']}")


def _guess(name: str, names: Iterable[str]) -> str:
    known = sorted(names)
    guess = nearest(name, known)
    return f"did you mean {guess}?" if guess else f"known: {', '.join(known)}"
