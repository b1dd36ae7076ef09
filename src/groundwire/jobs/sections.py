"""The settings of the desk with a group for each job: `jobs/<name>/settings.py` declares it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from groundwire import jobs, settings
from groundwire.settings.fields import Section

if TYPE_CHECKING:
    from groundwire.settings import Settings


def sections() -> Mapping[str, type[Section]]:
    """The groups of settings that jobs own, by the jobs' names."""
    return _sections(jobs.kinds())


@cache
def _sections(kinds: tuple[str, ...]) -> Mapping[str, type[Section]]:
    own = {kind: jobs.part(kind, "settings") for kind in kinds}
    return {kind: module.SECTION for kind, module in own.items() if module is not None}


def settings_type() -> type[Settings]:
    """The settings of all that is here; the same class as long as no job is added."""
    return _composed(jobs.kinds())


@cache
def _composed(kinds: tuple[str, ...]) -> type[Settings]:
    return settings.Settings.with_sections(_sections(kinds))


def completed(given: Settings) -> Settings:
    """Settings that a caller made in code, with the defaults of the jobs that they do not name."""
    form = settings_type()
    if isinstance(given, form):
        return given
    return form.model_validate({name: getattr(given, name) for name in given.model_fields_set})


def __getattr__(name: str) -> object:
    # A name that callers can import, and that knows the jobs of the moment.
    if name == "Settings":
        return settings_type()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
