"""The words of the pages: one JSON file per page in `words/`, each word in English and Chinese."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import cast

from groundwire.doors.ui.language import Language
from groundwire.errors import IllegalState
from groundwire.language.text.script import traditional


class Words:
    """`words("desk.title")`, with values filled in: `words("shell.today", usd="$1.00")`."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self._words = _spoken(language)

    def __call__(self, name: str, /, **values: object) -> str:
        if name not in self._words:
            raise IllegalState(f"the pages have no word {name!r}")
        return self._words[name].format(**values) if values else self._words[name]

    def maybe(self, name: str, otherwise: str) -> str:
        """A word that may not be there, such as that of a flag from a plug-in."""
        return self._words.get(name, otherwise)

    def span(self, seconds: float, *, whole: bool = False) -> str:
        """How long something took, in the unit that one would say; `whole`: it still goes on."""
        if seconds < 120:
            n = str(int(seconds)) if whole or seconds >= 10 else f"{seconds:.1f}"
            return self("span.seconds", n=n)
        if seconds < 7200:
            return self("span.minutes", n=f"{seconds / 60:.0f}")
        return self("span.hours", n=f"{seconds / 3600:.0f}")


@cache
def all_words() -> dict[str, dict[str, str]]:
    """Every word in `en` and `zh`; a name stands in one file only."""
    found: dict[str, dict[str, str]] = {}
    for file in sorted(
        files("groundwire.doors.ui").joinpath("words").iterdir(), key=lambda f: f.name
    ):
        if not file.name.endswith(".json"):
            continue
        held = cast("dict[str, dict[str, str]]", json.loads(file.read_text(encoding="utf-8")))
        twice = found.keys() & held.keys()
        if twice:
            raise IllegalState(f"words that stand in two files: {sorted(twice)}")
        found.update(held)
    return found


@cache
def _spoken(language: Language) -> dict[str, str]:
    if language == "en":
        return {name: word["en"] for name, word in all_words().items()}
    words = {name: word["zh"] for name, word in all_words().items()}
    if language == "zh-Hant":
        return {name: traditional(word) for name, word in words.items()}
    return words
