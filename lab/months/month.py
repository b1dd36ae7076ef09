"""The nouns of a simulated month: its pages day by day, and the changes that a watch should report."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from groundwire.model.base import Value

DAYS = 30
Kind = Literal["new", "changed", "confirmed", "withdrawn", "contested"]


class Version(Value):
    """A page from a day on."""

    day: int
    title: str
    text: str


class MonthPage(Value):
    """A page of the web: what it says from which day on, when it is gone, when its site is down."""

    url: str
    publisher: str
    language: str
    published: int  # a day
    versions: tuple[Version, ...]
    gone: int = 0  # 404 from this day on; 0: never
    down: tuple[int, ...] = ()  # days on which its site answers 503

    def on(self, day: int) -> Version | None:
        """Return what it says on a day; None: it is not there."""
        found = [each for each in self.versions if each.day <= day]
        return found[-1] if found and not (self.gone and day >= self.gone) else None


class Expected(Value):
    """A change that a watch should report on a day."""

    day: int
    kind: Kind
    about: str  # the attribute
    before: tuple[str, ...] = ()  # forms of the value that was believed; (): none
    after: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()  # pages that show it


class Month(Value):
    """A month: the command of the watch, the web, and the changes."""

    seed: int
    language: str
    subject: str
    command: str
    pages: tuple[MonthPage, ...]
    expected: tuple[Expected, ...]
    failing: tuple[int, ...] = Field(default=())  # days on which every search fails
    background: tuple[str, ...] = ()  # true sentences beside the facts: new ones are no mistake
