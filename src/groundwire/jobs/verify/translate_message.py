"""A translation of a message into a language that the rules read; only a model can make one."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.language.text.links import has_link
from groundwire.model.base import Value
from groundwire.model.phrase import Phrase, phrase
from groundwire.reasoning.passages import enclosed
from groundwire.reasoning.question import Question

READ = frozenset({"zh", "zh-Hant", "en", "und"})  # languages that need no translation


class TranslateInput(Value):
    """A message and the language to put it into."""

    text: str
    language: str


class Translation(Value):
    """The message in that language; empty when nobody translated it."""

    text: str


def _variables(given: TranslateInput, seed: str) -> Mapping[str, str]:
    return {"message": enclosed(given.text, seed), "language": given.language}


def _fault_of(given: TranslateInput, found: Translation) -> Phrase | None:
    if not found.text.strip():
        return phrase("fault.not_translated")
    if len(found.text) > 4 * len(given.text) + 200:
        return phrase("fault.long_translation")
    return phrase("fault.link") if has_link(found.text) else None


QUESTION: Question[TranslateInput, Translation] = Question(
    prompt="verify/translate_message",
    tier="light",
    output=Translation,
    variables=_variables,
    embedded=lambda _given: Translation(text=""),
    fault_of=_fault_of,
    prose=lambda found: found.text,
)
