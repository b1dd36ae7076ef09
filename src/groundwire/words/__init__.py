"""Every sentence that a person reads, by code: one catalogue a language.

`words("zh-Hant")("gap.nothing_found", n=3)`. Shared texts are in `words/<language>.json`, a job's in
`jobs/<name>/words/<language>.json`, where every code starts with the job's name. A code that no
catalogue has is itself the text: results of older versions hold sentences.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Literal, Protocol, cast, runtime_checkable

Language = Literal["en", "zh", "zh-Hant"]
LANGUAGES: tuple[Language, ...] = ("en", "zh", "zh-Hant")

_HOUSE = Path(__file__).parent
_JOBS = _HOUSE.parent / "jobs"
# `page(s)`, `quer(y|ies)`, `(is|are)`: the number before it decides between the two.
_PLURAL = re.compile(r"(?<=\w)\(s\)|\(([a-z]*)\|([a-z]*)\)")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@runtime_checkable
class Coded(Protocol):
    """A code with its parameters: a `Phrase`, or an error."""

    @property
    def code(self) -> str: ...

    @property
    def params(self) -> Mapping[str, object]: ...


def language_of_locale(name: str) -> Language:
    """Return the language of a terminal's locale: `zh_TW.UTF-8` is zh-Hant."""
    plain = name.partition(".")[0].lower().replace("-", "_")
    if plain.startswith(("zh_tw", "zh_hk", "zh_mo", "zh_hant")):
        return "zh-Hant"
    return "zh" if plain.startswith("zh") else "en"


def language_of(code: str) -> Language:
    """Map a reader's or a result's language to one of ours; English where it is none of them."""
    lower = code.lower()
    if lower.startswith("zh-hant"):
        return "zh-Hant"
    return "zh" if lower.startswith("zh") else "en"


def words(language: str) -> Words:
    """Return the words of a language; English where there are none."""
    return _words(language_of(language), _folders())


class Words:
    """The words of one language: `say("shell.today", usd="$1.00")`."""

    language: Language

    def __init__(self, language: Language, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = texts

    def __call__(self, code: str, /, **params: object) -> str:
        """Return the text of a code with its parameters filled in; an unknown code as it is."""
        return self.maybe(code, code, **params)

    def has(self, code: str) -> bool:
        return code in self._texts

    def maybe(self, code: str, fallback: str, /, **params: object) -> str:
        """Return the text of a code that may have none, such as that of a flag from a plug-in."""
        text = self._texts.get(code)
        return fallback if text is None else self._filled(text, params)

    def name(self, family: str, value: str) -> str:
        """Name one of our values, `name("verdict", "stale")`; an unknown one in its own words."""
        return self._texts.get(f"{family}.{slug(value)}", value.replace("_", " "))

    def phrase(self, phrase: Coded | str) -> str:
        """Render a phrase; one from an older version is a sentence already."""
        return phrase if isinstance(phrase, str) else self(phrase.code, **phrase.params)

    def phrases(self, phrases: Iterable[Coded | str]) -> str:
        return self("list.phrases").join(map(self.phrase, phrases))

    def stored(self, text: str | None) -> str:
        """Render a phrase kept as text, such as a run's error; a sentence stays as it is."""
        code, params = unkept(text or "")
        return self(code, **params)

    def failure(self, error: Mapping[str, object]) -> str:
        """Render a failure as results record it: a code under `message`, and `params`."""
        params = cast("dict[str, object]", error.get("params") or {})
        return self(str(error.get("message") or ""), **params)

    def listed(self, items: Iterable[object], family: str = "") -> str:
        """Join names or values into a list; those that the family names, by their words."""
        return self("list.items").join(self._value(each, family) for each in items)

    def part(self, part: str) -> str:
        """Name a part that failed: `search:tavily` or `model:NAME (step)`."""
        head, _, name = part.partition(":")
        step = ""
        if head == "model" and name.endswith(")"):
            name, _, step = name[:-1].rpartition(" (")
        if head == "tool":
            name = self.name("tool_call.tool", name)
        return self.maybe(f"part.{slug(head)}", part, name=name, step=self.name("part.step", step))

    def span(self, seconds: float, *, whole: bool = False) -> str:
        """Render a duration in its natural unit; `whole`: it is still going on."""
        if seconds < 120:
            n = str(int(seconds)) if whole or seconds >= 10 else f"{seconds:.1f}"
            return self("span.seconds", n=n)
        if seconds < 7200:
            return self("span.minutes", n=f"{seconds / 60:.0f}")
        if seconds < 172_800:
            return self("span.hours", n=f"{seconds / 3600:.0f}")
        return self("span.days", n=f"{seconds / 86_400:.0f}")

    def template(self, code: str) -> str:
        """Return the text of a code unfilled, for a script that counts by itself."""
        return self._texts.get(code, code)

    def codes(self) -> Iterator[str]:
        return iter(self._texts)

    def _filled(self, text: str, params: Mapping[str, object]) -> str:
        if "{" not in text and "(" not in text:
            return text
        # Plurals apply to our own words only, never to what is put into them.
        out: list[str] = []
        before = ""
        for literal, name, spec, form in Formatter().parse(text):
            out.append(_counted(literal, before))
            numbers = _NUMBER.findall(literal)
            before = numbers[-1] if numbers else before
            if name is None:
                continue
            value = self._value(params[name], spec or "") if name in params else f"{{{name}}}"
            value = repr(value) if form == "r" else value  # quoted, as it was typed
            if _NUMBER.fullmatch(value):
                before = value
            out.append(value)
        return "".join(out)

    def _value(self, value: object, spec: str = "") -> str:
        if isinstance(value, str):  # `{by:provider}`: one of a family's values, where it has words
            return self._texts.get(f"{spec}.{slug(value)}", value) if spec else value
        if isinstance(value, (int, float)):  # before what takes long to ask
            return format(value, spec)
        if isinstance(value, Coded):
            return self.phrase(value)
        if isinstance(value, Mapping):  # a phrase that was stored
            stored = cast("Mapping[str, object]", value)
            params = cast("dict[str, object]", stored.get("params") or {})
            return self(str(stored.get("code", "")), **params)
        if isinstance(value, Iterable):
            return self.listed(cast("Iterable[object]", value), spec)
        return format(value, spec)


def coded(code: str, /, **params: object) -> dict[str, object]:
    """Build a code with its parameters as a dictionary, where no `Phrase` is at hand."""
    return {"code": code, "params": params}


def kept(code: str, /, **params: object) -> str:
    """Pack a code with its parameters into one text, which `stored` reads again."""
    return json.dumps(coded(code, **params), ensure_ascii=False) if params else code


def unkept(text: str) -> tuple[str, dict[str, object]]:
    """Unpack the code and parameters that `kept` packed; a sentence stands for itself."""
    if not text.startswith('{"code":'):
        return text, {}
    try:
        found = json.loads(text)
        return str(found["code"]), dict(found["params"])
    except (ValueError, LookupError, TypeError):
        return text, {}  # a person's text that only begins like one


def slug(value: str) -> str:
    """Spell a value as in its code: `wire copy of` is `wire_copy_of`."""
    return value.strip().replace(" ", "_")


def _counted(literal: str, before: str) -> str:
    """Choose singular or plural in our words by the last number before each choice."""

    def chosen(found: re.Match[str]) -> str:
        numbers = _NUMBER.findall(literal[: found.start()])
        one = (numbers[-1] if numbers else before) == "1"
        if found.group() == "(s)":
            return "" if one else "s"
        return found.group(1) if one else found.group(2)

    return _PLURAL.sub(chosen, literal) if "(" in literal else literal


@lru_cache(maxsize=16)
def _words(language: Language, folders: tuple[str, ...]) -> Words:
    texts: dict[str, str] = {}
    for folder in folders:
        texts.update(_read(f"{folder}/{language}.json"))
    return Words(language, texts)


@cache
def _read(path: str) -> dict[str, str]:
    return cast("dict[str, str]", json.loads(Path(path).read_text(encoding="utf-8")))


def _folders() -> tuple[str, ...]:
    """List the folders of texts: the shared one and each job's, found without importing one."""
    loaded = sys.modules.get("groundwire.jobs")
    packages = (str(_JOBS),) if loaded is None else tuple(loaded.__path__)
    return (str(_HOUSE), *_job_folders(packages))


@lru_cache(maxsize=16)
def _job_folders(packages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        str(folder)
        for package in packages
        for folder in sorted(Path(package).glob("*/words"))
        if (folder / "en.json").is_file()
    )
