"""What a strong reader would answer about a watch: keys of exam items, found again by what a prompt shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from lab.stubs.keys import AnyOf, fold
from lab.stubs.passages import Shown, passages_in

_COMMAND = re.compile(r"(?m)^(?:Command|指令)[:：]\s*(\S.*)$")


class _Key(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class PlanKey(_Key):
    """What the searches of a command look for, by which names, in which languages."""

    command: str
    parts: tuple[AnyOf, ...]
    names: AnyOf
    languages: tuple[str, ...]


class _PagesKey(_Key):
    texts: tuple[str, ...]


class WordsKey(_PagesKey):
    words: tuple[AnyOf, ...]


class SideKey(_Key):
    passages: tuple[int, ...]
    says: AnyOf


class PointKey(_Key):
    sides: tuple[SideKey, ...]


class PointsKey(_PagesKey):
    points: tuple[PointKey, ...]


class SentenceKey(_Key):
    text: str
    passage: int
    quote: str


class BriefKey(_PagesKey):
    right: tuple[SentenceKey, ...]


_PAGES: tuple[tuple[str, type[_PagesKey]], ...] = (
    ("words", WordsKey),
    ("points", PointsKey),
    ("right", BriefKey),
)
P = TypeVar("P", bound=_PagesKey)


class WatchKeys:
    """All keys of watches at hand."""

    def __init__(self, plans: Iterable[PlanKey] = (), pages: Iterable[_PagesKey] = ()) -> None:
        self.plans = {fold(each.command)[0]: each for each in plans}
        self.pages = tuple(pages)

    def __add__(self, other: WatchKeys) -> WatchKeys:
        plans = (*self.plans.values(), *other.plans.values())
        return WatchKeys(plans, (*self.pages, *other.pages))

    def of_command(self, prompt: str) -> PlanKey | None:
        """Find the key of the command that a prompt asks a plan for."""
        found = _COMMAND.search(prompt)
        return self.plans.get(fold(found[1])[0]) if found else None

    def of_pages(self, prompt: str, kind: type[P]) -> tuple[P, list[Shown]] | None:
        """Find the key whose pages a prompt shows, all of them in their order."""
        shown = passages_in(prompt)
        texts = tuple(fold(each.text)[0] for each in shown)
        for key in self.pages:
            if isinstance(key, kind) and texts == tuple(fold(each)[0] for each in key.texts):
                return key, shown
        return None


def watch_keys(items: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> WatchKeys:
    """Make the keys of items, each what is given and what is expected."""
    plans: list[PlanKey] = []
    pages: list[_PagesKey] = []
    for given, expect in items:
        if "subject" not in given:
            continue  # of another job
        if "parts" in expect:
            plans.append(PlanKey.model_validate({**expect, "command": given["command"]}))
            continue
        kind = next((kind for name, kind in _PAGES if name in expect), None)
        if kind is not None:
            pages.append(kind.model_validate({**expect, "texts": _texts(given["passages"])}))
    return WatchKeys(plans, pages)


def _texts(passages: Sequence[Mapping[str, Any]]) -> list[str]:
    return [each["text"] for each in passages]
