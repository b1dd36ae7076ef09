"""The settings of the desk with a section for each job, declared in `jobs/<name>/settings.py`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from groundwire import jobs, settings
from groundwire.settings.fields import Section

if TYPE_CHECKING:
    from groundwire.settings import Settings


def sections() -> Mapping[str, type[Section]]:
    """Return the settings sections of jobs, by job."""
    return _sections(jobs.kinds())


@cache
def _sections(kinds: tuple[str, ...]) -> Mapping[str, type[Section]]:
    modules = {kind: jobs.part(kind, "settings") for kind in kinds}
    return {kind: module.SECTION for kind, module in modules.items() if module is not None}


def settings_type() -> type[Settings]:
    """Return the settings class with every job's section; the same class until a job is added."""
    return _composed(jobs.kinds())


@cache
def _composed(kinds: tuple[str, ...]) -> type[Settings]:
    return settings.Settings.with_sections(_sections(kinds))


def completed(given: Settings) -> Settings:
    """Fill in the defaults of jobs that settings made in code do not name."""
    form = settings_type()
    if isinstance(given, form):
        return given
    return form.model_validate({name: getattr(given, name) for name in given.model_fields_set})


def __getattr__(name: str) -> object:
    # An importable name that always knows the current jobs.
    if name == "Settings":
        return settings_type()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
