"""The words of signals, over terminal, reports and pages, in zh and en."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from groundwire import words as catalogue
from groundwire.report.words import SHAPES, Words, by_sentence, family, words
from groundwire.words import Language, language_of

# A stance looks like the verdict that it leads to.
STANCES: Mapping[str, str] = {
    "supports": "supported",
    "contradicts": "contradicted",
    "qualifies": "qualified",
    "unrelated": "unverified",
}


@dataclass(frozen=True)
class SignalWords:
    """Every label of a signal that other results do not have."""

    language: Language
    verdicts: Mapping[str, str]
    rules: Mapping[str, str]
    risks: Mapping[str, str]
    traits: Mapping[str, str]  # of the message's text
    types: Mapping[str, str]
    actions: Mapping[str, str]
    directions: Mapping[str, str]
    strengths: Mapping[str, str]
    timeframes: Mapping[str, str]
    stances: Mapping[str, str]
    tools: Mapping[str, str]
    bearings: Mapping[str, str]
    outcomes: Mapping[str, str]
    paths: Mapping[str, str]
    layers: Mapping[str, str]
    rounds: Mapping[str, str]
    phases: Mapping[str, str]
    hints: Mapping[str, str]
    labels: Mapping[str, str]

    def shaped(self, verdict: str) -> str:
        """A verdict as the head of a card has it: its shape and its word."""
        return f"{SHAPES.get(verdict, '▨')} {self.verdicts.get(verdict, verdict.upper())}"

    def stance(self, name: str) -> str:
        return f"{SHAPES[STANCES.get(name, 'unverified')]} {self.stances.get(name, name)}"

    def listed(self, names: tuple[str, ...]) -> list[str]:
        """Warnings in words: of the judgement, or of the text."""
        known = {**self.traits, **self.risks}
        return [known.get(name, name.replace("_", " ")) for name in names]

    def type(self, name: str) -> str:
        return self.types.get(name, name.replace("_", " "))

    def said(self, code: str, params: Mapping[str, object]) -> str:
        """A code in words; any other text as it is."""
        return catalogue.words(self.language)(code, **params)

    def failure(self, code: str) -> str:
        """A kind of failure by its code."""
        return catalogue.words(self.language).name("failure", code)

    def rule(self, name: str) -> str:
        return self.rules.get(name, name.replace("_", " "))

    def count(self, name: str, n: int) -> str:
        say = catalogue.words(self.language)
        own = f"verify.n.{name}"
        return say(own if say.has(own) else f"n.{_COUNTS.get(name, name)}", n=n)

    def age(self, hours: float) -> str:
        """How long ago, in the largest unit that fits."""
        for size, unit in ((24.0, "days"), (1.0, "hours")):
            if hours >= size:
                return catalogue.words(self.language)(f"ago.{unit}", n=int(hours // size))
        return catalogue.words(self.language)("ago.minutes", n=int(hours * 60))

    def hint(self, text: str) -> str:
        return self.hints.get(text, text)


_COUNTS = {"failed": "failures"}
_FAMILIES = {
    "verdicts": "verdict",
    "rules": "rule",
    "risks": "risk",
    "traits": "trait",
    "types": "type",
    "actions": "action",
    "directions": "direction",
    "strengths": "strength",
    "timeframes": "timeframe",
    "stances": "stance",
    "tools": "tool",
    "bearings": "bearing",
    "outcomes": "outcome",
    "paths": "path",
    "layers": "layer",
    "rounds": "round",
    "phases": "step",
    "labels": "label",
}


@cache
def _words(language: Language) -> SignalWords:
    return SignalWords(
        language=language,
        hints=by_sentence(language, "verify.hint"),
        **{name: family(language, f"verify.{prefix}") for name, prefix in _FAMILIES.items()},
    )


def signal_words(language: str) -> tuple[SignalWords, Words]:
    """The words of signals, and those that all results share; English where there are none."""
    return _words(language_of(language)), words(language)
