"""The words that reports have beside those of their results, in zh and en."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from groundwire.report.words import family
from groundwire.words import Language, language_of, words


@dataclass(frozen=True)
class ReportWords:
    """Every label of a report that its result does not have."""

    kinds: Mapping[str, str]
    labels: Mapping[str, str]
    fields: Mapping[str, str]

    def kind(self, name: str) -> str:
        return self.kinds.get(name, name)

    def label(self, name: str) -> str:
        return self.labels[name]

    def field(self, name: str) -> str:
        """The name of a tool's field; one that is not known as it is."""
        return self.fields.get(name, name.replace("_", " "))


@cache
def _words(language: Language) -> ReportWords:
    say = words(language)
    return ReportWords(
        kinds={kind: say(f"{kind}.result") for kind in ("ask", "verify", "tool")},
        labels=family(language, "report.label"),
        fields=family(language, "tool.field"),
    )


def report_words(language: str) -> ReportWords:
    """The words of a language; English where there are none."""
    return _words(language_of(language))
