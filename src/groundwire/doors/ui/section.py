"""A part of the desk page that a job brings: what it finished last."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from groundwire import plugins
from groundwire.doors.ui.visits import Visit

SECTIONS = plugins.load("groundwire.doors.ui.sections")


@dataclass(frozen=True)
class Section:
    """Declared as `SECTION` by each file of `sections/`; its word is `desk.<name>`."""

    name: str
    place: int  # on the page
    template: str
    load: Callable[[Visit], Awaitable[Mapping[str, object]]]  # what its template shows


def sections() -> list[Section]:
    """All, from the top of the page."""
    found: list[Section] = [SECTIONS[name].SECTION for name in SECTIONS]
    return sorted(found, key=lambda each: each.place)
