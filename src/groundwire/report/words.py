"""The words and shapes of results, one set over terminal, reports and pages, in zh and en."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from groundwire import words as catalogue
from groundwire.model.phrase import Phrase
from groundwire.words import Language, language_of

# A verdict is always shape and word (and colour where there is one), never colour alone.
SHAPES: Mapping[str, str] = {
    "supported": "●",
    "contradicted": "✕",
    "contested": "◐",
    "qualified": "◔",
    "insufficient": "○",
    "stale": "◷",
    "unverified": "▨",
}


@dataclass(frozen=True)
class Words:
    """Every label that a reader of a result sees."""

    language: Language
    verdicts: Mapping[str, str]
    states: Mapping[str, str]
    tiers: Mapping[str, str]
    flags: Mapping[str, str]
    lineage: Mapping[str, str]
    hints: Mapping[str, str]
    phases: Mapping[str, str]
    answer: str
    no_answer: str
    contested: str
    missing: str
    unsupported: str
    degraded: str
    instead: str
    sources: str
    recalled: str
    learned: str
    changes: Mapping[str, str]
    kinds: Mapping[str, str]
    memory: Mapping[str, str]
    origins: str
    checks: str
    also_read: str
    flagged: str
    undated: str
    credibility: str
    local_file: str
    reasoner: str
    embedded: str
    calls: str
    cached: str
    repeated: str
    run: str
    next: str
    status: str
    made_by: str
    colon: str

    def verdict(self, name: str) -> str:
        return f"{SHAPES.get(name, '▨')} {self.verdicts.get(name, name)}"

    def listed(self, names: tuple[str, ...]) -> list[str]:
        return [self.flags.get(name, name) for name in names]

    def origin_line(self, articles: int, origins: int) -> str:
        return catalogue.words(self.language)("report.origins", articles=articles, origins=origins)

    def count(self, name: str, n: int) -> str:
        return catalogue.words(self.language)(f"n.{_COUNTS.get(name, name)}", n=n)

    def said(self, code: str, params: Mapping[str, object]) -> str:
        """A code in words; any other text as it is."""
        return catalogue.words(self.language)(code, **params)

    def part(self, name: str) -> str:
        """A part that failed, by its name."""
        return catalogue.words(self.language).part(name)

    def failure(self, code: str) -> str:
        """A kind of failure by its code."""
        return catalogue.words(self.language).name("failure", code)

    def problems(self, found: Iterable[Phrase]) -> str:
        """What is wrong with a sentence."""
        return catalogue.words(self.language).phrases(found)

    def changed(self, why: str) -> str:
        """Why a belief fell (`figure: 4.2% → 4.5%`), its first word in the reader's language."""
        kind, colon, values = why.partition(": ")
        return f"{self.kinds.get(kind, kind)}{self.colon}{values}" if colon else why

    def memory_of(self, name: str) -> str:
        """A label of what is remembered."""
        return self.memory.get(name, name)

    def hint(self, text: str) -> str:
        return self.hints.get(text, text)


_COUNTS = {"failed": "failures"}
_FAMILIES = {
    "verdicts": "verdict",
    "states": "state",
    "tiers": "tier",
    "flags": "flag",
    "lineage": "lineage",
    "phases": "ask.step",
    "changes": "change",
    "kinds": "difference",
    "memory": "memory",
}
_LABELS = (
    *("answer", "no_answer", "contested", "missing", "unsupported", "degraded", "instead"),
    *("sources", "recalled", "learned", "origins", "checks", "also_read", "flagged", "undated"),
    *("credibility", "local_file", "reasoner", "embedded", "calls", "cached", "repeated", "run"),
    *("next", "status", "made_by"),
)


def family(language: Language, prefix: str) -> dict[str, str]:
    """Return the names under a prefix: with spaces, as results spell them, and as codes do."""
    say = catalogue.words(language)
    found: dict[str, str] = {}
    for code in say.codes():
        if code.startswith(f"{prefix}.") and "." not in code[len(prefix) + 1 :]:
            name = code[len(prefix) + 1 :]
            found[name] = found[name.replace("_", " ")] = say.template(code)
    return found


def by_sentence(language: Language, prefix: str) -> dict[str, str]:
    """Return the texts under a prefix by their English."""
    english = family("en", prefix)
    return {english[name]: text for name, text in family(language, prefix).items()}


@cache
def _words(language: Language) -> Words:
    say = catalogue.words(language)
    families = {name: family(language, prefix) for name, prefix in _FAMILIES.items()}
    families["changes"][""] = families["changes"].pop("none")
    return Words(
        language=language,
        **families,
        **{name: say.template(f"report.{name}") for name in _LABELS},
        hints=by_sentence(language, "hint"),
        colon=say("list.colon"),
    )


def words(language: str) -> Words:
    """The words of a language; English where there are none."""
    return _words(language_of(language))
